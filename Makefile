# Everything a newcomer needs: `make demo` to see it at work, `make run` to use it. PYTHON chooses the interpreter, PORT and HOST where the app listens.
PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8501
BIN := .venv/bin

.PHONY: run demo install local postgres test lint pins clean

run: install
	@echo "Knowledge Tree: http://$(HOST):$(PORT)  (Ctrl+C stops it)"
	@$(BIN)/streamlit run app.py --server.address $(HOST) --server.port $(PORT)

demo: install
	@$(BIN)/python -m ui.demo --host $(HOST) --port $(PORT)

install: .venv/installed

.venv/installed: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; name one with: make PYTHON=/path/to/python3" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing the pinned packages; this takes a minute or two the first time."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

local: .venv/installed  # what runs a language model on this machine
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-local.txt

postgres: .venv/installed  # the driver of PostgreSQL, for a database on a server
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-postgres.txt

.venv/tested: .venv/installed requirements-test.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-test.txt
	@touch $@

test: .venv/tested  # compiled files are kept, or each of the hundreds of programs that the tests start would compile us anew
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

lint: .venv/tested
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

pins: .venv/tested
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate --no-emit-index-url pyproject.toml -o requirements.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate --no-emit-index-url pyproject.toml --extra test -o requirements-test.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate --no-emit-index-url pyproject.toml --extra local -o requirements-local.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate --no-emit-index-url pyproject.toml --extra postgres -o requirements-postgres.txt

clean:
	rm -rf .venv .pytest_cache .hypothesis .ruff_cache .mypy_cache
