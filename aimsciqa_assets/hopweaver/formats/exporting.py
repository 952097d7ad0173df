"""The files of HopWeaver's authors, made of the questions of the tables."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from aimsciqa_assets.hopweaver.formats.datasets import (
    example_shape,
    file_name,
    originals,
    polished_ones,
)
from aimsciqa_assets.hopweaver.formats.objects import Shape, written_lines, written_list
from aimsciqa_assets.hopweaver.formats.results import (
    CHANGED,
    BridgeResult,
    ComparisonResult,
    Hop,
    PolishResult,
    Text,
    bridge_shape,
    comparison_line,
)

Row = Mapping[str, Any]
Result = BridgeResult | ComparisonResult

_CONTENT: Final = {"bridge": "multihop_batch", "comparison": "comparison_batch"}


def result_of(row: Row) -> Result:
    """The result that a row of `cli.hopweaver_results` is."""
    source = Text(row["first_paper_id"], row["first_title"], row["first_content"])
    target = Text(row["second_paper_id"], row["second_title"], row["second_content"])
    if row["kind"] == "comparison":
        return ComparisonResult(
            source=source,
            target=target,
            entity_a=row["entity_a"],
            entity_b=row["entity_b"] or "",
            attribute=row["attribute"] or "",
            question=row["question"],
            answer=row["answer"],
            fact_a=row["first_passage"],
            fact_b=row["second_passage"],
            paragraph_a=row["first_paragraph"] or "",
            paragraph_b=row["second_paragraph"] or "",
            polish=_polish(row),
        )
    return BridgeResult(
        source=source,
        target=target,
        entity=row["entity_a"],
        entity_type=row["entity_type"] or "",
        segments=(row["first_passage"],),
        query=row["query"] or "",
        connection=row["connection"] or "",
        segment_a=row["first_passage"],
        segment_b=row["second_passage"],
        analysis_path=row["analysis_path"] or "",
        hops=(
            Hop(row["question_1"], row["answer_1"], "Document A"),
            Hop(row["question_2"], row["answer_2"], "Document B"),
        ),
        question=row["question"],
        answer=row["answer"],
        reasoning_path=row["reasoning_path"] or "",
        sources="Document A, Document B",
        polish=_polish(row),
    )


def files_of(rows: Iterable[Row], retrieval: str, made_at: str) -> Iterator[tuple[str, Iterator[str]]]:
    """Names and contents of the files: results, original and polished sets of each kind that has questions.

    `retrieval` says how second documents were found, `made_at` when, as both stand in the names of files.
    """
    results = [result_of(row) for row in rows]
    for kind, form in (("bridge", BridgeResult), ("comparison", ComparisonResult)):
        chosen = [one for one in results if isinstance(one, form)]
        if chosen:
            yield f"{_CONTENT[kind]}_{made_at}.jsonl", written_lines(map(_shape, chosen))
            for version, examples in (("original", originals(chosen)), ("polished", polished_ones(chosen))):
                name = file_name(kind, retrieval, made_at, version)
                yield name, written_list(map(example_shape, examples))


def write_files(files: Iterable[tuple[str, Iterator[str]]], folder: Path) -> list[Path]:
    """Write the files into a folder, which is made where it is missing; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, content in files:
        with (folder / name).open("w", encoding="utf-8") as file:
            file.writelines(content)
        paths.append(folder / name)
    return paths


def _shape(result: Result) -> Shape:
    return bridge_shape(result) if isinstance(result, BridgeResult) else comparison_line(result)


def _polish(row: Row) -> PolishResult | None:
    said = row["polisher_status"]
    if said in (None, "not_polished"):
        return None
    if said == "error":
        reply = row["polisher_reply"] or ""
        if row["kind"] == "bridge":
            return PolishResult("ERROR", message=f"No outcome could be read: {reply}".strip())
        return PolishResult("UNKNOWN", raw_response=reply)
    status = said.upper()
    if status not in CHANGED:
        return PolishResult(status, reason=(row["polisher_reason"] or "") if status == "REJECTED" else "")
    facts: Mapping[str, str] = {}
    if row["kind"] == "comparison" and status == "REWORKED":
        facts = {"fact_a": row["polished_first_passage"], "fact_b": row["polished_second_passage"]}
    return PolishResult(
        status,
        row["polished_question"],
        row["polished_answer"],
        (row["polished_path"] or "") if row["kind"] == "bridge" else "",
        **facts,
    )
