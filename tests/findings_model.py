"""A model for the tasks of Findings that reads the small papers of the tests by rule, and their papers."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.fakes import SentenceModel
from tests.model_server.steps import text_of

RANKED = "How do the fields of {villages} rank by grain zinc?"
GOOD = "How does grain zinc compare between the fields of {first} and {second}?"


def write_field_papers(folder: Path, papers: int, first: int = 1) -> None:
    """Papers on fields; each states its grain zinc in a sentence and a table, and its yield in the table."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, first + papers):
        zinc = 20 + number
        cited = (
            f"Earlier work found {zinc - 1} mg of grain zinc <xref ref-type='bibr' rid='r1'>[1]</xref>."
            if number > 1
            else "Nobody looked before."
        )
        (folder / f"field{number}.xml").write_text(
            f"""<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article">
<front><article-meta><article-id pub-id-type="doi">10.5555/field.{number}</article-id>
<title-group><article-title>Trial number {number} of millet lines on poor soil</article-title></title-group>
<contrib-group><contrib><name><surname>Writer{number}</surname></name></contrib></contrib-group>
<pub-date><year>{2000 + number}</year></pub-date>
<permissions><license xlink:href="https://creativecommons.org/licenses/by/4.0/"/></permissions>
<abstract><p>Grain zinc was {zinc} mg per kg in village {number}.</p></abstract></article-meta></front>
<body><sec><title>Introduction</title><p>{cited}</p></sec>
<sec><title>Results</title><p>Millet grew well in village {number}. Grain zinc was {zinc} mg per kg.</p>
<table-wrap><label>Table 1</label><caption><p>Millet of village {number}</p></caption>
<table><thead><tr><th>Trait</th><th>Value</th></tr></thead>
<tr><td>Grain zinc</td><td>{zinc} mg per kg</td></tr><tr><td>Yield</td><td>{number} t per ha</td></tr></table>
</table-wrap></sec></body>
<back><ref-list><ref id="r1"><mixed-citation>Writer{number - 1}. Trial number {number - 1} of millet lines
on poor soil. <pub-id pub-id-type="doi">10.5555/field.{number - 1}</pub-id></mixed-citation></ref></ref-list>
</back>
</article>"""
        )


class FindingsModel(SentenceModel):
    """Reads zinc and yield of each field; drafts, keeps and judges by what a test wants of a question.

    `challenges` and `readings` are replies by question and, of readings, reader; without one: keep. With
    `sets`, it also drafts a ranking of three papers.
    """

    def __init__(self, challenges: dict | None = None, readings: dict | None = None, **more) -> None:
        self.relabelled = list(more.pop("relabelled", ()))
        self.sets = more.pop("sets", False)
        super().__init__(**more)
        self.challenges = challenges or {}
        self.readings = readings or {}

    def _findings_reading(self, told) -> str:
        number = re.search(r"Trial number (\d+)", told["title"])[1]
        zinc = re.search(r"Grain zinc was (\d+) mg per kg in village", told["text"])[1]
        table = re.search(r"\[(T\d+)\]", told["text"])[1]
        cited = re.search(r"\[(P\d+)\] (Earlier work found (\d+) mg of grain zinc \[1\]\.)", told["text"])
        findings = [
            finding(1, f"Grain zinc was {zinc} mg per kg.", "P1", "grain zinc", zinc, "mg per kg"),
            finding(2, f"Yield | {number} t per ha", table, "grain yield", number, "t per ha"),
            finding(3, f"Grain zinc | {zinc} mg per kg", table, "grain zinc", zinc, "mg per kg")
            | {"repeats": 1},
            finding(4, "This stands nowhere.", "P1", "nothing", "7", ""),
        ]
        if cited:
            findings.append(
                finding(5, cited[2], cited[1], "grain zinc", cited[3], "mg per kg") | {"cited": "[1]"}
            )
        card = {
            "design": "field trial",
            "population": "millet",
            "place": f"village {number}",
            "period": "",
            "sample_size": "",
            "instruments": [],
            "materials": ["millet"],
            "description": f"a millet trial in village {number}",
        }
        return json.dumps({"card": card, "findings": findings})

    def _findings_vocabulary(self, told) -> str:
        known = [name.split(". ", 1)[1].split(" [")[0] for name in told["existing"]]
        terms = [term.split(". ", 1)[1].split(" [")[0] for term in told["terms"]]
        names = [
            {
                "existing": known.index(name) + 1 if name in known else 0,
                "name": name,
                "definition": "d",
                "unit": "mg per kg",
                "members": [{"term": number} for number, term in enumerate(terms, start=1) if term == name],
            }
            for name in dict.fromkeys(terms)
        ]
        return json.dumps({"names": names})

    def _findings_drafting(self, told) -> str:
        drafts = []
        for number, group in enumerate(told["groups"], start=1):
            stated = re.findall(r"^(F\d+) \((\w+)\) Grain zinc[^\[]*\[(\d+) mg per kg", group, re.M)
            first_of = {paper: (mark, int(value)) for mark, paper, value in reversed(stated)}
            papers = list(dict.fromkeys(paper for _, paper, _ in stated))
            cards = "\n".join(told["papers"])
            drafts += [draft(number, sorted((papers[0], other)), first_of, cards) for other in papers[1:]]
            if len(papers) >= 3 and self.sets:
                drafts.append(ranking(number, sorted(papers)[:3], first_of, cards))
        return json.dumps({"drafts": drafts})

    def _findings_challenge(self, told) -> str:
        return json.dumps(self.challenges.get(told["question"], {"reason": "sound", "action": "keep"}))

    def _findings_strict_reading(self, told) -> str:
        return json.dumps(
            self.readings.get(told["question"], {"reason": "good", "failed": [], "action": "keep"})
        )

    def _findings_relabelling(self, told) -> str:
        villages = re.findall(r"village \d+", told["question"])
        letters = [
            card.partition(":")[0].removeprefix("Paper ")
            for card in told["cards"]
            if any(re.search(rf"{village}\b", card) for village in villages)
        ]
        return json.dumps({"reason": "the villages", "papers": self.relabelled or letters})


