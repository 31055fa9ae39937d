# `make help` lists what there is. Nothing has to be installed before but Python 3.11 or later, with pip.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Two processes: what a small machine has.
PYTEST := $(BIN)/python -m pytest -q -n 2 --dist loadgroup

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help serve site test lint types contracts migrations openapi test-sqlite test-postgresql lock clean

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

serve: $(VENV)/serve.stamp ## set everything up and serve (HOST, PORT, DATABASE_URL, ... from the environment)
	@exec $(BIN)/python manage.py serve

site: $(VENV)/serve.stamp ## run every process of a large site, for development (DATABASE_URL and REDIS_URL)
	@exec $(BIN)/python manage.py site

test: lint types contracts migrations openapi test-sqlite test-postgresql ## check everything, on both databases

lint: $(VENV)/test.stamp ## style of the code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/test.stamp ## types
	$(BIN)/mypy

contracts: $(VENV)/test.stamp ## who may import whom
	$(BIN)/lint-imports

migrations: $(VENV)/test.stamp ## that no model changed without a migration
	DJANGO_SETTINGS_MODULE=tests.settings $(BIN)/python manage.py makemigrations --check --dry-run

openapi: $(VENV)/test.stamp ## that the API's description is whole
	DJANGO_SETTINGS_MODULE=tests.settings $(BIN)/python manage.py spectacular --validate --fail-on-warn > /dev/null

test-sqlite: $(VENV)/test.stamp ## all tests on SQLite
	env -u DATABASE_URL -u REDIS_URL $(PYTEST) $(SITES)

# These bring a PostgreSQL of their own, and so run once, on PostgreSQL's turn.
SITES := --ignore=tests/faults/test_a_minute.py --ignore=tests/faults/test_a_few_days.py

# What reads no row is proven once, on SQLite's turn; so is what a browser makes of the pages.
ROWLESS := --ignore=tests/engine --ignore=tests/computers --ignore=tests/model \
	--ignore-glob='tests/verify/test_[!s]*' --ignore=tests/outside/test_the_program_sees_faults.py \
	--ignore=tests/faults/test_the_checker_sees_faults.py --ignore=tests/solving --ignore=tests/browser

# The last thing that runs, so that what could not be run is the last thing said.
test-postgresql: $(VENV)/test.stamp ## all tests that touch a row on PostgreSQL, found or started for them
	$(BIN)/python -m tests.services postgresql -- $(PYTEST) $(ROWLESS)

lock: | $(VENV)/pyvenv.cfg ## choose versions anew and write them down with their hashes
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile $(LOCK) pyproject.toml -o requirements.txt
	$(BIN)/uv pip compile $(LOCK) -c requirements.txt pyproject.toml --group dev -o requirements-dev.txt

# Without header and notes the files name no host, and pip takes them from wherever it is told to look.
LOCK := --upgrade --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --quiet

clean: ## remove the environment (the data in var/ stays)
	rm -rf $(VENV)

# A stamp says which lock was installed; while it is newer than the lock, pip is not called at all.

$(VENV)/serve.stamp: requirements.txt | $(VENV)/pyvenv.cfg
	@echo "Installing what Longbluff needs (once; a minute or two)..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	@touch $@

$(VENV)/test.stamp: requirements-dev.txt | $(VENV)/pyvenv.cfg
	@echo "Installing what the checks need (once; a minute or two)..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	@touch $@

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		found=$$($(PYTHON) --version 2>/dev/null) || found="not here"; \
		echo "Longbluff needs Python 3.11 or later; $(PYTHON) is $$found." \
			"Name another: make PYTHON=python3.12 serve" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
		echo "$(PYTHON) cannot make an environment: its venv module is missing. On Debian and Ubuntu:" \
			"apt install python3-venv" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
