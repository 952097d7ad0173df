"""What a change of the rule-based model loses: `python -m benchmarks.stand_in_gate freeze|compare|renew`.

`freeze --corpus DIR --file FILE` asks the model about every paragraph of a folder of papers, lets it compose
items from pairs of its own triplets, and writes requests and replies, one JSON object a line. `compare --file
FILE` sends the same requests again, lists what is lost, new or changed, and ends with 1 where the share of
unchanged questions is below `--least`. `renew --file FILE` keeps the requests and takes the replies of today.
"""

import argparse
import gzip
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from math import fsum, log
from pathlib import Path
from typing import Any

from aimsciqa_resources.language_model import ModelRequest

from aimsciqa_assets.aim_sciqa.multi_hop.task import MULTI_HOP
from aimsciqa_assets.aim_sciqa.single_hop.extraction import paragraph_variables
from aimsciqa_assets.aim_sciqa.single_hop.task import SINGLE_HOP
from aimsciqa_assets.corpus.parsing import parse_batch
from aimsciqa_assets.stand_in import StandInModel

Row = dict[str, Any]
Triplet = dict[str, str]
# Compositions per frozen file: every so many-th triplet is a source, with its two nearest targets.
COMPOSITIONS = 800
TARGETS = 2


def main() -> int:
    """Freeze, or compare and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=("freeze", "compare", "renew"))
    parser.add_argument("--file", type=Path, required=True, help=".jsonl, or .jsonl.gz")
    parser.add_argument("--corpus", type=Path, help="the folder of papers to freeze")
    parser.add_argument("--least", type=float, default=0.97)
    chosen = parser.parse_args()
    if chosen.action == "freeze":
        write_rows(chosen.file, frozen(chosen.corpus))
        return 0
    if chosen.action == "renew":
        kept = [ModelRequest(row["task"], "", row["variables"], ()) for row in read_rows(chosen.file)]
        write_rows(chosen.file, answered(kept))
        return 0
    return report(read_rows(chosen.file), chosen.least)


def frozen(folder: Path) -> Iterator[Row]:
    """All paragraphs of the folder with their triplets, then the compositions."""
    contents = {path.name: path.read_bytes() for path in sorted(folder.rglob("*.xml"))}
    unknown = dict.fromkeys(
        ("paper_id", "duplicate_of", "pmcid", "licence", "retracted", "retired", "shard", "place")
    )
    files = [{"file_id": name, "file_name": name, "batch": "b"} | unknown for name in contents]
    papers = parse_batch(files, lambda name, limit: contents[name][:limit])
    paragraphs = paragraph_variables(
        papers["corpus.paragraphs"].sort("paper_id", "section_id", "position"),
        papers["corpus.sections"],
        papers["corpus.papers"],
        papers["corpus.keywords"],
    )
    triplets: list[Triplet] = []
    for paragraph, told in paragraphs:
        request = SINGLE_HOP.request(paragraph, **told)
        (row,) = answered([request])
        yield row
        paper = {name: request.variables[f"{name}_title"] for name in ("paper", "section")}
        triplets += [triplet | paper for triplet in json.loads(row["reply"])]
    yield from answered(compositions(triplets))


def answered(requests: Iterable[ModelRequest]) -> Iterator[Row]:
    """Requests with what the model replies now."""
    for request in requests:
        (reply,) = StandInModel().replies([request])
        if reply.text is None:
            raise RuntimeError(f"{reply.failure} at {request.variables}")
        yield {"task": request.task, "variables": dict(request.variables), "reply": reply.text}


def compositions(triplets: list[Triplet]) -> Iterator[ModelRequest]:
    """Requests for items: a triplet, the triplets of other papers that share the rarest words with it, and
    another triplet of the target's paper to find it by.
    """
    words = [_words(triplet["question"]) for triplet in triplets]
    holding = defaultdict(list)
    for at, found in enumerate(words):
        for word in found:
            holding[word].append(at)
    of_paper = defaultdict(list)
    for triplet in triplets:
        of_paper[triplet["paper"]].append(triplet)
    step = max(1, len(triplets) * TARGETS // COMPOSITIONS)
    for at in range(0, len(triplets), step):
        source = triplets[at]
        shared: dict[int, list[float]] = defaultdict(list)
        for word in words[at]:
            for other in holding[word]:
                if triplets[other]["paper"] != source["paper"]:
                    shared[other].append(log(1 + len(triplets) / len(holding[word])))
        ranked = sorted(shared, key=lambda other: (-fsum(shared[other]), other))
        for other in ranked[:TARGETS]:
            target = triplets[other]
            found_by = next((one for one in of_paper[target["paper"]] if one is not target), target)
            yield MULTI_HOP.request(
                f"{at}-{other}",
                source_title=source["paper"],
                source_section=source["section"],
                source_question=source["question"],
                source_answer=source["answer"],
                target_title=target["paper"],
                target_section=target["section"],
                target_question=target["question"],
                target_answer=target["answer"],
                retrieval_question=found_by["question"],
                retrieval_answer=found_by["answer"],
            )


def report(rows: Iterable[Row], least: float) -> int:
    """Print every difference and the counts; 1 where too little is unchanged."""
    counts: Counter[str] = Counter()
    for row in rows:
        (now,) = answered([ModelRequest(row["task"], "", row["variables"], ())])
        before, after = spoken(row["task"], row["reply"]), spoken(row["task"], now["reply"])
        counts[f"{row['task']}: before"] += len(before)
        counts[f"{row['task']}: unchanged"] += sum(after.get(key) == value for key, value in before.items())
        for sign, named, one, other in (("-", "lost", before, after), ("+", "new", after, before)):
            for key, value in one.items():
                if other.get(key) != value:
                    counts[f"{row['task']}: {named}"] += 1
                    print(sign, key, "|", value)
    print(json.dumps(counts, indent=1))
    shares = [
        counts[f"{task}: unchanged"] / counts[f"{task}: before"]
        for task in ("single_hop", "multi_hop")
        if counts[f"{task}: before"]
    ]
    print("unchanged:", [f"{share:.2%}" for share in shares])
    return int(min(shares) < least)


def spoken(task: str, reply: str) -> Mapping[str, str]:
    """What a reply says, by question: the answers of triplets, or the whole of a composition."""
    if task == "single_hop":
        return {triplet["question"]: triplet["answer"] for triplet in json.loads(reply)}
    return {"composition": reply}


def read_rows(file: Path) -> list[Row]:
    """The rows of a frozen file."""
    content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    return [json.loads(line) for line in content.decode().splitlines()]


def write_rows(file: Path, rows: Iterable[Row]) -> None:
    """Write a frozen file; the same rows give the same bytes."""
    content = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
    file.write_bytes(gzip.compress(content, mtime=0) if file.suffix == ".gz" else content)


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in re.findall(r"\w+", text.lower()) if len(word) > 3)


if __name__ == "__main__":
    sys.exit(main())
