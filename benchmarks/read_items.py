"""Items to be read and judged by a person: `python -m benchmarks.read_items halve|draw`.

`halve --corpus DIR --into DIR` divides a folder of papers into `development`, which rules may be tuned on,
and `unseen`, which they may not, by the hash of the file's name. Each half needs a home of its own. Where
that gives few items, `AIMSCIQA_RELATIONS_RELATIONS_PER_SOURCE` gives more relations. `draw --home HOME
--n 50` prints accepted items of the home's published copy (`inspect.duckdb`) with their facts, those of the
lowest hash first; with `--again` as the rule-based model composes them now, whatever the home holds.
"""

import argparse
import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import duckdb

from aimsciqa_assets.aim_sciqa.multi_hop.replies import Composition, read_reply
from aimsciqa_assets.aim_sciqa.multi_hop.validation import decide
from aimsciqa_assets.stand_in.multi_hop import compose

ITEMS = """
select
    item_id,
    reply,
    {
        source_title: source.title, target_title: target.title,
        source_section: source_section.title, target_section: target_section.title,
        source_question: one.question, source_answer: one.answer,
        target_question: other.question, target_answer: other.answer,
        retrieval_question: found_by.question, retrieval_answer: found_by.answer
    } as told
from multi_hop.items
join relations.candidate_relations as relation using (relation_id)
join corpus.papers as source on source.paper_id = items.source_paper_id
join corpus.papers as target on target.paper_id = items.target_paper_id
join corpus.sections as source_section on source_section.section_id = relation.source_section_id
join corpus.sections as target_section on target_section.section_id = relation.target_section_id
join single_hop.qa_pairs as one on one.qa_id = items.core_source_qa_id
join single_hop.qa_pairs as other on other.qa_id = items.core_target_qa_id
join single_hop.qa_pairs as found_by on found_by.qa_id = items.retrieval_qa_id
where reply is not null
"""


@dataclass(frozen=True, slots=True)
class Item:
    """A composed item, what it was composed of, and why it is rejected; empty for accepted ones."""

    item_id: str
    told: dict[str, str]
    composed: Composition | None
    rejection: str


def main() -> None:
    """Halve a folder, or draw and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    actions = parser.add_subparsers(dest="action", required=True)
    halving = actions.add_parser("halve")
    halving.add_argument("--corpus", type=Path, required=True)
    halving.add_argument("--into", type=Path, required=True)
    drawing = actions.add_parser("draw")
    drawing.add_argument("--home", type=Path, required=True)
    drawing.add_argument("--n", type=int, default=50)
    drawing.add_argument("--again", action="store_true", help="compose with the rules of today")
    drawing.add_argument("--rejected", action="store_true", help="items that are not accepted instead")
    chosen = parser.parse_args()
    if chosen.action == "halve":
        halve(chosen.corpus, chosen.into)
        return
    items = [
        item
        for item in items_of(chosen.home / "inspect.duckdb", again=chosen.again)
        if bool(item.rejection) == chosen.rejected
    ]
    sys.stdout.writelines(shown(sorted(items, key=lambda item: _hash(item.item_id))[: chosen.n]))
    print(f"{min(chosen.n, len(items))} of {len(items)} items.")


def halve(corpus: Path, into: Path) -> None:
    """Copy the papers of the folder into two."""
    for paper in sorted(corpus.glob("*.xml")):
        half = into / ("development" if int(_hash(paper.stem), 16) % 2 else "unseen")
        half.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(paper, half / paper.name)


def items_of(copy: Path, *, again: bool) -> Iterator[Item]:
    """The items of a published copy."""
    if not copy.is_file():
        sys.exit(f"There is no {copy}: run `aimsciqa run` or `aimsciqa inspect` in that home first.")
    with duckdb.connect(str(copy), read_only=True) as connection:
        rows = connection.execute(ITEMS).fetchall()
    for item_id, stored, told in rows:
        reply = read_reply(compose(told) if again else stored)
        fate = decide(reply, target_title=told["target_title"], source_title=told["source_title"])
        composed = reply if isinstance(reply, Composition) else None
        yield Item(item_id, told, composed, fate.rejection_reason)


def shown(items: Iterable[Item]) -> Iterator[str]:
    """Each item with its two facts and the fact that it is searched by."""
    for at, item in enumerate(items, start=1):
        yield f"{at}. {item.item_id} {item.rejection}\n"
        if item.composed:
            yield f"   Question: {item.composed.merged.question}\n   Answer: {item.composed.merged.answer}\n"
        for paper in ("source", "target"):
            title, section, question, answer = (
                item.told[f"{paper}_{part}"] for part in ("title", "section", "question", "answer")
            )
            yield f"   {paper.capitalize()}: {title} / {section}\n      {question} {answer}\n"
        yield f"   Found by: {item.told['retrieval_question']} {item.told['retrieval_answer']}\n\n"


def _hash(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


if __name__ == "__main__":
    main()
