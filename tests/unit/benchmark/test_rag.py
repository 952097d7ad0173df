"""RAG baselines against a scripted model: literal prompts, merges, weights and ends."""

from math import exp, log

import pytest
from aimsciqa_resources.language_model import Call, Message, ModelReply, ModelRequest, TokenLogprob, Usage

from aimsciqa_assets.benchmark.answering.rag.flare import flare, sure_words, tokens_of_first_sentence
from aimsciqa_assets.benchmark.answering.rag.inquiry import (
    Answered,
    Found,
    Inquiry,
    Library,
    Limits,
    Method,
    Step,
    inquire,
)
from aimsciqa_assets.benchmark.answering.rag.ircot import ircot, merged
from aimsciqa_assets.benchmark.answering.rag.replug import mixed, replug, softmax, weighted
from aimsciqa_assets.benchmark.answering.rag.search_loop import search_loop
from aimsciqa_assets.benchmark.answering.rag.standard import standard
from aimsciqa_assets.benchmark.answering.rag.sure import candidates_in, sure
from tests.dialogues import held

QUESTION = "Where did iron rise?"
TEXTS = {
    "S": "Zinc\n\nZinc fell.",
    "a": "Alpha\n\nIron rose in rice.",
    "b": "Beta\n\nIron fell in oat.",
    "c": "Gamma\n\nPots held ten litres.",
}
FOUND = {
    QUESTION: [("a", 2.0), ("b", 1.0)],
    "Iron rose in rice.": [("c", 3.0), ("b", 1.5)],
    "rice": [("c", 3.0)],
}
SOURCE = "<source_paper>\nZinc\n\nZinc fell.\n</source_paper>\n\n"
ALPHA = "<document>\nAlpha\n\nIron rose in rice.\n</document>\n\n"
BETA = "<document>\nBeta\n\nIron fell in oat.\n</document>\n\n"
GAMMA = "<document>\nGamma\n\nPots held ten litres.\n</document>\n\n"


class Asked:
    """What a method asked and came to when it got these replies."""

    def __init__(self, method: Method, *replies: ModelReply | str, in_hand=(), **limits):
        self.searched: list[str] = []

        def search(query, without, count):
            self.searched.append(query)
            assert without == in_hand
            return [Found(paper, score, query) for paper, score in FOUND.get(query, [])][:count]

        library = Library(search, lambda papers: {paper: TEXTS[paper] for paper in papers}, Limits(**limits))
        inquiry = Inquiry("k", QUESTION, in_hand, library)
        self.requests: list[ModelRequest]
        self.requests, answered = held(inquire(method, inquiry), *replies)
        self.shown = [request.messages[1].text for request in self.requests]
        self.tasks = [request.task.removeprefix("rag_") for request in self.requests]
        self.answered: Answered | None = answered

    @property
    def answer(self) -> str | None:
        return self.answered.outcome.value

    @property
    def reason(self) -> str | None:
        return self.answered.outcome.reason


def with_logprobs(*tokens: tuple[str, float], key: str = "k") -> ModelReply:
    """A reply whose tokens have these probabilities."""
    text = "".join(token for token, _ in tokens)
    written = tuple(TokenLogprob(token, log(probability)) for token, probability in tokens)
    return ModelReply(key, text.strip(), logprobs=written)


def test_standard_reads_what_is_in_hand_and_what_the_question_finds():
    asked = Asked(standard, " In rice. ", in_hand=("S",), output_tokens=32)
    assert asked.shown == [f"{SOURCE}{ALPHA}{BETA}Question: {QUESTION}"]
    assert asked.requests[0].reply_tokens == 32
    assert (asked.answer, asked.searched) == ("In rice.", [QUESTION])
    assert asked.answered.steps == (
        Step("search", QUESTION, ("a", "b"), (2.0, 1.0)),
        Step("answer", papers=("a", "b"), text=" In rice. "),
    )
    assert asked.answered.read == ("a", "b")


def test_papers_share_the_limit_of_the_input_and_what_does_not_fit_is_not_read():
    # Three shares of 33 tokens; of the long paper only what is near the question fits.
    TEXTS["long"] = f"Long\n\n{'Filler words. ' * 20}\n\nIron rose where nobody looked.\n\n{'More. ' * 40}"
    FOUND["long"] = [("long", 2.0), ("a", 1.0), ("b", 0.5)]
    asked = Asked(lambda inquiry: shown_for(inquiry, "long"), "x", in_hand=("S",), papers=2, input_tokens=100)
    (text,) = asked.shown
    assert "Iron rose where nobody looked." in text
    assert "Filler" not in text
    assert "[...]" in text
    assert asked.answered.read == ("long", "a", "b")
    assert len(text) < 400 + 200


