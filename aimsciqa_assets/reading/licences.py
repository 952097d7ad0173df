"""Licences: the short name (`CC BY-NC-ND`, `CC0`) of a URL or a wording, and what a paper's prose grants."""

import re

from aimsciqa_assets.text.sentences import sentence_spans

_LICENCE_URL = re.compile(
    r"creativecommons\.org/licen[sc]es?/(by(?:-nc)?(?:-nd|-sa)?|by-(?:nd|sa)-nc)\b", re.I
)
_ZERO = re.compile(
    r"creativecommons\.org/(?:publicdomain|licen[sc]es?|about)/(?:zero|cc0)|\bcc[\s-]?(?:0|zero)\b"
    r"|free of all copyright",
    re.I,
)
_PUBLIC_DOMAIN = re.compile(
    r"creativecommons\.org/(?:publicdomain/mark|licenses/publicdomain)|\bpublic[\s-]domain\b"
    r"|\b(?:us|u\.s\.) government work\b",
    re.I,
)
_SHORT = re.compile(
    r"(?:\bcc|creative\s*commons)[\s_-]*by((?:[\s_-]*(?:nc|nd|sa))*)(?:(?![a-z])|(?=licen[sc]e))", re.I
)
_SPELLED = re.compile(r"creative\s*commons", re.I)
_LICENCE_OF = re.compile(r"(commons)\s+licen[sc]e\s*[(:–-]\s*(?=attribution)", re.I)
_ATTRIBUTION = re.compile(
    r"attribution|atribui[cç]|atribuci|reconocimiento|namensnennung|commons-?\s*by", re.I
)
_LIMITS = (
    (
        "NC",
        re.compile(
            r"non\W?\s?commercial|\bnc\b|\b(?:n[aã]o|no)\W?\s?comerci|nicht\W?\s?kommerz|utilisation commerc",
            re.I,
        ),
    ),
    (
        "ND",
        re.compile(
            r"no[nt]?\W?\s?deriv|\bnd\b|s(?:em|in)\s?(?:obras?\s)?deriv|keine bearb|pas de modif", re.I
        ),
    ),
    ("SA", re.compile(r"share\W?\s?alike|\bsa\b|compart\w*\W?\s?igual|gleichen bed|m[eê]mes cond", re.I)),
)
_WORDING = 200
_VERSION = re.compile(r"\b[1-4]\.\d\b")

_LONGEST_PROSE = 5000
_MENTION = re.compile(
    r"(?:https?://)?(?:www\.)?creative\s*commons|\bcc[\s_-]*(?:by|0|zero)|public[\s-]domain"
    r"|free of all copyright|(?:us|u\.s\.) government work",
    re.I,
)
_ARTICLE = (
    r"(?:articles?|works?|papers?|manuscripts?|publications?|chapters?|documents?|contents?|text|reviews?|reports?"
    r"|letters?|editorials?|essays?|protocols?|preprints?|art[ií]culos?|artigos?|trabalhos?|trabajos?|obras?|artikels?"
    r"|beitrags?)\b"
)
_ARTICLE_AROUND = re.compile(
    rf"\b(?:of|in|to|with|within|from|for)\s+(?:this|the|our)\s+(?:[\w-]+\s+){{0,2}}?{_ARTICLE}", re.I
)
"""The article as that in which something else stands ("data in this article")."""
_OTHER_OBJECT = (
    r"(?:fig(?:ure)?s?|tables?|images?|photo\w*|pictures?|illustrations?|panels?|maps?|box(?:es)?|schemes?"
    r"|charts?|graphics?|videos?|audio|data\w*|metadata|supplement\w*|supporting|appendi\w+|additional files?"
    r"|code|scripts?|software|models?|logos?|icons?|third[\s-]party|materials?|(?:author )?accepted"
    r"|figuras?|abbildung\w*|tabellen?|tab(?:el|l)as?|tableaux?|im[aá]gen\w*|dados|datos|daten|donn[ée]es"
    r"|reproduced|reprinted|redrawn|adapted|modified|taken|courtesy|excerpts?|quotations?"
    r"|(?:original|cited|previous|earlier|other|another)\s+(?:[\w-]+\s+)?" + _ARTICLE + r")\b"
)
_OBJECT = re.compile(rf"\b(?:(?P<other>{_OTHER_OBJECT})|{_ARTICLE}(?!['’]s|\s+{_OTHER_OBJECT}))", re.I)
_OTHER = re.compile(rf"\b{_OTHER_OBJECT}", re.I)
_STATEMENT = re.compile(
    r"[;,]\s*(?:and\s+|but\s+|while\s+|whereas\s+)?"
    rf"(?=(?:(?:this|the|our|all|any|its)\s+)(?:{_OTHER_OBJECT}|{_ARTICLE}))",
    re.I,
)
_EXCEPTION = re.compile(
    r"^\W*(?:except|unless|with the exception|apart from|other than|excluding)\b[^,]*,", re.I
)
_CLAUSE_END = re.compile(r";|,\s*(?:but|and|it)\b", re.I)
_NO_GRANT = re.compile(
    r"\b(?:not(?!\s+(?:only|subject|protected|copyright))|no(?!\s+(?:rights|copyright))|never|neither|nor|none"
    r"|não|nem|ni|pas|nicht|kein\w*|nothing|cannot|without|instead|rather|formerly|exclu\w+|exempt\w*|refus\w+"
    r"|den(?:y|ied)|revok\w+"
    r"|would|could|might|if|option\w*|cho[os]s?e|choice|request\w*|authors? (?:may|can)|discuss\w*|descri\w+"
    r"|expla\w+|compar\w+|recommend\w*|encourag\w+|about|regarding|concerning)\b|n[’']t\b"
    rf"|\b(?:contains?|includes?|incorporates?|uses?|shows?)\b.*\b{_OTHER_OBJECT}",
    re.I,
)
_REFUSAL = re.compile(
    r"^[^,;]*?(?:\b(?:do|does|did|is|are|was|were|has|have|can|may|shall|will)\s+(?:not|no longer|never)\b"
    r"|n[’']t\b|\bnot appl|\binapplicable|:\s*(?:none|no)\b)",
    re.I,
)
_CONSEQUENCE = re.compile(r"\b(?:which|that|who|provided|as long as|where|and|but)\b", re.I)
_GRANT = re.compile(
    r"\b(?:under|terms|conditions|accordance|licen[sc]ed?|subject to|dedicat\w+|plac\w+|releas\w+"
    r"|open[\s-]access|free of|in the|grant\w*|carr\w+|bears|via|sob|bajo|sous|unter"
    r"|(?:is|are)(?:\s+an?)?\W*$|:\W*$)",
    re.I,
)
_COPYRIGHT = re.compile(r"^\W*(?:©|\(c\)|copyright\b)", re.I)
_CONNECTING = frozenset(
    """a access accordance after alike an and any are as at attribution available by cc com commercial
    commons conditions copy copyright creative dedication deed deriv derivatives derivs details
    distributed domain for free freely full further generic go http https in information
    international is it licence licences license licensed licenses made months more nc nd no
    noderivatives noderivs non noncommercial of on open openaccess org permitted please public
    published re released reserved reuse rights sa see share sharealike shared six some states terms
    the this to twelve under united universal unported us usa use version via view visit waiver with
    www zero""".split()
)
"""Words of a sentence that says nothing but a licence."""
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_WORD = re.compile(r"[^\W\d_]+")


