# make demo: see the lab at work. make test: the whole test suite. make docs: the pages that are made from the code.
# Each sets up .venv first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test quick check docs clean

demo: $(VENV)/.demo
	$(BIN)/mendlab demo

test: $(VENV)/.test
	$(BIN)/python -m pytest -n auto $(ARGS)

quick: $(VENV)/.test
	$(BIN)/python -m pytest -n auto -m "not slow and not browser" $(ARGS)

docs: $(VENV)/.demo
	$(BIN)/mendlab mutators docs --out docs/mutators.md

check: $(VENV)/.test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy --explicit-package-bases benchmarks/*.py
	$(BIN)/lint-imports

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit("mendlab needs Python 3.11 or newer: make PYTHON=python3.11 ...") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[demo]'
	touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[demo,test]'
	touch $@

clean:
	rm -rf $(VENV) build dist demo-out src/mendlab.egg-info
