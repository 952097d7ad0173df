"""`aimsciqa extractor make` on papers that are in a folder, with a scripted model behind a server."""

import pytest
from typer.testing import CliRunner

from aimsciqa_assets.cli.commands import app
from tests.extractor_home import write_jats
from tests.extractor_model import ScriptedModel
from tests.model_server import ModelServer

pytestmark = [pytest.mark.slow, pytest.mark.long]


def run(*arguments):
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})


def test_examples_are_foretold_made_and_counted(tmp_path, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_HOME", str(tmp_path / "home"))
    make = ("extractor", "make", "--examples", "8")
    write_jats(tmp_path / "papers", 8)
    without = run(*make)
    assert without.exit_code == 1
    assert "AIMSCIQA_EXTRACTOR_EXAMPLES=8 needs a language model" in str(without.exception or without.output)
    with ModelServer(answer=ScriptedModel(0.2)) as server:
        for name, value in {"BACKEND": "server", "NAME": "m", "BASE_URL": server.url}.items():
            monkeypatch.setenv(f"AIMSCIQA_EXTRACTOR_MODEL_{name}", value)
        nowhere = run(*make)
        assert (nowhere.exit_code, "aimsciqa airqa store FOLDER makes one" in nowhere.output) == (1, True)
        stored = run("airqa", "store", str(tmp_path / "papers"))
        assert stored.exit_code == 0, stored.output
        foretold = run(*make, "--preview")
        assert foretold.exit_code == 0, foretold.output
        assert server.seen == []
        lines = [line.split() for line in foretold.output.splitlines()]
        requests = {
            line[0]: line[1:3] for line in lines if line and line[0].startswith(("extractor_", "airqa_"))
        }
        assert requests == {
            "extractor_explorer": ["m", "16"],
            "extractor_retrieval": ["m", "4"],
            "extractor_tracker": ["m", "16"],
            "airqa_answer": ["m", "8"],
            "airqa_agent": ["m", "48"],
        }
        assert "how long is not known yet" in foretold.output
        # No more is foretold than the store can be asked about: eight papers.
        many = [line.split() for line in run(*make[:-1], "5000", "--preview").output.splitlines()]
        counted = {line[0]: int(line[2].replace(",", "")) for line in many if line[1:2] == ["m"]}
        assert counted["extractor_retrieval"] == 8
        assert counted["airqa_answer"] == counted["extractor_explorer"] + 8 < 100
        made = run(*make)
        assert made.exit_code == 0, made.output
        assert "multiple" in made.output
        paid = len(server.seen)
        again = run(*make)
        assert again.exit_code == 0, again.output
        assert len(server.seen) == paid
        # Of a store that grew other papers are drawn; what is drawn again is not asked again.
        write_jats(tmp_path / "more", 20)
        assert run("airqa", "store", str(tmp_path / "more")).exit_code == 0
        grown = run(*make)
        assert grown.exit_code == 0, grown.output
        assert len(server.seen) > paid
        assert len({seen.key for seen in server.seen}) == len(server.seen)
    counted = run(
        "sql",
        "--format",
        "csv",
        "select count(*) as n, count(distinct batch) as batches from extractor.trajectories "
        "semi join extractor.examples using (example_id)",
    )
    assert counted.output.split() == ["n,batches", "8,2"]
