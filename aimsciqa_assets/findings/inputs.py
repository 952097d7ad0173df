"""What the steps of Findings read: rows of a batch, or of all batches up to it."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from aimsciqa_assets.findings.drafting import ShownGroup
from aimsciqa_assets.findings.groups import Comparable
from aimsciqa_assets.findings.library import Shelf
from aimsciqa_assets.findings.marked_text import MarkedPaper, marked_papers
from aimsciqa_assets.findings.vocabulary import Term
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.steps import StepRun
from aimsciqa_assets.retrieval.cosines import cosines
from aimsciqa_assets.retrieval.neighbours import nearest

Row = dict[str, Any]
Vectors = npt.NDArray[np.float32]

_READABLE = "not retracted and article_type not in ('evaluation', 'manuscript')"
_UP_TO = "batch <= $part"
_LIKE = 5
_BESIDE_OF_PAPER = 8


def marked(run: StepRun, where: str, **parameters: object) -> dict[str, MarkedPaper]:
    """Return papers with their marked text, without those that are there for other systems alone."""
    titles, rows = _texts(run, where, parameters)
    return marked_papers(titles, rows)


def _texts(run: StepRun, where: str, parameters: Mapping[str, Any]) -> tuple[dict[str, str], list[Row]]:
    papers = run.read("corpus.papers", f"{where} and {_READABLE}", "paper_id, title", **parameters)
    sections = run.read(
        "corpus.sections", where, "section_id, position as place, title as section", **parameters
    )
    paragraphs = run.read(
        "corpus.paragraphs", where, "paper_id, section_id, paragraph_id, position, kind, text", **parameters
    )
    rows = (
        paragraphs.join(papers.select("paper_id"), on="paper_id", how="semi")
        .join(sections, on="section_id")
        .sort("paper_id", "place", "section_id", "position")
    )
    return dict(papers.iter_rows()), rows.rows(named=True)


def measured_quantities(run: StepRun) -> Iterator[tuple[str, list[Row]]]:
    """Yield the quantities of each batch, in the order of the batches, by their first finding."""
    firsts = run.read("findings.quantities", "finding_id = quantity_id", "quantity_id")
    findings = run.read(
        "findings.findings",
        "status = 'kept'",
        "finding_id as quantity_id, batch, paper_id, number, measure, unit, statement, value",
    )
    rows = findings.join(firsts, on="quantity_id", how="semi").sort("batch", "paper_id", "number")
    for key, of_batch in rows.group_by("batch", maintain_order=True):
        yield str(key[0]), of_batch.rows(named=True)


def term_vectors_of(run: StepRun, batch: str, terms: Sequence[Term]) -> Vectors:
    """Return the vectors of terms of a batch, `(n_terms, dim)` float32."""
    rows = run.read("findings.term_vectors", "batch = $batch", "measure, vector", batch=batch)
    return _ordered(rows, [term.measure for term in terms])


def vectors_of_papers(run: StepRun) -> tuple[list[str], Vectors, list[str]]:
    """Return the papers up to the batch, their vectors `(n, dim)` float32, and those of the batch.

    A paper that is another row of the corpus already is not among them.
    """
    repeated = run.warehouse.read(query_of("shared.repeated_papers").text)["paper_id"]
    rows = run.read("findings.card_vectors", _UP_TO, "paper_id, batch, vector", part=run.part).filter(
        ~pl.col("paper_id").is_in(repeated.implode())
    )
    papers = rows["paper_id"].to_list()
    new = rows.filter(pl.col("batch") == run.part)["paper_id"].to_list()
    return papers, _ordered(rows.select("paper_id", "vector"), papers), new


def near_papers(run: StepRun, wanted: Collection[str], count: int) -> dict[str, list[str]]:
    """Return the papers up to the batch that are nearest to each of some papers, the nearest first."""
    papers, vectors, _ = vectors_of_papers(run)
    rows = [at for at, paper in enumerate(papers) if paper in wanted]
    near, _ = nearest(vectors[rows], vectors, count + 1)
    return {
        papers[row]: [papers[place] for place in places if place != row]
        for row, places in zip(rows, near.tolist(), strict=True)
    }


def papers_of_items(run: StepRun) -> dict[str, list[str]]:
    """Return the papers of each accepted item of the batch, in the order of its facts."""
    facts = run.read_part("findings.facts", columns="item_id, position, paper_id").sort("item_id", "position")
    papers: dict[str, list[str]] = defaultdict(list)
    for item, _, paper in facts.iter_rows():
        if paper not in papers[item]:
            papers[item].append(paper)
    return papers


def cited_papers(run: StepRun) -> dict[str, list[str]]:
    """Return the papers that came by a citing article, by that article and its relation to them."""
    papers: dict[str, list[str]] = defaultdict(list)
    for citing, relation, paper in run.read("corpus.cited_papers").iter_rows():
        papers[f"{citing} {relation}"].append(paper)
    return papers


def comparable(run: StepRun, papers: Sequence[str]) -> Comparable:
    """Return what grouping knows of some papers."""
    wanted = sorted(set(papers))
    among = "paper_id in (select unnest($wanted))"
    findings = _findings(run, among, {"wanted": wanted})
    cards = run.read("findings.papers", f"{among} and status = 'kept'", wanted=wanted)
    by_paper: dict[str, list[Row]] = defaultdict(list)
    for finding in findings:
        by_paper[finding["paper_id"]].append(finding)
    citing = [finding for finding in findings if finding["cited"]]
    alike = _Alike(run, by_paper, run.settings.findings.compared_findings)
    return Comparable(
        by_paper,
        {row["paper_id"]: row for row in cards.iter_rows(named=True)},
        dict(run.read("findings.measures", columns="measure_id, name").iter_rows()),
        _cited_papers(run, citing),
        alike.of,
        alike.beside,
    )


class _Alike:
    """Findings that are like others, by the vectors of their measures."""

    def __init__(self, run: StepRun, findings: Mapping[str, Sequence[Row]], most_beside: int) -> None:
        self._run = run
        self._findings = findings
        self._most_beside = most_beside
        self._by_id = {row["finding_id"]: row for rows in findings.values() for row in rows}
        self._vectors: dict[str, dict[str, Vectors]] = {}

    def of(self, finding_id: str, paper: str) -> list[str]:
        """Return the ids of at most five findings of a paper, the most similar first."""
        own = [row for row in self._findings.get(paper, ()) if not row["cited"]]
        return [row["finding_id"] for row in self._ranked([self._by_id[finding_id]], own)[:_LIKE]]

    def beside(self, paper: str, papers: Sequence[str]) -> list[str]:
        """Return the ids of the findings of other papers that are most like any of a paper, best first."""
        own, others = (
            [row for name in names for row in self._findings.get(name, ()) if row["measure_id"]]
            for names in ([paper], [name for name in papers if name != paper])
        )
        counts: dict[str, int] = defaultdict(int)
        chosen = list[str]()
        for row in self._ranked(own, others):
            counts[row["paper_id"]] += 1
            if counts[row["paper_id"]] <= _BESIDE_OF_PAPER and len(chosen) < self._most_beside:
                chosen.append(row["finding_id"])
        return chosen

    def _ranked(self, findings: Sequence[Row], others: Sequence[Row]) -> list[Row]:
        """Return other findings in the order of their largest cosine with any of some findings."""
        if not findings or not others:
            return []
        similar = cosines(self._rows(findings), self._rows(others)).max(axis=0)
        return [others[at] for at in sorted(range(len(others)), key=lambda at: (-round(similar[at], 4), at))]

    def _rows(self, findings: Sequence[Row]) -> Vectors:
        for batch in {row["batch"] for row in findings} - self._vectors.keys():
            rows = self._run.read("findings.term_vectors", "batch = $batch", "measure, vector", batch=batch)
            self._vectors[batch] = dict(zip(rows["measure"], _matrix(rows), strict=True))
        return np.stack([self._vectors[row["batch"]][row["measure"]] for row in findings])


def _cited_papers(run: StepRun, citing: Sequence[Row]) -> dict[str, str]:
    """Return the paper of the corpus that each finding is taken from: the one that its sentence cites."""
    if not citing:
        return {}
    mentions = run.read(
        "corpus.citation_mentions",
        "paragraph_id in (select unnest($paragraphs))",
        "paragraph_id, sentence_start, sentence_end, reference_ids",
        paragraphs=sorted({row["paragraph_id"] for row in citing}),
    )
    edges = run.read("corpus.citation_edges", columns="cited_paper_id, reference_ids")
    papers = {reference: paper for paper, references in edges.iter_rows() for reference in references}
    by_paragraph: dict[str, list[tuple[int, int, list[str]]]] = defaultdict(list)
    for paragraph, start, end, references in mentions.iter_rows():
        by_paragraph[paragraph].append((start, end, references))
    cited = {}
    for row in citing:
        named = {
            papers[reference]
            for start, end, references in by_paragraph[row["paragraph_id"]]
            if start < row["evidence_end"] and row["evidence_start"] < end
            for reference in references
            if reference in papers
        }
        if len(named) == 1:
            cited[row["finding_id"]] = named.pop()
    return cited


def _findings(run: StepRun, where: str, parameters: Mapping[str, Any]) -> list[Row]:
    """Return kept findings with the measure of those that state their quantity first."""
    kept = run.read("findings.findings", f"status = 'kept' and {where}", **parameters)
    quantities = run.read("findings.quantities", where, "finding_id, quantity_id", **parameters)
    measured = run.read(
        "findings.measured",
        f"quantity_id in (select quantity_id from findings.quantities where {where})",
        "quantity_id as finding_id, measure_id",
        **parameters,
    )
    rows = kept.join(measured, on="finding_id", how="left").join(quantities, on="finding_id", how="left")
    return _with_other_values(rows.sort("paper_id", "number").rows(named=True))


def _with_other_values(findings: list[Row]) -> list[Row]:
    """Return findings with what their papers say otherwise of the same quantity (`other_values`)."""
    alike: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in findings:
        alike[row["paper_id"], row["quantity_id"]].append(row)
    by_number = {(row["paper_id"], row["number"]): row for row in findings}
    contradicted: dict[str, list[Row]] = defaultdict(list)
    for row in findings:
        contrary = by_number.get((row["paper_id"], row["contradicts"]))
        if contrary is not None:
            contradicted[row["finding_id"]].append(contrary)
            contradicted[contrary["finding_id"]].append(row)
    for row in findings:
        mentions = (*alike[row["paper_id"], row["quantity_id"]], *contradicted[row["finding_id"]])
        others = [mention["statement"] for mention in mentions if mention["value"] != row["value"]]
        row["other_values"] = list(dict.fromkeys(others))
    return findings


def shown_groups(run: StepRun) -> tuple[list[tuple[str, ShownGroup]], dict[str, Row]]:
    """Return the groups of the batch with their neighbourhoods, and the cards of their papers."""
    members = run.read_part("findings.group_findings").sort("group_id", "position")
    papers = members["paper_id"].unique().sort().to_list()
    among = "paper_id in (select unnest($papers))"
    known = _findings(run, among, {"papers": papers})
    sources = _cited_papers(run, [row for row in known if row["cited"]])
    findings = {row["finding_id"]: row | {"cited_paper": sources.get(row["finding_id"], "")} for row in known}
    by_group: dict[str, list[Row]] = defaultdict(list)
    for row in members.iter_rows(named=True):
        by_group[row["group_id"]].append(findings[row["finding_id"]])
    listed = run.read_part("findings.groups").sort("neighbourhood_id", "kind", "label", "group_id")
    groups = [
        (
            row["neighbourhood_id"],
            ShownGroup(row["group_id"], row["kind"], row["label"], tuple(by_group[row["group_id"]])),
        )
        for row in listed.iter_rows(named=True)
    ]
    cards = run.read("findings.papers", among, papers=papers)
    return groups, {row["paper_id"]: row for row in cards.iter_rows(named=True)}


def shelf(run: StepRun) -> Shelf:
    """Return the papers up to the batch, as trials look into them."""
    titles, rows = _texts(run, _UP_TO, {"part": run.part})
    chosen = run.settings.findings
    findings = _findings(run, _UP_TO, {"part": run.part})
    return Shelf(
        titles,
        rows,
        findings,
        references=_references(run),
        passages=chosen.passages,
        text_tokens=chosen.text_tokens,
    )


def _references(run: StepRun) -> dict[tuple[str, str], str]:
    """Return by which reference a paper cites another paper of the corpus, as its list names it."""
    edges = run.read("corpus.citation_edges", columns="citing_paper_id, cited_paper_id, reference_ids")
    named = run.read(
        "corpus.references",
        "reference_id in (select unnest($wanted))",
        "reference_id, coalesce(nullif(trim(label, '[](). '), ''), concat_ws(' ', first_author, year, "
        "'(number ' || position + 1 || ' of its list)'))",
        wanted=sorted({reference for _, _, references in edges.iter_rows() for reference in references}),
    )
    names = dict(named.iter_rows())
    return {
        (citing, cited): ", ".join(filter(None, (names.get(reference) for reference in sorted(references))))
        for citing, cited, references in edges.iter_rows()
    }


def _ordered(rows: pl.DataFrame, names: Sequence[str]) -> Vectors:
    """Return vectors in the order of their names, from rows of name and vector."""
    places = {name: place for place, name in enumerate(rows.to_series(0))}
    return _matrix(rows)[[places[name] for name in names]] if names else np.zeros((0, 0), dtype=np.float32)


def _matrix(rows: pl.DataFrame) -> Vectors:
    """Return the vectors of rows, `(n_rows, dim)` float32."""
    vectors = rows["vector"]
    return vectors.list.to_array(len(vectors[0]) if len(vectors) else 0).to_numpy().astype(np.float32)
