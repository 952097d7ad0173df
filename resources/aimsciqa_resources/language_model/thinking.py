"""The text of a reply: without the thinking of a reasoning model, control characters and escapes."""

import json
import re

from aimsciqa_resources.storable import storable

_WORDS = "think|thinking|thoughts?|reasoning|reflection|scratchpad|inner_monologue|analysis"
# Every family of models has its own marks: tags with attributes or a prefix (Seed, LongCat), brackets
# (Magistral), special tokens (Cohere, Apertus, OpenThinker, Gemma, MedGemma, Solar), Kimi's triangles.
_MARK = re.compile(
    rf"(?P<closes></(?:\w+:|longcat_)?(?:{_WORDS})\b[^<>]*>|\[/THINK\]|<\|END_THINKING\|>|◁/think▷"
    r"|<\|end_of_thought\|>|<\|inner_suffix\|>|<channel\|>|<unused95>|<\|/think(?:ing)?\|>)"
    rf"|<(?:\w+:|longcat_)?(?:{_WORDS})\b[^<>]*>|\[THINK\]|<\|START_THINKING\|>|◁think▷"
    r"|<\|begin_of_thought\|>|<\|inner_prefix\|>|<\|channel>thought\b|<unused94>|<\|think(?:ing)?\|>",
    flags=re.IGNORECASE,
)
# The channels of gpt-oss, with their tokens and as a server leaves them that drops special tokens.
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)(?:[^<{]*<\|constrain\|>\s*\w+)?\s*(?:<\|message\|>)?")
_END_OF_CHANNEL = re.compile(r"<\|(?:end|return|call|start|channel)\|>")
_BEHIND_THINKING = re.compile(r"\A.*<\|end\|>(?:<\|start\|>assistant)?(?:<\|message\|>)?", flags=re.DOTALL)
_PLAIN_FINAL = re.compile(r"\A.*assistant\n?final(?:json\b)?", flags=re.DOTALL)
_PLAIN_THINKING = re.compile(r"\A\s*analysis(?=[A-Z])")
_SPOKEN = re.compile(  # Granite
    r"\A\s*Here(?: is|'s) my thought process:.*?Here(?: is|'s) my response:", flags=re.DOTALL | re.IGNORECASE
)
_TOKENS = (
    r"(?:<\|(?:START_RESPONSE|END_RESPONSE|START_TEXT|END_TEXT|begin_of_solution|end_of_solution|begin_of_box"
    r"|end_of_box|content|begin|end|return|im_start|im_end|eot_id|endoftext|end_of_text)\|>|<end_of_turn>)"
)
_FIRST_TOKENS = re.compile(rf"\A(?:\s|{_TOKENS})+")
_LAST_TOKEN = re.compile(rf"{_TOKENS}\s*\Z")
_LONGEST_TOKEN = 40
_DRAFT_BEHIND = re.compile(r"[^{\[\n]{0,200}[{\[]|\s*\n")
# What begins a mark, and JSON that may quote one.
_MARK_SIGN = re.compile(r"<|◁|\[(?=/?THINK\])|(?<=assistant)f(?=inal)", flags=re.IGNORECASE)
_BRACKET = re.compile(r"[{\[]")
_ANY_ESCAPE = re.compile(r"\\.", flags=re.DOTALL)
_DECODER = json.JSONDecoder(strict=False)
_MOST_VALUES = 1000

_ESCAPED_PAIR = re.compile(r"\\+u(d[89ab][0-9a-f]{2})\\+u(d[c-f][0-9a-f]{2})", flags=re.IGNORECASE)
_ESCAPED = re.compile(r"\\+u([0-9a-f]{4})", flags=re.IGNORECASE)
_NEEDS_ITS_ESCAPE = {'"': r"\"", "\\": r"\\"}


def reply_text(written: str) -> str:
    r"""Return a reply as it is kept: without thinking, control characters and escapes such as `\u00b5`."""
    return without_control(_without_thinking(_with_quoted_marks(written))).strip()


def without_control(text: str) -> str:
    r"""Return the text with the characters that `\u00b5` and the like stand for, and blanks for controls.

    Of the control characters only the line feed stays. The escape of half a character stays as it is.
    """
    if "\\u" in text:
        text = _ESCAPED_PAIR.sub(_pair, text)
        text = _ESCAPED.sub(_character, text)
    return storable(text).replace("\t", " ") if not text.isprintable() else text


def _without_thinking(text: str) -> str:
    """Return the reply itself; empty when the model never got to it.

    Some chat templates open the thinking in the prompt, so that the text only closes it.
    """
    text = _SPOKEN.sub("", _of_final_channel(text))
    kept: list[str] = []
    start = 0
    opened: re.Match[str] | None = None
    for mark in _MARK.finditer(text):
        closes = bool(mark["closes"])
        if closes and opened is None:
            kept, start = [], mark.end()
        elif closes:
            opened, start = None, mark.end()
        elif opened is None:
            kept.append(text[start : mark.start()])
            opened = mark
    if opened is None:
        kept.append(text[start:])
    elif _is_mentioned(text, opened):
        # Never closed: the tag belongs to the reply, not to thinking before it.
        kept.append(text[opened.start() :])
    return _without_tokens("".join(kept).strip())


def _with_quoted_marks(text: str) -> str:
    """Return the text with escapes in place of the marks that a JSON value quotes: they mark nothing."""
    if _MARK_SIGN.search(text) is None:
        return text
    # LaTeX in texts breaks no JSON here.
    plain = _ANY_ESCAPE.sub("__", text)
    parts: list[str] = []
    start = position = 0
    for _ in range(_MOST_VALUES):
        bracket = _BRACKET.search(plain, position)
        if bracket is None:
            break
        try:
            _, position = _DECODER.raw_decode(plain, bracket.start())
        except (ValueError, RecursionError):
            position = bracket.end()
        else:
            quoted = _MARK_SIGN.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text[bracket.start() : position])
            parts += [text[start : bracket.start()], quoted]
            start = position
    return "".join(parts) + text[start:]


