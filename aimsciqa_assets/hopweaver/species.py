"""Names of species: genus and species, however much of the name is written.

"Ae. aegypti" and "A. aegypti" stand for Aedes aegypti, and so does "Aedes (Stegomyia) aegypti (Linnaeus)".
"""

import re
from typing import Final

from aimsciqa_assets.hopweaver.documents import JOINING, composed, names

_AUTHOR: Final = r"(?: L\.| \([A-Z][^()]*\)|,? [A-Z][\w.'’&\s-]*, \d{4})?"
_SPECIES: Final = re.compile(rf"([A-Z][a-z]*\.?)(?: \([A-Z][a-z]+\.?\))? ([a-z-]{{3,}}){_AUTHOR}")


def in_short(name: str) -> str:
    """A species by genus and species, without subgenus and author; any other name as it is."""
    found = _SPECIES.fullmatch(name.strip())
    return f"{found[1]} {found[2]}" if found and found[2] not in JOINING else name


def names_species(text: str, name: str) -> bool:
    """Whether a text holds a name in full, or a species with its genus shortened, as "A. aegypti" is.

    A text writes a genus out before it shortens it; so this is for parts of texts and for names.
    """
    short = in_short(name)
    if names(text, name) or names(text, short):
        return True
    found = _SPECIES.fullmatch(short)
    if not found:
        return False
    genus, species = found.groups()
    if genus.endswith("."):
        written = re.escape(genus[:-1]) + r"[a-z]*\.?"
    else:
        written = "(?:" + "|".join(genus[:letters] for letters in range(len(genus) - 1, 0, -1)) + r")\."
    return re.search(rf"\b{written}\s*{species}\b", composed(text)) is not None


def same_species(one: str, other: str) -> bool:
    """Whether two names are of one species, with the genus of either written out or shortened."""
    return names_species(in_short(one), other) or names_species(in_short(other), one)
