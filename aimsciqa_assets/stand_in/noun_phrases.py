"""What a clean noun phrase is, its head and its number."""

from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.morphology import PAST_FORMS, is_adverb, is_participle
from aimsciqa_assets.stand_in.quantities import quantity_end

_APPROXIMATE: Final = frozenset("about around over nearly approximately almost roughly only".split())
_VAGUE_SUBJECTS: Final = lex.words("vague_subjects")
_IRREGULAR_PLURALS: Final = lex.words("irregular_plurals")
_EITHER_NUMBER: Final = lex.words("either_number")
_SINGULAR_IN_S: Final = lex.words("singular_in_s")


_NUMBER_FRAMES: Final = frozenset(
    {
        "a total of",
        "a number of",
        "a majority of",
        "a minimum of",
        "a variety of",
        "the majority of",
        "a range of",
        "a set of",
        "a group of",
        "a series of",
        "a subset of",
        "a pair of",
        "an average of",
        "a maximum of",
        "a wide range",
        "a large number",
    }
)


def head(phrase: tuple[str, ...]) -> str:
    """The head of a noun phrase: its last word before a preposition, participle phrase or parenthesis."""
    last = phrase[0]
    for i, word in enumerate(phrase):
        if i and (word in lex.PREPOSITIONS or word in {"such", "as", "to", "aged"}):
            break
        if i and is_participle(word) and i + 1 < len(phrase) and phrase[i + 1] in lex.PREPOSITIONS:
            break
        if i and (word.endswith("ing") and i + 1 < len(phrase) and phrase[i + 1] in lex.DETERMINERS):
            break
        if not word.startswith("("):
            last = word
    return last


def is_coordinated(phrase: tuple[str, ...]) -> bool:
    """Whether the phrase has an "and" before its first preposition: a plural subject."""
    for word in phrase:
        if word in lex.PREPOSITIONS:
            return False
        if word in {"and", "&"}:
            return True
    return False


def is_plural(phrase: tuple[str, ...]) -> bool | None:
    """The number of a noun phrase; None where the form does not tell."""
    noun = head(phrase)
    lowered = noun.lower().rsplit("-", 1)[-1]
    if lowered in _EITHER_NUMBER or noun in {"QTL", "QTLs"}:
        return None
    if is_coordinated(phrase) or " ".join(phrase[:3]).lower() in _NUMBER_FRAMES:
        return None
    if noun in _IRREGULAR_PLURALS or lowered in _IRREGULAR_PLURALS:
        return True
    if lowered in _SINGULAR_IN_S or lowered.endswith(("ss", "us", "is")):
        return False
    if noun.isupper() or any(character.isdigit() for character in noun):
        return None
    return lowered.endswith("s")


def agrees(subject: tuple[str, ...], auxiliary: str) -> bool:
    """Whether the subject's number fits the finite verb; a cheap test that the parse is right."""
    plural = is_plural(subject)
    if plural is None:
        return True
    if auxiliary in lex.SINGULAR_AUXILIARIES:
        return not plural
    if auxiliary in lex.PLURAL_AUXILIARIES:
        # Latin names and mass nouns in plural use ("Aedes were") are left out on purpose.
        return plural
    return True


def is_clean_noun_phrase(phrase: list[str] | tuple[str, ...]) -> bool:
    """Nouns, adjectives, prepositions and parentheses only: no comma, no verb, nothing that points back."""
    if not 1 <= len(phrase) <= 22:
        return False
    if phrase[0].lower() in _APPROXIMATE and quantity_end(tuple(phrase)) > 1:
        phrase = phrase[1:]
    lowered = [word.lower() for word in phrase]
    if set(lowered) & (
        lex.PRONOUNS
        | lex.POINTERS
        | lex.SUBORDINATORS
        | lex.AUXILIARIES
        | {",", "but", "not", "nor", "there", "as"}
    ):
        return False
    if (
        lowered[0] in lex.PREPOSITIONS | lex.CONJUNCTIONS
        or lowered[-1] in lex.PREPOSITIONS | lex.CONJUNCTIONS
    ):
        return False
    if "further" in lowered[1:]:
        return False
    if lowered[0] in {"assuming", "given", "considering", "provided", "compared", "based", "using"}:
        return False
    if lowered[-1] in lex.DETERMINERS or is_adverb(phrase[0].lower()) or lowered[0] == "to":
        return False
    return not any(_may_be_predicate(phrase, i) for i in range(1, len(phrase)))


def _may_be_predicate(phrase: list[str] | tuple[str, ...], i: int) -> bool:
    """A past form that is no participle, or one before "and": "the spread intensified and ..."."""
    word = phrase[i]
    if not is_participle(word):
        return word in PAST_FORMS
    if word in {"ranged", "differed", "resulted", "consisted", "depended"}:
        return True
    before, after = phrase[i - 1].lower(), phrase[i + 1 : i + 2]
    attributive = before in lex.DETERMINERS | lex.PREPOSITIONS | lex.CONJUNCTIONS or is_adverb(before)
    return bool(after) and after[0] in lex.CONJUNCTIONS and not attributive and word.islower()


def is_vague(phrase: tuple[str, ...]) -> bool:
    """Whether the head says nothing by itself: "the results", "our study"."""
    return head(phrase).lower() in _VAGUE_SUBJECTS


_QUANTIFIERS: Final = lex.words("quantifiers")
_COLLECTIVES: Final = frozenset("number total few majority variety series minimum".split())


def is_quantified(phrase: tuple[str, ...]) -> bool:
    """For "several genes", "a large number of lines": which ones they are, only the paper says."""
    if phrase[0].lower() in _QUANTIFIERS or quantity_end(phrase) > 0:
        return True
    return bool(_COLLECTIVES & set(phrase[:5])) and "of" in phrase[:6]


def is_clean_list(phrase: list[str] | tuple[str, ...]) -> bool:
    """For "iron, zinc, and copper": at least three short clean noun phrases, the last one behind "and"."""
    if "and" not in phrase or phrase[-1] == ",":
        return False
    last_and = len(phrase) - 1 - list(phrase[::-1]).index("and")
    items: list[list[str]] = [[]]
    for i, word in enumerate(phrase):
        if word == "," or i == last_and:
            items.append([])
        else:
            items[-1].append(word)
    filled = [item for item in items if item]
    return len(filled) >= 3 and all(len(item) <= 5 and is_clean_noun_phrase(item) for item in filled)
