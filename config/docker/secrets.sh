#!/bin/sh
# Makes the secrets of a site, once: those that are in the folder stay as they are.
# The folder is its owner's alone; the files can be read, since the containers read them as users of their own.
set -eu
folder=${1:-secrets}
mkdir -p "$folder"
chmod 700 "$folder"

keep() {
	[ -s "$folder/$1" ] || { cat > "$folder/$1.new" && chmod 444 "$folder/$1.new" && mv "$folder/$1.new" "$folder/$1"; }
}

chance() {
	head -c "$1" /dev/urandom | base64 | tr -d '\n' | tr '+/' '-_'
}

chance 48 | keep secret_key
chance 32 | keep sealing_keys
chance 24 | keep database_password
printf 'postgresql://longbluff:%s@db:5432/longbluff' "$(cat "$folder/database_password")" | keep database_url
echo "The secrets are in $folder/. Keep a copy of them apart from the database."
