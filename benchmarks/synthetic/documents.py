"""Made-up documents on weirs, some twenty by each engineer: bridges and comparisons can be made of any."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

from benchmarks.synthetic.papers import keyword

OF_AN_ENGINEER = 20
_SURNAMES = 30_000
_FILLING = (
    "the bank slopes gently under old alders and willows",
    "herons stand in the shallows when the water is low",
    "a footpath follows the water as far as the next bridge",
    "the millers kept a book of floods in which every spring is entered",
    "carts crossed at the ford before there was a bridge",
    "the stone came by barge from a quarry upstream",
    "children skate on the pool above the crest in hard winters",
    "the sluices were opened by hand until a motor was put in",
    "anglers value the deep water below the apron",
    "a stone in the wall shows how high the river once stood",
)


def write_documents(file: Path, count: int) -> None:
    """Write so many documents as JSON lines; document `n` of a file does not depend on their number."""
    with file.open("w", encoding="utf-8") as lines:
        for document in documents(count):
            lines.write(json.dumps(document) + "\n")


def documents(count: int) -> Iterator[dict[str, str]]:
    """The documents, as `aimsciqa ingest` takes them."""
    groups = max(1, count // OF_AN_ENGINEER)
    for number in range(count):
        title = f"{keyword(number).title()} Weir"
        group = number % groups
        river, engineer = keyword(2 * group + 1).title(), engineer_of(group)
        filling = Random(number).sample(_FILLING, 5)
        paragraphs = (
            f"{title} is a weir on the river {river}. {title} is {20 + number} m long. "
            + " ".join(f"{sentence.capitalize()}." for sentence in filling[:3]),
            f"{engineer} drew the plans of {title} for a fee of {5000 + 3 * number} shillings. "
            + " ".join(f"{engineer} wrote that {sentence}." for sentence in filling[3:]),
        )
        yield {"id": f"weir-{number:06}", "title": title, "contents": "\n\n".join(paragraphs)}


def engineer_of(group: int) -> str:
    """The engineer of a group of documents."""
    return f"{keyword(_SURNAMES + 2 * group).title()} {keyword(_SURNAMES + 2 * group + 1).title()}"
