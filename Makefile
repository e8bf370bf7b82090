# Needs python3 (3.11 or later), make and the package index; everything else goes into .venv.
#   make demo        a game played by a bot, then a short training
#   make test        every check, at most 15 minutes on two cores
#   make test-slow   the longer checks
#   make rllib       .venv-rllib, where RLlib and the Gymnasium it pins are; the longer checks make it by themselves

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
TORCH := $(shell sed -n 's/.*"\(torch==[^"]*\)".*/\1/p' pyproject.toml)
RLLIB := .venv-rllib
RLLIB_PINS := tests/trainers/rllib-requirements.txt
ORACLE := ../shared/oracle
ONE_THREAD := OMP_NUM_THREADS=1

.PHONY: demo test test-slow lint types interpreted bounds oracle tests rllib clean

demo: $(READY)
	$(ONE_THREAD) $(BIN)/subterra demo

# The whole run of pytest comes last, so that its closing line is the last one printed.
test: lint types interpreted bounds oracle tests

# torch first and pinned: whatever comes after it must not bring another build of it.
$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet "$(TORCH)"
	$(BIN)/pip install --quiet --editable ".[train,play,bench,dev]"
	touch $@

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

# The built wheel, because a checker does not see in the source tree that agents/ and train/ belong to the package.
types: $(READY)
	rm -rf build/lib build/wheel build/typed
	$(BIN)/pip wheel --quiet --no-deps --no-build-isolation --wheel-dir build/wheel .
	$(BIN)/python -m zipfile -e build/wheel/*.whl build/typed
	cd build/typed && ../../$(BIN)/mypy --config-file ../../pyproject.toml --cache-dir ../mypy --package subterra_env

# The rules as plain Python.
interpreted: $(READY)
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest tests/rules -m "not slow"

# Random games with every index checked. Machine code is kept apart, because Numba's cache knows no such difference.
bounds: $(READY)
	mkdir -p build
	NUMBA_BOUNDSCHECK=1 SUBTERRA_CACHE_DIR=build/bounds $(BIN)/subterra record --agent random --games 200 --seed 1 \
		--cavers 6 -o build/bounds.jsonl

# Games of both bots with teams of 4 to 6 in turn, read by an independent implementation of the rules.
oracle: $(READY)
	@if test -f $(ORACLE)/check_record.py; then set -e; rm -rf build/oracle; mkdir -p build/oracle; run=0; \
	for rules in official guide summary; do for difficulty in normal advanced expert; do for agent in random rules; do \
		$(BIN)/subterra record --agent $$agent --games 4 --seed $$run --rules $$rules --difficulty $$difficulty \
			--cavers $$((4 + run % 3)) -o build/oracle/$$run.jsonl; run=$$((run + 1)); \
	done; done; done; \
	$(BIN)/python $(ORACLE)/check_record.py build/oracle/*.jsonl; \
	$(BIN)/subterra perft $(ORACLE)/perft_table.json; \
	else echo "oracle: $(ORACLE) is not there, so no records were compared with the independent reading"; fi

tests: $(READY)
	$(ONE_THREAD) $(BIN)/pytest -m "not slow"

test-slow: $(READY)
	$(ONE_THREAD) $(BIN)/pytest -m slow

rllib: $(RLLIB)/ready

$(RLLIB)/ready: pyproject.toml $(RLLIB_PINS)
	$(PYTHON) -m venv $(RLLIB)
	$(RLLIB)/bin/pip install --quiet "$(TORCH)"
	$(RLLIB)/bin/pip install --quiet --editable ".[train,play,bench,dev]" --requirement $(RLLIB_PINS)
	touch $@

clean:
	rm -rf .venv $(RLLIB) build
