"""Made-up papers as JATS files: `python -m benchmarks.synthetic.papers FOLDER --papers 1000`."""

import argparse
from collections.abc import Iterator
from html import escape
from pathlib import Path

import numpy as np

from benchmarks.synthetic.shape import PAPERS, PaperPlan, plan
from benchmarks.synthetic.vectors import subtopics_of

_TITLES = ("", "Introduction", "Methods", "Results", "Discussion", "Conclusion")
_SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu")
_MEASURES = (
    "serum ferritin",
    "plasma zinc",
    "blood pressure",
    "sleep duration",
    "fasting glucose",
    "grain iron",
)
_CHANGES = ("rose", "fell", "hardly changed", "varied", "doubled", "was halved")
_QUESTIONS_OF_A_PARAGRAPH = 2
_BEYOND, _CITED_BEYOND = 10_000_000, 35
# Of all triplets; the paper's filter by alignment removes a tenth of those with exact evidence.
KEPT = 0.9


def main() -> None:
    """Write the files of a corpus."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--papers", type=int, default=PAPERS)
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    chosen = parser.parse_args()
    write_papers(chosen.folder, range(chosen.first, chosen.first + chosen.papers))


def write_papers(folder: Path, numbers: range) -> None:
    """Write papers by their numbers, one file each."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in numbers:
        (folder / f"{number:06}.xml").write_text(jats(plan(number)))


def jats(paper: PaperPlan) -> str:
    """A paper as JATS."""
    random = np.random.default_rng([paper.number, 1])
    subtopics = iter(subtopics_of(random, 10_000))
    cited = [int(number) for number in paper.cited]
    sections = []
    for place, questions in enumerate(paper.questions):
        count = max(1, round(int(questions) / KEPT / _QUESTIONS_OF_A_PARAGRAPH))
        paragraphs = [
            " ".join(_sentences(paper, random, subtopics, cited if place in (1, 4) else []))
            for _ in range(1 if place == 0 else count)
        ]
        sections.append("".join(f"<p>{paragraph}</p>" for paragraph in paragraphs))
    # Most of what a paper cites is not in the corpus.
    listed = cited + [_BEYOND + int(number) for number in random.integers(0, _BEYOND, _CITED_BEYOND)]
    keywords = "".join(f"<kwd>{keyword(rank)}</kwd>" for rank in paper.keywords)
    body = "".join(
        f"<sec><title>{title}</title>{text}</sec>"
        for title, text in zip(_TITLES[1:], sections[1:], strict=False)
    )
    return f"""<?xml version="1.0"?>
<article article-type="research-article" xml:lang="en"><front>
<journal-meta><journal-title-group><journal-title>Journal of Made-up Results</journal-title>
</journal-title-group></journal-meta>
<article-meta><article-id pub-id-type="pmcid">{pmcid(paper.number)}</article-id>
<article-id pub-id-type="doi">{doi(paper.number)}</article-id>
<title-group><article-title>{escape(title(paper))}</article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Author{paper.number}</surname></name>
</contrib></contrib-group>
<pub-date pub-type="epub"><year>{2019 + paper.number % 6}</year></pub-date>
<permissions><license xmlns:xlink="http://www.w3.org/1999/xlink"
xlink:href="https://creativecommons.org/licenses/by/4.0/"><license-p>CC BY</license-p></license></permissions>
<abstract>{sections[0]}</abstract><kwd-group>{keywords}</kwd-group></article-meta></front>
<body>{body}</body><back><ref-list>{"".join(map(_reference, listed))}</ref-list></back></article>
"""


def title(paper: PaperPlan) -> str:
    """The title of a paper; no two are the same."""
    words = " and ".join(keyword(rank) for rank in paper.keywords[-2:])
    return f"What became of {words} in the cohorts of study {paper.number}"


def keyword(rank: int) -> str:
    """The keyword of a rank: a made-up word."""
    word, left = "", int(rank) + len(_SYLLABLES) ** 3
    while left:
        left, syllable = divmod(left, len(_SYLLABLES))
        word += _SYLLABLES[syllable]
    return word


def pmcid(number: int) -> str:
    """The PubMed Central id of a paper: beyond those that exist."""
    return f"PMC{900_000_000 + number}"


def doi(number: int) -> str:
    """The DOI of a paper, under the prefix for tests."""
    return f"10.5555/made-up.{number}"


def _sentences(
    paper: PaperPlan, random: np.random.Generator, subtopics: Iterator[int], cited: list[int]
) -> Iterator[str]:
    """Five sentences of a paragraph, all on subtopics of the paper."""
    for place in range(5):
        measure, change, weeks, mean = random.integers(0, (len(_MEASURES), len(_CHANGES), 96, 9000))
        treatment = keyword(paper.keywords[place % len(paper.keywords)])
        sentence = (
            f"In cohort T{paper.topic:03}-{next(subtopics):02} the mean {_MEASURES[measure]} "
            f"{_CHANGES[change]} over {weeks + 4} weeks of {treatment}, and stood at {mean / 10:.1f} units "
            "in the end"
        )
        if cited and place == 2:
            one = cited[int(random.integers(len(cited)))]
            sentence += f' <xref ref-type="bibr" rid="r{one}">[{cited.index(one) + 1}]</xref>'
        yield sentence + "."


def _reference(number: int) -> str:
    return (
        f'<ref id="r{number}"><element-citation publication-type="journal">'
        f'<article-title>A study</article-title><pub-id pub-id-type="doi">{doi(number)}</pub-id>'
        "</element-citation></ref>"
    )


if __name__ == "__main__":
    main()
