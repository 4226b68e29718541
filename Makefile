# Two commands do everything: `make play` and `make test`.  They need Python 3.11 or newer (with venv) and nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SHARED := -n auto --dist loadgroup

.PHONY: help play test check test-core test-long bench bench-bots bench-server clean

help:
	@echo "make play       play a match in the terminal"
	@echo "make test       everything: checks, all tests, coverage"
	@echo "make check      ruff, mypy, import-linter"
	@echo "make test-core  the tests of the rules alone, quick"
	@echo "make test-long  the tests of the bots and the server at full length: a quarter of an hour"
	@echo "make bench      measure, and write benchmarks/RESULTS.md"
	@echo "make bench-bots the bots against each other: an hour or two; writes benchmarks/BOTS.md"
	@echo "make bench-server the online table under load, beside a peer; writes benchmarks/SERVER.md"
	@echo "make clean      remove what these commands made"

# The environment is made anew when what it is made from changes.
$(VENV)/made: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Flipdeck needs Python 3.11 or newer; 'make PYTHON=python3.12 …' names another one."; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "This Python has no venv; on Debian and Ubuntu: apt-get install python3-venv."; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/made-dev: $(VENV)/made
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]' || \
	  { echo "What the tests need could not be installed: a package index must be reachable, and Numba and Ray must"; \
	    echo "have wheels for this Python. 3.11, 3.12 and 3.13 have them: 'make PYTHON=python3.12 test' names another."; exit 1; }
	@touch $@

play: $(VENV)/made
	@$(BIN)/flipdeck play --text

check: $(VENV)/made-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m flipdeck.wire --check

test-core: $(VENV)/made-dev
	$(BIN)/pytest -q $(SHARED) -m "core and not long" --cov --cov-report=term

# Coverage slows what it watches, so the thousands of matches are played apart from it.
test: check
	$(BIN)/pytest $(SHARED) -m "core and not long" --cov --cov-report=term
	$(BIN)/pytest $(SHARED) -m "not core or long"

# What every level does at every table, and what no viewer can tell, ten thousand times over: `make test` does a part.
test-long: $(VENV)/made-dev
	FLIPDECK_THOROUGH=1 $(BIN)/pytest $(SHARED) tests/bots tests/server

# The peers live apart: nothing of theirs is needed to play or to test.
.venv-bench/made: pyproject.toml
	$(PYTHON) -m venv --clear .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[bulk]' \
	  open_spiel==2.0.2 rlcard==1.2.0
	@touch $@

bench: .venv-bench/made
	.venv-bench/bin/python benchmarks/run.py

bench-bots: $(VENV)/made-dev
	$(BIN)/python benchmarks/bots.py

bench-server: $(VENV)/made-dev
	$(BIN)/python benchmarks/server.py

clean:
	rm -rf $(VENV) .venv-bench build .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
