"""A scripted model for EXTRACTOR: it finds names with numbers in what it is shown, and goes wrong on purpose.

What it does wrong depends on the name alone, so a test knows what must become of every try.
"""

import json
import re
from collections.abc import Mapping
from typing import Any
from zlib import crc32

NAME = re.compile(r"\bq\d+[a-z]\d+\b")
GENERAL = "Which paper tells of plots in general?"
FAULTS = (
    *("unreadable_question", "refused", "empty_question", "empty_answer", "evidence_not_found"),
    *("unreadable_example", "unknown_evaluator", "faulty_evaluator", "fails_its_answer", "accepts_empty"),
    *("accepts_changed_number", "title_in_question", "tracker_empty_answer", "answer_in_question"),
    *("tracker_refused", "unreadable_evaluator", "near_duplicate"),
)
_OF_EXPLORER = {"unreadable_question", "refused", "empty_question"}


def number_of(name: str) -> int:
    """The number that goes with a name."""
    return crc32(f"number of {name}".encode()) % 900 + 50


def title_of(name: str) -> str:
    """The title of the paper of a name."""
    digits = f"{crc32(re.findall('[0-9]+', name)[0].encode()):010}"
    word = "".join("bdfgklmnrs"[int(one)] + "aeiouaeiou"[int(one)] for one in digits[:5])
    other = "".join("bdfgklmnrs"[int(one)] + "aeiouaeiou"[int(one)] for one in digits[5:])
    return f"Yields of {word} beside {other}"


def fault_of(name: str, share: float) -> str | None:
    """What goes wrong with a name: with so large a share of them something does."""
    drawn = crc32(f"fault of {name}".encode()) % 10_000
    return FAULTS[drawn % len(FAULTS)] if drawn < share * 10_000 else None


def reason_of(kind: str, element: str, name: str, share: float) -> str | None:
    """The reason for which a try about a name must be rejected; a duplicate only beside another one."""
    fault = fault_of(name, share)
    finds = kind in ("comprehensive", "retrieval")
    if fault == "near_duplicate":
        return fault if kind == "retrieval" else None
    if kind == "retrieval":
        return fault if fault in {*_OF_EXPLORER, "title_in_question"} else None
    if fault == "evidence_not_found":
        return fault if element in ("text", "sections") else None
    if fault == "title_in_question":
        return fault if finds else None
    return fault


class ScriptedModel:
    """Replies to the body of a request."""

    def __init__(self, share: float = 0.0) -> None:
        self.share = share
        self.explored: dict[str, str] = {}

    def __call__(self, body: Mapping[str, Any]) -> str:
        system, task = (_text(message) for message in body["messages"][:2])
        if system.startswith("You write questions about"):
            return self._explore(system, task)
        if system.startswith("You write questions of"):
            return self._retrieve(task)
        if system.startswith("You turn questions"):
            return self._track(task)
        if "You may be given" in system:
            return '{"answer": "I do not know"}'
        return _act(task, len(body["messages"]))

    def _explore(self, system: str, task: str) -> str:
        name = next(one for one in NAME.findall(task) if "p" not in one)
        finds = task.startswith("Title of the paper")
        fault = fault_of(name, self.share)
        element = next(kind for kind, said in _SHOWN.items() if said in system)
        self.explored[task] = f"{'comprehensive' if finds else 'single'} {element} {name}"
        if fault in _OF_EXPLORER:
            return _bad_question(fault)
        title = f' In "{title_of(name)}",' if fault == "title_in_question" and finds else ""
        question = f"{title} What number goes with {name} in plot {number_of(name + 'x')}?"
        answer = "" if fault == "empty_answer" else str(number_of(name))
        quote = f"The yield of {name}  was {number_of(name)} kg\non a plot."
        if fault == "evidence_not_found":
            quote = "Nobody says this."
        return f"So.\n```txt\n[Question]: {question}\n[Answer]: {answer}\n[Evidence]: {quote}\n```"

    def _retrieve(self, task: str) -> str:
        (name,) = set(NAME.findall(task))
        fault = fault_of(name, self.share)
        self.explored[task] = f"retrieval paper {name}"
        if fault in _OF_EXPLORER:
            return _bad_question(fault)
        question = f"Which paper follows {name} over {number_of(name)} days?"
        if fault == "near_duplicate":
            question = GENERAL
        if fault == "title_in_question":
            question = f"Where is {title_of(name)}?"
        return f"So.\n```txt\n[Question]: {question}\n```"

    def _track(self, task: str) -> str:
        (name,) = set(NAME.findall(task))
        fault, gold = fault_of(name, self.share), number_of(name)
        question = task.partition("[question]: ")[2].partition("\n")[0]
        if fault == "unreadable_example":
            return "I have no idea."
        if fault == "tracker_refused":
            return "I'm sorry, but I cannot do this."
        function, arguments, answer, form = "eval_int_exact_match", {"gold": gold}, str(gold), "A number."
        if fault == "unknown_evaluator":
            function = "eval_number"
        if fault == "faulty_evaluator":
            arguments = {"golden": gold}
        if fault == "fails_its_answer":
            arguments = {"gold": gold + 1}
        if fault == "tracker_empty_answer":
            answer = ""
        if fault == "answer_in_question":
            function, arguments, answer = "eval_string_exact_match", {"gold": "big plots"}, "big plots"
            form = "A text such as big plots."
        if fault == "accepts_empty":
            function, arguments, answer = "eval_element_list_included", {"gold": ["a", "b"]}, '["a", "b"]'
        if fault == "accepts_changed_number":
            function, arguments = "eval_float_exact_match", {"gold": float(gold), "tolerance": 1.0}
        evaluator = json.dumps({"eval_func": function, "eval_kwargs": arguments})
        if fault == "unreadable_evaluator":
            evaluator = function
        return (
            f"[thought]: so\n```txt\n[question]: {question}\n[evaluator]: {evaluator}\n"
            f"[answer_format]: {form}\n[answer]: {answer}\n[tag]: objective\n```"
        )


_SHOWN = {
    "text": "You are given a text of",
    "table": "You are given a table",
    "image": "You are given the caption",
    "formula": "You are given a formula",
    "sections": "You are given two sections",
}


def _bad_question(fault: str) -> str:
    if fault == "refused":
        return "I'm sorry, I can't help with that."
    if fault == "empty_question":
        return "```txt\n[Question]: \n[Answer]: 3\n```"
    return "There is a lot to ask."


def _act(task: str, messages: int) -> str:
    """Looks once, with an action that cannot be read for some, and answers."""
    question = task.partition("Question: ")[2].partition("\nAnswer format")[0]
    names = NAME.findall(question)
    if messages < 4:
        return "[Thought]: look\n[Action]: Query(sql='select count(*)::int as papers from metadata')"
    if messages < 6:
        return "[Thought]: look more\n[Action]: Look(everywhere)"
    if "Which paper" in question or not names:
        answer = title_of(names[0]) if names else "unknown"
        return f"[Thought]: so\n[Action]: Answer(answer={answer!r})"
    numbers = [number_of(name) for name in names]
    return f"[Thought]: so\n[Action]: Answer(answer={numbers if len(numbers) > 1 else numbers[0]})"


def _text(message: Mapping[str, Any]) -> str:
    content = message["content"]
    return content if isinstance(content, str) else content[0]["text"]
