"""Groups: findings of two papers or more that may be asked about together, by what the findings share."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_assets.findings.vocabulary import folded
from aimsciqa_assets.platform.identity import row_id

Row = dict[str, Any]

FINDINGS_OF_PAPER: Final[Mapping[str, int]] = {
    "measure": 3,
    "exposure": 4,
    "instrument": 4,
    "site": 6,
    "citation": 5,
    "entity": 4,
}
"""Findings of one paper in a group at most, by what the findings share."""
COMMONEST_ENTITY: Final = 8
"""Papers of a neighbourhood that may name an entity: what all of them study tells nothing apart."""


@dataclass(frozen=True, slots=True)
class Group:
    """Findings that share a `label`, with their papers, in the order in which a model sees them."""

    kind: str
    label: str
    neighbourhood_id: str
    findings: tuple[tuple[str, str], ...]
    """Pairs of finding and paper."""

    @property
    def papers(self) -> tuple[str, ...]:
        """Return the papers, each once."""
        return tuple(dict.fromkeys(paper for _, paper in self.findings))

    def group_id(self, batch: str) -> str:
        """Return the id of the group as it is opened by a batch."""
        return row_id("group", batch, self.kind, self.label, *(finding for finding, _ in self.findings))


@dataclass(frozen=True, slots=True)
class Comparable:
    """What grouping knows of the corpus up to a batch.

    `findings` are kept findings by paper, each with `finding_id`, `measure_id` (None if another finding
    states its quantity first), `measure`, `exposure`, `statement`, `conditions` and `cited`. `cards` are the
    rows of `findings.papers`. `measures` give names by id, and `citations` the cited paper of a finding.
    `like` gives the findings of a paper that are most like a finding, and `beside` the findings of some
    papers that are most like any of a paper's, each with the best first.
    """

    findings: Mapping[str, Sequence[Row]]
    cards: Mapping[str, Row]
    measures: Mapping[str, str]
    citations: Mapping[str, str]
    like: Callable[[str, str], Sequence[str]]
    beside: Callable[[str, Sequence[str]], Sequence[str]]

    @property
    def measure_ids(self) -> Mapping[str, str | None]:
        """Return the measure of each finding."""
        return {row["finding_id"]: row["measure_id"] for rows in self.findings.values() for row in rows}


def groups_of(
    neighbourhoods: Mapping[str, Sequence[str]],
    new: frozenset[str],
    comparable: Comparable,
) -> list[Group]:
    """Return the groups of neighbourhoods (papers by id, the opening one first) with a new paper in each.

    Of groups that share the same thing, those whose papers larger ones have mostly shown are left out.
    """
    groups = list[Group]()
    for neighbourhood, papers in neighbourhoods.items():
        for group in _groups(neighbourhood, papers, comparable):
            if len(group.papers) > 1 and not new.isdisjoint(group.papers):
                groups.append(group)
    return [*_telling(groups), *_around_papers(neighbourhoods, new, comparable)]


def _groups(neighbourhood: str, papers: Sequence[str], known: Comparable) -> Iterator[Group]:
    by_measure: dict[str, list[Row]] = defaultdict(list)
    by_exposure: dict[str, list[Row]] = defaultdict(list)
    for paper in papers:
        for finding in known.findings.get(paper, ()):
            if finding["finding_id"] in known.citations:
                continue
            if finding["measure_id"]:
                by_measure[finding["measure_id"]].append(finding)
            if finding["exposure"]:
                by_exposure[folded(finding["exposure"])].append(finding)
    for measure, findings in by_measure.items():
        yield _group("measure", known.measures[measure], neighbourhood, findings)
    for exposure, findings in by_exposure.items():
        if len({finding["measure_id"] for finding in findings}) > 1:
            yield _group("exposure", exposure, neighbourhood, findings)
    yield from _by_card(neighbourhood, papers, known)
    yield from _citations(neighbourhood, papers, known)


def _by_card(neighbourhood: str, papers: Sequence[str], known: Comparable) -> Iterator[Group]:
    """Yield groups by instruments, entities and places that several cards name."""
    named: dict[tuple[str, str], list[str]] = defaultdict(list)
    for paper in papers:
        card = known.cards.get(paper, {})
        for kind, names in (
            ("instrument", [instrument["instrument"] for instrument in card.get("instruments") or ()]),
            ("entity", card.get("materials") or ()),
            ("site", [card.get("place") or ""]),
        ):
            for name in dict.fromkeys(map(folded, names)):
                if name:
                    named[kind, name].append(paper)
    for (kind, name), holders in named.items():
        if 1 < len(holders) <= COMMONEST_ENTITY:
            findings = (finding for paper in holders for finding in known.findings.get(paper, ()))
            about = [finding for finding in findings if kind == "site" or _names(finding, name)]
            yield _group(kind, name, neighbourhood, about)


def _names(finding: Row, name: str) -> bool:
    conditions = " ".join(condition["stated"] for condition in finding["conditions"] or ())
    texts = (finding["statement"], finding["measure"], finding["exposure"], conditions)
    return name in folded(" ".join(texts))


def _citations(neighbourhood: str, papers: Sequence[str], known: Comparable) -> Iterator[Group]:
    """Yield each finding that a paper takes from another one, with the findings of that one most like it."""
    inside = set(papers)
    for paper in papers:
        for finding in known.findings.get(paper, ()):
            cited = known.citations.get(finding["finding_id"])
            if cited in inside and cited != paper:
                own = {row["finding_id"]: row for row in known.findings.get(cited, ()) if not row["cited"]}
                alike = [own[name] for name in known.like(finding["finding_id"], cited) if name in own]
                label = f"{finding['measure']}, cited"
                yield _group("citation", label, neighbourhood, [finding, *alike])


def _group(kind: str, label: str, neighbourhood: str, findings: Iterable[Row]) -> Group:
    counts: dict[str, int] = defaultdict(int)
    chosen = list[tuple[str, str]]()
    for finding in findings:
        counts[finding["paper_id"]] += 1
        if counts[finding["paper_id"]] <= FINDINGS_OF_PAPER[kind]:
            chosen.append((finding["finding_id"], finding["paper_id"]))
    return Group(kind, label, neighbourhood, tuple(chosen))


def _telling(groups: Sequence[Group]) -> list[Group]:
    """Return the groups without those that larger ones with the same label have mostly shown.

    Neighbourhoods overlap: at least half of the papers of a group are in no larger one of its label. A
    citation is a group by itself, and comes once.
    """
    shown: dict[tuple[str, ...], set[str]] = defaultdict(set)
    chosen = set[int]()
    for group in sorted(groups, key=lambda group: -len(group.papers)):
        cited = [finding for finding, _ in group.findings[:1]] if group.kind == "citation" else []
        seen = shown[group.kind, group.label, *cited]
        if 2 * len(seen & set(group.papers)) <= len(group.papers):
            seen.update(group.papers)
            chosen.add(id(group))
    return [group for group in groups if id(group) in chosen]


def _around_papers(
    neighbourhoods: Mapping[str, Sequence[str]], new: frozenset[str], known: Comparable
) -> Iterator[Group]:
    """Yield all findings of each new paper with those of its neighbours that are most like them."""
    homes: dict[str, list[str]] = defaultdict(list)
    for neighbourhood, papers in neighbourhoods.items():
        for place, paper in enumerate(papers):
            # A paper stands best where it stands nearest to the paper that opens the neighbourhood.
            homes[paper].append(f"{place:03d} {neighbourhood}")
    by_id = {row["finding_id"]: row for findings in known.findings.values() for row in findings}
    for paper in sorted(new & homes.keys()):
        home = min(homes[paper]).partition(" ")[2]
        own = [row for row in known.findings.get(paper, ()) if row["measure_id"]]
        others = [by_id[name] for name in known.beside(paper, neighbourhoods[home])]
        if others:
            findings = tuple((row["finding_id"], row["paper_id"]) for row in [*own, *others])
            yield Group("paper", "findings of a paper and those most like them", home, findings)


def group_rows(
    groups: Sequence[Group], batch: str, measure_ids: Mapping[str, str | None]
) -> tuple[list[Row], list[Row]]:
    """Return the rows of `findings.groups` and `findings.group_findings`; `measure_ids` are by finding."""
    rows, members = list[Row](), list[Row]()
    for group in groups:
        group_id = group.group_id(batch)
        rows.append(
            {
                "group_id": group_id,
                "batch": batch,
                "neighbourhood_id": group.neighbourhood_id,
                "kind": group.kind,
                "label": group.label,
                "papers": len(group.papers),
            }
        )
        members += [
            {
                "group_id": group_id,
                "batch": batch,
                "finding_id": finding,
                "paper_id": paper,
                "position": position,
                "measure_id": measure_ids[finding],
            }
            for position, (finding, paper) in enumerate(dict.fromkeys(group.findings))
        ]
    return rows, members
