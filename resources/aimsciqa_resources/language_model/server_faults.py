"""What an HTTP status means for a request: never try again, try later, go slower, or too long."""

import errno
import json
import re
from collections.abc import Mapping

from aimsciqa_resources.language_model.engine import AttemptError
from aimsciqa_resources.language_model.interface import PROMPT_TOO_LONG
from aimsciqa_resources.printable import printable
from aimsciqa_resources.retry_after import retry_after

_PASSING = frozenset({408, 409, 425})
TOO_LONG = re.compile(
    r"context[_ ](?:length|window|size)|maximum (?:context|input|prompt)|too (?:long|many tokens)"
    r"|max_model_len|exceeds? the (?:available|model|maximum|limit)|longer than the maximum",
    re.IGNORECASE,
)
_LIKE_A_KEY = re.compile(r"\b(?:sk|key|hf)[-_][\w*.-]{6,}")
_LONGEST_DETAIL = 500
_OURS = frozenset({errno.EMFILE, errno.ENFILE, errno.EADDRNOTAVAIL, errno.ENOBUFS})


def fault_of_status(status: int, detail: str, headers: Mapping[str, str]) -> AttemptError:
    """The fault for a response with this status; `detail` is what the server says about it."""
    if status == 429:
        return AttemptError("rate_limited", "rate_limited", detail, retry_after(headers))
    if status in _PASSING or status >= 500:
        return AttemptError("passing", f"http_{status}", detail, retry_after(headers))
    if status in (400, 413, 422) and TOO_LONG.search(detail):
        return AttemptError("too_long", PROMPT_TOO_LONG, detail)
    return AttemptError("permanent", f"http_{status}", detail)


def error_message(content: bytes) -> str:
    """What a server says about an error, in any of the usual forms."""
    text = content[:100_000].decode("utf-8", "replace")
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return " ".join(text.split())
    if isinstance(body, dict):
        error = body.get("error", body.get("detail", body.get("message", body)))
        if isinstance(error, dict):
            error = error.get("message", error)
        text = error if isinstance(error, str) else json.dumps(error)
    # A lone surrogate could not be stored.
    return text.encode("utf-8", "replace").decode()


def without_secrets(text: str, key: str) -> str:
    """Text of a server, safe for logs and tables: printable, without the key or anything like one."""
    shown = text.replace(key, "[key]") if key else text
    return printable(_LIKE_A_KEY.sub("[key]", shown)[:_LONGEST_DETAIL])[:_LONGEST_DETAIL]


def from_this_machine(error: BaseException | None) -> bool:
    """Whether a connection failed because this machine lacks something, such as open files."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _OURS:
            return True
        error = error.__cause__ or error.__context__
    return False
