# Alice and Bob, two guests, sit down at a table of two, and whoever opens makes the first bid.
api={address}/api/v1
field() { python3 -c 'import functools, json, sys
print(functools.reduce(dict.get, sys.argv[1].split("."), json.load(sys.stdin)))' "$1"; }
post() { curl -sS -H "Authorization: Bearer $1" -H 'Content-Type: application/json' -d "$3" "$api/$2"; }

alice=$(curl -sS -H 'Content-Type: application/json' -d '{"name": "Alice"}' "$api/guests" | field token)
bob=$(curl -sS -H 'Content-Type: application/json' -d '{"name": "Bob"}' "$api/guests" | field token)
table=$(post "$alice" tables '{"rules": {"seats": 2}}' | field id)
post "$bob" "tables/$table/seats" '{}' | field status

view=$(curl -sS -H "Authorization: Bearer $alice" "$api/tables/$table")
[ "$(echo "$view" | field round.turn)" = 0 ] && mover=$alice || mover=$bob
version=$(echo "$view" | field version)
bid='{"type": "bid", "quantity": 1, "face": 2, "version": '$version'}'
post "$mover" "tables/$table/actions" "$bid" | field round.bids
