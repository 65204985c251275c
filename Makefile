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

.PHONY: help setup test check core core-plain core-threads core-kernels bench docs faults fuzz soak nodes messages studio clean

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
	@echo "make soak    random tests with fresh examples (SEED=... repeats them), and those that take long"
	@echo "make faults  puts small faults into a copy and sees which ones the tests notice: an hour or more"
	@echo "make fuzz    ten minutes of broken files for the readers"

# Editable: Python reads src/, so only a change of the core or the page needs setup again. No isolated
# build, so that setup builds only what has changed; what a build needs is installed first, a node
# among it where the machine has no npm (web/backend.py). Then nothing checks TypeScript or glTF.
PIP = PATH="$(abspath $(BIN)):$$PATH" $(BIN)/pip install --quiet --disable-pip-version-check
BUILD_NEEDS = $(shell sed -n 's/^requires = \[\(.*\)\]/\1/p' pyproject.toml | tr -d ,)
setup: $(WEB_TOOLS)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) $(BUILD_NEEDS)
	$(PIP) $(BUILD_NEEDS) $$(PYTHONPATH=web $(BIN)/python -c "import backend; print(*backend.get_requires_for_build_editable())")
	$(PIP) --no-build-isolation --config-settings=cmake.define.KUMITATE_STRICT=ON --editable ".[dev]"

web/node_modules/.package-lock.json: web/package-lock.json
	cd web && npm ci --no-audit --no-fund --loglevel=error

test: setup check core
	$(BIN)/python -m pytest -q --pyargs kumitate --doctest-modules
	$(BIN)/python -m pytest -q -n logical --dist worksteal --durations=25

check: setup
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy --no-error-summary src tests bench examples web/*.py
ifdef NPM
	web/node_modules/.bin/tsc --allowJs --checkJs --strict --noEmit --target es2022 --module es2022 \
		--lib es2022,dom,dom.iterable src/kumitate/output/viewer.js
	cd web && npm run --silent check && npm test --silent
endif
	$(BIN)/clang-format --dry-run --Werror core/*.hpp core/*.cpp core/tests/*.hpp core/tests/*.cpp

# Under sanitizers, with every instruction set that this machine has, as CMake builds them: addresses
# and undefined behaviour, then threads. (GCC 12 takes its own AVX-512 headers for uninitialized.)
core:
	@$(MAKE) --no-print-directory -j2 core-plain core-threads core-kernels

core-plain: SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all
core-threads: SANITIZE = -fsanitize=thread
core-plain core-threads:
	@mkdir -p build/$@
	@$(MAKE) --no-print-directory OUT=build/$@ FLAGS="-O1 -g $(SANITIZE)" build/$@/run
	@echo "core tests, $(SANITIZE)"
	@build/$@/run

# What a machine without the vectors may run must not come from a kernel that uses them: no function
# of theirs may be one that other files define, too, since the linker takes any of those.
core-kernels:
	@mkdir -p build/$@
	@$(MAKE) --no-print-directory OUT=build/$@ FLAGS="-O3 -DNDEBUG" $(VECTORS:%=build/$@/kernel_%.o)
	@for isa in $(VECTORS); do nm -C build/$@/kernel_$$isa.o | grep -E ' [WVui] ' | \
		grep -v -E "kumitate::$$isa::| DW.ref.__gxx_personality_v0$$" && \
		echo "failed: kernel $$isa defines these for all" && exit 1; done; \
		echo "core: kernels share no code"

VECTORS = $(if $(filter x86_64 amd64,$(shell uname -m)),v3 v4)
CORE_OBJECTS = $(patsubst core/%.cpp,$(OUT)/%.o,$(filter-out core/cover_kernel.cpp,$(CORE)) $(CORE_TESTS)) \
	$(patsubst %,$(OUT)/kernel_%.o,plain $(VECTORS))
$(OUT)/run: $(CORE_OBJECTS)
	@$(CXX) $(FLAGS) $^ -o $@ -pthread
$(OUT)/kernel_%.o: core/cover_kernel.cpp
	@$(CORE_CXX) -DKUMITATE_ISA=$* $(patsubst v%,-march=x86-64-v%,$(filter v%,$*)) -Wno-uninitialized -c $< -o $@
$(OUT)/%.o: core/%.cpp
	@mkdir -p $(@D)
	@$(CORE_CXX) $(if $(VECTORS),-DKUMITATE_X86) -c $< -o $@
CORE_CXX = $(CXX) -std=c++20 -MMD -MP $(FLAGS) $(WARNINGS) -Wno-maybe-uninitialized
-include $(wildcard $(OUT)/*.d $(OUT)/tests/*.d)

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
	$(BIN)/python -m bench.faults

nodes: setup
	$(BIN)/python -m bench.nodes

soak: SEED := $(or $(SEED),$(shell date +%s))
soak: setup
	@echo "to draw the same examples again: make soak SEED=$(SEED)"
	KUMITATE_SOAK=1 $(BIN)/python -m pytest -q --hypothesis-seed=$(SEED) -m hypothesis
	KUMITATE_SOAK=1 $(BIN)/python -m pytest -q -m "not hypothesis" tests/search

clean:
	rm -rf build site
