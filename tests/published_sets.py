"""Made-up records in the forms of HotpotQA, 2WikiMultihopQA and MuSiQue; places and people are invented."""

import json
from pathlib import Path
from typing import Any

LIDO = [
    "Lido Brask",
    ["The Lido Brask is a pool in Ostrey.", " It was drawn by Ana Feld.", " It has two towers."],
]
FELD = ["Ana Feld", ["Ana Feld (1801-1870) was an architect.", " She was born in Tarnhof."]]
MOLE = ["Mole of Ostrey", ["The Mole of Ostrey is a pier.", " It was opened in 1911."]]
QUAY = ["Quay of Ostrey", ["The quay was opened in 1899."]]
ONDA = ["Onda (film)", ["Onda is a film by Per Holt.", "It runs for 90 minutes."]]
HOLT = ["Per Holt", ["Per Holt is a director.", "He was born in Vellin."]]
SALT = ["Salt (film)", ["Salt is a film of 1950."]]


def hotpot(number: int, kind: str = "bridge", **changed: Any) -> dict[str, Any]:
    """A record of HotpotQA: where the architect of the pool was born, or whether two things are piers."""
    told = (
        ("Where was the architect of the Lido Brask born?", "Tarnhof", [["Lido Brask", 1], ["Ana Feld", 1]])
        if kind == "bridge"
        else (
            "Were the mole and the quay opened in one year?",
            "no",
            [["Quay of Ostrey", 0], ["Mole of Ostrey", 1]],
        )
    )
    return {
        "_id": f"h{number}",
        "answer": told[1],
        "question": told[0],
        "supporting_facts": told[2],
        "context": [MOLE, FELD, QUAY, LIDO],
        "type": kind,
        "level": "hard",
    } | changed


def wiki(number: int, kind: str = "compositional", **changed: Any) -> dict[str, Any]:
    """A record of 2WikiMultihopQA: where the director of a film was born."""
    return {
        "_id": f"w{number}",
        "type": kind,
        "question": "Where was the director of Onda born?",
        "context": [SALT, HOLT, ONDA],
        "supporting_facts": [["Onda (film)", 0], ["Per Holt", 1]],
        "evidences": [["Onda", "director", "Per Holt"], ["Per Holt", "place of birth", "Vellin"]],
        "answer": "Vellin",
    } | changed


def musique(number: int, **changed: Any) -> dict[str, Any]:
    """A record of MuSiQue: who holds the rights to the anthem of a town."""
    texts = (
        ("Tarnhof", "Tarnhof is a town. Its anthem is Grey Water."),
        ("Vellin", "Vellin has no anthem."),
        ("Grey Water", "Grey Water is a song.\nJon Abel wrote it."),
    )
    return {
        "id": f"2hop__{number}_9",
        "paragraphs": [
            {"idx": place, "title": title, "paragraph_text": text, "is_supporting": place != 1}
            for place, (title, text) in enumerate(texts)
        ],
        "question": "Who wrote the anthem of Tarnhof?",
        "question_decomposition": [
            {"id": 1, "question": "Tarnhof >> anthem", "answer": "Grey Water", "paragraph_support_idx": 0},
            {"id": 2, "question": "Who wrote #1 ?", "answer": "Jon Abel", "paragraph_support_idx": 2},
        ],
        "answer": "Jon Abel",
        "answer_aliases": ["J. Abel"],
        "answerable": True,
    } | changed


def as_list(path: Path, *records: Any) -> Path:
    """A file that is one JSON list, as HotpotQA and 2WikiMultihopQA are published."""
    path.write_text(json.dumps(records))
    return path


def as_lines(path: Path, *records: Any) -> Path:
    """A file with an object in each line, as MuSiQue is published."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path
