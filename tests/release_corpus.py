"""A small warehouse with items that may be released and items that may not, for the tests of the release.

`Corpus` is changed as a test wants it, then written. Paper n has one section, and paragraphs of three
sentences; a QA pair is made of each sentence: `pair(3, 0, 1)` is the one of paper 3, its first paragraph and
second sentence.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aimsciqa_resources.warehouse import Warehouse, Write

from aimsciqa_assets.platform.frames import as_declared, frame_of
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES

DEFAULTS: Mapping[str, Any] = {
    "VARCHAR": "x",
    "VARCHAR[]": [],
    "DOUBLE[]": [],
    "INTEGER": 1,
    "BIGINT": 1,
    "DOUBLE": 0.5,
    "BOOLEAN": False,
}
LICENCES = dict.fromkeys(range(1, 9), "CC BY") | {8: "CC0", 9: "CC BY-ND", 10: ""}
PARAGRAPHS = 4
_COLUMNS = {column.name for column in TABLES["multi_hop.items"].columns}


def sentence(paper: int, paragraph: int, place: int) -> str:
    """A sentence with a character outside the basic plane, which counts once."""
    return f"Paper {paper} gave 𝛽-carotene {paragraph}{place} mg – daily."


def pair(paper: int, paragraph: int, place: int) -> str:
    return f"q{paper}-{paragraph}-{place}"


def item(number: int, source: int, target: int, **columns: Any) -> dict[str, Any]:
    """An item; by default it rests on evidence that no other item has."""
    return {
        "number": number,
        "source": source,
        "target": target,
        "split": "dev",
        "variant": "im",
        "core_source": pair(source, 0, number % 3),
        "core_target": pair(target, 1, number % 3),
        "retrieval": pair(target, 2, number % 3),
    } | columns


@dataclass
class Corpus:
    licences: dict[int, str] = field(default_factory=lambda: dict(LICENCES))
    items: list[dict[str, Any]] = field(
        default_factory=lambda: [
            item(1, source=1, target=2),
            item(2, source=3, target=4, split="test"),
            item(3, source=5, target=6, variant="cim"),
            item(4, source=9, target=2),
            item(5, source=7, target=10),
        ]
    )
    gates: list[dict[str, Any]] = field(default_factory=list)
    abstracts: dict[int, str] = field(default_factory=dict)
    evaluation: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """Rows of tables of the benchmark."""

    def write(self, home: Path, environment: Mapping[str, str] | None = None) -> tuple[Warehouse, Settings]:
        """A warehouse in `home` with what is released of it decided, and its settings."""
        settings = Settings.preset_of("demo", environment or {})
        warehouse = Warehouse(database=str(home / "warehouse.duckdb"))
        create_tables(warehouse)
        warehouse.replace([written(table, rows) for table, rows in self._tables().items()])
        for table in ("corpus.releasable_papers", "release.items"):
            query = query_of(table)
            rows = as_declared(table, warehouse.read(query.text, query.parameters(settings)))
            warehouse.replace([Write(table, TABLES[table].ddl(), rows, {})])
        return warehouse, settings

    def _tables(self) -> dict[str, list[dict[str, Any]]]:
        papers = list(self.licences)
        sentences = [
            (paper, paragraph, place)
            for paper in papers
            for paragraph in range(PARAGRAPHS)
            for place in range(3)
        ]
        return {
            "corpus.papers": [
                {
                    "paper_id": f"P{n}",
                    "title": f"Paper {n}",
                    "abstract": self.abstracts.get(n, f"Abstract of {n}."),
                    "licence": self.licences[n],
                    "licence_url": f"https://example.org/{self.licences[n].replace(' ', '-')}",
                    "source": "jats",
                }
                for n in papers
            ],
            "corpus.admitted_papers": [{"paper_id": f"P{n}"} for n in papers],
            "corpus.sections": [
                {"section_id": f"s{n}", "paper_id": f"P{n}", "position": 0, "title": "Results"}
                for n in papers
            ],
            "corpus.paragraphs": [
                {
                    "paragraph_id": f"t{n}-{p}",
                    "paper_id": f"P{n}",
                    "section_id": f"s{n}",
                    "position": p,
                    "text": " ".join(sentence(n, p, k) for k in range(3)),
                }
                for n in papers
                for p in range(PARAGRAPHS)
            ],
            "single_hop.qa_pairs": [self._pair(*place) for place in sentences],
            "multi_hop.items": [self._item(item) for item in self.items],
            "multi_hop.splits": [
                {
                    "item_id": f"i{item['number']}",
                    "variant": item["variant"],
                    "source_paper_id": f"P{item['source']}",
                    "split": item["split"],
                }
                for item in self.items
            ],
            "relations.candidate_relations": [
                {"relation_id": f"r{item['number']}", "strength": 0.8} for item in self.items
            ],
            "relations.clusters": [
                {"relation_id": f"r{item['number']}", "paper_id": f"P{n}"}
                for item in self.items
                for n in dict.fromkeys([item["target"], 10, 8])
                if n != item["source"]
            ],
            "citation_guided.pairs": [
                {
                    "mention_id": f"m{item['number']}",
                    "source_paper_id": f"P{item['source']}",
                    "target_paper_id": f"P{item['target']}",
                }
                for item in self.items
                if item["variant"] == "cim"
            ],
            "corpus.citation_mentions": [
                {
                    "mention_id": f"m{item['number']}",
                    "paragraph_id": f"t{item['source']}-3",
                    "sentence": sentence(item["source"], 3, 0),
                    "sentence_start": 0,
                    "sentence_end": len(sentence(item["source"], 3, 0)),
                    "markers": ["[1]"],
                }
                for item in self.items
                if item["variant"] == "cim"
            ],
            "benchmark.gates": self.gates,
            **self.evaluation,
        }

    def _pair(self, paper: int, paragraph: int, place: int) -> dict[str, Any]:
        evidence = sentence(paper, paragraph, place)
        start = place * (len(evidence) + 1)
        return {
            "qa_id": pair(paper, paragraph, place),
            "paper_id": f"P{paper}",
            "section_id": f"s{paper}",
            "paragraph_id": f"t{paper}-{paragraph}",
            "position": place,
            "question": f"What did paper {paper} give?",
            "answer": f"{paragraph}{place} mg",
            "evidence": evidence,
            "evidence_start": start,
            "evidence_end": start + len(evidence),
            "status": "kept",
            "model": "a model",
        }

    def _item(self, item: Mapping[str, Any]) -> dict[str, Any]:
        number = item["number"]
        texts = {
            column: f"{column} of {number}"
            for column in (
                "retrieval_question",
                "retrieval_answer",
                "inter_document_question",
                "inter_document_answer",
                "merged_question",
                "merged_answer",
            )
        }
        verdicts = (
            "fluency",
            "completeness",
            "cross_reference_necessity",
            "relational_appropriateness",
            "decision",
        )
        return {
            "item_id": f"i{number}",
            "variant": item["variant"],
            "relation_id": f"r{number}",
            "source_paper_id": f"P{item['source']}",
            "target_paper_id": f"P{item['target']}",
            "core_source_qa_id": item["core_source"],
            "core_target_qa_id": item["core_target"],
            "retrieval_qa_id": item["retrieval"],
            "status": "accepted",
            "model": "a model",
        } | (
            texts | dict.fromkeys(verdicts, "accept") | {name: item[name] for name in item.keys() & _COLUMNS}
        )


def written(table: str, rows: list[dict[str, Any]]) -> Write:
    """Rows of a table in place of all; columns that are not given get a value of their type, or null."""
    full = [
        {
            column.name: row.get(
                column.name,
                None if column.null else (column.values[0] if column.values else DEFAULTS[column.type]),
            )
            for column in TABLES[table].columns
        }
        for row in rows
    ]
    return Write(table, TABLES[table].ddl(), frame_of(table, full), {})
