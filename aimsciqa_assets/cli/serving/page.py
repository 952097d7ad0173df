"""The review page: its style is that of the report, its script asks the server that it came from."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from aimsciqa_assets.release.report.page import hash_of, style

_FOLDER = Path(__file__).parent


def review_page(name: str, token: str) -> str:
    """The page for a dataset; `token` lets it write."""
    own = (_FOLDER / "review.css").read_text(encoding="utf-8")
    return (
        _environment()
        .get_template("review.html.j2")
        .render(name=name, token=token, style=Markup(style() + own), script=Markup(_SCRIPT))
    )


@cache
def _environment() -> Environment:
    return Environment(loader=FileSystemLoader(_FOLDER), autoescape=True, undefined=StrictUndefined)


_SCRIPT = (_FOLDER / "review.js").read_text(encoding="utf-8")
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; "
    f"form-action 'none'; frame-ancestors 'none'; script-src '{hash_of(_SCRIPT)}'"
)
"""Nothing is fetched but from the server of the page, and no script runs but its own."""
