"""Answers on the page: every model in every setting, by all measures."""

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from aimsciqa_assets.release.report.accessibility import MEASURES
from aimsciqa_assets.release.report.exhibits import (
    Cell,
    Column,
    Exhibit,
    Group,
    Row,
    count,
    grouped,
    interval,
    score,
)
from aimsciqa_assets.release.report.figures import named, titles

OF_LONG_ANSWERS: Final = frozenset(
    {
        *(f"rouge{which}_{part}" for which in ("1", "2", "_l") for part in ("precision", "recall", "f1")),
        *("rouge_mean", "aspects", "scidqa_avg"),
    }
)
"""Measures of long answers alone."""
_MEANS: Final = "Means over the answers, with 95 % bootstrap intervals."


def _measure(row: Row) -> tuple[str, str]:
    return row["measure"], row["judge"]


def measure_name(row: Row) -> str:
    """A measure in words, with the judge where there is one."""
    measure: str = row["measure"]
    name = MEASURES.get(measure, measure)
    if not row["judge"]:
        return name
    return f"{name}, judged by {row['judge']}" + (" (compares words)" if row["lexical"] else "")


def all_settings(rows: Sequence[Row]) -> Exhibit:
    """Answerers and settings by measure, with intervals, without what only long answers are measured by."""
    return _by_setting(
        "answering-settings",
        "All settings of answering",
        f"{_MEANS} The second number column counts answers that the model failed to give, papers without "
        "text, and replies of judges that could not be read.",
        [row for row in rows if row["measure"] not in OF_LONG_ANSWERS],
    )


def of_long_answers(rows: Sequence[Row]) -> Exhibit | None:
    """What only answers to questions of reviews are measured by; None where there are none."""
    of_long = [row for row in rows if row["measure"] in OF_LONG_ANSWERS]
    if not of_long:
        return None
    return _by_setting(
        "answering-long",
        "Answers to questions of reviews",
        f"{_MEANS} After SciDQA's tables: ROUGE with stemmer; judges rate four aspects, and their ratings "
        "are divided by 100. The mean of the judges is ALS. Avg is the mean of the mean ROUGE F1, BLEURT, "
        "BERTScore and three judges.",
        of_long,
    )


def _by_setting(name: str, title: str, note: str, rows: Sequence[Row]) -> Exhibit:
    measures = {_measure(row): row for row in rows}
    groups = []
    for (variant,), of_variant in grouped(rows, "variant"):
        cells: dict[tuple[str, str], dict[tuple[str, str], Row]] = {}
        for row in of_variant:
            cells.setdefault((row["answerer"], row["setting"]), {})[_measure(row)] = row
        lines: list[list[Cell]] = []
        for (answerer, setting), of_line in sorted(cells.items(), key=lambda cell: cell[0][0]):
            most = max(row["answers"] for row in of_line.values())
            values = [_with_interval(of_line.get(measure)) for measure in measures]
            unusable = _unusable(list(of_line.values()))
            lines.append([named(answerer), setting.replace("_", " "), count(most), unusable, *values])
        groups.append(Group(titles().get(variant, variant), lines))
    columns = [
        Column("Model"),
        Column("Setting"),
        Column("Answers", "number"),
        Column("Failed / no text / unreadable", "number"),
        *(Column(measure_name(row), "number") for row in measures.values()),
    ]
    missing = "No measures of answering yet."
    return Exhibit(name, title, note, columns, groups, missing, folded=True)


def _unusable(rows: Sequence[Row]) -> str:
    """How many answers failed, had no text to rest on, and had a judge whose reply could not be read."""
    return " / ".join(
        str(max(row[reason] or 0 for row in rows)) for reason in ("failed", "no_text", "unreadable")
    )


def _with_interval(row: Row | None) -> Cell:
    if row is None or score(row["value"]) is None:
        return None
    ends = interval(row["low"], row["high"])
    small = Markup("<small>{}</small>").format(ends) if ends else Markup("")
    return Markup("{}{}").format(score(row["value"]), small)
