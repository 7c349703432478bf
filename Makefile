# One file runs everything; `make help` lists the targets.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DATA ?= ../shared/data
PUBLISHED ?= ../shared/reference/published-code-uci.csv

OUT ?= build/tables
SEEDS ?= 5

# Installed before anything that depends on it: pip would choose a later version, with gigabytes of CUDA.
TORCH := torch==2.13.0

.DEFAULT_GOAL := help
.PHONY: help demo test test-all lint types imports tests browser docs format bench bench-speed bench-memory bench-read bench-accuracy bench-text bench-coverage bench-tables bench-leaks bench-hard bench-verdicts bench-audit bench-ablation bench-early bench-finding bench-training bench-scores bench-review bench-annotators bench-chance bench-large bench-start tables wheel clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet $(TORCH)
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@

demo: $(READY) ## Estimate T on corrupted digits, print it beside the truth, and write a report
	$(BIN)/labelnoise demo --output labelnoise-demo.html --data labelnoise-demo.csv

test: $(READY) ## Everything that must pass: lint, types, import contract, docs, tests
	@$(MAKE) --no-print-directory --jobs=4 --output-sync lint types imports docs
	@$(MAKE) --no-print-directory tests

test-all: lint types imports docs browser ## The same with the slow tests, such as all checks of scikit-learn
	$(BIN)/pytest -q -n auto --dist worksteal -m "full or not full"

lint: $(READY) ## Check style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY) ## Check types, strictly
	$(BIN)/mypy

imports: $(READY) ## Check that packages import only the packages below them
	$(BIN)/lint-imports --no-cache

browser: $(READY) ## Find a Chromium for the tests of the report, or install one
	@$(BIN)/python tests/reporting/find_browser.py --install

tests: $(READY) browser ## Run the tests, doctests and README examples
	$(BIN)/pytest -q -n auto --dist worksteal

docs: $(READY) ## Build the documentation (build/docs/index.html); a warning is an error
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going docs build/docs

format: $(READY) ## Format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: bench-speed bench-memory bench-read bench-accuracy bench-text bench-coverage bench-tables bench-leaks bench-hard bench-verdicts bench-audit bench-ablation bench-early bench-finding bench-training bench-scores bench-review bench-annotators bench-chance bench-large bench-start ## Run all benchmarks (DATA= and PUBLISHED= name the inputs)

bench-speed: $(READY) ## Time relative to the published code and a bare matrix product
	$(BIN)/python -m benchmarks.speed --published $(PUBLISHED)

bench-memory: $(READY) ## Peak memory with many rows and many classes
	$(BIN)/python -m benchmarks.memory
	$(BIN)/python -m benchmarks.memory_needed

bench-read: $(READY) ## Time to read a CSV file, relative to bare pyarrow and pandas
	$(BIN)/python -m benchmarks.read_csv

bench-accuracy: $(READY) ## Error of every method on the tabular sets, and of the published code
	$(BIN)/python -m benchmarks.tabular_errors $(DATA)/uci --published $(PUBLISHED)

bench-text: $(READY) ## Error on the text sets, for good and for poor features
	$(BIN)/python -m benchmarks.text_errors $(DATA)/text
	$(BIN)/python -m benchmarks.text_columns $(DATA)

bench-coverage: $(READY) ## How often 90% intervals contain the truth
	$(BIN)/python -m benchmarks.coverage $(DATA)/uci $(DATA)/text

bench-tables: $(READY) ## Error, coverage and promises on 51 ordinary tables (an hour or more; it resumes)
	$(BIN)/python -m benchmarks.ordinary_tables

bench-leaks: $(READY) ## What is said of leaks, near-copies, sessions and annotators
	$(BIN)/python -m benchmarks.leaks_and_groups

bench-hard: $(READY) ## Error with many classes, rare classes, and few rows in each
	$(BIN)/python -m benchmarks.hard_cases

bench-verdicts: $(READY) ## How often "reliable" is misleading
	$(BIN)/python -m benchmarks.verdicts

bench-audit: $(READY) ## Error by number of audited rows, suggested or random
	$(BIN)/python -m benchmarks.audit

bench-ablation: $(READY) ## Error without each ingredient of the rank-gated estimator
	$(BIN)/python -m benchmarks.ablation $(DATA)/uci $(DATA)/text

bench-early: $(READY) ## Error of methods that train a layer, stopped early
	$(BIN)/python -m benchmarks.early_stopping $(DATA)

bench-finding: $(READY) ## How well wrong labels are found, compared with cleanlab
	$(BIN)/python -m benchmarks.finding_errors $(DATA)

bench-training: $(READY) ## Clean accuracy of models trained on noisy labels
	$(BIN)/python -m benchmarks.training $(DATA)

bench-scores: $(READY) ## How often intervals of corrected scores contain the clean score
	$(BIN)/python -m benchmarks.clean_scores $(DATA)

bench-review: $(READY) ## Estimated and true share of wrong labels after a review
	$(BIN)/python -m benchmarks.after_review $(DATA)/uci

bench-annotators: $(READY) ## Several annotators: consensus and T, compared with crowd-kit and cleanlab
	$(BIN)/python -m benchmarks.annotators $(DATA)

bench-chance: $(READY) ## How often uninformative features cross the chance line of a report
	$(BIN)/python -m benchmarks.chance_lines

bench-large: $(READY) ## Time, memory and page size of the command line for a million rows
	$(BIN)/python -m benchmarks.large_table
	$(BIN)/python -m benchmarks.fewer_places

bench-start: $(READY) ## Start-up time of the command line
	$(BIN)/python -m benchmarks.start_up

tables: $(READY) ## Make the paper's tables and figures, with ours beside them (DATA=, OUT=, SEEDS=)
	$(BIN)/python -m experiments --data $(DATA) --out $(OUT) --seeds $(SEEDS)

wheel: $(READY) ## Build the wheel and the source archive
	$(BIN)/python -m pip install --quiet build
	$(BIN)/python -m build

clean: ## Remove the environment and everything built
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