def shown_for(inquiry, query):
    from aimsciqa_assets.benchmark.answering.rag.standard import answer_from

    return (yield from answer_from(inquiry, inquiry.library.search(query, inquiry.in_hand, 5)))


def test_ircot_searches_for_each_thought_and_merges_the_best_first():
    asked = Asked(ircot, "Iron rose in rice. And so on.", "The answer is: rice.")
    assert asked.shown == [
        f"{ALPHA}{BETA}Question: {QUESTION}\nSteps so far: none",
        # c 3.0, a 2.0, b 1.5: its higher score of two.
        f"{GAMMA}{ALPHA}{BETA}Question: {QUESTION}\nSteps so far: Iron rose in rice.",
    ]
    assert asked.searched == [QUESTION, "Iron rose in rice."]
    assert asked.answer == "rice."


def test_ircot_reads_at_the_end_of_its_iterations():
    asked = Asked(ircot, "Iron rose in rice.", "In rice", iterations=1)
    assert asked.tasks == ["thought", "answer"]
    assert asked.shown[1] == f"{GAMMA}{ALPHA}{BETA}Question: {QUESTION}"
    assert asked.answer == "In rice"


def test_merged_papers_stand_once_with_their_best_score():
    found = [Found("b", 1.0, "x"), Found("a", 1.0, "x"), Found("b", 0.5, "y"), Found("c", 2.0, "y")]
    assert merged(found) == [Found("c", 2.0, "y"), Found("a", 1.0, "x"), Found("b", 1.0, "x")]


def test_sure_argues_for_each_candidate_and_takes_the_one_with_the_best_argument():
    replies = ["1. Oat\n2. Rice", "S-oat", "S-rice", "False", "True.", "2", "Summary 1 tells more."]
    asked = Asked(sure, *replies)
    documents = f"{ALPHA}{BETA}Question: {QUESTION}"
    assert asked.shown == [
        documents,
        f"{documents}\nProposed answer: Oat",
        f"{documents}\nProposed answer: Rice",
        f"Question: {QUESTION}\nProposed answer: Oat\nSummary: S-oat",
        f"Question: {QUESTION}\nProposed answer: Rice\nSummary: S-rice",
        f"Question: {QUESTION}\nSummary 1: S-oat\nSummary 2: S-rice",
        f"Question: {QUESTION}\nSummary 1: S-rice\nSummary 2: S-oat",
    ]
    assert asked.answer == "Rice"
    assert [step.number for step in asked.answered.steps[-4:]] == [0.0, 1.0, 0.0, 1.0]


@pytest.mark.parametrize(
    ("verdicts", "rankings", "answer"),
    [
        # Equal scores: the first.
        (("True", "True"), ("1", "1"), "Oat"),
        (("True", "True"), ("0", "neither"), "Oat"),
        # One valid argument against two comparisons that are won.
        (("True", "False"), ("2", "1"), "Rice"),
        (("True", "False"), ("0", "0"), "Oat"),
    ],
)
def test_the_scores_of_sure_add_up(verdicts, rankings, answer):
    assert Asked(sure, "Oat\nRice", "x", "y", *verdicts, *rankings).answer == answer


def test_sure_needs_no_argument_for_a_single_candidate():
    assert Asked(sure, "Rice\nRice").answer == "Rice"
    assert candidates_in("- (a) Rice\n\nb) Oat\nc. Maize") == ["(a) Rice", "Oat"]


