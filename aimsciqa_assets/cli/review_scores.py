"""`aimsciqa reviews scores`: SciDQA's published answers scored against the authors'."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.markup import escape

from aimsciqa_assets.cli.terminal import console, errors

if TYPE_CHECKING:
    import polars as pl

    from aimsciqa_assets.metrics.bertscore import BertScore
    from aimsciqa_assets.metrics.bleurt import Bleurt
    from aimsciqa_assets.scidqa.files.scores import Learned, ModelScores

_SETTINGS: Final = ("mem", "tabs", "rag", "ft")
_RESAMPLES: Final = 1000
_SEED: Final = 20241
_BERT: Final = "microsoft/deberta-xlarge-mnli"
_ROWS: Final = {"R-1": "rouge1", "R-2": "rouge2", "R-L": "rouge_l", "BERTScore": "bert_score"}
_PARTS: Final = ("precision", "recall", "f1")
_COLUMNS: Final = {
    "r1": "rouge1_precision",
    "r2": "rouge2_precision",
    "rl": "rouge_l_precision",
    "bleurt": "bleurt_score",
    "bs_precision": "bert_score_precision",
    "bs_recall": "bert_score_recall",
    "bs_f1": "bert_score_f1",
}


def scores_command(
    questions: Annotated[Path, typer.Argument(metavar="SCIDQA", help="scidqa.xlsx, or its Parquet form")],
    responses: Annotated[
        list[Path],
        typer.Argument(
            metavar="RESPONSES...",
            help="files of answers, MODEL_SETTING.xlsx, or below a folder mem, tabs, rag or ft",
        ),
    ],
    *,
    released: Annotated[
        bool,
        typer.Option(
            "--released",
            help="as the authors' code does: the list of all candidates as text (MODEL_ans) with the tokens "
            "of chat templates, a missing answer is the text nan, and gold answers keep their 'A: '",
        ),
    ] = False,
    selected: Annotated[
        bool,
        typer.Option(
            "--selected", help="with --released: the selected answers (MODEL_ans_single) where there are any"
        ),
    ] = False,
    bertscore: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help=f"BERTScore by the {_BERT} in this folder")
    ] = None,
    bleurt: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="BLEURT by the RemBERT in this folder, saved by transformers"),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.xlsx", help="write the questions with their scores in the authors' columns"
        ),
    ] = None,
) -> None:
    """Score files of answers to SciDQA: ROUGE, and BERTScore and BLEURT where their models are given.

    Means times 100 with 95 % intervals; whole papers are drawn. The authors publish the precision.
    """
    import polars as pl

    from aimsciqa_assets.cli.printed_rows import print_table
    from aimsciqa_assets.scidqa.files.published import PublishedFileError, read_questions, read_responses
    from aimsciqa_assets.scidqa.files.scores import Way, means_of, row_scores

    if selected and not released:
        raise typer.BadParameter("it goes with --released", param_hint="--selected")
    way = Way(released, not released, tuple(_learned(bertscore, bleurt)))
    rows: list[dict[str, str | int]] = []
    try:
        asked = written = read_questions(questions)
        for file in responses:
            for one in read_responses(file, first_column=released and not selected, keep_header=released):
                scored = row_scores(one, asked, way)
                unknown = one.rows.join(asked, on="id", how="anti").height
                found = means_of(scored, unknown, resamples=_RESAMPLES, seed=_SEED)
                rows += _told(one.model, _setting_of(file), found)
                if found.unknown:
                    told = f"{file.name}: {found.unknown:,} answers are to no question of {questions.name}."
                    errors.print(escape(told), highlight=False, soft_wrap=True)
                if output is not None:
                    written = _with_scores(written, scored, one.model)
    except (PublishedFileError, OSError) as error:
        errors.print(escape(str(error)), highlight=False, soft_wrap=True)
        raise typer.Exit(1) from None
    print_table(pl.DataFrame(rows), console)
    if output is not None:
        _write(output, written)


def _learned(bertscore: Path | None, bleurt: Path | None) -> "list[Learned]":
    """The measures whose models are given; ends with 1 where one cannot be loaded."""
    from aimsciqa_assets.metrics.bertscore import BertScore, NoBertScoreError
    from aimsciqa_assets.metrics.bleurt import Bleurt, NoBleurtError

    measures: list[Learned] = []
    try:
        if bertscore is not None:
            measures.append(_bert(BertScore(_BERT, folder=bertscore, rescaled=False)))
        if bleurt is not None:
            measures.append(_bleurt(Bleurt(bleurt)))
    except (NoBertScoreError, NoBleurtError, OSError) as error:
        errors.print(escape(str(error)), highlight=False, soft_wrap=True)
        raise typer.Exit(1) from None
    return measures


def _bert(scorer: "BertScore") -> "Learned":
    def measure(answers: Sequence[str], predictions: Sequence[str]) -> Mapping[str, Sequence[float]]:
        parts = scorer.parts(answers, predictions, lambda *_: None)
        names = ("precision", "recall", "f1")
        return {f"bert_score_{name}": [100 * one[place] for one in parts] for place, name in enumerate(names)}

    return measure


def _bleurt(scorer: "Bleurt") -> "Learned":
    def measure(answers: Sequence[str], predictions: Sequence[str]) -> Mapping[str, Sequence[float]]:
        return {"bleurt_score": [100 * one for one in scorer.scores(answers, predictions, lambda *_: None)]}

    return measure


def _setting_of(file: Path) -> str:
    """The authors' code of the setting, from the folder or else from the end of the file's name."""
    of_name = file.stem.rpartition("_")[2]
    return next((one for one in (file.parent.name, of_name) if one in _SETTINGS), "")


def _told(model: str, setting: str, found: "ModelScores") -> "list[dict[str, str | int]]":
    """A row for each measure."""
    head: dict[str, str | int] = {
        "model": model,
        "setting": setting,
        "items": found.answered,
        "missing": found.missing,
    }
    rows = [
        head | {"measure": title} | {part: _mean(found, f"{name}_{part}") for part in _PARTS}
        for title, name in _ROWS.items()
        if f"{name}_f1" in found.means or title.startswith("R-")
    ]
    if "bleurt_score" in found.means:
        blank = dict.fromkeys(_PARTS[:-1], "")
        rows.append(head | {"measure": "BLEURT (score)"} | blank | {"f1": _mean(found, "bleurt_score")})
    return rows


def _mean(found: "ModelScores", name: str) -> str:
    mean = found.means.get(name)
    if mean is None:
        return ""
    if mean.low is None or mean.high is None:
        return f"{mean.value:.2f}"
    return f"{mean.value:.2f} [{mean.low:.2f}, {mean.high:.2f}]"


def _with_scores(written: "pl.DataFrame", scored: "pl.DataFrame", model: str) -> "pl.DataFrame":
    """The questions with one more model's columns; a model has one setting in a file, as with the authors."""
    named = {f"{model}_ans_{ending}": name for ending, name in _COLUMNS.items() if name in scored.columns}
    if set(named) & set(written.columns):
        raise typer.BadParameter(
            f"{model} is in two of the files: write one setting at a time", param_hint="--output"
        )
    return written.with_columns(scored[name].alias(column) for column, name in named.items())


def _write(output: Path, written: "pl.DataFrame") -> None:
    from aimsciqa_resources.workbooks import WorkbookError, write_workbook

    try:
        write_workbook(output, written.columns, written.iter_rows())
    except (WorkbookError, OSError) as error:
        errors.print(escape(str(error)), highlight=False, soft_wrap=True)
        raise typer.Exit(1) from None
    console.print(f"{written.height:,} questions in {escape(str(output))}", highlight=False, soft_wrap=True)
