"""Pairs that the multi-hop model refused are judged again where the settings want it."""

import json

import dagster as dg
import pytest
from aimsciqa_resources.language_model.opening import OneModel

from aimsciqa_assets.aim_sciqa.refusals import assets as refusals
from aimsciqa_assets.platform.frames import frame_of
from tests.answering_home import full_row, resources_at, rows
from tests.fakes import SentenceModel

pytestmark = pytest.mark.slow

PAIRS = {
    "q1": ("How did zinc change?", "Zinc fell."),
    "q2": ("How did iron change?", "Iron rose."),
    "q3": ("Who paid?", "A fund."),
}


class Judge(SentenceModel):
    """Says that money has nothing to do with it, and is unreadable on the source S alone."""

    def _refusal_judge(self, told) -> str:
        unrelated = "reject" if "fund" in told["target_answer"] else "accept"
        return json.dumps(
            {
                "fluency": "accept",
                "completeness": "accept",
                "cross_reference_necessity": "accept",
                "relational_appropriateness": unrelated,
            }
        )


def made(folder, number, model=None):
    """The resources of a home with four items, three of them refused, after the step has run."""
    resources = resources_at(folder, benchmark_refusals=number)
    resources["language_models"] = OneModel(model or Judge())
    items = [
        {"item_id": f"r{n}", "status": status, "core_source_qa_id": "q1", "core_target_qa_id": target}
        | {"source_paper_id": "S", "target_paper_id": "T", "variant": "im"}
        for n, (status, target) in enumerate(
            [("pre_rejected", "q2"), ("pre_rejected", "q3"), ("pre_rejected", "q3"), ("accepted", "q2")]
        )
    ]
    pairs = [{"qa_id": name, "question": asked, "answer": said} for name, (asked, said) in PAIRS.items()]
    with resources["warehouse"].get_connection() as connection:
        for table, given in (("multi_hop.items", items), ("single_hop.qa_pairs", pairs)):
            connection.execute(f"delete from {table}")
            connection.register("incoming", frame_of(table, map(full_row(table), given)).to_arrow())
            connection.execute(f"insert into {table} by name from incoming")
            connection.unregister("incoming")
    made = [refusals.refusals, refusals.refusal_shares]
    assert dg.materialize(made, resources=resources, instance=dg.DagsterInstance.ephemeral()).success
    return resources


def test_refused_pairs_are_rows_by_criterion_and_the_share_is_stated(tmp_path):
    resources = made(tmp_path, 100)
    verdicts = "select item_id, verdict from benchmark.refusals where criterion like 'relational%' order by 1"
    assert rows(resources, verdicts) == [("r0", "accept"), ("r1", "reject"), ("r2", "reject")]
    shares = "select criterion, judged, failed, round(share, 3) from benchmark.refusal_shares order by 1"
    assert rows(resources, shares) == [
        ("completeness", 3, 0, 0.0),
        ("cross_reference_necessity", 3, 0, 0.0),
        ("fluency", 3, 0, 0.0),
        ("relational_appropriateness", 3, 2, 0.667),
        ("relational_appropriateness or cross_reference_necessity", 3, 2, 0.667),
    ]


def test_nobody_is_asked_unless_the_settings_want_it_and_a_sample_is_drawn(tmp_path):
    model = Judge()
    assert rows(made(tmp_path, 0, model), "from benchmark.refusals") == []
    assert model.asked == []
    assert rows(made(tmp_path, 2, model), "select count(distinct item_id) from benchmark.refusals") == [(2,)]
    assert [request.task for request in model.asked] == ["refusal_judge"] * 2


def test_a_reply_that_cannot_be_read_has_its_reason_and_counts_in_no_share(tmp_path):
    spoilt = Judge(
        spoil=lambda request, text: text if "fund" in request.variables["target_answer"] else "Hm."
    )
    resources = made(tmp_path, 100, spoilt)
    reasons = (
        "select distinct item_id, verdict, rejection_reason from benchmark.refusals where verdict is null"
    )
    assert rows(resources, reasons) == [("r0", None, "malformed_reply")]
    assert rows(resources, "select distinct judged from benchmark.refusal_shares") == [(2,)]