def answer(body: Mapping[str, Any]) -> str:
    """What `FindingsModel` replies to a request of the OpenAI protocol."""
    shown = text_of(body["messages"][-1])
    existing, _, terms = shown.partition("Terms:\n")
    blocks = shown.split("\n\n")
    told = {
        "title": shown,
        "text": shown,
        "terms": terms.splitlines(),
        "existing": existing,
        "papers": [block for block in blocks if block.startswith("Paper ")],
        "groups": [block for block in blocks if block.startswith("Group ")],
        "question": shown.partition("\nQuestion: ")[2].partition("\n")[0],
    }
    task = body["response_format"]["json_schema"]["name"]
    return getattr(FindingsModel(), f"_{task}")(told)


def ranking(number: int, papers: list[str], stated: dict[str, tuple[str, int]], cards: str) -> dict:
    """How three papers rank by zinc, and their sum."""
    villages = [re.search(rf"Paper {paper}: a millet trial in (village \d+)", cards)[1] for paper in papers]
    zinc = [stated[paper][1] for paper in papers]
    order = sorted(range(3), key=lambda place: -zinc[place])
    return {
        "group": number,
        "type": "set_comparison",
        "question": RANKED.format(villages=", ".join(villages)),
        "answer": "; ".join(f"{villages[place]} had {zinc[place]} mg per kg" for place in order)
        + f", together {sum(zinc)} mg per kg.",
        "facts": [
            {"paper": paper, "finding": stated[paper][0], "statement": "s", "value": str(stated[paper][1])}
            for paper in papers
        ],
        "computations": [
            {"expression": "rank(f1, f2, f3)", "result": " > ".join(f"f{place + 1}" for place in order)},
            {"expression": "total(f1, f2, f3)", "result": str(sum(zinc)), "unit": "mg per kg"},
        ],
    }


def draft(number: int, papers: list[str], stated: dict[str, tuple[str, int]], cards: str) -> dict:
    """How the zinc of two papers compares."""
    first, second = (
        re.search(rf"Paper {paper}: a millet trial in (village \d+)", cards)[1] for paper in papers
    )
    zinc = [stated[paper][1] for paper in papers]
    return {
        "group": number,
        "type": "value_comparison",
        "question": GOOD.format(first=first, second=second),
        "answer": f"It was {zinc[0]} mg per kg in {first} and {zinc[1]} mg per kg in {second}, a difference "
        f"of {zinc[1] - zinc[0]} mg per kg.",
        "facts": [
            {"paper": paper, "finding": stated[paper][0], "statement": "s", "value": str(stated[paper][1])}
            for paper in papers
        ],
        "computations": [{"expression": "f2 - f1", "result": str(zinc[1] - zinc[0])}],
    }


def finding(number: int, quote: str, place: str, measure: str, value: str, unit: str) -> dict:
    statement = f"{measure.capitalize()} was {value} {unit}."
    return {
        "number": number,
        "statement": statement,
        "quote": quote,
        "place": place,
        "measure": measure,
        "value": value,
        "unit": unit,
    }
