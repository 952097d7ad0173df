"""`aimsciqa items` and `aimsciqa show`: a list of items, the best first; one item with all its parts."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import polars as pl
import typer
from aimsciqa_resources.warehouse import Warehouse
from rich.padding import Padding
from rich.text import Text

from aimsciqa_assets.cli.printed_rows import print_json, print_rows
from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.queries import queries_in, query_of
from aimsciqa_assets.platform.writing import adopt_tables
from aimsciqa_assets.tables import TABLES

_LIMIT = 20
_RANKED_BY = (
    "Ranked by quality gates (few failed, many passed), ratings by people, ratings by judges, strength of "
    "the relation. Of items about the same two facts the best one stands before the second of any."
)
_STATUSES = next(column.values for column in TABLES["multi_hop.items"].columns if column.name == "status")
_LABEL = 20
_WIDEST_LABEL = 36

Format = Literal["table", "csv", "json"]


def items_command(
    *,
    best: Annotated[int | None, typer.Option(help="the so many best accepted items", min=1)] = None,
    rejected: Annotated[
        str | None,
        typer.Option(
            metavar="REASON",
            help="rejected items whose reason begins like this: refused, rejected:fluency; '' for any",
        ),
    ] = None,
    failed: Annotated[
        str | None,
        typer.Option(metavar="GATE", help="accepted items that failed this quality gate: no_duplicate, ..."),
    ] = None,
    variant: Annotated[str, typer.Option(help="only items of this kind: im, cim, ...")] = "",
    split: Annotated[str, typer.Option(help="only items of this split: dev or test")] = "",
    paper: Annotated[str, typer.Option(metavar="ID", help="only items about this paper")] = "",
    search: Annotated[
        str, typer.Option(metavar="TEXT", help="only items with these words in question or answer")
    ] = "",
    limit: Annotated[int, typer.Option(help="so many at most", min=1)] = _LIMIT,
    format: Annotated[Format, typer.Option("--format", help="how to print them")] = "table",
) -> None:
    """List items, the best first; without options the accepted ones.

    They are ranked by quality gates, ratings by people and by judges, and the strength of their relation.
    """
    warehouse = _warehouse()
    asked = {
        "status": "" if rejected is not None else "accepted",
        "reason": rejected or "",
        "gate": failed or "",
        "variant": variant,
        "split": split,
        "paper": paper,
        "text": search,
        "most": best or limit,
    }
    found = _rejected(warehouse, asked) if rejected is not None else _items(warehouse, asked)
    if format != "table":
        print_rows(found.drop("fitting"), format, console)
        return
    for place, item in enumerate(found.iter_rows(named=True), 1):
        console.print(_entry(place, item))
    fitting = found["fitting"][0] if found.height else 0
    _tell_number(found.height, fitting, rejected=rejected is not None)


def show_command(
    item: Annotated[str, typer.Argument(metavar="ID", help="id of an item, or the beginning of one")],
    *,
    format: Annotated[Literal["table", "json"], typer.Option("--format", help="how to print it")] = "table",
) -> None:
    """Show one item with all its parts: papers, evidence, verdicts, gates, needs, ranks, reviews, answers."""
    warehouse = _warehouse()
    ids = warehouse.read(query_of("show.ids").text, {"id": item})["item_id"].to_list()
    if len(ids) != 1:
        errors.print(_not_one(item, ids), highlight=False, markup=False, soft_wrap=True)
        raise typer.Exit(1)
    parts = parts_of(warehouse, ids[0])
    if format == "json":
        print_json(parts)
    else:
        for piece in _pieces(parts):
            console.print(piece)


def parts_of(warehouse: Warehouse, item_id: str) -> dict[str, Any]:
    """All that is known of an item: its own columns, and a list of rows for each other query of `show`."""
    with warehouse.one_state():
        read = {
            name: warehouse.read(query.text, {"id": item_id}).to_dicts()
            for name, query in queries_in("show").items()
            if name != "ids"
        }
    (item,) = read.pop("item")
    return {**item, **read}


def _items(warehouse: Warehouse, asked: Mapping[str, Any]) -> pl.DataFrame:
    return warehouse.read(query_of("cli.items").text, asked)


def _rejected(warehouse: Warehouse, asked: Mapping[str, Any]) -> pl.DataFrame:
    """Items of any fate but accepted; their number is that of all that fit."""
    found = [
        rows
        for status in _STATUSES
        if status != "accepted" and (rows := _items(warehouse, {**asked, "status": status})).height
    ]
    if not found:
        return _items(warehouse, {**asked, "status": "invalid", "most": 0})
    fitting = sum(rows["fitting"][0] for rows in found)
    return pl.concat(found, how="vertical_relaxed").with_columns(fitting=fitting).head(asked["most"])


def _tell_number(shown: int, fitting: int, *, rejected: bool) -> None:
    if not shown:
        console.print(
            "No item fits. `aimsciqa status` tells what there is; `aimsciqa run` makes items.",
            highlight=False,
        )
        return
    if not rejected:
        console.print(_RANKED_BY, style="dim", highlight=False)
    console.print(
        f"{shown:,} of {fitting:,} items. One in full: [bold]aimsciqa show ID[/bold]", highlight=False
    )


def _entry(place: int, item: Mapping[str, Any]) -> Text:
    """An item of the list."""
    text = Text()
    text.append(f"{place}. {item['item_id']}", style="bold")
    text.append(f"  {', '.join(_marks(item))}\n")
    if item["question"]:
        text.append(f"{item['question']}\n")
    for title in item["titles"]:
        text.append(f"- {title}\n", style="dim")
    return text


def _marks(item: Mapping[str, Any]) -> Iterator[str]:
    """What is known of an item, in few words."""
    yield item["variant"]
    if item["status"] != "accepted":
        yield f"{item['status']} ({item['rejection_reason']})"
    if item["split"]:
        yield item["split"]
    if item["gates_passed"] is not None:
        told = f"{item['gates_passed']} gate{'' if item['gates_passed'] == 1 else 's'} passed"
        yield f"{told}, failed {' and '.join(item['failed_gates'])}" if item["failed_gates"] else told
    for who in ("people", "judges"):
        if item[f"rated_by_{who}"] is not None:
            yield f"rated {item[f'rated_by_{who}']:.2f} of 1 by {who}"
    if item["review"] is not None:
        yield f"{item['review']} in review" + (", edited" if item["edited"] else "")
    if item["strength"] is not None:
        yield f"strength {item['strength']:.2f}"


def _not_one(asked: str, ids: list[str]) -> str:
    if not ids:
        return f"No item has an id that begins with {asked}. `aimsciqa items` lists them."
    return f"Several items have an id that begins with {asked}: {', '.join(ids)}. Give more of it."


def _pieces(parts: Mapping[str, Any]) -> Iterator[Text | Padding]:
    """An item for a person, piece by piece."""
    yield _heading(f"Item {parts['item_id']}")
    yield from _fields(
        {
            "kind, split": " ".join(filter(None, (parts["variant"], parts["split"]))),
            "status": _status(parts),
            "release": _released(parts),
            "made by": f"{parts['model']} (prompt {parts['prompt_version']})",
        }
    )
    yield _heading("Question")
    yield from _fields({"question": parts["question"], "answer": parts["answer"]})
    for review in parts["review"]:
        yield _heading("Review")
        yield from _fields(_reviewed(review))
    for step in parts["steps"] or []:
        yield _heading(step["title"])
        yield from _fields({"question": step["question"], "answer": step["answer"]})
    for document in parts["documents"]:
        yield _heading(f"The {document['role']}: {document['title'] or 'a paper that is gone'}")
        yield from _fields(
            {
                "paper": " ".join(_ids(document)),
                "published": f"{document['journal'] or ''} {document['year'] or ''}".strip(),
                "licence": document["licence"] or "unknown",
            }
        )
        for pair in (one for one in parts["evidence"] if one["role"] == document["role"]):
            yield from _fields(
                {
                    f"{pair['name']} question": pair["question"],
                    "answer": pair["answer"],
                    "evidence": f"“{pair['evidence']}”",
                    "stands in": f"{pair['section'] or ''} ({pair['paragraph_id']})".strip(),
                }
            )
    if parts["citations"]:
        yield _heading("Citing sentences of the source")
        yield from _fields({"": "\n".join(one["sentence"] for one in parts["citations"])})
    yield from _judgements(parts)


def _judgements(parts: Mapping[str, Any]) -> Iterator[Text | Padding]:
    """Verdicts, gates, ledger, ranks, ratings and answers."""
    if verdicts := [one for one in parts["verdicts"] or [] if one["verdict"]]:
        yield _heading("Verdicts of its maker")
        yield from _fields({one["name"].replace("_", " "): one["verdict"] for one in verdicts})
    if parts["gates"]:
        yield _heading("Quality gates")
        yield from _fields({one["gate"]: f"{one['verdict']}: {one['detail']}" for one in parts["gates"]})
    if parts["necessity"]:
        yield _heading("Necessity ledger")
        yield from _fields(
            {
                f"{one['test']}, {one['model']}": f"{one['verdict']}: {one['detail']}"
                for one in parts["necessity"]
            }
        )
    if parts["ranks"]:
        yield _heading("Place of the target among the papers")
        yield from _fields(
            {
                f"{one['retriever']}, {one['setting']}": f"{one['rank']} of {one['candidates']}"
                for one in parts["ranks"]
            }
        )
    if parts["ratings"]:
        yield _heading("Ratings")
        yield from _fields(
            {
                f"{one['by_whom']}, {one['dimension']}": f"{one['score']:g} {one['comment'] or ''}".strip()
                for one in parts["ratings"]
            }
        )
    for answer in parts["answers"]:
        yield _heading(f"Answer of {answer['answerer']}, {answer['setting']}")
        judged = ", ".join(
            f"{one['judge']} {'no score' if one['score'] is None else format(one['score'], 'g')}"
            for one in answer["judged"]
        )
        rated = ", ".join(
            f"{one['judge']} {one['rejection_reason'] or format(one['overall'], 'g')}"
            for one in answer["rated"]
        )
        yield from _fields(
            {
                "answer": answer["prediction"] or f"none ({answer['rejection_reason']})",
                "judged": judged,
                "four aspects": rated,
                "token F1": None if answer["token_f1"] is None else f"{answer['token_f1']:.2f}",
                "found the target": {True: "yes", False: "no"}.get(answer["found_target"]),
            }
        )


def _ids(document: Mapping[str, Any]) -> Iterator[str]:
    """The ids of a paper, each once."""
    yield from dict.fromkeys(filter(None, (document["paper_id"], document["doi"], document["pmcid"])))


def _status(parts: Mapping[str, Any]) -> str:
    reason = parts["rejection_reason"]
    return f"{parts['status']} ({reason})" if reason else str(parts["status"])


def _released(parts: Mapping[str, Any]) -> str | None:
    if parts["released"] is None:
        return None
    return "released" if parts["released"] else f"not released ({parts['why_not_released']})"


def _reviewed(review: Mapping[str, Any]) -> dict[str, str | None]:
    """What people decided on an item, and the words that a release has in place of the original ones."""
    return {
        "decision": f"{review['decision']}: {review['accepts']} of {review['reviewers']} accept it, "
        f"{review['rejects']} reject it",
        "rating": None if review["score"] is None else f"{review['score']:.2f} of 5",
        "question as edited": review["question"],
        "answer as edited": review["answer"],
    }


def _heading(text: str) -> Text:
    return Text(f"\n{text}", style="bold")


def _fields(values: Mapping[str, str | None]) -> Iterator[Padding]:
    """A line for each value, wrapped beside its name; those without a value are left out."""
    beside = min(max(map(len, values)) + 2, _WIDEST_LABEL)
    for name, value in values.items():
        if value:
            yield Padding(_hanging(f"{name:<{max(_LABEL, beside)}}", value), (0, 0, 0, 2))


def _hanging(label: str, value: str) -> Text:
    """Text whose later lines begin where the value of the first one does."""
    lines = Text(value).wrap(console, max(20, console.width - len(label) - 2))
    return Text("\n").join([Text(label) + lines[0], *(Text(" " * len(label)) + line for line in lines[1:])])


def _warehouse() -> Warehouse:
    warehouse = Home.from_environment().warehouse
    adopt_tables(warehouse)
    return warehouse
