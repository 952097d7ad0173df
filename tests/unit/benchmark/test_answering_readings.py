"""What a model reads: texts of papers, what is left of long ones, and where citation markers lead."""

import polars as pl
from aimsciqa_resources.language_model import PROMPT_TOO_LONG, ModelReply

from aimsciqa_assets.benchmark.answering.markers import citations_of, marker_key
from aimsciqa_assets.benchmark.answering.papers import paper_texts
from aimsciqa_assets.benchmark.answering.readings import (
    Reading,
    answering_dialogues,
    cited_readings,
    first_retrieved,
    marker_dialogues,
    plain_readings,
    with_texts,
)
from aimsciqa_assets.benchmark.answering.shortening import half_of
from aimsciqa_assets.benchmark.answering.tasks import ANSWERING, CITATION_MARKER
from tests.dialogues import asked_about, held

TEXTS = {"S": "Source\n\nIt cites [1] and [2].", "T": "Target\n\nZinc fell.", "D": "Other\n\nIron rose."}
ITEM = {
    "item_id": "i1",
    "variant": "cim",
    "documents": [
        {"role": "source", "paper_id": "S", "in_hand": True, "gold": False},
        {"role": "target", "paper_id": "T", "in_hand": False, "gold": True},
    ],
    "query": "Which paper reports that zinc fell?",
    "question": "What fell, and what does the source paper cite?",
    "answer": "Zinc fell, and it cites [1].",
}


def citations(**changed):
    mentions = [
        mention("[1]", "r1", "Zinc fell [1].", 0),
        mention("[2]", "r2", "Iron rose [2].", 10),
        mention("[3]", "r3", "Copper stayed [3].", 20),
        mention("[1,2]", "r1", "Both changed [1,2].", 30) | {"is_single": False},
        mention("Ek, 2019", "r1", "Ek, 2019 was first.", 40),
        mention("Ek, 2019", "r2", "Ek, 2019 was second.", 50),
    ]
    references = [
        {"reference_id": f"r{n}", "paper_id": "S", "position": n - 1, "label": f"{n}."} for n in range(1, 5)
    ]
    edges = [
        {"citing_paper_id": "S", "cited_paper_id": "T", "reference_ids": ["r1", "r4"]},
        {"citing_paper_id": "S", "cited_paper_id": "D", "reference_ids": ["r2"]},
    ]
    return citations_of(pl.DataFrame(mentions), pl.DataFrame(references), pl.DataFrame(edges))["S"]


def mention(marker, reference, sentence, start):
    return {
        "paper_id": "S",
        "paragraph_id": "p",
        "sentence_start": start,
        "sentence": sentence,
        "markers": [marker],
        "reference_ids": [reference],
        "is_single": True,
    }


def test_a_paper_reads_as_title_and_paragraphs_under_their_section_titles():
    papers = pl.DataFrame({"paper_id": ["P", "Q"], "title": ["Zinc in\nrice", "No text"]})
    sections = pl.DataFrame(
        {"section_id": ["b", "a", "c"], "position": [1, 0, 2], "title": ["Results", "Abstract", ""]}
    )
    paragraphs = pl.DataFrame(
        {
            "paper_id": ["P"] * 5,
            "section_id": ["b", "a", "b", "c", "c"],
            "position": [1, 0, 0, 0, 1],
            "kind": ["text", "text", "text", "text", "table"],
            "text": [
                "Iron rose\n\n twice.",
                "We looked.",
                "Zinc fell.",
                "The end.",
                "Zinc | 2 mg\n\nIron |  3 mg",
            ],
        }
    )
    assert paper_texts(papers, sections, paragraphs) == {
        "P": "Zinc in rice\n\n# Abstract\n\nWe looked.\n\n# Results\n\nZinc fell.\n\nIron rose twice."
        "\n\nThe end.\n\nZinc | 2 mg\nIron | 3 mg"
    }


def test_half_of_a_paper_is_what_is_nearest_the_question():
    paper = (
        "Title\n\n# One\n\nIron rose here and there.\n\nZinc fell by 3 mg.\n\nThe weather was mild.\n\n"
        "# Two\n\nCopper stayed.\n\nLead rose too."
    )
    half = half_of(paper, "By how much did zinc fall, and did lead rise?")
    assert half == "Title\n\n[...]\n\n# One\n\nZinc fell by 3 mg.\n\n[...]\n\n# Two\n\nLead rose too."
    again = half_of(half, "By how much did zinc fall?")
    assert again == "Title\n\n[...]\n\n# One\n\nZinc fell by 3 mg.\n\n[...]"
    assert half_of(again, "By how much did zinc fall?") is None
    assert half_of("", "?") is None


