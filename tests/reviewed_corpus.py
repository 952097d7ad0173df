"""The small warehouse of the release with questions of reviews, of which two may be released."""

from dataclasses import dataclass, field
from typing import Any

from tests.release_corpus import LICENCES, Corpus, sentence

MANUSCRIPTS = {"D": 11, "F": 12, "C": 13}
"""The paper of each forum; a hash puts the questions of F into test."""
NOTES = {
    "D-r": "CC BY", "D-a": "CC BY-SA", "D-b": None, "D-c": "CC0",
    "F-r": "CC0", "F-a": "CC BY", "C-r": "CC BY", "C-a": "CC BY",
}  # fmt: skip
PAIRS = {
    "v1": ("D", "D-r", "D-a"),
    "v2": ("F", "F-r", "F-a"),
    "v3": ("D", "D-r", "D-b"),
    "v4": ("C", "C-r", "C-a"),
    "v5": ("D", "D-r", "D-c"),
    "v6": ("D", "D-r", "D-b"),
}
"""By id: forum, review and reply. The reply of v5 was deleted, and v6 failed a gate."""


@dataclass
class Reviewed(Corpus):
    licences: dict[int, str] = field(default_factory=lambda: LICENCES | {11: "CC BY", 12: "CC BY-NC", 13: ""})
    gates: list[dict[str, Any]] = field(
        default_factory=lambda: [{"item_id": "v6", "gate": "closed_book", "verdict": "fail"}]
    )

    def _tables(self) -> dict[str, list[dict[str, Any]]]:
        tables = super()._tables()
        for paper in tables["corpus.papers"]:
            paper["article_type"] = "manuscript" if paper["paper_id"] in {"P11", "P12", "P13"} else "research"
        tables["corpus.admitted_papers"] = [{"paper_id": f"P{n}"} for n in range(1, 11)]
        return tables | {
            "scidqa.notes": [
                {
                    "note_id": note,
                    "forum_id": note[0],
                    "licence": licence,
                    "status": "rejected" if note == "D-c" else "accepted",
                }
                for note, licence in NOTES.items()
            ],
            "scidqa.qa_pairs": [
                {
                    "qa_id": name,
                    "forum_id": forum,
                    "review_note_id": review,
                    "reply_note_id": reply,
                    "question": f"Question {name}?",
                    "answer": f"Answer {name}.",
                    "question_start": 3,
                    "question_end": 20,
                    "answer_start": 0,
                    "answer_end": 9,
                    "version": "initial",
                    "status": "accepted",
                    "model": "a model",
                }
                for name, (forum, review, reply) in PAIRS.items()
            ],
            "scidqa.documents": [
                {
                    "qa_id": name,
                    "forum_id": forum,
                    "position": 1,
                    "role": "manuscript",
                    "paper_id": f"P{MANUSCRIPTS[forum]}",
                }
                for name, (forum, *_) in PAIRS.items()
            ],
            "scidqa.evidence": [
                {
                    "qa_id": name,
                    "version": "initial",
                    "position": 1,
                    "paper_id": f"P{MANUSCRIPTS[forum]}",
                    "paragraph_id": f"t{MANUSCRIPTS[forum]}-0",
                    "evidence": sentence(MANUSCRIPTS[forum], 0, 0),
                    "evidence_start": 0,
                    "evidence_end": len(sentence(MANUSCRIPTS[forum], 0, 0)),
                }
                for name, (forum, *_) in PAIRS.items()
                if name != "v1"
            ],
            "scidqa.answerability": [
                {"qa_id": "v2", "version": "initial", "verdict": "partly"},
                {"qa_id": "v2", "version": "final", "verdict": "answerable"},
            ],
        }
