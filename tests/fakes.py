"""Second implementations of the interfaces to outside services, for tests: small and without torch."""

import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from aimsciqa_resources.language_model import ModelReply, ModelRequest

from aimsciqa_assets.scripted_model import REPLIES


class WordEncoder:
    """Encodes a text as the hashed bag of its words: texts with common words are similar."""

    name = "words"
    revision = "1"
    dimension = 64

    def __init__(self) -> None:
        self.encoded = 0

    def encode(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> npt.NDArray[np.float32]:
        self.encoded += len(texts)
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text.lower()):
                vectors[row, zlib.crc32(word.encode()) % self.dimension] += 1
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        if progress:
            progress(len(texts))
        return vectors / np.where(norms > 0, norms, 1)

    def encode_queries(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        return self.encode(texts)

    def encode_documents(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> npt.NDArray[np.float32]:
        return self.encode(texts, progress)


class SentenceModel:
    """Replies as the scripted model does, in reverse order; answers with the first paragraph of each paper.

    As a judge it gives 1 to the very answer, else 0.5. A subclass has a method `_TASK` for each task of which
    it replies otherwise. `spoil` changes a reply before it is given, by its request.
    """

    name = "sentences"
    revision = "1"
    sampling = ""

    def __init__(self, spoil: Callable[[ModelRequest, str], str | None] | None = None) -> None:
        self.asked: list[ModelRequest] = []
        self._spoil = spoil or (lambda _request, text: text)

    def replies(self, requests: Iterable[ModelRequest]) -> Iterator[ModelReply]:
        for request in reversed(list(requests)):
            self.asked.append(request)
            text = self._spoil(request, self.reply_to(request.task, request.variables))
            yield ModelReply(request.key, text, None if text is not None else "refused_by_server")

    def reply_to(self, task: str, told) -> str:
        reply = getattr(self, f"_{task}", None) or REPLIES[task]
        return reply(told)

    def _answering(self, told) -> str:
        last_in_hand = sorted(told["papers"], key=lambda paper: paper["name"] == "source_paper")
        papers = [paper["text"] for paper in last_in_hand]
        first_paragraphs = [
            next(block for block in paper.split("\n\n")[1:] if not block.startswith("# ")) for paper in papers
        ]
        return json.dumps({"answer": " ".join(first_paragraphs) or "I cannot tell."})

    def _answer_judge(self, told) -> str:
        right = told["prediction"] == told["answer"]
        return json.dumps({"selection": "1" if right else "0.5"})


def write_corpus(folder: Path, papers: int, *, first: int = 1) -> None:
    """Write small JATS papers that share a keyword; each cites the three before it, each in a sentence."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, first + papers):
        cited = [other for other in range(number - 3, number) if other >= 1]
        citing = " ".join(
            f'Earlier work on cohort {other} found zinc {other} mg [<xref ref-type="bibr" rid="r{other}">'
            f"{place}</xref>]."
            for place, other in enumerate(cited, 1)
        )
        references = "".join(
            f'<ref id="r{other}"><element-citation>'
            f"<article-title>Zinc in cohort {other} of the test corpus</article-title>"
            f'<pub-id pub-id-type="doi">10.5555/test.{other}</pub-id></element-citation></ref>'
            for other in cited
        )
        (folder / f"paper-{number:03d}.xml").write_text(
            f"""<article article-type="research-article"><front><journal-meta><journal-title-group>
<journal-title>Journal of Tests</journal-title></journal-title-group></journal-meta><article-meta>
<article-id pub-id-type="doi">10.5555/test.{number}</article-id>
<title-group><article-title>Zinc in cohort {number} of the test corpus</article-title></title-group>
<pub-date pub-type="epub"><year>2021</year></pub-date>
<abstract><p>Cohort {number} had a mean zinc intake of {number} mg per day.</p></abstract>
<kwd-group><kwd>zinc</kwd><kwd>topic {number % 5}</kwd></kwd-group></article-meta></front>
<body><sec><title>Introduction</title><p>Zinc matters in cohort {number}. {citing}</p></sec>
<sec><title>Results</title><p>The mean zinc intake of cohort {number} was {number} mg. Group {number}
rose by {number + 10} percent. Iron fell in cohort {number}.</p></sec></body>
<back><ref-list>{references}</ref-list></back></article>"""
        )


def write_id_map(path: Path, *lines: str, columns: str = "PMCID,PMID,DOI") -> None:
    """Write a gzipped CSV like `PMC-ids.csv.gz`, by default with the columns that matter only."""
    path.write_bytes(gzip.compress("".join(f"{line}\n" for line in (columns, *lines)).encode()))
