# The commands of the project; plain `make` lists them.

PYTHON ?= python3
VENV ?= .venv
CXX ?= g++
BIN = $(VENV)/bin
CORE = $(filter-out core/bindings.cpp,$(wildcard core/*.cpp))
CORE_TESTS = $(wildcard core/tests/*.cpp)
NPM = $(shell command -v npm)
WEB_TOOLS = $(if $(NPM),web/node_modules/.package-lock.json)
WARNINGS = -Wall -Wextra -Wpedantic -Wconversion -Werror

.PHONY: help setup test check core core-plain core-vectors core-threads bench docs faults fuzz soak nodes messages studio clean

help:
	@echo "make setup   a virtual environment in $(VENV) with kumitate and all that tests need"
	@echo "make test    everything: setup, check, core, all tests"
	@echo "make check   style and types only"
	@echo "make core    the C++ core's own tests under sanitizers"
	@echo "make bench   measurements, see bench/README.md"
	@echo "make studio  the studio, on the library and this folder"
	@echo "make messages  web/src/messages.ts anew, from studio/messages.py"
	@echo "make docs    the documentation, into site/"
	@echo "make nodes   the number of nodes over the library: same number, same search"
	@echo "make soak    the tests that take long, too"
	@echo "make faults  puts small faults into a copy and sees which ones the tests notice: an hour or more"
	@echo "make fuzz    ten minutes of broken files for the readers"

# pip keeps what is there; kumitate itself is built anew each time. Where there is no npm, the page is
# built by the node that pip fetches (web/backend.py), but nothing checks TypeScript or glTF.
setup: $(WEB_TOOLS)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --config-settings=cmake.define.KUMITATE_STRICT=ON ".[dev]"

web/node_modules/.package-lock.json: web/package-lock.json
	cd web && npm ci --no-audit --no-fund --loglevel=error

test: setup check core
	$(BIN)/python -m pytest -q --pyargs kumitate --doctest-modules
	$(BIN)/python -m pytest -q

check: setup
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy --no-error-summary src tests bench examples web/*.py
ifdef NPM
	web/node_modules/.bin/tsc --allowJs --checkJs --strict --noEmit --target es2022 --module es2022 \
		--lib es2022,dom,dom.iterable src/kumitate/output/viewer.js
	cd web && npm run --silent check && npm test --silent
endif
	$(BIN)/clang-format --dry-run --Werror core/*.hpp core/*.cpp core/tests/*.cpp

# Plain, with all that this machine's vectors can do, and with threads watched, two at a time. (GCC 12
# takes its own AVX-512 headers for uninitialized.)
core:
	mkdir -p build
	@$(MAKE) --no-print-directory -j2 core-plain core-vectors core-threads

core-plain: SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all
core-vectors: SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all -march=native -Wno-uninitialized
core-threads: SANITIZE = -fsanitize=thread
core-plain core-vectors core-threads:
	@echo "core tests, $(SANITIZE)"
	@$(CXX) -std=c++20 -O1 -g $(SANITIZE) $(WARNINGS) -Wno-maybe-uninitialized $(CORE) $(CORE_TESTS) \
		-o build/$@ -pthread && build/$@

bench: setup
	$(BIN)/python -m bench
	$(BIN)/python -m bench.apart
	$(BIN)/python -m bench.runs
	$(BIN)/python -m bench.blocks
	$(BIN)/python -m bench.burr6
	$(BIN)/python -m bench.cluster
	$(BIN)/python -m bench.search

messages: setup
	$(BIN)/python web/write_messages.py

studio: setup
	$(BIN)/kumitate studio

docs: setup
	$(BIN)/mkdocs build --strict --quiet

fuzz: setup
	KUMITATE_FUZZ_SECONDS=600 $(BIN)/python -m pytest -q tests/files/test_fuzz.py

faults: setup
	$(BIN)/pip install --quiet --disable-pip-version-check nanobind
	$(BIN)/python -m bench.faults

nodes: setup
	$(BIN)/python -m bench.nodes

soak: setup
	KUMITATE_SOAK=1 $(BIN)/python -m pytest -q tests/search

clean:
	rm -rf build site
