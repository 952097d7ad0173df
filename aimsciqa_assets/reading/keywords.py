"""Keywords: one normal form to compare them by, and a plain way to find some where a paper gives none."""

import re
import unicodedata
from collections import Counter

_SEPARATORS = re.compile(r"[\s_\-‐‑‒–—−/]+")
_OUTER = " .,;:!?\"'“”‘’*()[]"
_WORD = re.compile(r"[^\W\d_][\w]*(?:[-‐‑][\w]+)*")
_KEPT_S = ("ss", "us", "is", "as", "os")
_INVARIANT = frozenset(
    """species series diabetes rabies herpes news lens physics genetics genomics proteomics
    metabolomics omics statistics kinetics dynamics mechanics ethics electronics economics analytics
    diagnostics therapeutics logistics mathematics robotics informatics bioinformatics aids sars
    mers covid faeces feces scabies setaria tuberculosis aedes anopheles culicoides""".split()
)
_FEW_WORDS = frozenset(
    """a an the and or but nor of in on at to for from by with without within between among into onto
    over under above below about against across after before during through throughout toward
    towards upon via per as than then that this these those it its they their them we our us he she
    his her you your i is are was were be been being am has have had having do does did done can
    could may might must shall should will would not no yes if while when where which who whom whose
    what why how all any both each few more most other others some such only own same so too very
    also just even however therefore thus hence moreover furthermore although though because since
    until unless yet still here there background introduction methods method results result
    conclusion conclusions discussion objective objectives aim aims purpose study studies paper
    article review research using used use uses based found show shows showed shown present
    presented new novel one two three four five six first second third several many much well high
    higher highest low lower lowest large small different various important significant
    significantly increased increase decreased decrease compared associated including among total
    respectively i.e e.g et al analysis data role effect effects approach provide provides provided
    potential current recent recently known related observed identified suggest suggests suggesting
    revealed report reported reports investigated evaluated determined obtained performed conducted
    development level levels number group groups type types time years year days day case cases
    further need needed make makes made given thereby towards overall major main key like likely
    better best good""".split()
)
_EXTRACTED = 8
_SCANNED = 20_000


def normalise_keyword(text: str) -> str:
    """The form in which two spellings of one keyword are equal; "" when nothing is left.

    NFKC, lower case, hyphens and white space one blank, no outer punctuation, last word without a plural -s
    (`-ies` -> `-y`, `-oes` -> `-o`; words that only look plural stay: "species", "virus", "genomics").
    """
    text = unicodedata.normalize("NFKC", text).casefold()
    text = _SEPARATORS.sub(" ", text).strip(_OUTER)
    head, blank, last = text.rpartition(" ")
    return head + blank + _singular(last)


def _singular(word: str) -> str:
    if (
        len(word) < 4
        or not word.endswith("s")
        or not word.isalpha()
        or word in _INVARIANT
        or word.endswith(_KEPT_S)
    ):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")):
        return word[:-2]
    if word.endswith("viruses"):
        return word[:-2]
    return word if word.endswith("ics") else word[:-1]


def extract_keywords(title: str, abstract: str, limit: int = _EXTRACTED) -> list[str]:
    """Up to `limit` frequent phrases of one to three content words; those of the title count double.

    A phrase that stands only inside a longer chosen one is left out. Ties go to the earlier one.
    """
    weights: Counter[str] = Counter()
    written: dict[str, str] = {}
    for text, weight in ((title[:_SCANNED], 2), (abstract[:_SCANNED], 1)):
        for run in _content_runs(text):
            for length in (1, 2, 3):
                for start in range(len(run) - length + 1):
                    phrase = " ".join(run[start : start + length])
                    key = normalise_keyword(phrase)
                    weights[key] += weight
                    written.setdefault(key, phrase)
    ranked = sorted(
        (key for key, weight in weights.items() if weight > 1 and len(key) > 3),
        key=lambda key: -weights[key] * (1 + 0.5 * key.count(" ")),
    )
    chosen: list[str] = []
    for key in ranked:
        if len(chosen) == limit:
            break
        if not any(f" {key} " in f" {other} " or f" {other} " in f" {key} " for other in chosen):
            chosen.append(key)
    return [written[key] for key in chosen]


def _content_runs(text: str) -> list[list[str]]:
    """Stretches of content words, broken by punctuation, numbers and function words."""
    runs: list[list[str]] = [[]]
    position = 0
    for found in _WORD.finditer(text):
        word = found.group()
        apart = bool(text[position : found.start()].strip())
        position = found.end()
        if apart and runs[-1]:
            runs.append([])
        if word.casefold() in _FEW_WORDS or len(word) < 2:
            if runs[-1]:
                runs.append([])
        else:
            runs[-1].append(word)
    return [run for run in runs if run]
