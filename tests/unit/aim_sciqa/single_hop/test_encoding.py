import numpy as np
import pytest

from aimsciqa_assets.aim_sciqa.single_hop.encoding import encode_in_parts
from tests.fakes import WordEncoder

TEXTS = ["zinc", "zinc and iron", "zinc", "millet", "sleep in shift work", "a"]


class KilledEncoder(WordEncoder):
    """Ends after so many calls; counts the texts that it was given."""

    def __init__(self, calls: int) -> None:
        super().__init__()
        self.calls = calls
        self.given: list[str] = []

    def encode(self, texts, progress=None):
        if not self.calls:
            raise KeyboardInterrupt
        self.calls -= 1
        self.given += texts
        return super().encode(texts, progress)


def test_vectors_are_those_of_the_encoder_and_equal_texts_are_encoded_once(tmp_path):
    encoder, told = KilledEncoder(10), []
    vectors = encode_in_parts(TEXTS, encoder, tmp_path, told.append, texts_of_a_part=2)
    assert np.array_equal(vectors, WordEncoder().encode(TEXTS))
    assert sorted(encoder.given) == sorted(set(TEXTS))
    assert sum(told) == len(TEXTS)


def test_a_killed_run_goes_on_where_it_stopped(tmp_path):
    first = KilledEncoder(2)
    with pytest.raises(KeyboardInterrupt):
        encode_in_parts(TEXTS, first, tmp_path, texts_of_a_part=2)
    second = KilledEncoder(10)
    vectors = encode_in_parts(TEXTS, second, tmp_path, texts_of_a_part=2)
    assert np.array_equal(vectors, WordEncoder().encode(TEXTS))
    assert sorted(first.given + second.given) == sorted(set(TEXTS))
    assert len(first.given) == 4


def test_vectors_of_another_encoder_are_not_taken(tmp_path):
    encode_in_parts(TEXTS, KilledEncoder(10), tmp_path)
    other = KilledEncoder(10)
    other.revision = "another"
    encode_in_parts(TEXTS, other, tmp_path)
    assert len(other.given) == len(set(TEXTS))


def test_where_nothing_is_to_encode_the_encoder_is_not_asked(tmp_path):
    assert encode_in_parts([], KilledEncoder(0), tmp_path).shape == (0, 0)


def test_what_cannot_be_read_is_encoded_again(tmp_path):
    encode_in_parts(TEXTS, KilledEncoder(10), tmp_path)
    (kept,) = tmp_path.iterdir()
    for content in (b"", kept.read_bytes()[:100], b"no vectors"):
        kept.write_bytes(content)
        vectors = encode_in_parts(TEXTS, KilledEncoder(10), tmp_path)
        assert np.array_equal(vectors, WordEncoder().encode(TEXTS))
