"""The card of an export: its `README.md`, with the head that the `datasets` package reads."""

from pathlib import Path
from string import Template
from typing import Any

import yaml

from aimsciqa_assets.airqa.extractor.recipe import PAPER, SHAREGPT, TOOL_CALLS
from aimsciqa_assets.airqa.extractor.statistics import TOTAL

Row = dict[str, Any]

_BODY = Path(__file__).with_name("card.md")
_FIGURES = (
    ("trajectories", "trajectories"),
    ("turns", "turns"),
    ("turns_per_trajectory", "turns per trajectory"),
    ("samples", "samples"),
    ("tokens", "tokens"),
    ("tokens_learnt", "tokens learnt"),
    ("tokens_per_sample", "tokens per sample"),
    ("longest_sample", "tokens of the longest sample"),
    ("samples_over_cutoff", f"samples over {PAPER.cutoff:,} tokens"),
)
_RATES = (
    ("error_action_rate", "error action rate of the trajectories"),
    ("error_action_rate_of_samples", "error action rate of what is learnt"),
)


def card(told: Row) -> str:
    """`README.md` of an export with these statistics."""
    settings, counts = told["settings"], told["counts"]
    written = Template(_BODY.read_text(encoding="utf-8")).substitute(
        settings=_settings(settings),
        actors=_actors(told["actors"]),
        figures=_figures(counts),
        actions=_counted(counts, "actions"),
        errors=_counted(counts, "wrong_actions"),
        left_out=_left_out(told["trajectories_left_out"], counts[TOTAL]["samples_left_out"]),
    )
    return f"---\n{_head(counts[TOTAL]['samples'])}---\n{written}"


def _head(samples: int) -> str:
    """What `load_dataset` finds in the folder; it cannot load a file without rows."""
    head: Row = {"language": ["en"], "task_categories": ["text-generation"], "tags": ["agent", "tool-use"]}
    if samples:
        head["configs"] = [
            {"config_name": "sharegpt", "data_files": SHAREGPT, "default": True},
            {"config_name": "tool_calls", "data_files": TOOL_CALLS},
        ]
    return str(yaml.safe_dump(head, sort_keys=False))


def _settings(settings: Row) -> str:
    window = settings["window"]
    told = [
        f"a window of {window} turns before the one that is learnt"
        if window
        else "no window: a sample is a whole trajectory, and all its turns are learnt",
        "samples whose last action is wrong are removed"
        if settings["removes_errors"]
        else "samples whose last action is wrong are kept",
        "with pictures of pages (View)" if settings["views"] else "without pictures of pages (View)",
        f"questions: {', '.join(settings['kinds']) or 'of all types'}",
        "trajectories with a correct answer only"
        if settings["correct_only"]
        else "trajectories with any answer",
    ]
    return "\n".join(f"- {one}" for one in told)


def _actors(actors: list[Row]) -> str:
    lines = [
        f"- {one['model']} {one['model_revision']}".rstrip()
        + f", actions as {one['action_format']}, prompts {one['prompt_version']}"
        for one in actors
    ]
    return "\n".join(lines) or "- none"


def _figures(counts: dict[str, Row]) -> str:
    rows = [(label, *(_number(of[name]) for of in counts.values())) for name, label in _FIGURES]
    rows += [(label, *(_percent(of[name]) for of in counts.values())) for name, label in _RATES]
    return _table(("", *counts), rows)


def _counted(counts: dict[str, Row], name: str) -> str:
    """How often each action, or error, came up."""
    found = counts[TOTAL][name]
    rows = [(one, *(_number(of[name].get(one, 0)) for of in counts.values())) for one in found]
    return _table(("", *counts), rows) if rows else "None."


def _left_out(trajectories: Row, samples: Row) -> str:
    told = [("trajectories", reason, _number(count)) for reason, count in trajectories.items()]
    told += [("samples", reason, _number(count)) for reason, count in samples.items()]
    return _table(("of", "reason", "left out"), told) if told else "Nothing was left out."


def _table(head: tuple[str, ...], rows: list[Any]) -> str:
    lines = [head, ("---", *("---:" for _ in head[1:])), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2f} %"
