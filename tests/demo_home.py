"""The demo as `make demo` makes it, with HopWeaver's items by recorded replies."""

import shutil
from pathlib import Path

from tests.shell import ROOT, Shell


def finished_demo(home: Path) -> Shell:
    """The demo corpus in a new home, run to the end."""
    home.mkdir()
    shutil.copy(ROOT / "examples" / "demo.toml", home / "aimsciqa.toml")
    shutil.copy(ROOT / "examples" / "demo_recordings.jsonl", home)
    aimsciqa = Shell(home)
    aimsciqa("ingest", "examples/demo_corpus")
    aimsciqa("run", "--quiet")
    return aimsciqa
