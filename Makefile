# Two commands do everything: `make play` and `make test`.  They need Python 3.11 or newer (with venv).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python install.py
NOT_INSTALLED := Not installed: a package index must be reachable, and Numba must have wheels for this Python. 3.11, 3.12 and 3.13 have them: 'make PYTHON=python3.12 …' names another one.
EXTRAS := bulk,server
SHARED := -n auto --dist loadfile --no-loadscope-reorder
PAGE_SOURCES := $(shell find web src/flipdeck/i18n -name node_modules -prune -o -type f -not -name '*.pyc' -print)

.PHONY: help play test check check-python check-page test-core test-page test-web test-cluster test-deploy lock pictures test-long test-loaded bench bench-bots bench-server bench-page soak clean

help:
	@echo "make play       play a match against bots in the browser"
	@echo "make test       everything: checks, all tests, coverage"
	@echo "make check      ruff, mypy, import-linter, svelte-check"
	@echo "make test-core  the tests of the rules alone, quick"
	@echo "make test-web   the page alone: its components, and whole matches in a browser"
	@echo "make test-cluster the tests that need Ray, in an environment of their own"
	@echo "make test-deploy the files of deploy/ with nginx, Caddy and systemd, in the locked environment"
	@echo "make lock       renew the locked set of dependencies in deploy/"
	@echo "make pictures   take the pictures of the README anew"
	@echo "make test-long  the tests of the bots and the server at full length: a quarter of an hour"
	@echo "make test-loaded all tests on a bad machine, some three times: an hour"
	@echo "make bench      measure, and write benchmarks/RESULTS.md"
	@echo "make bench-bots the bots against each other: an hour or two; writes benchmarks/BOTS.md"
	@echo "make bench-server the online table under load, beside a peer; writes benchmarks/SERVER.md; AGAINST=COMMIT, QUICK=1"
	@echo "make bench-page the frames of a flip in a browser; writes benchmarks/PAGE.md"
	@echo "make soak       tables that come and go for a quarter of an hour: does the server stay as small as it was?"
	@echo "make clean      remove what these commands made"

# The environment is made anew when what it is made from changes.  Tests need more in it: they install all at once, and
# leave the page to their own first job.
$(VENV)/made: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Flipdeck needs Python 3.11 or newer; 'make PYTHON=python3.12 …' names another one."; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "This Python has no venv; on Debian and Ubuntu: apt-get install python3-venv."; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	@echo "Installing what Flipdeck needs: about a minute, once."
	@$(INSTALL) --editable '.[$(EXTRAS)]'
	@touch $@ $(if $(findstring dev,$(EXTRAS)),$(VENV)/made-dev,$(VENV)/page)

# The page is made while the package is installed; here again when only its sources have changed.
$(VENV)/page: $(PAGE_SOURCES) | $(VENV)/made
	@echo "The sources of the page have changed."
	@$(INSTALL) --no-deps --editable .
	@touch $@

$(VENV)/made-dev: EXTRAS := dev
$(VENV)/made-dev: export FLIPDECK_NO_PAGE := 1
$(VENV)/made-dev: $(VENV)/made
	@[ ! $@ -ot $< ] || $(INSTALL) --editable '.[dev]'
	@touch $@

play: $(VENV)/made $(VENV)/page
	@$(BIN)/flipdeck play

# Everything, side by side: tests/run_all.py says what.
test: $(VENV)/made-dev
	@$(BIN)/python -m tests.run_all

check: check-python check-page

check-python: $(VENV)/made-dev
	@$(BIN)/python -m tests.run_all checks

check-page: $(VENV)/made-dev
	$(BIN)/python web/make.py check

test-page: check-page
	$(BIN)/python web/make.py
	$(BIN)/python web/make.py test

test-core: $(VENV)/made-dev
	@$(BIN)/python -m tests.run_all core

test-web: test-page
	$(BIN)/pytest $(SHARED) tests/web

# The pictures of the README, as the tests see the table.
pictures: $(VENV)/made-dev
	$(BIN)/python web/make.py
	$(BIN)/pytest -q tests/web/test_looks.py -k pictures
	cp build/pictures/*.png docs/

# What every level does at every table, and what no viewer can tell, ten thousand times over: `make test` does a part.
test-long: $(VENV)/made-dev
	FLIPDECK_THOROUGH=1 $(BIN)/pytest $(SHARED) tests/bots tests/bulk tests/core/long tests/server

# The same tests beside four busy loops, while a random process of theirs stands still now and then: tests/load.py.
test-loaded: $(VENV)/made-dev .venv-cluster/made
	$(BIN)/python web/make.py
	$(BIN)/flipdeck warm
	$(BIN)/python -m tests.warm
	$(BIN)/python -m tests.load

# Ray is large: what needs it is not part of `make test`.  Its environment has it, so nothing may be skipped there.
.venv-cluster/made: pyproject.toml
	$(PYTHON) -m venv --clear .venv-cluster
	@FLIPDECK_NO_PAGE=1 .venv-cluster/bin/python -m pip install --quiet --disable-pip-version-check --no-compile \
	  --editable '.[cluster,test]' || { echo "$(NOT_INSTALLED) Ray must have them too."; exit 1; }
	@touch $@

test-cluster: .venv-cluster/made
	FLIPDECK_NO_SKIPS=1 .venv-cluster/bin/python -m pytest tests/cluster

# The locked set of deploy/, installed with its hashes; the tests need two packages more.
.venv-deploy/made: pyproject.toml deploy/requirements.txt
	$(PYTHON) -m venv --clear .venv-deploy
	@.venv-deploy/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes \
	  --only-binary :all: -r deploy/requirements.txt || { echo "$(NOT_INSTALLED)"; exit 1; }
	@FLIPDECK_NO_PAGE=1 .venv-deploy/bin/python -m pip install --quiet --disable-pip-version-check --no-compile \
	  --editable '.[server,bulk,test]' || { echo "$(NOT_INSTALLED)"; exit 1; }
	@touch $@

test-deploy: $(VENV)/made-dev .venv-deploy/made
	$(BIN)/python web/make.py
	FLIPDECK_NO_SKIPS=1 .venv-deploy/bin/python -m pytest tests/deploy

.venv-lock/made:
	$(PYTHON) -m venv --clear .venv-lock
	.venv-lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	@touch $@

lock: .venv-lock/made
	deploy/lock.sh .venv-lock/bin/uv

# The peers live apart: nothing of theirs is needed to play or to test.
.venv-bench/made: pyproject.toml
	$(PYTHON) -m venv --clear .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[bulk]' \
	  open_spiel==2.0.2 rlcard==1.2.0
	@touch $@

bench: .venv-bench/made
	.venv-bench/bin/python -m benchmarks.run

bench-bots: $(VENV)/made-dev
	$(BIN)/python -m benchmarks.bots

# AGAINST names a commit that is measured beside this version; QUICK does a fifth of the work, and writes nothing.
bench-server: $(VENV)/made-dev
	$(BIN)/python -m benchmarks.server $(if $(AGAINST),--against $(AGAINST)) $(if $(QUICK),--quick)

bench-page: $(VENV)/made-dev $(VENV)/page
	$(BIN)/python -m benchmarks.page

soak: $(VENV)/made-dev
	$(BIN)/python -m benchmarks.soak

clean:
	rm -rf $(VENV) .venv-bench .venv-cluster .venv-deploy .venv-lock build web/node_modules src/flipdeck/server/web .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