def test_flare_writes_a_sentence_again_where_a_token_is_unlikely():
    asked = Asked(
        flare,
        with_logprobs(("Iron", 0.9), (" rose", 0.3), (" rice", 0.7), (".", 0.99), (" Then", 0.01)),
        "It rose in rice. Nobody knows why.",
        with_logprobs(("Pots", 0.9), (" held.", 0.85), (" Sure", 0.1)),
        with_logprobs(("END", 0.5)),
        in_hand=("S",),
    )
    # The draft is made without search. The query lacks the token below 0.4, and what follows the sentence.
    assert asked.searched == ["Iron rice."]
    assert asked.shown == [
        f"{SOURCE}Question: {QUESTION}\nAnswer so far: nothing yet",
        f"{SOURCE}Question: {QUESTION}\nAnswer so far: nothing yet",
        f"{SOURCE}Question: {QUESTION}\nAnswer so far: It rose in rice.",
        f"{SOURCE}Question: {QUESTION}\nAnswer so far: It rose in rice. Pots held.",
    ]
    assert [request.logprobs for request in asked.requests] == [0, None, 0, 0]
    assert {request.reply_tokens for request in asked.requests} == {64}
    assert asked.answer == "It rose in rice. Pots held."
    assert [round(step.number, 2) for step in asked.answered.steps if step.kind == "draft"] == [
        0.3,
        0.85,
        0.5,
    ]


def test_flare_shows_what_the_sure_words_find():
    asked = Asked(flare, with_logprobs(("Some", 0.2), (" rice", 0.7)), "Pots held.", "END")
    assert asked.searched == ["rice"]
    assert asked.shown[1] == f"{GAMMA}Question: {QUESTION}\nAnswer so far: nothing yet"
    assert Asked(flare, with_logprobs(("Some", 0.2))).searched == [QUESTION]


def test_flare_ends_when_the_model_repeats_itself():
    sure_of_it = with_logprobs(("Rice.", 0.95))
    assert Asked(flare, sure_of_it, sure_of_it).answer == "Rice."


def test_tokens_of_thinking_belong_to_no_sentence():
    tokens = [("<think>", 0.1), ("Hm.", 0.1), ("</think>", 0.1), ("\n", 0.1), ("Rice", 0.9), (".", 0.8)]
    reply = ModelReply("k", "Rice.", logprobs=with_logprobs(*tokens).logprobs)
    assert [token.token for token in tokens_of_first_sentence(reply)] == ["Rice", "."]
    assert sure_words([]) == ""


@pytest.mark.parametrize("method", [flare, replug])
def test_a_model_without_log_probabilities_is_a_reason_and_no_failure(method):
    replies = ["Rice."] if method is flare else ["Rice.", "Oat."]
    asked = Asked(method, *replies)
    assert (asked.answer, asked.reason, asked.answered.failure) == (None, "no_logprobs", None)
    refused = Asked(method, ModelReply("k", None, "no_logprobs"))
    assert (refused.reason, refused.answered.failure) == ("no_logprobs", None)
    gone = Asked(method, ModelReply("k", None, "http_500"))
    assert (gone.reason, gone.answered.failure) == ("http_500", "http_500")


def replied(text: str, prompt: int, *scored: float) -> ModelReply:
    call = Call("answer", "f", False, "ok", usage=Usage(prompt=prompt))
    tokens = tuple(TokenLogprob("t", one) for one in scored)
    return ModelReply("k", text, calls=(call,), scored=tokens or None)


def test_replug_weighs_what_each_answer_is_worth_under_each_paper():
    replies = [replied("Rice", 11), replied("Oat", 12)]
    # Rice: 0.5 under a, 0.1 under b. Oat: 0.2 under a, 0.9 under b.
    replies += [replied("", 13, log(0.5)), replied("", 13, log(0.1))]
    replies += [replied("", 13, log(0.4), log(0.5)), replied("", 13, log(0.9))]
    asked = Asked(replug, *replies)
    assert asked.shown == [f"{ALPHA}Question: {QUESTION}", f"{BETA}Question: {QUESTION}"] * 3
    scoring = asked.requests[2:]
    assert [request.messages[2] for request in scoring] == [
        Message("assistant", answer) for answer in ("Rice", "Rice", "Oat", "Oat")
    ]
    assert [(request.scored_from, request.reply_tokens) for request in scoring] == [(11, 1), (12, 1)] * 2
    # softmax(2, 1) = 0.7311, 0.2689: Rice 0.3924, Oat 0.3882.
    weights, _, _, rice, oat = asked.answered.steps[1:]
    assert weights.scores == pytest.approx([0.7310585786, 0.2689414214])
    assert (exp(rice.number), exp(oat.number)) == pytest.approx((0.3924234315, 0.3882589949))
    assert asked.answer == "Rice"


def test_answers_that_agree_need_no_weights():
    asked = Asked(replug, replied("Rice", 11), replied("Rice", 12))
    assert (asked.answer, len(asked.requests)) == ("Rice", 2)


