# `make` alone lists the targets. Everything the project needs is installed by the targets themselves.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup ui api screenshots demo demo-stream test test-services test-stacks test-streams test-faults test-browser check check-ui bench build protocol hooks clean

# uv from the machine, else one of our own beside the checkout's virtual environment.
UV := $(shell command -v uv 2>/dev/null || echo .uv/bin/uv)
RUN := $(UV) run --no-sync
BOATHOUSE := $(RUN) boathouse
BENCH ?= all

# The web application is built when something it is made of is newer than what was built of it.
UI_BUILT := src/boathouse/control/ui/dist/index.html
UI_SOURCES := $(shell find ui/src ui/public -type f) ui/index.html $(wildcard ui/*.json ui/*.ts ui/*.js)

help: ## List the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.uv/bin/uv:
	python3 -m venv .uv
	.uv/bin/python -m pip install --quiet --disable-pip-version-check uv

setup: $(if $(filter .uv/bin/uv,$(UV)),.uv/bin/uv) ## Install what the project needs into .venv
	@$(UV) sync --locked --quiet
	@# Without a registry of npm packages all but the web application works, and says so at its address.
	@$(MAKE) --no-print-directory ui || echo 'The web application was not built. `make ui` tries again; all else works without.' >&2

.venv/pyvenv.cfg:
	@$(MAKE) --no-print-directory setup

ui: $(UI_BUILT) ## Build the web application, if it changed

ui/node_modules/.installed: ui/package-lock.json | .venv/pyvenv.cfg
	@cd ui && ./npm ci --no-progress --loglevel=error >/dev/null && touch node_modules/.installed

$(UI_BUILT): $(UI_SOURCES) ui/node_modules/.installed
	@cd ui && ./npm run --silent build -- --logLevel warn

ui/node_modules/.checked: $(UI_SOURCES) ui/node_modules/.installed
	@cd ui && ./npm run --silent check && touch node_modules/.checked

check-ui: ui/node_modules/.checked # Lint, types and tests of the web application, if it changed

api: setup ## Write the API's description and the web application's types of it again
	@$(RUN) python ui/make_openapi.py
	@cd ui && ./npm run --silent api >/dev/null && ./npm run --silent format >/dev/null

screenshots: setup ## Take the pictures in docs/gallery.md anew, by the tests that look at every page
	@rm -f docs/screenshots/*.png
	@SCREENSHOTS=1 $(RUN) pytest tests/browser -q
	@$(RUN) python docs/make_gallery.py

demo: setup ## See it all work: install, start, load, ask (ONCE=1 stops what it started)
	@$(BOATHOUSE) demo $(if $(ONCE),--once)
	@$(if $(ONCE),,echo && echo '  Here the command is .venv/bin/boathouse; `source .venv/bin/activate` makes it boathouse.')

demo-stream: setup ## See changes in Postgres arrive in ClickHouse and in the lake (ONCE=1 stops what it started)
	@$(BOATHOUSE) demo-stream $(if $(ONCE),--once)
	@$(if $(ONCE),,echo && echo '  Here the command is .venv/bin/boathouse; `source .venv/bin/activate` makes it boathouse.')

check: setup ## Lint, types, walls and fast tests: under a minute
	@$(RUN) ruff check
	@$(RUN) ruff format --check
	@$(RUN) lint-imports
	@$(RUN) pyright
	@$(MAKE) --no-print-directory check-ui
	@$(RUN) pytest tests/unit -q -n 2 --dist loadfile

# Spark and Kafka live for minutes here: what Java's second compiler takes is never earned back (a seventh of all CPU).
test test-services test-stacks test-streams test-faults test-browser: export JAVA_TOOL_OPTIONS = -XX:TieredStopAtLevel=1

test: check ui ## Everything: check, then the tests on real services, then the demo
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || tests/browser/install-chromium
	@# The first two share no lakehouse, so that each core can have some of their files.
	@# The longest file comes first, so that neither core waits for it in the end.
	$(RUN) pytest tests/conformance tests/behaviour -q -n 2 --dist loadfile $(SLOWEST)
	@# These have a lakehouse each, since pages show whatever tables are in the lake. Two at a time, as there are cores, and
	@# the longest first. Each speaks at its end.
	@$(MAKE) --no-print-directory -j2 --output-sync=target test-services test-streams test-stacks test-faults test-browser
	@# In a home of its own: a lakehouse that its user has running is no business of the tests.
	@home=$$(mktemp -d) && trap 'rm -rf "$$home"' EXIT && BOATHOUSE_HOME="$$home" $(MAKE) --no-print-directory demo ONCE=1

# The slowest are named at the end: they are where the time goes.
SLOWEST := --durations=12 --durations-min=10
STREAMS := $(wildcard tests/integration/test_*stream*.py tests/integration/test_clickhouse*.py)
STACKS := $(wildcard $(addprefix tests/integration/test_,stack*.py demo*.py full_disk.py wheel.py worker.py keyless*.py plain*.py catalog_*.py))

test-services: # The tests on a lakehouse
	$(RUN) pytest tests/integration -q $(STREAMS:%=--ignore=%) $(STACKS:%=--ignore=%) $(SLOWEST)

test-stacks: # Those that start, break and stop lakehouses and services of their own
	$(RUN) pytest $(filter-out $(STREAMS),$(STACKS)) -q $(SLOWEST)

test-streams: # The tests on one with Postgres, Kafka and ClickHouse
	$(RUN) pytest $(STREAMS) -q $(SLOWEST)

test-faults: # The tests that kill, cut off and fill up
	$(RUN) pytest tests/chaos -q $(SLOWEST)

test-browser: # The tests of the web application in a browser
	$(RUN) pytest tests/browser -q $(SLOWEST)

bench: setup ## Measure against peers (BENCH=ingest or another; all by default)
	@$(RUN) python -m benchmarks $(BENCH)

build: setup ui ## Build the wheel into dist/
	@$(UV) build --wheel --quiet && ls dist/*.whl

protocol: setup ## Write the messages for etcd again after a change of messages.proto
	@$(RUN) python -m grpc_tools.protoc -Isrc --python_out=src --pyi_out=src boathouse/catalog/store/etcd/messages.proto

hooks: setup ## Check every commit before it is made
	@$(RUN) prek install

clean: ## Remove what the targets made here; the lakehouse's data is not here
	rm -rf .venv .uv dist ui/node_modules src/boathouse/control/ui/dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache
