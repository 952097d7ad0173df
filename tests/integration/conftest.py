"""What the tests of the command line share."""

import shutil
from pathlib import Path

import pytest

from tests.shell import ROOT, QuickShell
from tests.small_home import copy_of
from tests.tiny_encoder import write_tiny_encoder


@pytest.fixture(scope="session")
def tiny_encoder(made_once) -> dict[str, str]:
    """Settings of a shell whose encoder takes next to no time; the demo has the real one."""
    return {"encoder_model": str(made_once("encoder", write_tiny_encoder) / "model")}


@pytest.fixture(scope="module")
def six_papers(made_once, tiny_encoder, tmp_path_factory) -> QuickShell:
    """Six papers of the demo corpus, run to the end; some of their items are released."""

    def make(folder: Path) -> None:
        (folder / "papers").mkdir()
        for paper in sorted((ROOT / "examples" / "demo_corpus").glob("*.xml"))[:6]:
            shutil.copy(paper, folder / "papers")
        shell = QuickShell(folder / "home", systems="aim-sciqa", **tiny_encoder)
        shell("ingest", str(folder / "papers"))
        shell("run", "--quiet")

    made = made_once("six-papers", make) / "home"
    home = copy_of(made, tmp_path_factory.mktemp("six") / "home")
    return QuickShell(home, systems="aim-sciqa", **tiny_encoder)