def test_weights_of_replug():
    assert softmax([0.0, log(3.0)]) == pytest.approx([0.25, 0.75])
    # A paper without a score counts like the lowest one; large scores do not overflow.
    assert softmax([1000.0, float("nan"), 1000.0]) == pytest.approx([1 / 3] * 3)
    assert weighted([0.25, 0.75], [log(0.4), log(0.8)]) == pytest.approx(log(0.7))
    assert weighted([1.0, 0.0], [-800.0, -1.0]) == -800.0


def likeliest(*tokens: tuple[str, float], finish: str = "length") -> ModelReply:
    call = Call("answer", "f", False, "ok", finish_reason=finish)
    alternatives = tuple((token, log(probability)) for token, probability in tokens)
    return ModelReply("k", "x", calls=(call,), logprobs=(TokenLogprob(*alternatives[0], alternatives),))


def test_replug_writes_token_by_token_what_the_papers_together_find_likeliest():
    asked = Asked(
        replug,
        # 0.7311 and 0.2689: Rice 0.2924 + 0.0538, Oat 0.3655 + 0.0, Maize 0.2420.
        *(likeliest(("Oat", 0.3), ("Rice", 0.4)), likeliest(("Maize", 0.9), ("Rice", 0.1))),
        *(likeliest((" bran", 0.6), ("<end>", 0.4)), likeliest(("<end>", 0.9), finish="stop")),
        *(likeliest(("<end>", 0.6), (".", 0.4)), likeliest((".", 0.9))),
        replug="tokens",
    )
    assert [[message.text for message in request.messages[2:]] for request in asked.requests] == [
        *([], []),
        *(["Rice"], ["Rice"]),
    ]
    assert {(request.logprobs, request.reply_tokens) for request in asked.requests} == {(20, 1)}
    # "<end>", with 0.2924 + 0.2420, is known as an end because a model stopped with it.
    assert asked.answer == "Rice"
    assert mixed([0.5, 0.5], [TokenLogprob("x", 0.0, (("x", 0.0),))] * 2) == {"x": 1.0}


def test_the_search_loop_hears_what_its_search_found_and_answers():
    asked = Asked(
        search_loop,
        "I look for rice. <search> rice </search> and more",
        "Pots held ten litres (Gamma).",
        "So: <answer>Ten litres.</answer>",
        in_hand=("S",),
        searches=3,
    )
    assert asked.tasks == ["search", "reading", "search"]
    said = "I look for rice. <search> rice </search>"
    assert asked.shown[0] == f"{SOURCE}Question: {QUESTION}\n\nSearches left: 3"
    assert asked.shown[1] == f"{SOURCE}{GAMMA}Question: {QUESTION}\nReasoning so far: {said}\nQuery: rice"
    assert asked.shown[2] == (
        f"{SOURCE}Question: {QUESTION}\n\nYou: {said}\n"
        'Found for "rice": Pots held ten litres (Gamma).\n\nSearches left: 2'
    )
    assert (asked.answer, asked.searched) == ("Ten litres.", ["rice"])


def test_the_search_loop_ends_at_its_limit():
    asked = Asked(
        search_loop,
        *("<search>rice</search>", "Nothing about this was found.", "<search>rice</search>", "It is rice."),
        searches=2,
    )
    # The same query counts, and is told its finding again.
    assert asked.tasks == ["search", "reading", "search", "search"]
    assert asked.searched == ["rice"]
    assert "No search is left. Reply with the answer now" in asked.shown[3]
    assert asked.answer == "It is rice."
    still = Asked(search_loop, "<search>rice</search>", "x", "<search>more</search>", searches=1)
    assert (still.answer, still.reason, still.answered.failure) == (None, "malformed_reply", None)


def test_a_reply_without_tags_ends_the_search():
    asked = Asked(search_loop, "I know it all.", "<answer>Rice")
    assert "No search is left." in asked.shown[1]
    assert "You: I know it all.\n\nNo search" in asked.shown[1]
    assert asked.answer == "Rice"


def test_a_reply_that_is_missing_ends_the_method_with_its_reason_and_the_steps_so_far():
    asked = Asked(ircot, "Iron rose in rice.", ModelReply("k", None, "not_recorded"))
    assert (asked.answer, asked.reason, asked.answered.failure) == (None, "not_recorded", "not_recorded")
    assert [step.kind for step in asked.answered.steps] == ["search", "thought", "search"]
