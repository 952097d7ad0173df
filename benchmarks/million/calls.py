"""What a model is asked about real papers: requests, and the characters of prompts and replies."""

import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.language_model import LanguageModel, ModelReply, ModelRequest, converse
from rich.console import Console

from aimsciqa_assets.aim_sciqa.relations.candidates import keyword_candidates
from aimsciqa_assets.aim_sciqa.single_hop.extraction import paragraph_dialogues
from aimsciqa_assets.aim_sciqa.single_hop.replies import parse_triplets
from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.corpus.parsing import parse_batch
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.scripted_model import ScriptedModel

_COUNTED = ("requests", "prompt_characters", "reply_characters", "triplets")


class CountingModel:
    """Hands requests on to a model, and counts by task what is sent and what comes back."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self.name, self.revision, self.sampling = model.name, model.revision, model.sampling
        self.calls: defaultdict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(_COUNTED, 0))

    def replies(self, requests: Iterable[ModelRequest]) -> Iterator[ModelReply]:
        """The replies of the model, in its order."""
        tasks: dict[str, str] = {}

        def noted() -> Iterator[ModelRequest]:
            for request in requests:
                tasks[request.key] = request.task
                told = self.calls[request.task]
                told["requests"] += 1
                told["prompt_characters"] += sum(len(message.text) for message in request.messages)
                yield request

        for reply in self._model.replies(noted()):
            told = self.calls[tasks[reply.key]]
            told["reply_characters"] += len(reply.text or "")
            if tasks[reply.key] == "single_hop":
                read = parse_triplets(reply.text)
                told["triplets"] += 0 if isinstance(read, Fault) else len(read.triplets)
            yield reply


def calls_about(corpus: Path, papers: int) -> dict[str, Any]:
    """What is asked about so many papers of a folder, evenly over their names, and how large their files are.

    The scripted model answers: the prompts are those of every model, its replies are fewer.
    """
    files = sorted(corpus.rglob("*.xml"))
    chosen = [files[place * len(files) // papers] for place in range(papers)]
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "papers").mkdir()
        for file in chosen:
            (work / "papers" / file.name).symlink_to(file.absolute())
        home = Home(work / "home")
        pipeline = Pipeline.at(home, "demo", Console(quiet=True))
        pipeline.ingest(work / "papers")
        rows = pipeline.warehouse.read("select * from corpus.input_files").to_dicts()
        parsed = parse_batch(rows, FileStore(folder=str(home.files)).get)
        paragraphs = parsed["corpus.paragraphs"].sort("paper_id", "section_id", "position")
        model = CountingModel(ScriptedModel())
        dialogues = paragraph_dialogues(
            paragraphs, parsed["corpus.sections"], parsed["corpus.papers"], parsed["corpus.keywords"]
        )
        for _ in converse(model, dialogues):
            pass
    known = parsed["corpus.papers"]["paper_id"]
    return {
        "papers": known.len(),
        "candidates": keyword_candidates(known, parsed["corpus.keywords"]).height,
        "file_bytes": sum(file.stat().st_size for file in chosen),
        **model.calls["single_hop"],
    }
