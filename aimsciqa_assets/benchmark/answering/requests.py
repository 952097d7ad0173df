"""What models are asked: to choose a citation marker, and to answer a question from papers (section 5.2)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from aimsciqa_resources.language_model import Message, ModelRequest

from aimsciqa_assets.asking.prompts import Prompt, load_prompt
from aimsciqa_assets.asking.repairing import repair_prompt, repair_request
from aimsciqa_assets.benchmark.answering.replies import read_text
from aimsciqa_assets.benchmark.answering.shortening import half_of

ANSWERING: Final = "answering"
CITATION_MARKER: Final = "citation_marker"
NO_PAPER: Final = "No paper is given."

_PAPERS: Final = ("source_paper", "second_paper")


def answering_prompt() -> Prompt:
    """The prompt of the question itself."""
    return load_prompt(ANSWERING)


def marker_prompt() -> Prompt:
    """The prompt of the step before it, where the citation is looked for."""
    return load_prompt(CITATION_MARKER)


def prompt_version() -> str:
    """Changes with any text that an answering model is shown; belongs into every row."""
    return "+".join(prompt.version for prompt in (answering_prompt(), marker_prompt(), repair_prompt()))


def reply_schema(field: str, values: Sequence[str] = ()) -> Mapping[str, Any]:
    """The form of a reply that is one text field."""
    kind: dict[str, Any] = {"type": "string"} | ({"enum": list(values)} if values else {})
    return {
        "type": "object",
        "properties": {field: kind},
        "required": [field],
        "additionalProperties": False,
    }


def answering_request(key: str, question: str, *, source_paper: str, second_paper: str) -> ModelRequest:
    """The question with the papers that may be read; an empty text stands for one that may not."""
    variables = {"question": question, "source_paper": source_paper, "second_paper": second_paper}
    return ModelRequest(
        ANSWERING,
        key,
        variables,
        _answering_messages(variables),
        reply_schema=reply_schema("answer"),
        recourse=OneField("answer", lambda reply: read_text(reply, "answer")),
        division=_Shortening(_answering_messages),
    )


def marker_request(key: str, question: str, *, source_paper: str, citing_sentences: str) -> ModelRequest:
    """The retrieval question with the source paper and its citing sentences, a line each (`markers`)."""
    variables = {"question": question, "source_paper": source_paper, "citing_sentences": citing_sentences}
    return ModelRequest(
        CITATION_MARKER,
        key,
        variables,
        marker_prompt().messages(variables),
        reply_schema=reply_schema("marker"),
        recourse=OneField("marker", lambda reply: read_text(reply, "marker")),
        division=_Shortening(marker_prompt().messages),
    )


@dataclass(frozen=True, slots=True)
class OneField:
    """A recourse: a reply from which a field cannot be read goes back to the model."""

    field: str
    read: Callable[[str], object | None]

    def repaired(self, request: ModelRequest, reply: str) -> ModelRequest | None:
        """The request that complains about the reply; None when it can be read."""
        if self.read(reply) is not None:
            return None
        return repair_request(request, reply, f'it is not a JSON object with the field "{self.field}"')


@dataclass(frozen=True, slots=True)
class _Shortening:
    """Papers that are too long are read in part: each is halved to what is nearest the question.

    Asking about two halves apart would not do: the answer has to join what stands in both papers.
    """

    messages: Callable[[Mapping[str, str]], tuple[Message, ...]]

    def halves(self, request: ModelRequest) -> tuple[ModelRequest, ...] | None:
        """The same question with half of each paper; None when no paper can be halved any more."""
        told = dict(request.variables)
        shorter = {
            name: half
            for name in _PAPERS
            if (half := half_of(told.get(name, ""), told["question"])) is not None
        }
        if not shorter:
            return None
        told |= shorter
        return (replace(request, variables=told, messages=self.messages(told)),)

    def joined(self, replies: Sequence[str]) -> str:
        """The one reply there is."""
        return replies[0]


def _answering_messages(variables: Mapping[str, str]) -> tuple[Message, ...]:
    # Unescaped: a model shall see "p < 0.05" as the paper has it, and nobody parses this.
    papers = [f"<{name}>\n{variables[name]}\n</{name}>" for name in _PAPERS if variables[name]]
    return answering_prompt().messages({**variables, "papers": "\n\n".join(papers) or NO_PAPER})
