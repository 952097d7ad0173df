"""Paper clusters: the target among distractors that a retriever must tell it from (section 4.3)."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import polars as pl

Origin = Literal["keyword", "random", "citation"]


class ClusterTooSmallError(ValueError):
    """The corpus has too few papers for a cluster of the size that is asked for."""


@dataclass(frozen=True, slots=True)
class Member:
    """A paper of a cluster; the target stands first."""

    paper_id: str
    role: Literal["target", "distractor"]
    origin: Origin


def similarity_cluster(
    source: str, target: str, by_keywords: Sequence[str], papers: Iterable[str], *, size: int, seed: str
) -> list[Member]:
    """A cluster of exactly `size` papers: the target, then the source's nearest papers by keywords.

    `by_keywords` is the source's keyword-overlap list, the nearest first; of it the first `size - 1` are
    used beside the target. What is missing is drawn at random, by `seed`, from the `papers` that share no
    keyword. The source is never a member. Raises `ClusterTooSmallError` when the corpus is too small.
    """
    near = [paper for paper in by_keywords if paper not in (source, target)][: size - 1]
    members = [Member(target, "target", "keyword" if target in by_keywords else "random")]
    members += [Member(paper, "distractor", "keyword") for paper in near]
    missing = size - len(members)
    if missing:
        others = sorted(set(papers) - {source, target} - set(by_keywords))
        if len(others) < missing:
            raise ClusterTooSmallError(
                f"A cluster needs {size} papers besides its source; the corpus has only "
                f"{len(members) + len(others)} that were read. Ingest more papers, run all batches "
                "(`aimsciqa run`), or lower the setting AIMSCIQA_RELATIONS_CLUSTER_SIZE."
            )
        drawn = random.Random(seed).sample(others, missing)
        members += [Member(paper, "distractor", "random") for paper in drawn]
    return members


def citation_cluster(source: str, target: str, cited: Iterable[str]) -> list[Member]:
    """The cluster of the citation-guided variant: the target, then all other cited papers of the source."""
    others = sorted(set(cited) - {source, target})
    return [
        Member(target, "target", "citation"),
        *(Member(paper, "distractor", "citation") for paper in others),
    ]


def cluster_rows(
    relations: pl.DataFrame,
    *,
    nearest: Mapping[str, Sequence[str]],
    papers: Sequence[str],
    cited: Mapping[str, Sequence[str]],
    size: int,
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Rows of `relations.clusters` for rows of `relations.candidate_relations`.

    `nearest` is each source's keyword-overlap list, `papers` the corpus, `cited` each source's cited papers.
    """
    usable = set(papers)
    for relation in relations.iter_rows(named=True):
        source, target = relation["source_paper_id"], relation["target_paper_id"]
        if relation["variant"] == "im":
            near = [paper for paper in nearest.get(source, []) if paper in usable]
            members = similarity_cluster(
                source, target, near, papers, size=size, seed=f"{seed} {relation['relation_id']}"
            )
        else:
            members = citation_cluster(source, target, cited[source])
        for position, member in enumerate(members):
            yield {
                "batch": relation["batch"],
                "relation_id": relation["relation_id"],
                "variant": relation["variant"],
                "source_paper_id": source,
                "paper_id": member.paper_id,
                "role": member.role,
                "origin": member.origin,
                "position": position,
            }