def _of_final_channel(text: str) -> str:
    """Return the text of the last final channel; an empty text if there is only thinking."""
    channels = list(_CHANNEL.finditer(text))
    spoken = [channel for channel in channels if channel[1].lower() != "analysis"]
    if final := [channel for channel in spoken if channel[1].lower() == "final"] or spoken:
        return _END_OF_CHANNEL.split(text[final[-1].end() :], maxsplit=1)[0]
    if channels:
        return _BEHIND_THINKING.sub("", text) if "<|end|>" in text[channels[-1].end() :] else ""
    plain = _PLAIN_FINAL.sub("", text)
    return "" if plain == text and _PLAIN_THINKING.match(text) else plain


def _without_tokens(text: str) -> str:
    """Return the text without special tokens at its beginning and its end."""
    text = _FIRST_TOKENS.sub("", text)
    end = len(text)
    while last := _LAST_TOKEN.search(text, max(end - _LONGEST_TOKEN, 0), end):
        end = last.start()
    return text[:end].rstrip()


def _is_mentioned(text: str, mark: re.Match[str]) -> bool:
    """Return whether a mark that is never closed is a word of a sentence, and opens no draft."""
    line = text[: mark.start()].rpartition("\n")[2]
    return bool(line.strip()) and _DRAFT_BEHIND.match(text, mark.end()) is None


def _pair(escaped: re.Match[str]) -> str:
    return bytes.fromhex(escaped[1] + escaped[2]).decode("utf-16-be")


def _character(escaped: re.Match[str]) -> str:
    character = chr(int(escaped[1], 16))
    if "\ud800" <= character <= "\udfff":
        return escaped[0]
    return _NEEDS_ITS_ESCAPE.get(character, character)
