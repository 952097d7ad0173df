"""RAG baselines as rows of the answering benchmark, over three literal papers and a scripted server."""

from collections import Counter
from types import SimpleNamespace

import pytest

from aimsciqa_assets.cli.later_requests import _RULES
from aimsciqa_assets.platform.steps import STEPS, StepRun
from tests.answering_home import PAPERS, QUERIES, benchmark, resources_at, rows, scores
from tests.model_server import ModelServer

pytestmark = pytest.mark.slow

ALL = "standard sure ircot flare replug search"
SAID = {
    "You answer a question in small steps": "Grain iron rose.",
    "You propose answers": "Grain iron rose by 5 mg.\nLeaf lead was not measured.",
    "You collect what documents say": "It says so.",
    "You check an argument": "True",
    "You compare two summaries": "0",
    "You answer a question sentence by sentence": "Grain iron rose by 5 mg.",
    "You answer a question by reasoning": "<search>lead of barley</search>",
    "Somebody reasons about a question": "Nothing about this was found.",
}


def scripted(body) -> str:
    """What stands in the first paragraph of the first paper that was found, or what the task wants."""
    system, *others = (message["content"] for message in body["messages"])
    told = next((reply for start, reply in SAID.items() if system.startswith(start)), None)
    if "<document>" not in others[0]:
        return told or '{"answer": "No paper was found."}'
    blocks = others[0].partition("<document>\n")[2].partition("\n</document>")[0].split("\n\n")
    paragraphs = [block for block in blocks[1:] if not block.startswith("# ")]
    return told or next(iter(paragraphs), blocks[0])


def rag_at(folder, server, **settings):
    chosen = {
        "answering_model_base_url": server.url,
        "benchmark_answerers": "Qwen/tiny",
        "benchmark_answering_settings": "oracle",
    }
    resources = resources_at(folder, **chosen | settings)
    with resources["warehouse"].get_connection() as connection:
        connection.execute(
            "insert into corpus.admitted_papers by name "
            "select paper_id from corpus.papers where paper_id not in (from corpus.admitted_papers)"
        )
    return resources


def computed(resources, part="Qwen/tiny"):
    """The rows that the step makes: the answers of RAG baselines to the first item, and their steps."""
    step = STEPS["benchmark.answers"]
    made = step.compute(StepRun.of(step, part, resources))
    answers = made["benchmark.answers"].filter(item_id="i1")
    steps = made["benchmark.rag_steps"].filter(item_id="i1")
    return {row["setting"]: row for row in answers.iter_rows(named=True)}, steps.to_dicts()


def test_every_baseline_answers_every_item_and_is_scored_like_other_settings(tmp_path):
    with ModelServer(answer=scripted) as server:
        resources = rag_at(tmp_path, server, benchmark_rag=ALL)
        benchmark(resources, "Qwen/tiny")
        # All is in the journal now.
        asked = len(server.seen)
        benchmark(resources, "Qwen/tiny")
        assert len(server.seen) == asked
    answered = rows(
        resources,
        "select setting, retriever, prediction, found_target, count(distinct item_id) "
        "from benchmark.answers where setting like 'rag%' group by all order by all",
    )
    right = "Grain iron rose by 5 mg."
    assert answered == [
        ("rag_flare", "bm25", right, True, 2),
        ("rag_ircot", "bm25", right, True, 2),
        # The server finds shorter answers likelier.
        ("rag_replug", "bm25", "Leaf lead was not measured.", True, 2),
        ("rag_search", "bm25", None, True, 2),
        ("rag_standard", "bm25", right, True, 2),
        ("rag_sure", "bm25", right, True, 2),
    ]
    reasons = "select distinct rejection_reason from benchmark.answers where setting = 'rag_search'"
    assert rows(resources, reasons) == [("malformed_reply",)]
    judged = scores(resources, "accuracy", "lexical")
    assert (judged["im", "rag_standard"], judged["im", "rag_search"]) == (0.5, 0)
    assert scores(resources, "found_target")["cim", "rag_sure"] == 1
    searched = rows(
        resources,
        "select setting, query, papers from benchmark.rag_steps where kind = 'search' and item_id = 'i1' "
        "and setting in ('rag_ircot', 'rag_search') order by setting, position",
    )
    # The source is in hand: no search finds it.
    question = QUERIES[0]["question"]
    assert searched == [
        ("rag_ircot", question, ["T", "D"]),
        ("rag_ircot", "Grain iron rose.", ["T", "D"]),
        ("rag_ircot", "Grain iron rose.", ["T", "D"]),
        ("rag_search", "lead of barley", ["D", "T"]),
    ]
    calls = rows(
        resources,
        "select task, count(*) from ops.llm_calls where task like 'rag%' and key = "
        "(select answer_id from benchmark.answers where setting = 'rag_replug' and item_id = 'i1') "
        "group by all",
    )
    # Two papers give an answer each, and each answer is scored behind each paper.
    assert calls == [("rag_answer", 6)]
    versions = rows(
        resources, "select count(distinct prompt_version) from benchmark.answers where item_id = 'i1'"
    )
    # Standard and REPLUG ask the same.
    assert versions == [(6,)]


