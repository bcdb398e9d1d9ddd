# make run   the whole service on this machine     make test  the test suite     make lint  style, types, imports
# make bench measurements                          make drill fault drills           make audit known flaws in libraries
# make help  this list
# VENV=path names another virtual environment; WORKERS=n the processes of the test run.

VENV ?= .venv
WORKERS ?= 2
BIN = $(VENV)/bin
RUNTIME = $(VENV)/.runtime-installed
DEVELOPMENT = $(VENV)/.development-installed
PIP = $(BIN)/python -m pip --disable-pip-version-check install --quiet

.PHONY: help run test lint audit format bench drill clean
.DEFAULT_GOAL := help

help:
	@sed -n '1,4s/^# //p' Makefile

run: $(RUNTIME)
	@$(BIN)/python manage.py up

test: $(DEVELOPMENT)
	$(BIN)/python -m pytest -n $(WORKERS) --ignore=tests/browser
# Playwright leaves an event loop running in its process, which later tests could not work with.
	$(if $(wildcard tests/browser),$(BIN)/python -m pytest tests/browser)

lint: $(DEVELOPMENT)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy kb_project topics sources labels search ingest manage.py
	$(BIN)/python manage.py check
	$(BIN)/python -W "ignore:Got an error checking" manage.py makemigrations --check --dry-run

# docs/security.md answers each finding. Who cannot reach the database of known flaws is told so, and goes on.
audit: $(DEVELOPMENT)
	@$(BIN)/python .ci/audit.py

format: $(DEVELOPMENT)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(DEVELOPMENT)
	$(BIN)/python -m bench

# DRILL="--minutes 2 --only postgres" and the like go to it.
drill: $(DEVELOPMENT)
	$(BIN)/python -m bench.drill $(DRILL)

clean:
	rm -rf $(VENV) .ruff_cache .mypy_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	@echo "The data directory (var) is kept."

# The user's python3 if it is new enough and can make virtual environments, else another one that is and can.
$(BIN)/python:
	@for python in python3 python3.12 python3.11 python3.13 python3.14; do \
	    if $$python -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	        echo "Making the virtual environment $(VENV) with $$($$python --version)"; \
	        exec $$python -m venv --clear $(VENV); \
	    fi; \
	done; \
	echo "No Python 3.11 or newer with the venv module was found: install python3 and python3-venv (3.12 is best)." >&2; \
	exit 1

$(RUNTIME): requirements.txt | $(BIN)/python
	@echo "Installing what requirements.txt names (the first time this takes a minute or two)"
	@$(PIP) -r requirements.txt
	@touch $@

$(DEVELOPMENT): requirements-dev.txt requirements.txt | $(BIN)/python
	@echo "Installing what requirements-dev.txt names (the first time this takes a few minutes)"
	@$(PIP) -r requirements-dev.txt
	@touch $@ $(RUNTIME)
