"""Dialogues over every kind of backend: what is asked, in what order, and what happens when one fails."""

import json
import threading
import time
from collections import namedtuple
from dataclasses import replace

import pytest
from aimsciqa_resources.language_model import (
    NO_LOGPROBS,
    Image,
    Message,
    ModelReply,
    ModelRequest,
    TokenLogprob,
    converse,
    once,
)
from aimsciqa_resources.language_model.engine import fingerprint
from aimsciqa_resources.language_model.interface import ModelRefusedError
from aimsciqa_resources.language_model.journal_file import JournalFile
from aimsciqa_resources.language_model.logprobs import (
    as_text,
    from_openai,
    from_text,
    from_vllm,
    scored_by_vllm,
)

from aimsciqa_assets.aim_sciqa.single_hop.task import SINGLE_HOP
from aimsciqa_assets.scripted_model import ScriptedModel
from tests.model_server import ModelServer, Status, fixed
from tests.model_server.steps import api_error
from tests.three_turns import IN_FLIGHT, model_at, request, three_turns


@pytest.fixture
def journal(tmp_path):
    return tmp_path / "journal.sqlite"


def last_word(body) -> str:
    return body["messages"][-1]["content"].split()[-1].upper()


def keys(count: int) -> list[str]:
    return [f"d{number}" for number in range(count)]


def test_every_dialogue_has_its_result_and_no_more_is_in_flight_than_allowed(journal):
    with ModelServer(answer=last_word, latency=fixed(0.005)) as server:
        results = list(converse(model_at(server.url, journal), map(three_turns, keys(100))))
    assert results == ["ONE ONE ONE"] * 100
    assert len(server.seen) == 300
    assert server.most_at_once <= IN_FLIGHT


def test_a_later_turn_shows_what_was_said_before(journal):
    with ModelServer(answer=last_word) as server:
        list(converse(model_at(server.url, journal), [three_turns("d")]))
    assert [message["content"] for message in server.seen[1].body["messages"]] == [
        "d: one",
        "ONE",
        "d: two, after ONE",
    ]
    assert [message["role"] for message in server.seen[1].body["messages"]] == ["user", "assistant", "user"]


def test_nothing_of_a_dialogue_is_asked_twice(journal):
    with ModelServer(answer=last_word) as server:
        first = list(converse(model_at(server.url, journal), map(three_turns, keys(5))))
        again = list(converse(model_at(server.url, journal), map(three_turns, keys(5))))
    assert first == again
    assert len(server.seen) == 15


def test_a_reply_is_in_the_journal_before_the_dialogue_gets_it(journal):
    kept = []

    def looking():
        for number in range(3):
            yield request("d", str(number))
            with_another_connection = JournalFile(journal)
            kept.append(len(list(with_another_connection.entries())))
            with_another_connection.close()

    with ModelServer() as server:
        list(converse(model_at(server.url, journal), [looking()]))
    assert kept == [1, 2, 3]


def test_a_dialogue_hears_why_there_is_no_reply_and_may_go_on(journal):
    def insistent():
        refused = yield request("d", "no")
        return refused.failure, (yield request("d", "yes")).text

    with ModelServer(plan=lambda seen: Status(400) if seen.text == "no" else None) as server:
        assert list(converse(model_at(server.url, journal), [insistent()])) == [("http_400", "OK")]


def silent():
    return "nothing to ask"
    yield


def test_a_dialogue_may_ask_nothing(journal):
    with ModelServer() as server:
        assert list(converse(model_at(server.url, journal), [silent()])) == ["nothing to ask"]
    assert list(converse(Echo(), [silent(), three_turns("d"), silent()])).count("nothing to ask") == 2


def broken(key):
    yield request(key, "one")
    raise KeyError("zinc")


@pytest.mark.parametrize("backend", ["server", "echo"])
def test_an_error_in_a_dialogue_comes_out_and_says_where_it_was(journal, backend):
    with ModelServer() as server:
        model = model_at(server.url, journal) if backend == "server" else Echo()
        with pytest.raises(KeyError, match="zinc") as caught:
            list(converse(model, [three_turns("fine"), broken("d7")]))
    assert caught.value.__notes__ == [
        "Raised by a dialogue with a language model, at the reply to d7 (task three_turns)."
    ]


def test_what_the_others_heard_before_an_error_is_not_asked_again(journal):
    with ModelServer(answer=last_word) as server:
        model = model_at(server.url, journal, in_flight=1, most_in_flight=1)
        results = converse(model, [*map(three_turns, keys(5)), broken("d5")])
        with pytest.raises(KeyError):
            for _ in results:
                pass
        assert len(list(converse(model, map(three_turns, keys(5))))) == 5
    # The one request of the broken dialogue, and one that was in flight.
    assert len(server.seen) <= 15 + 1 + 1


def test_an_error_in_what_makes_the_dialogues_comes_out(journal):
    def source():
        yield three_turns("d")
        raise KeyError("title")

    with ModelServer() as server, pytest.raises(KeyError, match="title"):
        list(converse(model_at(server.url, journal), source()))


def test_a_dialogue_that_takes_its_time_holds_up_nobody_else(journal):
    """The second slow turn ends only when another dialogue's request has reached the server meanwhile."""
    begun, others = threading.Event(), threading.Event()
    waited = []

    def slow(key):
        yield request(key, "slow")
        if key == "first":
            time.sleep(0.1)
            begun.set()
        else:
            waited.append(others.wait(timeout=30))
        return key

    def plan(seen):
        if seen.text == "other":
            others.set()

    def dialogues():
        yield slow("first")
        assert begun.wait(timeout=30)
        yield slow("second")
        yield once(request("o", "other"))

    def unhurried():
        # Each is asked for only when the one before is under way.
        for dialogue in dialogues():
            time.sleep(0.05)
            yield dialogue

    with ModelServer(plan=plan, latency=fixed(0.02)) as server:
        results = list(converse(model_at(server.url, journal), unhurried()))
    assert len(results) == 3
    assert waited == [True]


def test_leaving_the_results_stops_the_asking(journal):
    with ModelServer(latency=fixed(0.02)) as server:
        results = converse(model_at(server.url, journal), map(three_turns, keys(1000)))
        next(results)
        results.close()
        sent = len(server.seen)
        assert sent < 1000
        assert "language-model" not in [thread.name for thread in threading.enumerate()]


class Echo:
    """A backend with nothing but `replies`: the last message in capitals, each when it is asked for."""

    name, revision, sampling = "echo", "1", ""

    def __init__(self):
        self.asked = []

    def replies(self, requests):
        for one in requests:
            self.asked.append(one.messages[-1].text)
            yield ModelReply(one.key, one.messages[-1].text.split()[-1].upper())


class Collecting(Echo):
    """The same, but it wants all requests before it gives a reply, and starts with the last."""

    def replies(self, requests):
        return super().replies(reversed(list(requests)))


@pytest.mark.parametrize("backend", [Echo, Collecting])
def test_dialogues_work_over_a_backend_that_has_replies_only(backend):
    results = list(converse(backend(), map(three_turns, keys(20))))
    assert results == ["ONE ONE ONE"] * 20


def test_a_lazy_backend_begins_no_dialogue_before_it_can_answer():
    model = Echo()
    results = converse(model, map(three_turns, keys(1000)))
    next(results)
    assert len(model.asked) < 10


def test_a_backend_that_forgets_requests_is_told_of():
    class Forgetful(Echo):
        def replies(self, requests):
            return (reply for reply in super().replies(requests) if reply.key != "d1")

    with pytest.raises(RuntimeError, match=r"echo left requests without a reply: d1\."):
        list(converse(Forgetful(), map(three_turns, keys(3))))


@pytest.mark.parametrize("backend", [Echo, Collecting])
def test_dialogues_with_the_same_key_are_kept_apart(backend):
    def asking(text):
        return (yield request("same", text)).text

    assert sorted(converse(backend(), [asking("a"), asking("b"), asking("c")])) == ["A", "B", "C"]


def test_the_rules_answer_dialogues_too():
    paragraph = "The mean daily zinc intake of the children was 5.3 mg at baseline."
    names = ("paper_title", "section_title", "subsection", "keywords")
    told = dict.fromkeys(names, "") | {"paragraph": paragraph}
    (outcome,) = converse(ScriptedModel(), [SINGLE_HOP.ask("p", **told)])
    assert outcome.reason is None
    assert all(triplet.evidence in paragraph for triplet in outcome.value.triplets)


PIXEL = b"\x89PNG\r\n\x1a\n one"


def seen_by(text: str, data: bytes = PIXEL) -> ModelRequest:
    return ModelRequest("figures", "f", {}, (Message("user", (text, Image(data, "image/png"))),))


def test_an_image_is_sent_as_a_data_url(journal):
    with ModelServer() as server:
        list(model_at(server.url, journal).replies([seen_by("What is shown?")]))
    assert server.seen[0].body["messages"] == [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What is shown?"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgogb25l"}},
            ],
        }
    ]


def test_another_image_is_another_question(journal):
    assert fingerprint("m", seen_by("?")) == fingerprint("m", seen_by("?"))
    assert fingerprint("m", seen_by("?")) != fingerprint("m", seen_by("?", PIXEL + b"!"))
    text_alone = ModelRequest("figures", "f", {}, (Message("user", "?"),))
    assert fingerprint("m", seen_by("?")) != fingerprint("m", text_alone)


def test_a_backend_that_takes_no_images_says_what_to_configure():
    with pytest.raises(ModelRefusedError, match=r"task figures shows images, .* echo takes none: .*BACKEND"):
        list(converse(Echo(), [once(seen_by("?"))]))
    seeing = Echo()
    seeing.takes_images = True
    assert [reply.text for reply in converse(seeing, [once(seen_by("Zinc ?"))])] == ["?"]