@pytest.mark.parametrize(
    ("setting", "value", "baseline", "made"),
    [
        ("benchmark_rag_retriever", "words", "standard", lambda steps: steps[0]["scores"]),
        ("benchmark_rag_papers", 1, "standard", lambda steps: steps[0]["papers"]),
        ("benchmark_rag_iterations", 1, "ircot", lambda steps: [step["kind"] for step in steps]),
        ("benchmark_rag_searches", 2, "search", lambda steps: [step["kind"] for step in steps]),
        ("benchmark_rag_replug", "tokens", "replug", lambda steps: [step["kind"] for step in steps]),
    ],
)
def test_a_setting_of_the_baselines_changes_their_steps(tmp_path, setting, value, baseline, made):
    with ModelServer(answer=scripted) as server:
        _, before = computed(rag_at(tmp_path, server, benchmark_rag=baseline))
        settings = {"benchmark_rag": baseline, setting: value}
        _, after = computed(rag_at(tmp_path, server, **settings))
    assert made(before) != made(after)


def test_prompts_and_answers_are_as_long_as_the_settings_let_them(tmp_path):
    with ModelServer(answer=scripted) as server:
        resources = rag_at(tmp_path, server, benchmark_rag="standard")
        with resources["warehouse"].get_connection() as connection:
            connection.execute("update corpus.paragraphs set text = repeat('Iron and zinc. ', 200) || text")
        computed(resources)
        short = {"benchmark_rag_input_tokens": 300, "benchmark_rag_output_tokens": 32}
        computed(rag_at(tmp_path, server, benchmark_rag="standard", **short))
    sent = [seen for seen in server.seen if "<document>" in seen.text]
    lengths = {seen.body["max_tokens"]: len(seen.text) for seen in sent}
    assert lengths.keys() == {256, 32}
    assert lengths[32] < 4 * 300 + 300 < lengths[256]


def test_nothing_is_searched_and_no_setting_counts_while_no_baseline_is_named(tmp_path):
    with ModelServer(answer=scripted) as server:
        resources = rag_at(tmp_path, server)
        answers, steps = computed(resources)
        assert (list(answers), steps) == (["oracle"], [])
        step = STEPS["benchmark.answers"]
        run = StepRun.of(step, "Qwen/tiny", resources)

        def reading(**settings):
            chosen = rag_at(tmp_path, server, **settings)["settings"].benchmark
            return chosen.determining("rag_reading")

        assert reading(benchmark_rag_papers=3) == {}
        assert reading(benchmark_rag="standard", benchmark_rag_papers=3)["rag_papers"] == 3
        assert step.encodes
        assert run.part == "Qwen/tiny"


def test_rules_and_people_are_not_asked_and_recorded_replies_have_no_log_probabilities(tmp_path):
    with ModelServer(answer=scripted) as server:
        resources = rag_at(tmp_path, server, benchmark_rag="standard flare")
        for answerer, reasons in {
            "extractive": ("no_model", "no_model"),
            "human:anna": ("no_model", "no_model"),
            "recorded:jane": ("not_recorded", "no_logprobs"),
        }.items():
            answers, steps = computed(resources, answerer)
            found = tuple(answers[f"rag_{name}"]["rejection_reason"] for name in ("standard", "flare"))
            assert found == reasons
            # Only what the model failed to give counts as wrong.
            assert answers["rag_standard"]["token_f1"] is None
            assert answers["rag_flare"]["token_f1"] == (0.0 if reasons[1] == "no_logprobs" else None)
            assert {step["kind"] for step in steps} <= {"search"}


def test_a_server_that_scores_no_prompt_is_a_reason_in_every_row_and_ends_no_run(tmp_path):
    with ModelServer(answer=scripted, owned_by="somebody") as server:
        resources = rag_at(tmp_path, server, benchmark_rag="replug")
        benchmark(resources, "Qwen/tiny")
    assert rows(
        resources,
        "select rejection_reason, token_f1, count(*) from benchmark.answers where setting = 'rag_replug' "
        "group by all",
    ) == [("no_logprobs", 0.0, 2)]
    assert scores(resources, "token_f1")["im", "rag_replug"] == 0


def test_a_source_without_text_is_a_reason(tmp_path):
    with ModelServer(answer=scripted) as server:
        resources = rag_at(tmp_path, server, benchmark_rag="standard")
        with resources["warehouse"].get_connection() as connection:
            connection.execute("delete from corpus.admitted_papers where paper_id = 'S'")
            connection.execute("delete from corpus.paragraphs where paper_id in ('S', 'T')")
        answers, _ = computed(resources)
        assert answers["rag_standard"]["rejection_reason"] == "no_text"
        # A paper that was found is read by its title where it has no paragraphs.
        with resources["warehouse"].get_connection() as connection:
            connection.execute(
                "insert into corpus.paragraphs select * replace ('S' as paper_id, 'S0' as paragraph_id, "
                "'Ss' as section_id) from corpus.paragraphs where paper_id = 'D'"
            )
        answers, steps = computed(resources)
        assert steps[-1]["papers"] == ["T", "D"]
    assert PAPERS["T"][0] in server.seen[-1].text


def test_what_baselines_would_ask_is_told_beforehand(tmp_path):
    bounds = SimpleNamespace(
        answers=Counter(oracle=2),
        answered=Counter(im=2),
        lengths={"paper": 100.0, "paragraph": 10.0, "manuscript": 0.0},
    )
    with ModelServer(answer=scripted) as server:
        resources = rag_at(tmp_path, server, benchmark_rag=ALL, benchmark_rag_papers=2)
        run = StepRun.of(STEPS["benchmark.answers"], "Qwen/tiny", resources)
        told = [(most.task, most.requests) for most in _RULES["benchmark.answers"](bounds, run)]
    assert told[2:] == [
        ("rag_answer", 2),
        ("rag_candidates", 14),
        ("rag_thought", 6),
        ("rag_sentence", 32),
        ("rag_answer", 12),
        ("rag_search", 24),
    ]
