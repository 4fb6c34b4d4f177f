# `make` alone lists the targets. Everything the project needs is installed by the targets themselves.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup demo test check bench build protocol hooks clean

# uv from the machine, else one of our own beside the checkout's virtual environment.
UV := $(shell command -v uv 2>/dev/null || echo .uv/bin/uv)
RUN := $(UV) run --no-sync
BOATHOUSE := $(RUN) boathouse
BENCH ?= all

help: ## List the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.uv/bin/uv:
	python3 -m venv .uv
	.uv/bin/python -m pip install --quiet --disable-pip-version-check uv

setup: $(if $(filter .uv/bin/uv,$(UV)),.uv/bin/uv) ## Install what the project needs into .venv
	@$(UV) sync --locked --quiet

demo: setup ## See it all work: install, start, load, ask (ONCE=1 stops what it started)
	@$(BOATHOUSE) demo $(if $(ONCE),--once)
	@$(if $(ONCE),,echo && echo '  Here the command is .venv/bin/boathouse; `source .venv/bin/activate` makes it boathouse.')

check: setup ## Lint, types, walls and fast tests: under a minute
	@$(RUN) ruff check
	@$(RUN) ruff format --check
	@$(RUN) lint-imports
	@$(RUN) pyright
	@$(RUN) pytest tests/unit -q -n 2 --dist loadfile

test: check ## Everything: check, then the tests on real services, then the demo
	$(RUN) pytest tests/behaviour tests/conformance tests/integration tests/chaos -q
	@# In a home of its own: a lakehouse that its user has running is no business of the tests.
	@home=$$(mktemp -d) && trap 'rm -rf "$$home"' EXIT && BOATHOUSE_HOME="$$home" $(MAKE) --no-print-directory demo ONCE=1

bench: setup ## Measure against peers (BENCH=ingest or another; all by default)
	@$(RUN) python -m benchmarks $(BENCH)

build: setup ## Build the wheel into dist/
	@$(UV) build --wheel --quiet && ls dist/*.whl

protocol: setup ## Write the messages for etcd again after a change of messages.proto
	@$(RUN) python -m grpc_tools.protoc -Isrc --python_out=src --pyi_out=src boathouse/catalog/store/etcd/messages.proto

hooks: setup ## Check every commit before it is made
	@$(RUN) prek install

clean: ## Remove what the targets made here; the lakehouse's data is not here
	rm -rf .venv .uv dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache
