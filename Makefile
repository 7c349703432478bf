# One file runs everything; `make help` lists the targets.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DATA ?= ../shared/data
PUBLISHED ?= ../shared/reference/published-code-uci.csv

OUT ?= build/tables
SEEDS ?= 5

.DEFAULT_GOAL := help
.PHONY: help demo test lint types imports tests browser docs format bench bench-speed bench-memory bench-accuracy bench-text bench-coverage bench-hard bench-verdicts bench-audit bench-ablation bench-early bench-finding bench-training bench-scores bench-review bench-chance bench-large bench-start tables wheel clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@

demo: $(READY) ## Estimate T on corrupted digits, print it beside the truth, and write a report
	$(BIN)/labelnoise demo --output labelnoise-demo.html --data labelnoise-demo.csv

test: lint types imports docs tests ## Everything that must pass: lint, types, import contract, docs, tests

lint: $(READY) ## Check style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY) ## Check types, strictly
	$(BIN)/mypy

imports: $(READY) ## Check that data flows one way between the rooms
	$(BIN)/lint-imports --no-cache

browser: $(READY) ## Find a Chromium for the tests of the report, or install one
	@$(BIN)/python tests/reporting/find_browser.py --install

tests: $(READY) browser ## Run the tests, doctests and README blocks
	$(BIN)/pytest -q -n auto

docs: $(READY) ## Build the documentation (build/docs/index.html); a warning is an error
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going docs build/docs

format: $(READY) ## Format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: bench-speed bench-memory bench-accuracy bench-text bench-coverage bench-hard bench-verdicts bench-audit bench-ablation bench-early bench-finding bench-training bench-scores bench-review bench-chance bench-large bench-start ## All benchmarks (DATA= and PUBLISHED= name the inputs)

bench-speed: $(READY) ## Time against the published code and a bare matrix product
	$(BIN)/python benchmarks/speed.py --published $(PUBLISHED)

bench-memory: $(READY) ## Peak memory with many rows and many classes
	$(BIN)/python benchmarks/memory.py
	$(BIN)/python benchmarks/memory_needed.py

bench-accuracy: $(READY) ## Error of every method on the tabular sets beside the published code
	$(BIN)/python benchmarks/tabular_errors.py $(DATA)/uci --published $(PUBLISHED)

bench-text: $(READY) ## Error on the text sets, for good and for poor features
	$(BIN)/python benchmarks/text_errors.py $(DATA)/text

bench-coverage: $(READY) ## How often 90% intervals hold the truth
	$(BIN)/python benchmarks/coverage.py $(DATA)/uci $(DATA)/text

bench-hard: $(READY) ## Error with many classes, rare classes, and few rows a class
	$(BIN)/python benchmarks/hard_cases.py

bench-verdicts: $(READY) ## How often "reliable" is misleading
	$(BIN)/python benchmarks/verdicts.py

bench-audit: $(READY) ## What audited rows bring, suggested and random
	$(BIN)/python benchmarks/audit.py

bench-ablation: $(READY) ## What each ingredient of the rank-gated estimator brings
	$(BIN)/python benchmarks/ablation.py $(DATA)/uci $(DATA)/text

bench-early: $(READY) ## Methods that train a layer, stopped early
	$(BIN)/python benchmarks/early_stopping.py $(DATA)

bench-finding: $(READY) ## How well wrong labels are found, beside cleanlab
	$(BIN)/python benchmarks/finding_errors.py $(DATA)

bench-training: $(READY) ## Clean accuracy of models trained on noisy labels
	$(BIN)/python benchmarks/training.py $(DATA)

bench-scores: $(READY) ## How often intervals of corrected scores hold the clean score
	$(BIN)/python benchmarks/clean_scores.py $(DATA)

bench-review: $(READY) ## What is said to be left wrong after a review, beside what is
	$(BIN)/python benchmarks/after_review.py $(DATA)/uci

bench-chance: $(READY) ## How often features that say nothing cross the line of chance in a report
	$(BIN)/python benchmarks/chance_lines.py

bench-large: $(READY) ## A CSV file of a million rows: time, peak memory and page of the command line
	$(BIN)/python benchmarks/large_table.py
	$(BIN)/python benchmarks/fewer_places.py

bench-start: $(READY) ## How long the command line takes to help
	$(BIN)/python benchmarks/start_up.py

tables: $(READY) ## The paper's tables and figures, ours beside them (DATA=, OUT=, SEEDS=)
	$(BIN)/python -m experiments --data $(DATA) --out $(OUT) --seeds $(SEEDS)

wheel: $(READY) ## Build the wheel and the source archive
	$(BIN)/python -m pip install --quiet build
	$(BIN)/python -m build

clean: ## Remove the environment and everything built
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