def test_a_long_prompt_is_asked_again_with_half_of_each_paper():
    papers = {"source_paper": "S\n\nOne zinc.\n\nTwo iron.", "second_paper": "T\n\nThree lead."}
    told = asked_about("What of zinc?", **papers)
    too_long = ModelReply("k", None, PROMPT_TOO_LONG)
    dialogue = ANSWERING.ask("k", **told)
    (_, shorter), outcome = held(dialogue, too_long, too_long)
    assert shorter.key == "k"
    assert shorter.variables["papers"] == [
        {"name": "source_paper", "text": "S\n\nOne zinc.\n\n[...]"},
        {"name": "second_paper", "text": "T\n\nThree lead."},
    ]
    assert "Two iron." not in shorter.messages[1].content
    assert shorter.messages[1].content.endswith("Question: What of zinc?")
    assert (outcome.reason, outcome.parts) == ("too_long", 1)
    dialogue = ANSWERING.ask("k", **told)
    _, outcome = held(dialogue, too_long, '{"answer": "It fell."}')
    assert (outcome.value, outcome.parts) == ("It fell.", 1)


def test_a_paper_is_halved_until_the_prompt_fits():
    paper = "S\n\nOne zinc.\n\nTwo iron.\n\nThree lead.\n\nFour tin."
    too_long = ModelReply("k", None, PROMPT_TOO_LONG)
    told = {"question": "What of zinc?", "source_paper": paper, "citing_sentences": "[1]\tZinc [1]."}
    asked, outcome = held(CITATION_MARKER.ask("k", **told), too_long, too_long, '{"marker": "[1]"}')
    assert asked[-1].variables["source_paper"] == "S\n\nOne zinc.\n\n[...]"
    assert (outcome.value, outcome.parts) == ("[1]", 2)


def test_only_the_papers_of_the_setting_are_shown_and_as_they_are_written():
    def shown(source, second):
        request = ANSWERING.request("k", **asked_about("Q?", source_paper=source, second_paper=second))
        return request.messages[1].content

    assert shown("S\n\np < 0.05", "T") == (
        "<source_paper>\nS\n\np < 0.05\n</source_paper>\n\n<second_paper>\nT\n</second_paper>\n\nQuestion: Q?"
    )
    assert shown("", "T").startswith("<second_paper>")
    assert shown("", "") == "No paper is given.\n\nQuestion: Q?"
    assert ANSWERING.prompt.variables == {"papers", "pair", "question"}
    assert CITATION_MARKER.prompt.variables == {"source_paper", "citing_sentences", "question"}


def test_a_question_about_three_papers_shows_each_by_itself():
    documents = [
        {"role": role, "paper_id": paper, "in_hand": role == "first", "gold": role != "first"}
        for role, paper in zip(("first", "second", "third"), TEXTS, strict=True)
    ]
    reading = Reading("k", ITEM | {"documents": documents}, "oracle", given=("T", "S"), found=("D",))
    (dialogue,) = answering_dialogues([reading], TEXTS)
    system, user = next(dialogue).messages
    assert user.content == (
        "<source_paper>\nSource\n\nIt cites [1] and [2].\n</source_paper>\n\n"
        "<paper>\nTarget\n\nZinc fell.\n</paper>\n\n<paper>\nOther\n\nIron rose.\n</paper>\n\n"
        "Question: What fell, and what does the source paper cite?"
    )
    assert "- Say what each paper reports" in system.content
    assert "two papers" not in system.content
    assert "second" not in system.content


def test_a_malformed_answer_goes_back_to_the_model():
    told = asked_about("Q?")
    asked, outcome = held(ANSWERING.ask("k", **told), '{"answer": "A."}')
    assert (len(asked), outcome.value) == (1, "A.")
    (_, again), _ = held(ANSWERING.ask("k", **told), "A.")
    assert 'it is not a JSON object with the field "answer"' in again.messages[-1].content


