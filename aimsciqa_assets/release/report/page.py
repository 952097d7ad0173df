"""The report as one HTML page that loads nothing: style, script and pictures are inside.

The page depends on the rows alone: the same rows give the same bytes. Texts of papers and models are escaped
by the template, and the page's policy allows no script but its own.
"""

import re
from base64 import b64encode
from functools import cache
from hashlib import blake2b, sha256
from pathlib import Path

from aimsciqa_resources.language_model.settings import RECORDED
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from aimsciqa_assets.platform.queries import queries_in
from aimsciqa_assets.release.report.evaluation import answering, retrieval
from aimsciqa_assets.release.report.evidence import shortened
from aimsciqa_assets.release.report.figures import (
    Rows,
    multi_hop,
    overview,
    quality,
    questions,
    rejections,
    titles,
)
from aimsciqa_assets.release.report.items import item_of

_FOLDER = Path(__file__).parent
_SECTIONS = (overview, questions, multi_hop, retrieval, answering, quality, rejections)
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


def html_of(rows: Rows, name: str) -> str:
    """The page from the rows of the queries in `dbt_like_sql/analyses/report/`, and the dataset's name."""
    script = _text("page.js")
    stages = {row["stage"]: row["rows"] for row in rows["stages"]}
    page = (
        _environment()
        .get_template("page.html.j2")
        .render(
            name=name,
            policy=policy_of(script),
            style=Markup(_text("page.css")),
            script=Markup(script),
            headlines=[
                (label, stages[stage]) for stage, label in _HEADLINES if stages.get(stage) is not None
            ],
            by_rules=[row["task"] for row in rows["models"] if row["model"] == "extractive"],
            recorded={
                row["model"]: [of["task"] for of in rows["models"] if of["model"] == row["model"]]
                for row in rows["models"]
                if row["model"].startswith(RECORDED)
            },
            sections=[section(rows) for section in _SECTIONS],
            items=[item_of(row) for row in rows["items"]],
            variants=titles(),
        )
    )
    return _CONTROL.sub("\ufffd", page)


def policy_of(script: str) -> str:
    """The policy of the page: nothing is fetched, and no script runs but this one."""
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
        f"script-src 'sha256-{digest}'"
    )


@cache
def version() -> str:
    """Changes with anything that the page is made of."""
    made_of = [path.read_bytes() for path in sorted(_FOLDER.iterdir()) if path.is_file()]
    made_of += [query.text.encode() for query in queries_in("report").values()]
    return blake2b(b"\0".join(made_of), digest_size=6).hexdigest()


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
