"""Keys by which a bibliography entry and a paper are recognised as the same work."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.reading.matching import bibliographic_key, title_key


@pytest.mark.parametrize(
    ("title", "same"),
    [
        ("Iron in pearl millet grain", "IRON IN PEARL-MILLET GRAIN."),
        ("Effects of β-carotene in maize", "Effects of beta‐carotene in maize"),
        ("Effects of Β-carotene in maize", "Effects of beta-carotene in maize"),
        ("The μ-opioid receptor in mice", "The µ-opioid receptor in mice"),
        ("Réponse des variétés de maïs", "Reponse des varietes de mais"),
        ("Uptake of CO₂ by <italic>Setaria</italic> leaves", "Uptake of CO2 by Setaria leaves"),
        ("Genes for yield & quality of rice", "Genes for yield and quality of rice"),
        ("The efﬁcacy of cloth masks", "The efficacy of cloth masks"),
        ("Ærøskøbing og Łódź i dag", "AEroskobing og Lodz i dag"),
        ("Straße und Umwelt heute neu", "Strasse und Umwelt heute neu"),
        ("Plants: p < 0.05 and r > 0.9 compared", "Plants: P<0.05 and R>0.9 compared"),
    ],
)
def test_spellings_of_a_title_share_a_key(title: str, same: str) -> None:
    assert title_key(title) is not None
    assert title_key(title) == title_key(same)


def test_the_key_is_letters_and_digits() -> None:
    assert title_key("α-Tocopherol in 12 Oil-Crops: a review") == "alphatocopherolin12oilcropsareview"
    assert title_key("Геном проса и его разнообразие") == "геномпросаиегоразнообразие"


def test_different_titles_differ() -> None:
    assert title_key("Iron in pearl millet grain, part 1") != title_key("Iron in pearl millet grain, part 2")


@pytest.mark.parametrize(
    "title",
    [
        "",
        "Introduction",
        "Zika virus",
        "Editorial",
        "...",
        "Results and discussion",
        "Instructions to authors",
    ],
)
def test_titles_that_tell_nothing_have_no_key(title: str) -> None:
    assert title_key(title) is None


def test_one_very_long_word_is_no_title() -> None:
    assert title_key("https://www.example.org/a/very/long/address".replace("/", "").replace(".", "")) is None


@pytest.mark.parametrize(
    ("surname", "volume", "first_page"),
    [
        ("Mène-Saffrané", "12", "123"),
        ("MENE SAFFRANE", "12(3)", "123-130"),
        ("Mene‐Saffrane", "Vol. 12", "0123"),
        ("Mène-Saffrané", "012", "123–30"),
    ],
)
def test_spellings_of_a_place_share_a_key(surname: str, volume: str, first_page: str) -> None:
    assert bibliographic_key(surname, 2017, volume, first_page) == "menesaffrane|2017|12|123"


def test_article_numbers_keep_their_letters() -> None:
    assert bibliographic_key("Li", 2010, "5", "e1234") == "li|2010|5|e1234"
    assert bibliographic_key("Li", 2010, "5", "S12–S20") == "li|2010|5|s12"
    assert bibliographic_key("Li", 2010, "72A", "12a") == "li|2010|72a|12a"


@pytest.mark.parametrize(
    ("surname", "year", "volume", "first_page"),
    [
        ("", 2010, "5", "1"),
        ("Li", None, "5", "1"),
        ("Li", 2010, "", "1"),
        ("Li", 2010, "5", ""),
        ("-", 2010, "5", "1"),
        ("Li", 2010, "in press", "in press"),
    ],
)
def test_a_missing_part_gives_no_key(surname: str, year: int | None, volume: str, first_page: str) -> None:
    assert bibliographic_key(surname, year, volume, first_page) is None


@given(st.text())
def test_any_title_gives_a_key_or_none(title: str) -> None:
    key = title_key(title)
    assert key is None or (key.isalnum() and len(key) >= 20)
    assert title_key(f" {title}. ") == key


@given(st.text(), st.none() | st.integers(), st.text(), st.text())
def test_any_place_gives_four_parts_or_none(
    surname: str, year: int | None, volume: str, first_page: str
) -> None:
    key = bibliographic_key(surname, year, volume, first_page)
    assert key is None or [bool(part) for part in key.split("|")] == [True] * 4
