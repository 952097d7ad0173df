"""Pushing: only what verifies, only when a person says so."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from aimsciqa_assets.cli.release import release_app
from aimsciqa_assets.release import hub
from aimsciqa_assets.release.hub import NotPushedError, push
from aimsciqa_assets.release.layout import releases_in
from aimsciqa_assets.release.writing import write_release
from tests.release_corpus import Corpus

pytestmark = pytest.mark.slow


class FakeHub:
    def __init__(self) -> None:
        self.calls: list[tuple[str, dict]] = []

    def create_repo(self, repo_id, **options):
        self.calls.append((repo_id, options))

    def upload_folder(self, **options):
        self.calls.append((options.pop("repo_id"), options))


def test_a_sound_release_is_uploaded_in_one_commit(release):
    fake = FakeHub()
    assert push(release, "me/set", fake, private=True) == "https://huggingface.co/datasets/me/set"
    assert fake.calls == [
        ("me/set", {"repo_type": "dataset", "private": True, "exist_ok": True}),
        (
            "me/set",
            {
                "repo_type": "dataset",
                "folder_path": release,
                "commit_message": "Release aimsciqa-release",
                "delete_patterns": ["data/**", "beir/**", "mteb/**", "squad/**", "baselines/**"],
            },
        ),
    ]


def test_a_release_that_does_not_verify_is_not_uploaded(release):
    (release / "README.md").write_text("mine")
    fake = FakeHub()
    with pytest.raises(NotPushedError, match="3 problems"):
        push(release, "me/set", fake, private=True)
    assert fake.calls == []


def test_papers_of_any_licence_are_not_uploaded(tmp_path):
    warehouse, settings = Corpus().write(tmp_path, {"AIMSCIQA_RELEASE_ANY_LICENCE": "true"})
    write_release(warehouse, settings, tmp_path / "release")
    with pytest.raises(NotPushedError, match="any licence"):
        push(tmp_path / "release", "me/set", FakeHub(), private=True)


@pytest.mark.parametrize(("typed", "uploads"), [("n\n", 0), ("y\n", 2)])
def test_the_command_asks_first(monkeypatch, release, typed, uploads):
    fake = FakeHub()
    monkeypatch.setattr(hub, "open_hub", lambda: fake)
    result = CliRunner().invoke(release_app, ["push", "me/set", "--from", str(release)], input=typed)
    assert (result.exit_code, len(fake.calls)) == (0 if uploads else 1, uploads)


def test_without_a_token_or_offline_nothing_is_tried(monkeypatch, release):
    monkeypatch.delenv("HF_TOKEN", raising=False)
    result = CliRunner().invoke(release_app, ["push", "me/set", "--from", str(release), "--yes"])
    assert result.exit_code == 1
    assert "Not pushed" in result.output


def test_verify_tells_each_problem_on_a_line_and_ends_with_1(monkeypatch, tmp_path):
    monkeypatch.setenv("AIMSCIQA_HOME", str(tmp_path))
    warehouse, settings = Corpus().write(tmp_path)
    folder: Path = releases_in(tmp_path) / settings.release.name
    write_release(warehouse, settings, folder)
    sound = CliRunner().invoke(release_app, ["verify"])
    assert sound.exit_code == 0
    assert "is sound: 2 multi-hop (dev), 1 multi-hop (test), 93 single-hop (dev)" in sound.output
    (folder / "squad" / "test.json").unlink()
    broken = CliRunner().invoke(release_app, ["verify", str(folder)])
    assert broken.exit_code == 1
    assert [line.split(" ")[0] for line in broken.output.splitlines()] == ["wrong", "wrong"]
