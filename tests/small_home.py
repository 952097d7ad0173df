"""A home with twelve papers and their items, made once and copied for every test that needs one."""

import shutil
from pathlib import Path

import dagster as dg
from aimsciqa_resources.language_model.opening import LanguageModels
from rich.console import Console

from aimsciqa_assets.cli.phases import PHASES
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.steps import STEPS
from aimsciqa_assets.scripted_model import ScriptedModel
from aimsciqa_assets.settings import Settings
from tests.aim_sciqa_alone import AIM_SCIQA
from tests.fakes import WordEncoder, write_corpus
from tests.model_server import ModelServer

SMALL = AIM_SCIQA | {
    "AIMSCIQA_RELATIONS_CLUSTER_SIZE": "5",
    "AIMSCIQA_MODEL_BACKEND": "server",
    "AIMSCIQA_MODEL_NAME": "qwen-small",
    "AIMSCIQA_MODEL_IN_FLIGHT": "8",
    "AIMSCIQA_MODEL_MOST_IN_FLIGHT": "8",
}
_LAST = next(number for number, phase in enumerate(PHASES) if STEPS["multi_hop.items"] in phase.steps)


def pipeline_at(folder: Path, url: str = "http://localhost:9/v1", **environment: str) -> Pipeline:
    """The pipeline of a home whose models are at `url`; settings as variables of the environment."""
    home = Home(folder)
    settings = Settings.preset_of("demo", SMALL | {"AIMSCIQA_MODEL_BASE_URL": url} | environment)
    models = LanguageModels(home.journal, scripted=ScriptedModel)
    resources = build_resources(home, settings, encoder=WordEncoder(), language_models=models)
    return Pipeline(home, resources, dg.DagsterInstance.ephemeral(), Console(quiet=True))


def make_items(folder: Path) -> Path:
    """Make a home with items, by the model `qwen-small`; returns its folder."""
    write_corpus(folder / "papers", 12)
    with ModelServer() as server:
        pipeline = pipeline_at(folder / "home", server.url)
        (batch,) = pipeline.ingest(folder / "papers").batches
        for number in range(_LAST + 1):
            part = batch if PHASES[number].by else ""
            assert pipeline.run_phase(number, part) == []
    return folder / "home"


def copy_of(made: Path, folder: Path) -> Path:
    """A copy of a home, for a test to change."""
    return Path(shutil.copytree(made, folder))
