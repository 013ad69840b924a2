# The two commands a newcomer needs are `make run` and `make test`; both set everything up in .venv first.
PYTHON ?= python3.11
BIN := .venv/bin

.PHONY: run test test-all coverage node chromium lint bench solved atlas lock clean

# Python keeps what it has compiled of modules, or every process would compile numba's again: most of a second each.
unexport PYTHONDONTWRITEBYTECODE

# The first time, the tables of two papers are made behind the open lab, so that there is something to look at.
run: .venv/ready
	$(BIN)/hazard lab --reproduce --warm

# As many tests at once as there are processors; what takes minutes by nature is left to `test-all`.
PYTEST = $(BIN)/python -m pytest -n logical --maxprocesses 8 --dist worksteal --durations 10

test: .venv/ready node chromium
	$(PYTEST)

test-all: .venv/ready node chromium
	$(PYTEST) -m slow

# Which lines are never run. Compiled code cannot be watched: what stands in COMPILED is run as plain Python as well.
COVERAGE = $(BIN)/python -m coverage
COMPILED = tests/test_traces.py tests/test_solving.py tests/test_compiled.py tests/games/test_conformance.py
coverage: .venv/ready node chromium
	$(COVERAGE) erase
	$(COVERAGE) run $(PYTEST:$(BIN)/python%=%)
	HAZARD_JIT=0 $(COVERAGE) run $(PYTEST:$(BIN)/python%=%) $(COMPILED)
	$(COVERAGE) combine --quiet
	$(COVERAGE) report --skip-covered --sort=cover

# Programs that some tests need are installed where that can be done: names of the command, package, and what needs it.
# The tests say themselves, last of all, what was not tested.
installed = $(foreach name,$(1),command -v $(name) >/dev/null ||) { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "installing $(2) with apt-get, for the tests of $(3)" && apt-get update -qq && apt-get install -qq -y $(2) >/dev/null; } || echo "no $(2) here, and it cannot be installed: $(3) is not tested"

node:
	@$(call installed,node,nodejs,the example bot in JavaScript)

chromium:
	@$(call installed,chromium chromium-browser google-chrome,chromium,the lab in a browser)

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/ready
	$(BIN)/python -m benchmarks

# The solutions and puzzles that ship with the package, made again after a change to the rules of their games.
solved: .venv/ready
	$(BIN)/python -m hazard.solving.ship
	$(BIN)/hazard solve dice-of-doom -p board=3x3 -p max_dice=3
	$(foreach game,pig great-rolled-ones risk dice-of-doom pickomino,$(BIN)/hazard puzzles $(game) --count 200 --out src/hazard/games/$(subst -,_,$(game))/puzzles.json &&) true

# The records of the atlas that ship with the package, and its page: what is not solved with the rules as they are.
atlas: .venv/ready
	$(BIN)/hazard atlas --solve --records src/hazard/atlas/records --page docs/atlas.md

# Python compiles a module when it is first used; to compile all of them here would take half of the time.
.venv/ready: requirements-dev.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

lock: .venv/ready
	$(BIN)/python -m pip install --quiet pip-tools
	$(BIN)/pip-compile --quiet --generate-hashes --strip-extras --no-header --no-emit-index-url --no-emit-find-links --no-emit-trusted-host -o requirements.txt requirements.in
	$(BIN)/pip-compile --quiet --generate-hashes --strip-extras --no-header --allow-unsafe --no-emit-index-url --no-emit-find-links --no-emit-trusted-host -o requirements-dev.txt requirements-dev.in
	$(BIN)/pip-compile --quiet --generate-hashes --strip-extras --no-header --allow-unsafe --no-emit-index-url --no-emit-find-links --no-emit-trusted-host -o benchmarks/requirements.txt benchmarks/requirements.in

clean:
	rm -rf .venv results build dist