def test_every_setting_reads_what_it_may():
    first = {"i1": ["D", "T"]}
    read = {
        reading.setting: (reading.papers, reading.found_target, reading.reason)
        for reading in plain_readings([ITEM], "m", "bm25", first)
    }
    assert read == {
        "oracle": (["S", "T"], None, None),
        "source_only": (["S"], None, None),
        "target_only": (["T"], None, None),
        "closed_book": ([], None, None),
        "realistic": (["S", "D"], False, None),
    }
    *_, unranked = plain_readings([ITEM], "m", "bm25", {})
    assert (unranked.setting, unranked.found_target, unranked.reason) == ("realistic", None, "no_ranking")


def test_the_first_papers_are_those_of_the_cluster_where_there_is_one():
    ranked = [
        ("i1", "full", ["A"]),
        ("i1", "cluster", ["B", "C"]),
        ("i2", "full", ["D"]),
        ("i3", "cluster", []),
    ]
    frame = pl.DataFrame(ranked, schema=["item_id", "setting", "papers"], orient="row")
    assert first_retrieved(frame) == {"i1": ["B", "C"], "i2": ["D"]}


def test_a_paper_without_text_is_not_asked_about():
    readings = with_texts(plain_readings([ITEM], "m", None, {}), {"S": "Source"})
    reasons = {reading.setting: reading.reason for reading in readings}
    assert reasons == {
        "oracle": "no_text",
        "source_only": None,
        "target_only": "no_text",
        "closed_book": None,
        "realistic": "no_ranking",
    }
    assert len(list(answering_dialogues(readings, TEXTS))) == 2


def test_markers_are_one_however_they_are_written():
    assert {marker_key(marker) for marker in ("[4]", "4", "(4)", "⁴", " [ 4 ]. ")} == {"4"}
    assert marker_key("(Smith et al., 2019a)") == marker_key("Smith et al. 2019a")
    assert marker_key("[]") == ""


def test_a_marker_leads_to_the_paper_that_its_reference_names():
    cited = citations()
    assert cited.lines.splitlines()[0] == "[1]\tZinc fell [1]."
    assert "[1,2]" not in [marker for marker, _ in cited.sentences]
    assert [cited.paper_of(marker) for marker in ("[1]", "2", "[4]")] == ["T", "D", "T"]
    assert {marker: cited.fault_of(marker) for marker in ("[3]", "[9]", "Ek 2019", "")} == {
        "[3]": "marker_not_in_corpus",
        "[9]": "unknown_marker",
        "Ek 2019": "ambiguous_marker",
        "": "unknown_marker",
    }


def cited_by(text, *, without=False, **reply):
    """The reading of the citation setting when the model replied this to the question for a marker."""
    (dialogue,) = marker_dialogues([ITEM], {"S": citations()}, TEXTS)
    given = ModelReply(next(dialogue).key, text, **reply)
    outcomes = [CITATION_MARKER.outcome(given)]
    (reading,) = cited_readings(outcomes, [ITEM], "m", {"S": citations()}, without=without)
    return reading


def test_the_citation_setting_reads_what_the_chosen_marker_leads_to():
    def chosen(text, **reply):
        reading = cited_by(text, **reply)
        return next(iter(reading.found), None), reading.marker, reading.found_target, reading.reason

    assert chosen('{"marker": "[1]"}') == ("T", "[1]", True, None)
    assert chosen('{"marker": "[2]"}') == ("D", "[2]", False, None)
    assert chosen('{"marker": "[3]"}') == (None, "[3]", False, "marker_not_in_corpus")
    assert chosen("the first one") == (None, None, False, "malformed_marker")
    assert chosen('{"mark', truncated=True) == (None, None, False, "length_limit")
    assert chosen(None, failure="http_400") == (None, None, False, "http_400")
    (unasked,) = cited_readings([], [ITEM], "m", {})
    assert (unasked.reason, unasked.found_target) == ("no_text", None)


def test_where_no_marker_leads_to_a_paper_the_question_may_be_put_with_the_source_alone():
    for text, fault in (('{"marker": "[3]"}', "marker_not_in_corpus"), ("the first one", "malformed_marker")):
        refused, asked = cited_by(text), cited_by(text, without=True)
        assert (refused.reason, refused.marker_fault) == (fault, fault)
        assert (asked.reason, asked.marker_fault, asked.papers) == (None, fault, ["S"])
        assert asked.found_target is False
        assert len(list(answering_dialogues([refused, asked], TEXTS))) == 1
    assert cited_by('{"marker": "[1]"}', without=True).marker_fault is None
    cut = cited_by('{"mark', without=True, truncated=True)
    assert (cut.reason, cut.marker_fault) == ("length_limit", "length_limit")
