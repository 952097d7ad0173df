"""Several models as one, by task: who is asked what, and that every dialogue ends with its result."""

from collections.abc import Iterable, Iterator

from aimsciqa_resources.language_model import Dialogue, ModelReply, ModelRequest, converse
from aimsciqa_resources.language_model.by_task import ByTask


class Echo:
    """Replies with its name and the task."""

    revision = "1"
    sampling = ""

    def __init__(self, name: str) -> None:
        self.name = name
        self.asked: list[str] = []

    def replies(self, requests: Iterable[ModelRequest]) -> Iterator[ModelReply]:
        for request in requests:
            self.asked.append(f"{request.key} {request.task}")
            yield ModelReply(request.key, f"{self.name}:{request.task}")


def saying(key: str, *tasks: str) -> Dialogue[list[str | None]]:
    said: list[str | None] = []
    for task in tasks:
        reply = yield ModelRequest(task, key, {}, ())
        said += [reply.text]
    return said


def test_each_task_is_put_to_its_model_and_the_dialogue_goes_on():
    maker, scorer = Echo("maker"), Echo("scorer")
    model = ByTask(maker, {"score": scorer})
    dialogues = [saying("a", "subject", "score", "query"), saying("b", "subject"), saying("c", "score")]
    assert sorted(converse(model, dialogues)) == [
        ["maker:subject"],
        ["maker:subject", "scorer:score", "maker:query"],
        ["scorer:score"],
    ]
    assert maker.asked == ["a subject", "b subject", "a query"]
    assert scorer.asked == ["a score", "c score"]
    assert (model.name, model.asked("score").name, model.asked("query").name) == ("maker", "scorer", "maker")


def test_single_requests_find_their_model():
    model = ByTask(Echo("maker"), {"score": Echo("scorer")})
    requests = [ModelRequest("subject", "a", {}, ()), ModelRequest("score", "b", {}, ())]
    assert {reply.key: reply.text for reply in model.replies(requests)} == {
        "a": "maker:subject",
        "b": "scorer:score",
    }


def test_three_models_have_their_turns():
    model = ByTask(Echo("maker"), {"score": Echo("scorer"), "mark": Echo("marker")})
    dialogues = [saying("a", "score", "mark", "query", "score"), saying("b", "mark")]
    assert sorted(converse(model, dialogues)) == [
        ["marker:mark"],
        ["scorer:score", "marker:mark", "maker:query", "scorer:score"],
    ]
