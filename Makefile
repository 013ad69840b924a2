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

# The example bot in JavaScript is tested where Node is there or can be installed.
node:
	@command -v node >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get install -qq -y nodejs >/dev/null; } || echo "no Node: its bot is not tested"

# The lab is tested in a real browser where Chromium is there or can be installed.
chromium:
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get install -qq -y chromium >/dev/null; } || echo "no Chromium: the lab is not tested in a browser"

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
