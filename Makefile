# The two commands that matter are `make serve` and `make test`. `make` alone lists them all.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

VENV := .venv
PY := $(VENV)/bin/python
RUNTIME := $(VENV)/.runtime
DEVELOPMENT := $(VENV)/.development
PIP_INSTALL := $(PY) -m pip install -qq --disable-pip-version-check --require-hashes
UV_VERSION := 0.13.9
BOOTSTRAP_VERSION := 5.3.9
SASS_VERSION := 1.108.2
PYTEST_WORKERS ?= auto

# The first Python of the path that is new enough; PYTHON= overrides.
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
	if $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then echo $$name; break; fi; done)

.PHONY: help serve demo test lint types contracts templates migrations check bench messages styles lock check-lock format clean

help: ## list the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

serve: $(RUNTIME) ## serve the site on 127.0.0.1:8000; PORT= for another port, LAN=1 to let phones in
	@$(PY) manage.py serve

demo: $(RUNTIME) ## add a demonstration league with a season of games
	@echo "Adding the demonstration league …"
	@$(PY) manage.py migrate --verbosity 0
	@$(PY) manage.py demo

test: $(DEVELOPMENT) lint types contracts templates migrations check ## everything that must hold: linters, types, import contracts, all tests
	@echo "Finding a browser …"
	@$(PY) -m tests.browser.chromium
	@echo "Running the tests …"
	@$(PY) -m pytest --numprocesses $(PYTEST_WORKERS) $(PYTEST_ARGUMENTS)

lint: $(DEVELOPMENT)
	@echo "Checking style and format …"
	@$(PY) -m ruff check --quiet
	@$(PY) -m ruff format --quiet --check

# One cache for each state of the models: mypy's Django plugin keeps relations that a change of a model has added or taken away.
types: $(DEVELOPMENT)
	@echo "Checking types …"
	@state=$$(find players scoring -path '*models*' -name '*.py' | sort | xargs cat | cksum | cut -d ' ' -f 1); \
		$(PY) -m mypy --no-error-summary --cache-dir .mypy_cache/$$state

contracts: $(DEVELOPMENT)
	@echo "Checking that imports point one way …"
	@$(VENV)/bin/lint-imports --no-logo >$(VENV)/contracts.txt || { cat $(VENV)/contracts.txt; exit 1; }

templates: $(DEVELOPMENT)
	@echo "Checking the templates …"
	@find templates -name '*.html' -print0 | xargs -0 -r $(VENV)/bin/djade --check --target-version 5.2 2>$(VENV)/templates.txt \
		|| { cat $(VENV)/templates.txt; exit 1; }

migrations: $(DEVELOPMENT)
	@echo "Checking that the migrations are complete …"
	@$(PY) manage.py makemigrations --check --dry-run >/dev/null || { $(PY) manage.py makemigrations --check --dry-run; exit 1; }

check: $(DEVELOPMENT)
	@echo "Checking the settings of a site on the open web …"
	@HTTPS=1 $(PY) manage.py check --deploy --fail-level WARNING >/dev/null

bench: $(DEVELOPMENT) $(VENV)/.uv ## measure time
	@$(UV) sync --frozen --inexact --group dev --group bench
	@$(PY) -m pytest --numprocesses 0 --benchmark-enable -m bench $(PYTEST_ARGUMENTS)

messages: $(DEVELOPMENT) ## bring the Spanish catalogue up to date with the code, and compile it
	@DJANGO_SETTINGS_MODULE=continental.settings $(PY) -m tests.messages

format: $(DEVELOPMENT) ## put code and templates into their format
	@$(PY) -m ruff check --quiet --fix-only
	@$(PY) -m ruff format --quiet
	@find templates -name '*.html' -print0 | xargs -0 -r $(VENV)/bin/djade --target-version 5.2

styles: ## make the subset of Bootstrap anew from continental/styles (needs npm)
	@npm install --silent --no-save --prefix node_modules/.styles bootstrap@$(BOOTSTRAP_VERSION) sass@$(SASS_VERSION)
	@node_modules/.styles/node_modules/.bin/sass --quiet --no-source-map --no-charset --style compressed \
		--load-path node_modules/.styles/node_modules/bootstrap/scss \
		continental/styles/bootstrap.scss continental/static/vendor/bootstrap/bootstrap.subset.css

# The settings of this machine's own package index must not leak into the lock.
UV := env -u UV_INDEX -u UV_INDEX_URL -u UV_DEFAULT_INDEX -u UV_EXTRA_INDEX_URL -u UV_FIND_LINKS $(VENV)/bin/uv --no-config --quiet
EXPORT := $(UV) export --frozen --no-header --no-annotate

lock: $(VENV)/.uv ## resolve the packages anew after a change of pyproject.toml, and export the requirement files
	@$(UV) lock $(UV_ARGUMENTS)
	@$(EXPORT) --no-default-groups --output-file requirements.txt >/dev/null
	@$(EXPORT) --group dev --output-file requirements-dev.txt >/dev/null

check-lock: $(VENV)/.uv ## check that the lock and the requirement files are fresh
	@echo "Checking that the lock is fresh …"
	@$(UV) lock --check
	@$(EXPORT) --no-default-groups | diff - requirements.txt
	@$(EXPORT) --group dev | diff - requirements-dev.txt

$(VENV)/.uv: | $(VENV)/bin/python
	@$(PY) -m pip install -qq --disable-pip-version-check uv==$(UV_VERSION)
	@touch $@

$(VENV)/bin/python:
	@if [ -z "$(PYTHON)" ]; then echo "Python 3.11 or newer is needed: install it, or give its path with PYTHON=." >&2; exit 1; fi
	@echo "Making the environment in $(VENV) with $$($(PYTHON) --version) …"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "Python's venv module is missing (on Debian: apt install python3-venv)." >&2; exit 1; }

$(RUNTIME): requirements.txt | $(VENV)/bin/python
	@echo "Installing the packages of requirements.txt …"
	@$(PIP_INSTALL) -r requirements.txt
	@touch $@

$(DEVELOPMENT): requirements-dev.txt | $(VENV)/bin/python
	@echo "Installing the packages of requirements-dev.txt …"
	@$(PIP_INSTALL) -r requirements-dev.txt
	@touch $@ $(RUNTIME)

clean: ## remove the environment and every cache; the scores in var/ stay
	@rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks .import_linter_cache
