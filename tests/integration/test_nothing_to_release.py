"""Runs that end without a benchmark or a release: their exit code, their advice, and what is left."""

import pytest

from tests.shell import QuickShell
from tests.small_home import copy_of

pytestmark = [pytest.mark.slow, pytest.mark.long]


@pytest.fixture
def shell(six_papers, tmp_path) -> QuickShell:
    """A copy of the six papers, of whose items some are released."""
    assert (six_papers.home / "releases" / "aimsciqa-release" / "README.md").exists()
    copied = QuickShell(copy_of(six_papers.home, tmp_path / "home"))
    copied.environment = six_papers.environment | {"AIMSCIQA_HOME": str(copied.home)}
    return copied


def test_a_run_without_an_item_fails_with_advice_and_leaves_no_release(shell):
    # No paper cites that many, so none is a source.
    shell.environment["AIMSCIQA_SELECTION_MIN_ACCESSIBLE_CITATIONS"] = "99"
    output = shell("run", fails=1)
    assert "No benchmark: No item was accepted, so there is nothing to release (6 papers, " in output
    assert "0 relations, 0 items composed" in output
    assert "Take in more papers about one topic" in output
    assert "Next" not in output
    assert "Traceback" not in output
    # The release of before would be one of items that are there no more.
    assert not (shell.home / "releases" / "aimsciqa-release").exists()
    assert "No benchmark" in shell("run", "--quiet", fails=1)


def test_where_no_item_may_be_released_the_next_step_says_why_and_what_helps(shell):
    shell.environment |= {"AIMSCIQA_RELEASE_REVIEWED_ONLY": "true", "AIMSCIQA_RELEASE_GATES": ""}
    _, _, after = shell("run").partition(" Next ")
    assert not (shell.home / "releases" / "aimsciqa-release").exists()
    first = after.split("make ui")[0]
    assert "No release: no accepted item may be released: " in first
    assert "not accepted by a reviewer" in first
    assert "aimsciqa report   the review page" in first
    assert "AIMSCIQA_RELEASE_ANY_LICENCE" not in first
    assert "AIMSCIQA_RELEASE_GATES" not in first
    assert "   the release" not in after
    assert "No release" in shell("run", "--quiet")
    query = "select rejection_reason, count(*) as n from release.items group by 1"
    assert [row["rejection_reason"] for row in shell.rows(query)] == ["not_accepted_in_review"]


def test_where_items_are_released_nothing_is_told_of_that(shell):
    output = shell("run")
    assert "No release" not in output
    assert "aimsciqa-release   the release" in output
