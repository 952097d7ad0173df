"""`aimsciqa doctor`: a healthy home gives no finding; settings and prompts; the command."""

import json

import pytest

from aimsciqa_assets.asking import prompts
from aimsciqa_assets.cli.doctor.checks import CHECKS
from aimsciqa_assets.cli.doctor.findings import Check, Examined, Finding, findings_of
from aimsciqa_assets.platform.home import Home
from tests.doctor_home import ModelDesk, ask, found_by, the_fault
from tests.shell import QuickShell

pytestmark = pytest.mark.slow


def test_a_healthy_home_gives_no_finding(home, monkeypatch):
    with ModelDesk(key="sesame") as server:
        ask(monkeypatch, server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sesame")
        examined = Examined(home)
        found = {check.name: list(findings_of(check, examined)) for check in CHECKS}
    faults = [(name, one) for name, those in found.items() for one in those if one.state != "ok"]
    assert faults == []
    assert all(found.values()), "each check says something"
    assert found["models"] == [Finding("ok", f"{server.url} serves qwen-small")]
    assert found["files"] == [Finding("ok", "3 files looked at, all with their hash")]


def test_a_setting_that_nobody_knows(home, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_MODEL_NAMEE", "x")
    assert the_fault("settings", home) == Finding(
        "problem",
        "There is no setting AIMSCIQA_MODEL_NAMEE",
        "Did you mean AIMSCIQA_MODEL_NAME? docs/settings.md lists all settings; unset this one.",
    )
    # What the other checks would need of the settings is told once.
    assert found_by("models", home) == []


def test_a_prompt_that_replaces_none(home, monkeypatch, tmp_path):
    own = tmp_path / "prompts"
    own.mkdir()
    (own / "singel_hop.md").write_text("---\n---\nAsk.\n")
    monkeypatch.setenv("AIMSCIQA_PROMPTS", str(own))
    prompts.load_prompt.cache_clear()
    fault = the_fault("prompts", home)
    prompts.load_prompt.cache_clear()
    assert fault.said.startswith(
        f"{own}/singel_hop.md takes the place of no prompt. Did you mean single_hop.md?"
    )
    assert fault.advice == "Mend the file, or take it out of the folder that AIMSCIQA_PROMPTS names."


def test_a_check_that_fails_itself_is_told_as_a_fault_of_the_program(tmp_path):
    def examine(_: Examined):
        raise LookupError("nothing there")

    (fault,) = findings_of(Check("own", examine), Examined(Home(tmp_path)))
    assert fault.said == "the check itself failed: LookupError: nothing there"
    assert fault.advice == "This is a fault of the program. Report it with these lines."


def the_command(home: Home, *words: str, fails: int = 0, **settings: str) -> str:
    return QuickShell(home.folder, **settings)("doctor", *words, fails=fails)


def test_the_command_tells_a_line_for_each_check_and_ends_with_1_after_a_problem(home):
    said = the_command(home).splitlines()
    assert [line.split()[:2] for line in said[:-1]] == [["ok", check.name] for check in CHECKS]
    assert said[-1] == "0 problems, 0 warnings."
    said = the_command(home, "--quick", fails=1, model_namee="x")
    assert "problem  settings    There is no setting AIMSCIQA_MODEL_NAMEE\n" in said
    assert "                     Did you mean AIMSCIQA_MODEL_NAME? " in said
    assert said.endswith("1 problem, 0 warnings.\n")
    assert "blocks" not in said


def test_the_command_prints_json(home):
    (home.dagster / "dagster.yaml").write_text("storage: [\n")
    rows = json.loads(the_command(home, "--json", fails=1))
    assert [row["check"] for row in rows] == [check.name for check in CHECKS]
    assert {row["check"] for row in rows if row["state"] == "problem"} == {"dagster"}