def test_log_probabilities_come_with_the_reply_and_from_the_journal(journal):
    expected = (
        TokenLogprob("ZINC", -1.0, (("ZINC0", 0.0), ("ZINC1", -1.0))),
        TokenLogprob("FELL", -2.0, (("FELL0", 0.0), ("FELL1", -1.0))),
    )
    with ModelServer(answer=lambda _body: "ZINC FELL") as server:
        for _ in range(2):
            model = model_at(server.url, journal)
            with_them, without = sorted(
                model.replies([request("a", "?", logprobs=2), request("b", "?")]), key=lambda one: one.key
            )
            assert (with_them.logprobs, without.logprobs) == (expected, None)
    assert len(server.seen) == 2
    bodies = {seen.body.get("top_logprobs"): seen.body.get("logprobs") for seen in server.seen}
    assert bodies == {2: True, None: None}


def test_a_reply_is_not_lost_for_log_probabilities_that_cannot_be_read(journal):
    broken_ones = {"choices": [{"message": {"content": "Yes"}, "logprobs": {"content": [{"token": 1}]}}]}
    with ModelServer(plan=lambda _seen: Status(200, broken_ones)) as server:
        (reply,) = model_at(server.url, journal).replies([request("a", "?", logprobs=1)])
    assert (reply.text, reply.logprobs) == ("Yes", None)


def test_what_the_assistant_is_taken_to_have_said_is_scored_behind_a_prompt_of_known_length(journal):
    said = ModelRequest(
        "scores",
        "a",
        {},
        (Message("user", "What of zinc ?"), Message("assistant", "Zinc fell.")),
        reply_tokens=1,
        scored_from=4,
    )
    plain = replace(said, key="b", messages=said.messages[:1], scored_from=None)
    with ModelServer(answer=lambda _body: "") as server:
        for _ in range(2):
            first, second = sorted(
                model_at(server.url, journal).replies([said, plain]), key=lambda one: one.key
            )
            # A model that was to go on may have nothing to add; one that was asked must say something.
            assert (first.text, first.failure) == ("", None)
            assert first.scored == (TokenLogprob("Zinc", -4.0), TokenLogprob("fell.", -5.0))
            assert (second.text, second.failure, second.scored) == (None, "empty_reply", None)
            assert json.loads(first.calls[0].sampling)["reply_tokens"] == 1
    # The answer without text is not kept, and is asked for again.
    assert [len(seen.body["messages"]) for seen in server.seen].count(1) == 2
    assert len(server.seen) == 3
    sent = {len(seen.body["messages"]): seen.body for seen in server.seen}
    assert {body["max_tokens"] for body in sent.values()} == {1}
    assert (sent[2]["prompt_logprobs"], sent[2]["continue_final_message"]) == (0, True)
    assert sent[2]["add_generation_prompt"] is False
    assert not {"prompt_logprobs", "continue_final_message", "add_generation_prompt"} & sent[1].keys()


def test_a_server_without_log_probabilities_says_so_in_one_word(journal):
    refused = api_error(400, "You are not allowed to request logprobs from this model.")
    with ModelServer(plan=lambda _seen: Status(400, refused), owned_by="somebody") as server:
        scored = replace(request("b", "?"), scored_from=1)
        replies = list(model_at(server.url, journal).replies([request("a", "?", logprobs=1), scored]))
    assert {reply.key: reply.failure for reply in replies} == {"a": NO_LOGPROBS, "b": NO_LOGPROBS}
    # Only vLLM scores a prompt: another server is not asked.
    assert len(server.seen) == 1


def test_each_wish_that_changes_a_reply_has_a_fingerprint_of_its_own():
    asked = request("a", "?")
    wishes = [{}, {"logprobs": 1}, {"reply_tokens": 1}, {"scored_from": 1}]
    assert len({fingerprint("m", replace(asked, **wish)) for wish in wishes}) == 4


def test_impossible_tokens_have_a_number_that_json_can_hold():
    choice = {"logprobs": {"content": [{"token": "\ud800", "logprob": float("-inf")}]}}
    read = from_openai(choice)
    assert read == (TokenLogprob("?", -9999.0),)
    assert from_text(as_text(read)) == read
    assert from_text(as_text(())) == ()
    assert from_openai({"logprobs": None}) is None


def test_the_engines_log_probabilities_are_put_in_the_same_form():
    logprob = namedtuple("logprob", "logprob rank decoded_token")
    by_token = [
        {7: logprob(-2.5, 9, "fell"), 1: logprob(-0.1, 1, "rose"), 2: logprob(-1.0, 2, "was")},
        {3: logprob(-0.2, 1, "."), 4: logprob(float("-inf"), 2, None)},
    ]
    assert from_vllm([7, 3], by_token, 2) == (
        TokenLogprob("fell", -2.5, (("rose", -0.1), ("was", -1.0))),
        TokenLogprob(".", -0.2, ((".", -0.2), ("", -9999.0))),
    )
    assert scored_by_vllm([3, 3], [None, by_token[1]], 1) == (TokenLogprob(".", -0.2),)
    assert from_vllm([7], by_token[:1], 0) == (TokenLogprob("fell", -2.5),)
    assert from_vllm([7], None, 2) is None
