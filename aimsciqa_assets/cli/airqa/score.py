"""`aimsciqa airqa score`: the score of answers, by tag and in total."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from aimsciqa_assets.cli.airqa.files import examples_in, tell_bad_lines
from aimsciqa_assets.cli.terminal import console, errors, print_json

if TYPE_CHECKING:
    from aimsciqa_assets.airqa.examples.example import Example
    from aimsciqa_assets.airqa.examples.files import Result
    from aimsciqa_assets.airqa.tally import Scored, TagScore


def score_command(
    examples: Annotated[
        Path,
        typer.Argument(exists=True, dir_okay=False, metavar="EXAMPLES.jsonl", help="examples, one a line"),
    ],
    results: Annotated[
        Path,
        typer.Argument(
            exists=True, dir_okay=False, metavar="RESULT.jsonl", help='{"uuid", "answer"}, one a line'
        ),
    ],
    *,
    as_json: Annotated[
        bool, typer.Option("--json", help="print everything as one JSON object, with the answers that failed")
    ] = False,
) -> None:
    """Score answers by the evaluators of their examples: count, correct, score and 95 % interval of each tag.

    An example without an answer counts as wrong. Where an evaluator wants a judge, a stand-in counts words.
    """
    from aimsciqa_assets.airqa.evaluation.judges import LexicalJudge
    from aimsciqa_assets.airqa.examples.files import read_results
    from aimsciqa_assets.airqa.tally import scored_examples, tag_scores

    known, bad = examples_in(examples)
    answered, bad_results = read_results(results)
    tell_bad_lines(results, bad_results)
    answers = _answers(known, answered)
    judge = LexicalJudge()
    scored = list(scored_examples(known, answers, judge))
    rows = tag_scores(scored)
    if as_json:
        print_json(_as_object(scored, rows, judge.name))
    else:
        console.print(_table(rows))
        _tell_reservations(scored, judge.name)
    if bad or bad_results:
        raise typer.Exit(1)


def _answers(examples: "Sequence[Example]", results: "Sequence[Result]") -> dict[str, Any]:
    """The answer to each example; of several, the last, which is told."""
    known = {example.uuid for example in examples}
    answers = {result.uuid: result.answer for result in results}
    if len(known) < len(examples):
        errors.print(
            f"{len(examples) - len(known):,} examples share a uuid: aimsciqa airqa check names them."
        )
    if again := len(results) - len(answers):
        errors.print(f"{again:,} lines answer an example again: the last answer counts.")
    if foreign := len(answers.keys() - known):
        errors.print(f"{foreign:,} answers belong to no example.")
    return answers


def _table(rows: "Sequence[TagScore]") -> Table:
    table = Table("", "", box=None, pad_edge=False)
    for name in ("count", "correct", "score", "95 % interval"):
        table.add_column(name, justify="right")
    family = ""
    for row in rows:
        interval = f"{row.low:.2%} to {row.high:.2%}" if row.low is not None else "-"
        score = f"{row.score:.2%}" if row.score is not None else "-"
        tag = row.tag if row.tag != row.family else ""
        shown = row.family if row.family != family else ""
        table.add_row(shown, tag, f"{row.count:,}", f"{row.correct:,}", score, interval)
        family = row.family
    return table


def _tell_reservations(scored: "Sequence[Scored]", judge: str) -> None:
    """What the table does not show: who judged, and what counts as wrong without a verdict."""
    if judged := sum(one.judged for one in scored):
        console.print(
            f"{judged:,} of {len(scored):,} examples ask a judge. The {escape(judge)} replied: "
            "it counts shared words, so their scores are no measurement.",
            highlight=False,
        )
    reasons = [one.reason for one in scored if one.reason]
    for reason in dict.fromkeys(reasons):
        console.print(f"{reasons.count(reason):,} count as wrong: {escape(reason)}", highlight=False)


def _as_object(scored: "Sequence[Scored]", rows: "Sequence[TagScore]", judge: str) -> dict[str, Any]:
    from aimsciqa_assets.airqa.tally import right_part

    judged = sum(one.judged for one in scored)
    failed = [
        {
            "uuid": one.example.uuid,
            "eval_func": one.example.evaluator.eval_func,
            "right": right_part(one.example.evaluator_shape),
            "answer": one.answer,
            "judged": one.judged,
            "reason": one.reason,
        }
        for one in scored
        if not one.is_correct
    ]
    return {
        "scores": [asdict(row) for row in rows],
        "judge": judge if judged else None,
        "judged": judged,
        "failed": failed,
    }
