"""The report as one HTML page that loads nothing: style, script and pictures are inside.

The page depends on the rows alone: the same rows give the same bytes. Texts of papers and models are escaped
by the template, and the page's policy allows no script but its own.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

from aimsciqa_resources.language_model.settings import RECORDED
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from aimsciqa_assets.platform.queries import queries_in
from aimsciqa_assets.release.reasons import said
from aimsciqa_assets.release.report.airqa import airqa, ways_of
from aimsciqa_assets.release.report.browsing import FILTERS, ITEMS_AT_ONCE, Browsed, packed, values_of
from aimsciqa_assets.release.report.evaluation import answering, retrieval
from aimsciqa_assets.release.report.evidence import shortened
from aimsciqa_assets.release.report.exhibits import Row
from aimsciqa_assets.release.report.figures import (
    Rows,
    multi_hop,
    overview,
    questions,
    rejections,
    titles,
)
from aimsciqa_assets.release.report.items import item_of
from aimsciqa_assets.release.report.ratings import quality
from aimsciqa_assets.release.report.weaving import weaving
from aimsciqa_assets.release.report.yields import yields

_FOLDER = Path(__file__).parent
_SECTIONS = (
    *(overview, questions, multi_hop, weaving, retrieval),
    *(answering, airqa, quality, yields, rejections),
)
_MOST_CHARACTERS = 2500
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
"""Characters that HTML does not allow; PDFs bring them along."""
_HEADLINES = (
    ("papers", "papers"),
    ("QA pairs kept", "questions kept"),
    ("relations", "relations"),
    ("items accepted", "items accepted"),
    ("items released", "items released"),
)


_WITHOUT_SCRIPT = 20
"""So many items stand in the page as they are, for browsers without JavaScript and for paper."""


@dataclass(frozen=True, slots=True)
class Fates:
    """How many items were `accepted` and are `released`, why the others are not, and the relations that were
    not asked about because others mirror them.
    """

    accepted: int
    released: int
    why_not: Sequence[str]
    mirrors: int

    @classmethod
    def of(cls, rows: Sequence[Row]) -> "Fates":
        """The fates in the rows of `report.left_out`."""
        counts: dict[str | None, int] = {row["reason"]: row["rows"] for row in rows}
        return cls(
            accepted=sum(counts.values()),
            released=counts.get(None, 0),
            why_not=said((reason, number) for reason, number in counts.items() if reason),
            mirrors=rows[0]["mirrors"] if rows else 0,
        )


def html_of(rows: Rows, name: str, browsed: Browsed) -> str:
    """The page from the rows of the queries in `dbt_like_sql/analyses/report/`, the dataset's name, and the
    items to browse.
    """
    script = _text("page.js")
    ids = [row["item_id"] for row in browsed.listed]
    total = browsed.listed[0]["all_items"] if ids else 0
    stages = {row["stage"]: row["rows"] for row in rows["stages"]}
    page = (
        _environment()
        .get_template("page.html.j2")
        .render(
            name=name,
            policy=policy_of(script),
            style=Markup(style()),
            script=Markup(script),
            headlines=[
                (label, stages[stage]) for stage, label in _HEADLINES if stages.get(stage) is not None
            ],
            fates=Fates.of(rows["left_out"]),
            by_rules=[row["task"] for row in rows["models"] if row["model"] == "scripted"],
            recorded={
                row["model"]: [of["task"] for of in rows["models"] if of["model"] == row["model"]]
                for row in rows["models"]
                if row["model"].startswith(RECORDED)
            },
            sections=[made for section in _SECTIONS if (made := section(rows)).exhibits],
            ways=ways_of(rows["airqa_trajectories"]),
            items=[item_of(row) for row in browsed.articles(ids[:_WITHOUT_SCRIPT])],
            variants=titles(),
            listed=len(ids),
            all_items=total,
            filters=FILTERS,
            index={
                "packed": _WITHOUT_SCRIPT,
                "chunk": ITEMS_AT_ONCE,
                "items": [values_of(row) for row in browsed.listed],
            },
            chunks=_chunks(browsed, ids, total),
        )
    )
    return _tame(page)


def article_of(row: dict[str, Any], number: int, total: int) -> str:
    """One item as HTML, from a row of `browse.articles`."""
    return _articles([row], number, total)[0]


def _chunks(browsed: Browsed, ids: Sequence[str], total: int) -> Iterator[Markup]:
    """The items that the page unpacks when somebody looks at them."""
    for first in range(_WITHOUT_SCRIPT, len(ids), ITEMS_AT_ONCE):
        rows = browsed.articles(ids[first : first + ITEMS_AT_ONCE])
        yield Markup(packed(_articles(rows, first + 1, total)))


def _articles(rows: Iterable[dict[str, Any]], first: int, total: int) -> list[str]:
    article = _environment().get_template("item.html.j2").module.article_of  # type: ignore[attr-defined]
    return [_tame(article(item_of(row), number, total, titles())) for number, row in enumerate(rows, first)]


def _tame(html: str) -> str:
    return _CONTROL.sub("\ufffd", html)


def policy_of(script: str) -> str:
    """The policy of the page: nothing is fetched, and no script runs but this one."""
    return (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
        f"script-src '{hash_of(script)}'"
    )


def hash_of(script: str) -> str:
    """A script as a policy names it."""
    return f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}"


def style() -> str:
    """The style sheet of the page."""
    return _text("page.css")


@cache
def version() -> str:
    """Changes with anything that the page is made of."""
    made_of = [path.read_bytes() for path in sorted(_FOLDER.iterdir()) if path.is_file()]
    made_of.append((_FOLDER.parent / "reasons.py").read_bytes())
    made_of += [query.text.encode() for name in ("report", "browse") for query in queries_in(name).values()]
    return blake2b(b"\0".join(made_of), digest_size=6).hexdigest()


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        finalize=_bounded,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _bounded(value: object) -> object:
    """Shortens every long text, so that no title or reply makes the page long."""
    return shortened(value, _MOST_CHARACTERS) if type(value) is str else value


def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
