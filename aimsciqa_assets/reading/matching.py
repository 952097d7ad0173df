"""Normalised keys that tell whether a bibliography entry and a paper of the corpus are the same work.

Titles and page numbers are written differently from one journal to the next; equal keys mean "the same
work as far as one can tell". The joins themselves are in `dbt_like_sql/models/corpus/citation_edges.sql`.

Volume and first page with another year. Years differ because a work appears online before it is printed, or
because somebody mistyped one. Surname, volume and first page alone do not name a work: "Wang, 12, 1" exists
in many journals. So they count in spite of another year only when

- the titles agree: one begins with the other, they differ in at most a fifth of the letters, or the entry as
  written contains the paper's title. The years may then be any; or
- one of the two has no title, the years are at most two apart, the DOIs do not differ, and the journals
  agree: the first word of one begins with that of the other ("J. Cereal Sci.", "The Journal of Cereal
  Science").

They never count when both have a PMID or PMCID and these differ, when two papers of the corpus share the
place, or when the "page" is the year of the entry ("May 29, 2017").
"""

import html
import re
import unicodedata

_SHORTEST_TITLE = 20
_COMPARED_TITLE = 1000
_COMPARED_PART = 200
_FEWEST_WORDS = 3
_GENERIC_TITLES = frozenset(
    {
        "conclusionsandrecommendations",
        "guidelinesforauthors",
        "informationforauthors",
        "instructionsforauthors",
        "instructionstoauthors",
        "introductiontothespecialissue",
        "introductiontothisspecialissue",
        "resultsanddiscussion",
        "summaryandconclusions",
    }
)
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,40}>")
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)
"""Letters with a stroke and ligatures, which have no accent that can be taken off."""
_WORD = re.compile(r"\w+")
_VOLUME = re.compile(r"[^\W_]*\d[^\W_]*")
_PAGE = re.compile(r"[^\W\d_]{0,4}\.?\s?\d+[^\W\d_]?")


def title_key(title: str) -> str | None:
    """The title as lower-case letters and digits, without accents, Greek letters spelt out.

    None when it says too little to tell a work: shorter than 20 characters or three words ("Introduction"),
    or one of the titles that many works share.
    """
    folded = _folded(_TAG.sub("", html.unescape(title[:_COMPARED_TITLE])).replace("&", " and "))
    key = _alphanumeric(folded)
    if len(key) < _SHORTEST_TITLE or len(_WORD.findall(folded)) < _FEWEST_WORDS or key in _GENERIC_TITLES:
        return None
    return key


def authored_title_keys(title: str, first_author: str, year: int | None) -> list[str]:
    """Return `title|name|year` for each word of the first author's name; none unless all three are there.

    JATS has the surname ("van der Berg"), a PDF the whole name ("Jan van der Berg"). Initials do not count.
    """
    words = [_alphanumeric(word) for word in _WORD.findall(_folded(first_author[:_COMPARED_PART]))]
    names = [word for word in words if len(word) > 1] or words[:1]
    key = title_key(title)
    return [f"{key}|{name}|{year}" for name in dict.fromkeys(names)] if key and year else []


def bibliographic_key(surname: str, year: int | None, volume: str, first_page: str) -> str | None:
    """`surname|year|volume|page`, normalised; None unless all four are there.

    Of a volume "12(3)" only "12" counts, of pages "e123-e130" only "e123".
    """
    name = _alphanumeric(_folded(surname[:_COMPARED_PART]))
    volume_part = _VOLUME.search(_folded(volume[:_COMPARED_PART]))
    page_part = _PAGE.search(_folded(first_page[:_COMPARED_PART]))
    if not name or year is None or volume_part is None or page_part is None:
        return None
    page = _alphanumeric(page_part[0])
    return f"{name}|{year}|{volume_part[0].lstrip('0') or '0'}|{page.lstrip('0') or '0'}"


def _folded(text: str) -> str:
    """Compatibility forms, case and accents folded; Greek letters as their names."""
    decomposed = unicodedata.normalize(
        "NFKD", unicodedata.normalize("NFKC", text).casefold().translate(_LETTERS)
    )
    return "".join(
        _greek_name(character) if "\u0370" <= character <= "\u03ff" else character
        for character in decomposed
        if not unicodedata.combining(character)
    )


def _greek_name(character: str) -> str:
    """The letter's name ("alpha"); the character itself when it is no letter."""
    name = unicodedata.name(character, "")
    return name.rpartition(" ")[2].lower() if "LETTER" in name else character


def _alphanumeric(text: str) -> str:
    return "".join(character for character in text if character.isalnum())
