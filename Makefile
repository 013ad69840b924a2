# The two commands a newcomer needs are `make run` and `make test`; both set everything up in .venv first.
PYTHON ?= python3.11
BIN := .venv/bin

.PHONY: run test node chromium lint bench lock clean

# The first time, the tables of two papers are made, so that there is something to look at in the lab.
run: .venv/ready results
	$(BIN)/hazard lab

results: | .venv/ready
	$(BIN)/hazard reproduce great-rolled-ones risk --out results

test: .venv/ready node chromium
	$(BIN)/python -m pytest

# Programs that some tests need are installed where that can be done: command, package, and what is missed without it.
installed = command -v $(1) >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && apt-get install -qq -y $(2) >/dev/null; } || echo "no $(1): $(3)"

node:
	@$(call installed,node,nodejs,the example bot in JavaScript is not tested)

chromium:
	@$(call installed,chromium,chromium,the lab is not tested in a browser)

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/ready
	$(BIN)/python -m benchmarks

.venv/ready: requirements-dev.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

lock: .venv/ready
	$(BIN)/python -m pip install --quiet pip-tools
	$(BIN)/pip-compile --quiet --generate-hashes --strip-extras --no-header --no-emit-index-url --no-emit-find-links --no-emit-trusted-host -o requirements.txt requirements.in
	$(BIN)/pip-compile --quiet --generate-hashes --strip-extras --no-header --allow-unsafe --no-emit-index-url --no-emit-find-links --no-emit-trusted-host -o requirements-dev.txt requirements-dev.in
	$(BIN)/pip-compile --quiet --generate-hashes --strip-extras --no-header --allow-unsafe --no-emit-index-url --no-emit-find-links --no-emit-trusted-host -o benchmarks/requirements.txt benchmarks/requirements.in

clean:
	rm -rf .venv results build dist