def licence_name(text: str) -> str:
    """`CC BY` with its limits (`CC BY-NC-ND`), `CC0`, `public domain`, or "".

    `text` is a URL, a `license-type`, or the words of a licence paragraph; the first licence it names counts.
    """
    found = _LICENCE_URL.search(text)
    if found:
        return _named(found.group(1).lower())
    found = _SHORT.search(text)
    if found:
        return _named(found.group(1).lower())
    spelled = _SPELLED.search(text)
    if spelled:
        # The limits are part of the name; further on, "commercial" may stand in what the licence permits.
        wording = _LICENCE_OF.sub(r"\1 ", text[spelled.start() : spelled.start() + _WORDING])
        name = re.split(
            r"licen[sc]e|which permits|\bto view\b|\(", wording[len(spelled.group()) :], maxsplit=1
        )[0]
        if _ATTRIBUTION.search(spelled.group() + name):
            return "CC BY" + "".join(f"-{short}" for short, pattern in _LIMITS if pattern.search(name))
    if _ZERO.search(text):
        return "CC0"
    return "public domain" if _PUBLIC_DOMAIN.search(text) else ""


def granted_licence(prose: str) -> str:
    """Return the licence that `prose` grants to the article in which it stands; "" if it only mentions one.

    A sentence grants when it is about the article, or continues a sentence that is. A sentence about a
    figure, a table, data or a supplement does not, nor does one that negates.
    """
    granted, of_article = "", True
    for start, end in sentence_spans(prose[:_LONGEST_PROSE]):
        for statement in _STATEMENT.split(_EXCEPTION.sub("", prose[start:end])):
            mention = _MENTION.search(statement)
            at = mention.start() if mention else len(statement)
            before, licence = _ARTICLE_AROUND.sub(" ", statement[:at]), statement[at:]
            named = _OBJECT.search(before)
            of_article = of_article if named is None else named["other"] is None
            if of_article and _grants(before, licence, about_article=named is not None):
                granted = granted or licence_name(_OTHER.split(licence, maxsplit=1)[0])
    return granted


def licence_address(text: str) -> str:
    """The URL of the licence that `text` names: the text itself if it is one, or that of a Creative Commons
    licence with its version ("CC BY-SA 4.0"); otherwise "".
    """
    if re.fullmatch(r"https?://\S+", text):
        return text
    name, version = licence_name(text), _VERSION.search(text)
    if name == "CC0":
        return "https://creativecommons.org/publicdomain/zero/1.0/"
    if name.startswith("CC BY") and version:
        return f"https://creativecommons.org/licenses/{name[3:].lower()}/{version[0]}/"
    return ""


def _named(limits: str) -> str:
    return "CC BY" + "".join(f"-{short}" for short in ("NC", "ND", "SA") if short.lower() in limits)


def _grants(before: str, licence: str, *, about_article: bool) -> bool:
    """Whether a statement grants the licence that it mentions; `before` is what stands before the mention."""
    named = _IN_BRACKETS.sub("", _MENTION.sub("", licence, count=1))
    name, *_ = _CONSEQUENCE.split(named, maxsplit=1)
    clause = _CLAUSE_END.split(before)[-1]
    if _NO_GRANT.search(clause) or _REFUSAL.search(name):
        return False
    if about_article:
        return _GRANT.search(clause) is not None
    words = set(_WORD.findall(re.split("[,;]", name)[0].lower()))
    if not _COPYRIGHT.match(before):
        words.update(_WORD.findall(before.lower()))
    return words <= _CONNECTING
