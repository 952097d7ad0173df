"""All papers of a corpus as trials look into them: texts, findings, and a search for passages."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np
from aimsciqa_resources.tokens import token_counts

from aimsciqa.bm25 import Bm25Retriever
from aimsciqa.documents import Documents
from aimsciqa_assets.findings.marked_text import Block, MarkedPaper, marked_papers
from aimsciqa_assets.findings.wording import Wording

Row = dict[str, Any]

PASSAGES_OF_PAPER: Final = 3
_SEARCHED: Final = 200
_LONGEST_PASSAGE: Final = 4_000


class Shelf:
    """The papers of the batches up to one (`trials.Library`).

    `paragraphs` are rows of paragraphs in reading order (`marked_text.marked_papers`), `findings` kept
    findings with `measure_id`, and `references` the reference by which a paper cites another.
    """

    def __init__(
        self,
        titles: Mapping[str, str],
        paragraphs: Sequence[Row],
        findings: Sequence[Row],
        *,
        references: Mapping[tuple[str, str], str],
        passages: int,
        text_tokens: int,
    ) -> None:
        self._titles = titles
        self._references = references
        self._rows: dict[str, list[Row]] = defaultdict(list)
        for row in paragraphs:
            self._rows[row["paper_id"]].append(row)
        self._findings: dict[str, list[Row]] = defaultdict(list)
        self._by_measure: dict[str, list[Row]] = defaultdict(list)
        for finding in findings:
            self._findings[finding["paper_id"]].append(finding)
            if finding["measure_id"]:
                self._by_measure[finding["measure_id"]].append(finding)
        self._measures = {finding["finding_id"]: finding["measure_id"] for finding in findings}
        self._passages = passages
        self._text_tokens = text_tokens
        self.paper = lru_cache(maxsize=256)(self._paper)
        self._tokens = lru_cache(maxsize=None)(self._tokens_of)

    def _paper(self, paper_id: str) -> MarkedPaper:
        """Return a paper with its whole text."""
        title = self._titles.get(paper_id, "")
        return marked_papers({paper_id: title}, self._rows.get(paper_id, []))[paper_id]

    def findings(self, paper_ids: Sequence[str]) -> Sequence[Row]:
        """Return the kept findings of papers, in the order of the papers."""
        return [finding for paper in paper_ids for finding in self._findings.get(paper, ())]

    def reference(self, citing: str, cited: str) -> str:
        """Return the reference by which a paper cites another; empty if it does not."""
        return self._references.get((citing, cited), "")

    def shown_blocks(self, paper_id: str, wording: Wording) -> Sequence[Block] | None:
        """Return passages of a paper if the papers of a wording are too long together; None: all of it."""
        if sum(self._tokens(paper) for paper in wording.papers) <= self._text_tokens:
            return None
        paper = self.paper(paper_id)
        quotes = [fact.evidence for fact in wording.facts if fact.paper_id == paper_id]
        needed = {block.mark for block in paper.blocks if any(quote in block.text for quote in quotes)}
        room = self._text_tokens // len(wording.papers)
        counts = dict(
            zip(
                (block.mark for block in paper.blocks),
                token_counts([block.text for block in paper.blocks]),
                strict=True,
            )
        )
        scores = Bm25Retriever(Documents.of({block.mark: [block.text] for block in paper.blocks}))
        order = [block.mark for block in _ranked(scores, sorted(paper.blocks, key=lambda b: b.mark), wording)]
        chosen, used = set[str](), 0
        for mark in [*sorted(needed), *order]:
            if mark not in chosen and (mark in needed or used + counts[mark] <= room):
                chosen.add(mark)
                used += counts[mark]
        return [block for block in paper.blocks if block.mark in chosen]

    def passages(self, wording: Wording) -> Sequence[tuple[str, Block]]:
        """Return passages of other papers: first those with findings of the same measures, then any.

        BM25 puts both in order; a paper has three passages at most.
        """
        if not self._passages or not self._places:
            return []
        scores = self._search.search([_query(wording)])
        ranked = scores.first(0, min(_SEARCHED, len(self._places)))
        found = [
            self._places[self._documents.papers[place]]
            for place, score in zip(ranked.papers.tolist(), ranked.scores.tolist(), strict=True)
            if score > 0
        ]
        alike = set(self._alike(wording))
        counts: dict[str, int] = defaultdict(int)
        chosen: dict[tuple[str, int], tuple[str, Block]] = {}
        ordered = [*(part for part in found if part in alike), *sorted(alike - set(found))]
        for paper, number in [*ordered[: self._passages // 2], *found]:
            known = paper in wording.papers or (paper, number) in chosen
            if not known and counts[paper] < PASSAGES_OF_PAPER and len(chosen) < self._passages:
                counts[paper] += 1
                chosen[paper, number] = (paper, _shortened(self.paper(paper).blocks[number]))
        return list(chosen.values())

    def _alike(self, wording: Wording) -> list[tuple[str, int]]:
        """Return the places of the findings of other papers that have the measures of a wording."""
        measures = {self._measures.get(fact.finding_id or "") for fact in wording.facts} - {None}
        wanted = {
            (finding["paper_id"], finding["paragraph_id"])
            for measure in measures
            for finding in self._by_measure.get(measure or "", ())
            if finding["paper_id"] not in wording.papers
        }
        return [
            (paper, number)
            for paper, paragraph in sorted(wanted)
            for number, row in enumerate(self._rows.get(paper, ()))
            if row["paragraph_id"] == paragraph
        ]

    def _tokens_of(self, paper_id: str) -> int:
        return sum(token_counts([row["text"] for row in self._rows.get(paper_id, ())]))

    @cached_property
    def _places(self) -> dict[str, tuple[str, int]]:
        return {
            f"{paper} {number:06d}": (paper, number)
            for paper, rows in sorted(self._rows.items())
            for number in range(len(rows))
        }

    @cached_property
    def _documents(self) -> Documents:
        return Documents.of(
            {name: [self._rows[paper][number]["text"]] for name, (paper, number) in self._places.items()}
        )

    @cached_property
    def _search(self) -> Bm25Retriever:
        return Bm25Retriever(self._documents)


def _query(wording: Wording) -> str:
    return " ".join([wording.question, *(fact.claim for fact in wording.facts)])


def _ranked(search: Bm25Retriever, blocks: Sequence[Block], wording: Wording) -> list[Block]:
    ranked = search.search([_query(wording)]).ranked(0, np.arange(len(blocks)))
    return [blocks[place] for place in ranked.papers.tolist()]


def _shortened(block: Block) -> Block:
    """Return a passage without the end of a very long text; a quote of it still stands in the whole one."""
    if len(block.text) <= _LONGEST_PASSAGE:
        return block
    text = block.text[:_LONGEST_PASSAGE].rsplit(" ", 1)[0] + " ..."
    return Block(block.mark, block.paragraph_id, block.section, block.kind, text)
