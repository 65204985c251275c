# The commands of the project; plain `make` lists them.

MAKEFLAGS += --no-builtin-rules # by which make would link what lists dependencies
PYTHON ?= python3
VENV ?= .venv
CXX ?= g++
BIN = $(VENV)/bin
CORE = $(filter-out core/wasm.cpp core/parallel_alone.cpp $(wildcard core/bindings*.cpp),$(wildcard core/*.cpp))
CORE_TESTS = $(wildcard core/tests/*.cpp)
NPM = $(shell command -v npm)
WEB_TOOLS = $(if $(NPM),web/node_modules/.package-lock.json)
WARNINGS = -Wall -Wextra -Wpedantic -Wconversion -Werror

# Tests start hundreds of Python processes, which would each compile all of src/ again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup quick test pytest check check-style check-types check-page core core-plain core-threads core-kernels cross wasm pyodide wheels app bench docs faults fuzz soak nodes messages studio clean

help:
	@echo "make setup   a virtual environment in $(VENV) with kumitate and all that tests need"
	@echo "make quick   style, types and the quick tests, in two minutes; no setup, browser or cluster"
	@echo "make test    everything: setup, check, core, all tests"
	@echo "make check   style and types only"
	@echo "make core    the C++ core's own tests under sanitizers"
	@echo "make cross   the core's own tests for Windows, ARM and macOS: run where there is wine or qemu"
	@echo "make wasm    the core for exported pages, as WebAssembly, with zig (wheels have it, too)"
	@echo "make pyodide the wheel for Python in the browser, and what a site with a studio needs, into dist/"
	@echo "make wheels  the source distribution and the wheel for $(PYTHON), into dist/, and tries them out"
	@echo "make app     the studio and the command line as a program of its own, from the wheel, into dist/app"
	@echo "make bench   measurements, see bench/README.md"
	@echo "make studio  the studio, on the library and this folder"
	@echo "make messages  what web/src shares with Python: messages, timings, colours"
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

# Everything at once, so that no processor is idle. The tests start as soon as setup is done. The
# core's own tests need no setup. They and the slow checks run at lower priority (nice), in the time
# that downloads, browsers and clusters leave free: the core's tests not much lower, or most of them
# would be left when all else is done.
# Each target's output is shown when the target is done, except that of pytest, which is shown live:
# `+` exempts it from --output-sync.
test:
	@$(MAKE) --no-print-directory -j$$(($(CORES) + 2)) $(SYNC) pytest check $(CORE_CHECKS)
pytest: setup
	+@$(BIN)/python -m pytest -q -n $$(($(CORES) + 1)) --dist worksteal --durations=25 \
		--doctest-modules --pyargs kumitate tests
SYNC = $(if $(filter output-sync,$(.FEATURES)),--output-sync)

# Some tests wait for browsers, clusters and processes, so one more runs than there are cores.
CORES = $(shell nproc 2> /dev/null || sysctl -n hw.ncpu)
quick:
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy --no-error-summary src tests bench tools examples web/*.py
	$(BIN)/python -m pytest -q -n $$(($(CORES) + 1)) --dist worksteal --quick

# Apart, so that `make -j` runs them side by side; the page's checks need nothing of Python's.
check: check-style check-types check-page
check-style: setup
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/clang-format --dry-run --Werror core/*.hpp core/*.cpp core/tests/*.hpp core/tests/*.cpp
check-types: setup
	nice -n 15 $(BIN)/mypy --no-error-summary src tests bench tools examples web/*.py
	nice -n 15 $(BIN)/mypy --no-error-summary --platform win32 --cache-dir build/mypy-windows src
check-page: $(WEB_TOOLS)
ifdef NPM
	cd web && nice -n 15 npm run --silent check && nice -n 3 npm test --silent
endif

# Under sanitizers: addresses and undefined behaviour with every instruction set that this machine
# has, as CMake builds them; threads with one, since all of them share their data in the same way.
# (GCC 12 takes its own AVX-512 headers for uninitialized.)
core:
	@$(MAKE) --no-print-directory -j2 $(CORE_CHECKS)
CORE_CHECKS = core-plain core-threads core-kernels

# Without what takes long to compile and shows little here: the address sanitizer sees null pointers
# and the ends of objects by itself, and no class is cast to one derived from it (vptr).
core-plain: SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-sanitize=null,object-size,vptr
core-threads: SANITIZE = -fsanitize=thread
core-threads: ONLY = VECTORS= CORE_TESTS="$(THREADED:%=core/tests/%.cpp)"
THREADED = main allocations contract_test disassemble_test parallel_test threads_test turning_test \
	value_test
core-plain core-threads:
	@mkdir -p build/$@
	@nice -n 2 $(MAKE) --no-print-directory OUT=build/$@ FLAGS="-O1 -g1 $(SANITIZE)" $(ONLY) build/$@/run
	@echo "core tests, $(SANITIZE)"
	@nice -n 2 build/$@/run

# What a machine without the vectors may run must not come from a kernel that uses them: no function
# of theirs may be one that other files define, too, since the linker takes any of those.
core-kernels:
	@mkdir -p build/$@
	@$(MAKE) --no-print-directory OUT=build/$@ FLAGS="-O3 -DNDEBUG" $(VECTORS:%=build/$@/kernel_%.o)
	@for isa in $(VECTORS); do nm -C build/$@/kernel_$$isa.o | grep -E ' [WVui] ' | \
		grep -v -E "kumitate::$$isa::| DW.ref.__gxx_personality_v0$$" && \
		echo "failed: kernel $$isa defines these for all" && exit 1; done; \
		echo "core: kernels share no code"

# For other systems, compiled by zig (PyPI's ziglang). What this machine can run is run: Windows by
# Debian's wine, ARM by its qemu-user.
CROSS = x86_64-windows-gnu aarch64-linux-musl aarch64-macos x86_64-macos
CROSS_RUN_x86_64-windows-gnu = wine
CROSS_RUN_aarch64-linux-musl = qemu-aarch64
ZIG = build/tools/bin/python tools/zig.py -target
cross: $(CROSS:%=cross-%)
	@! $(ZIG) s390x-linux-gnu -std=c++20 -c core/portable.hpp -o build/s390x.o 2> build/s390x.txt
	@grep -q "little-endian machines only" build/s390x.txt
	@echo "core: refused for a big-endian machine"
cross-%: build/tools/bin/python-zig
	@mkdir -p build/$@
	@nice -n 4 $(MAKE) --no-print-directory CXX="$(ZIG) $*" MACHINE=$(firstword $(subst -, ,$*)) \
		OUT=build/$@ FLAGS="-O2 -g0 -UNDEBUG" build/$@/run
	@if test -z "$(CROSS_RUN_$*)"; then echo "core tests, $*: compiled, not run"; \
	elif ! command -v $(CROSS_RUN_$*) > /dev/null; then \
		echo "core tests, $*: compiled, not run, since $(CROSS_RUN_$*) is not installed"; \
	else echo "core tests, $*"; cp build/$@/run build/$@/run.exe; \
		WINEDEBUG=-all WINEPREFIX=$(abspath build/wine) nice -n 4 $(CROSS_RUN_$*) build/$@/run.exe; fi

wasm: src/kumitate/output/core.wasm
src/kumitate/output/core.wasm: tools/wasm.py $(wildcard core/*.cpp core/*.hpp) | build/tools/bin/python-zig
	build/tools/bin/python tools/wasm.py $@

# Its headers are those of a Python with the stable ABI: 3.12 or newer.
pyodide: setup
	test -x build/pyodide/tools/bin/python || $(PYTHON) -m venv build/pyodide/tools
	build/pyodide/tools/bin/pip install --quiet --disable-pip-version-check ziglang nanobind
	build/pyodide/tools/bin/python -m tools.pyodide
	$(BIN)/python -m pytest -q tests/test_pyodide.py tests/studio/test_page_alone.py

wheels:
	$(PYTHON) -m tools.wheels

app:
	$(PYTHON) -m tools.app

# Tools from PyPI that only some commands need.
build/tools/bin/python:
	$(PYTHON) -m venv build/tools
build/tools/bin/python-zig: build/tools/bin/python
	build/tools/bin/pip install --quiet --disable-pip-version-check ziglang
	touch $@

VECTORS = $(if $(filter x86_64 amd64,$(MACHINE)),v3 v4,$(if $(filter aarch64 arm64,$(MACHINE)),neon))
MACHINE = $(shell uname -m)
KERNEL_neon = -DKUMITATE_NEON
KERNEL_v3 = -march=x86-64-v3
KERNEL_v4 = -march=x86-64-v4
HAS = $(if $(filter v4,$(VECTORS)),-DKUMITATE_X86,$(if $(filter neon,$(VECTORS)),-DKUMITATE_ARM))
CORE_OBJECTS = $(patsubst core/%.cpp,$(OUT)/%.o,$(filter-out core/cover_kernel.cpp,$(CORE)) $(CORE_TESTS)) \
	$(patsubst %,$(OUT)/kernel_%.o,plain $(VECTORS))
$(OUT)/run: $(CORE_OBJECTS)
	@$(CXX) $(FLAGS) $^ -o $@ -pthread
$(OUT)/kernel_%.o: core/cover_kernel.cpp
	@$(CORE_CXX) -DKUMITATE_ISA=$* $(KERNEL_$*) -Wno-uninitialized -c $< -o $@
$(OUT)/%.o: core/%.cpp $(OUT)/standard.hpp.gch
	@mkdir -p $(@D)
	@$(CORE_CXX) $(HAS) -include $(OUT)/standard.hpp -c $< -o $@

# The standard library's headers are read once for all files; the extension is built without this,
# so each file still includes what it needs.
$(OUT)/standard.hpp.gch: Makefile
	@grep -h '^#include <[a-z_]*>' $(CORE) core/*.hpp $(CORE_TESTS) | sort -u > $(OUT)/standard.hpp
	@$(CORE_CXX) -x c++-header $(OUT)/standard.hpp -o $@
CORE_CXX = $(CXX) -std=c++20 -MMD -MP $(FLAGS) $(WARNINGS) -Wno-unknown-warning-option -Wno-maybe-uninitialized
-include $(wildcard $(OUT)/*.d $(OUT)/tests/*.d)

bench: setup
	$(BIN)/python -m bench
	$(BIN)/python -m bench.apart
	$(BIN)/python -m bench.turns
	$(BIN)/python -m bench.weak
	$(BIN)/python -m bench.runs
	$(BIN)/python -m bench.blocks
	$(BIN)/python -m bench.burr6
	$(BIN)/python -m bench.cluster
	$(BIN)/python -m bench.search

messages: setup
	$(BIN)/python web/write_messages.py
	$(BIN)/python web/write_colours.py

studio: setup
	$(BIN)/kumitate studio

docs: setup
	$(BIN)/python -m tools.site

fuzz: setup
	KUMITATE_FUZZ_SECONDS=600 $(BIN)/python -m pytest -q tests/files/test_fuzz.py

faults: setup
	$(BIN)/python -m bench.faults

nodes: setup
	$(BIN)/python -m bench.nodes

soak: SEED := $(or $(SEED),$(shell date +%s))
soak: setup wasm
	@echo "to draw the same examples again: make soak SEED=$(SEED)"
	KUMITATE_SOAK=1 $(BIN)/python -m pytest -q --hypothesis-seed=$(SEED) -m hypothesis
	KUMITATE_SOAK=1 $(BIN)/python -m pytest -q -m "not hypothesis" tests/search tests/test_wasm.py tests/output/test_page_core.py tests/studio/test_page_shapes.py

clean:
	rm -rf build site
