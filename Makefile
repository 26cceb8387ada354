# `make demo` and `make test` need Python 3.11 or newer and nothing else; PYTHON=... picks another interpreter.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test check golden coverage clean

demo: $(VENV)/.installed
	@$(BIN)/python examples/demo.py

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n auto --dist worksteal

check: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy tests/typing/api.py
	$(BIN)/pyright
	$(BIN)/wireshape golden --check
	$(BIN)/python -m pytest -n auto --dist worksteal

coverage: $(VENV)/.installed-dev
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage report

golden: $(VENV)/.installed-dev
	$(BIN)/wireshape golden --write

clean:
	rm -rf $(VENV) build dist

$(VENV)/.python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.installed: $(VENV)/.python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.installed-dev: $(VENV)/.python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $(VENV)/.installed $@
