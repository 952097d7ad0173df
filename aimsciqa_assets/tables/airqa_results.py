"""Tables of AirQA's examples and of what runs over them are worth: verdicts, labels, scores, comparisons."""

from typing import Final

from aimsciqa_assets.tables.table import Column, Table

_CLUSTERS: Final = Column(
    "clusters",
    "INTEGER",
    "groups of examples that name the same paper first, which intervals and tests draw",
    null=True,
)
EXAMPLE: Final = Column("example_id", "VARCHAR", "the example, by its uuid")
RUN: Final = Column("run_id", "VARCHAR", "the run, a row of airqa.runs")
REPEAT: Final = Column("repeat", "INTEGER", "which repetition of the run, from 1")
LABELS: Final = (
    *("no_answer", "out_of_turns", "unparsable_action", "repetition"),
    *("lack_of_context", "missing_paper"),
)
"""What a rule can tell of how an answer came about."""

_CORRECT: Final = Column("correct", "BOOLEAN", "whether the answer counts as correct")
_TAG: Final = (
    Column("family", "VARCHAR", "the family of the tag: type, element, evaluation; total: all examples"),
    Column("tag", "VARCHAR", "the tag of the examples; total: all examples"),
)
_INTERVAL: Final = (
    Column("low", "DOUBLE", "lower end of its 95 % interval", null=True),
    Column("high", "DOUBLE", "upper end of that interval", null=True),
)

AIRQA_EXAMPLES = (
    Table(
        "airqa.examples",
        "an example that was taken in: a question about papers with its evaluator",
        (
            EXAMPLE,
            Column("question", "VARCHAR", "the question"),
            Column("answer_format", "VARCHAR", "how the answer is to be given; may be empty"),
            Column("tags", "VARCHAR[]", "its tags: single, table, objective, ..."),
            Column("anchor_pdf", "VARCHAR[]", "uuids of the papers that the question names"),
            Column("reference_pdf", "VARCHAR[]", "uuids of further papers that it needs"),
            Column("conference", "VARCHAR[]", "where to search, such as acl2023"),
            Column("eval_func", "VARCHAR", "the name of its evaluation function"),
            Column("evaluator", "VARCHAR", "its evaluator as a JSON object; the right answer is in it"),
            Column("annotator", "VARCHAR", "who wrote it; null where the file does not say", null=True),
            Column("shape", "VARCHAR", "all of the example as a JSON object, as the file has it"),
            Column("file_name", "VARCHAR", "the file, and the number of the line in it: test.jsonl:17"),
            Column("file_id", "VARCHAR", "that file in the file store"),
        ),
        ("example_id",),
        by="",
    ),
    Table(
        "airqa.rejected_examples",
        "a line of a file of examples that was not taken in",
        (
            Column("file_id", "VARCHAR", "the file in the file store"),
            Column("line", "INTEGER", "the number of the line, from 1"),
            Column("file_name", "VARCHAR", "the file's name"),
            Column("example_id", "VARCHAR", "the example's uuid; null where it cannot be read", null=True),
            Column(
                "rejection_reason",
                "VARCHAR",
                "why: no example, an earlier line has its uuid, or an example that was taken in before",
                values=("unreadable", "same_id", "other_content"),
            ),
            Column("detail", "VARCHAR", "what is wrong with it"),
        ),
        ("file_id", "line"),
        by="",
    ),
)

AIRQA_RESULTS = (
    Table(
        "airqa.verdicts",
        "an answer of a run, scored by the evaluator of its example",
        (
            RUN,
            REPEAT,
            EXAMPLE,
            Column(
                "score",
                "INTEGER",
                "1: correct, 0: wrong; null when the example is not there, or the judge may not judge",
                null=True,
            ),
            Column("judge", "VARCHAR", "the judge that it rests on; null when rules alone decide", null=True),
            Column(
                "stand_in", "BOOLEAN", "whether that judge only counts words: such scores are no measurement"
            ),
            Column(
                "reason",
                "VARCHAR",
                "why there is no verdict on the answer, which then counts as wrong, or with no_example and "
                "same_family not at all; null when there is one",
                null=True,
                values=("no_answer", "no_reply", "unknown_function", "no_example", "same_family"),
            ),
            Column("detail", "VARCHAR", "what the reason is about, or what the judge said", null=True),
        ),
        ("run_id", "repeat", "example_id"),
        by="run_id",
    ),
    Table(
        "airqa.labels",
        "something that a rule tells of how a run came to an answer",
        (
            RUN,
            REPEAT,
            EXAMPLE,
            Column("label", "VARCHAR", "what it is", values=LABELS),
            Column("turn", "INTEGER", "the first turn that shows it; null when none does", null=True),
            Column("detail", "VARCHAR", "what was seen"),
            _CORRECT,
        ),
        ("run_id", "repeat", "example_id", "label"),
        by="run_id",
    ),
    Table(
        "airqa.scores",
        "the score of a run on the examples with a tag, or on all",
        (
            RUN,
            *_TAG,
            Column("count", "INTEGER", "how many examples"),
            _CLUSTERS,
            Column("repeats", "INTEGER", "how often each was answered; where that differs, the fewest"),
            Column("answers", "INTEGER", "how many answers, those that were not given included"),
            Column("correct", "INTEGER", "how many of them are correct"),
            Column("score", "DOUBLE", "the share of correct answers, averaged over the examples"),
            *_INTERVAL,
            Column(
                "pass_k", "DOUBLE[]", "pass^1, pass^2, ...: how likely so many repetitions are all correct"
            ),
            Column("failed", "INTEGER", "answers that were not given; they count as wrong"),
            Column("judged", "INTEGER", "answers whose score rests on a judge"),
            Column("stand_in", "INTEGER", "those of them whose judge only counts words"),
            Column("turns", "DOUBLE", "turns of an answer on average", null=True),
            Column("tokens", "DOUBLE", "tokens of an answer on average", null=True),
            Column("seconds", "DOUBLE", "seconds of an answer on average", null=True),
            Column("cost", "DOUBLE", "price of an answer on average; null where unknown", null=True),
            Column(
                "error_action_rate",
                "DOUBLE",
                "share of the actions that were wrong: unreadable, or with an error as their observation; "
                "null where there is no action",
                null=True,
            ),
        ),
        ("run_id", "family", "tag"),
        by="",
    ),
    Table(
        "airqa.comparisons",
        "two runs compared on the examples that both answered",
        (
            RUN,
            Column("other", "VARCHAR", "the run that it is compared with"),
            *_TAG,
            Column("examples", "INTEGER", "examples that both answered"),
            _CLUSTERS,
            Column("better", "INTEGER", "examples on which the run has the higher score"),
            Column("worse", "INTEGER", "examples on which the other has it"),
            Column("difference", "DOUBLE", "score of the run minus that of the other, on these examples"),
            *_INTERVAL,
            Column("p_value", "DOUBLE", "paired randomisation test, two-sided", null=True),
            Column("p_adjusted", "DOUBLE", "the same, by Holm over all pairs of runs", null=True),
        ),
        ("run_id", "other", "family", "tag"),
        by="",
    ),
)
