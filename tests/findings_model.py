"""Small papers for the tests of Findings, and the scripted model with replies of a test's own."""

import json
from pathlib import Path

from aimsciqa_assets.scripted_model import REPLIES
from tests.fakes import SentenceModel

GOOD = (
    "How does grain zinc compare between a paper on {first}, lines, millet, number, poor, soil, trial and a "
    "paper on {second}, lines, millet, number, poor, soil, trial?"
)
"""The question that the scripted model drafts for two of the papers, by their numbers."""


def write_field_papers(folder: Path, papers: int, first: int = 1) -> None:
    """Papers on fields; each states its grain zinc in a sentence and a table, and its yield in the table."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, first + papers):
        zinc = 20 + number
        cited = (
            f"Grain zinc was {zinc - 1} mg per kg in earlier work <xref ref-type='bibr' rid='r1'>[1]</xref>."
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
    """Replies as the scripted model does; each first finding of a paper comes again with an invented quote.

    `challenges` and `readings` are replies by question; without one: keep.
    """

    def __init__(self, challenges: dict | None = None, readings: dict | None = None, **more) -> None:
        super().__init__(**more)
        self.challenges = challenges or {}
        self.readings = readings or {}

    def _findings_reading(self, told) -> str:
        reply = json.loads(REPLIES["findings_reading"](told))
        findings = reply["findings"]
        invented = {"number": len(findings) + 1, "quote": "This stands nowhere.", "repeats": 0}
        return json.dumps(reply | {"findings": [*findings, findings[0] | invented]})

    def _findings_challenge(self, told) -> str:
        challenge = self.challenges.get(told["question"])
        return json.dumps(challenge) if challenge else REPLIES["findings_challenge"](told)

    def _findings_strict_reading(self, told) -> str:
        reading = self.readings.get(told["question"])
        return json.dumps(reading) if reading else REPLIES["findings_strict_reading"](told)
