# Two commands matter: `make run` and `make test`. Both set up what they need, work twice, and work offline after
# the first time.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN_STAMP := $(VENV)/.run-ready
DEV_STAMP := $(VENV)/.dev-ready
ARGS ?=
# Tests run side by side: one more than there are cores, as those in the browser wait most of their time.
JOBS ?= $(shell echo $$(( $$(nproc 2>/dev/null || echo 2) + 1 )))
FONTS := fonts-dejavu-core fonts-ipafont-gothic
FAST := tests/cards tests/hands tests/games tests/referee tests/table tests/test_cli.py tests/test_docs.py

.PHONY: run test test-fast check format bench drill fuzz tables wheel models measure measure-decks clean system

run: $(RUN_STAMP)
	@echo "The command is $(CURDIR)/$(BIN)/companion; after: . $(CURDIR)/$(BIN)/activate  it is called companion"
	$(BIN)/companion serve $(ARGS)

test: $(DEV_STAMP) system
	$(BIN)/python -m pytest -n $(JOBS) $(ARGS)

# Rules, hands, the table and the command line, in less than a minute.
test-fast: $(DEV_STAMP)
	$(BIN)/python -m pytest -q -n $(JOBS) $(ARGS) $(FAST)

check: $(DEV_STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy --platform win32
	$(BIN)/lint-imports --no-cache

format: $(DEV_STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

wheel: $(DEV_STAMP)
	$(BIN)/python -m build --no-isolation

# Writes the tables of figures in the documents anew from what was measured.
tables: $(DEV_STAMP)
	$(BIN)/python docs/tables.py

bench: $(DEV_STAMP)
	for b in $(filter-out benchmarks/parameters.py,$(wildcard benchmarks/*.py)); do echo "== $$b"; $(BIN)/python $$b; done

# Whole games in which at every step something goes wrong, told by taps, over a network and by films: half an
# hour, goes on where it was stopped.
drill: $(DEV_STAMP)
	$(BIN)/python -m tests.drill --state .drill.json $(ARGS)
	DRILL_SECONDS=120 $(BIN)/python -m pytest -q -s tests/drill/test_history.py

# Ten million spoilt inputs for everything that reads what people bring: half an hour, goes on where it was stopped.
fuzz: $(DEV_STAMP)
	$(BIN)/python -m tests.fuzz --state .fuzz.json $(ARGS)
	FUZZ_SECONDS=600 $(BIN)/python -m pytest -q -s tests/server/schema/test_schemathesis.py

# What each number of vision does when it is moved by a fifth: half an hour, goes on where it was stopped.
parameters: $(DEV_STAMP)
	$(BIN)/python benchmarks/parameters.py && $(BIN)/python benchmarks/parameters.py --write

# Re-creates the shipped weights; docs/training.md says what every step needs and how long it takes.
TRAIN := OMP_NUM_THREADS=$$(nproc) .venv-train/bin/python -m companion.training
MINUTES ?= 88
SCENES ?= --train 16000 --looks 2600
INDEX ?= --drawn 110
AIM ?= --drawn 100 --minutes 36
FACE ?= --drawn 140 --minutes 90
POOLS ?= $(HOME)/.cache/table-companion/reader-pools
models:
	$(PYTHON) -m companion.training environment .venv-train
	$(TRAIN) detector scenes --out data/detector $(SCENES)
	$(TRAIN) detector train --data data/detector/data.yaml --out runs/detector --minutes $(MINUTES) --top 0.0012 --sigma 0.1
	$(TRAIN) detector export --half --weights runs/detector/run/weights/last.pt --to models/detector/detector.onnx
	$(TRAIN) detector quantize --onnx models/detector/detector.onnx
	$(TRAIN) detector measure --onnx models/detector/detector.onnx --json models/detector/metrics.json
	test -z "$$COMPANION_PHOTOS" || $(TRAIN) reader photos --out models/reader
	$(TRAIN) reader train --kind index $(INDEX) --minutes $(MINUTES) --extra $$(ls $(POOLS)/photos.npz 2>/dev/null) --out models/reader
	$(TRAIN) reader train --kind aim $(AIM) --out models/reader
	$(TRAIN) reader train --kind face $(FACE) --extra $$(ls $(POOLS)/photos.npz 2>/dev/null) --out models/reader
	$(TRAIN) quantize --out models/reader
	$(TRAIN) decks --out models/decks
	$(TRAIN) verify --cache data/lessons --out models/decks
	$(TRAIN) reader calibrate --out models/reader
	$(TRAIN) judge --models models --out models/reader/judge.json
	$(TRAIN) sights --out models/decks/sights.json

# Custom decks by their frozen protocol: invented ones enrolled, and read on tables. Half an hour.
measure-decks: $(DEV_STAMP)
	$(BIN)/python -m companion.training custom --json models/decks/metrics.json
	$(BIN)/python docs/tables.py

# The frozen protocol, over photographs that never trained anything: make measure PHOTOS=folder
measure: $(DEV_STAMP)
	@test -n "$(PHOTOS)" || { echo "say where the photographs are: make measure PHOTOS=folder"; exit 2; }
	$(BIN)/python -m companion.training evaluate --photos $(PHOTOS) --json models/reader/metrics.json
	$(BIN)/python -m companion.training real-decks --photos $(PHOTOS) --json models/decks/real.json

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Table Companion needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 2; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || ./.ci/debian python3-venv
	$(PYTHON) -m venv $(VENV)

$(RUN_STAMP): pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(DEV_STAMP): pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@ $(RUN_STAMP)

# Debian packages that only the tests need: a browser for the page, fonts for its Japanese.
system:
	@./.ci/debian chromium-headless-shell $(FONTS) 2>/dev/null || ./.ci/debian chromium $(FONTS) || true

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache
