"""The patterns of statements: what a sentence looks like, what it is asked, and which part answers.

`voices` are those of `Clause.voice`; `verb`, `subject` and `rest` are patterns of `matching` for the words of
the clause. The question is a template over the slots of the patterns and the parts of the clause (see
`asking`), `asks` the slot that it asks for. Patterns of one score are tried from top to bottom.
"""

from dataclasses import dataclass
from typing import Final

from aimsciqa_assets.stand_in import guards as g
from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.guards import Guard

ANY: Final = "{rest}"


@dataclass(frozen=True, slots=True)
class Pattern:
    """One row of the table."""

    kind: str
    score: int
    voices: str
    question: str
    asks: str
    verb: str = ANY
    subject: str = ANY
    rest: str = ANY
    where: tuple[Guard, ...] = ()
    # Whether the subject must say what it is: neither "the results" nor "several genes".
    named: bool = True


_TIMES: Final = "(?:min|mins|minutes?|h|hr|hrs|hours?|days?|weeks?|months?|years?|s|sec|seconds) "
_CONDITIONS: Final = {
    "at what temperature": r"at (?=(?:\S+ ){0,4}?(?:K|℃|\S*[°º]C) )(?!{rest}and ){quantity}",
    "at what speed": r"at (?=(?:\S+ ){0,4}?(?:rpm|g) )(?!{rest}and ){quantity}",
    "at what wavelength": r"at (?=(?:\S+ ){0,4}?nm )(?!{rest}and ){quantity}",
    "for how long": rf"for (?=(?:\S+ ){{0,4}}?{_TIMES})(?!{{rest}}and ){{quantity}}",
    "when": rf"(?:(?:in|from|between|during) {{date}}|at {{number}}{_TIMES}(?:after|post) {{rest}})",
    "since when": "since {date}",
}
_COMPARED: Final = r"(?:than |compared (?:to |with ))"
_DEGREE: Final = r"(?:{adverb}|much |far |even |slightly |a )*"
_HIGHER: Final = rf"{_DEGREE}(?P<asked>{{comparatives}}|(?:more |less ){{degree_nouns}})"
_ENDS: Final = ("by", "from", "to", "compared", "through", "via", "due", "leading", "thereby")
_AFFECTED: Final = (
    r"(?!{prepositions}|{no_target}|\S+ly |as |when |(?:\S+ ){0,2}(?:effects?|impact) )(?P<target>\S+ {rest})"
)
_CHANGE: Final = r"(?P<asked>(?:\S+ ){0,4}{change_nouns})(?:in |of )(?!{no_target})(?P<target>\S+ {rest})"
_ENDS_OF_CHANGE: Final = (*_ENDS, "with", "than")

NUMBERS: Final = (
    Pattern(
        "value", 9, "be", "what {aux} {subject} {tail}", "asked",
        subject="(?!(?i:each )){rest}",
        rest="(?P<asked>{quantity})(?P<tail>(?:(?!with |of |by ){settings}{no_and})?)",
        where=(g.complete, g.measurable), named=False,
    ),
    Pattern(
        "value", 9, "active", "what value {inverted} {tail}", "asked",
        verb="(?:reach|equal) ",
        rest="(?P<asked>{quantity})(?P<tail>(?:(?!with |of |by ){settings}{no_and})?)",
        where=(g.complete, g.measurable), named=False,
    ),
    Pattern(
        "range", 9, "active perfect", "what {be} the range of {subject} {tail}", "asked",
        verb="(?:range|vary|ranged) ",
        rest="(?P<asked>(?:from |between ){quantity})(?!{rest}to {number})(?P<tail>(?:{settings}{no_and})?)",
        named=False,
    ),
    Pattern(
        "percentage", 10, "any", "what percentage {whole} {predicate}", "asked",
        subject="(?P<asked>{percentage})(?P<whole>of {numberless})",
        where=(g.complete, g.finished), named=False,
    ),
    Pattern(
        "count", 10, "any", "how many {counted} {predicate}", "asked",
        subject="(?:(?i:a) total of )?(?P<asked>{count})(?P<counted>{rest})",
        where=(g.complete, g.finished, g.countable), named=False,
    ),
    *(
        Pattern(
            "count_object", 9, "active", "how many {counted} {inverted} {of} {tail}", "asked",
            verb=verb,
            rest=rf"(?P<of>{of})(?:a total of )?(?P<asked>{{count}})(?P<counted>(?!{{prepositions}}|and )\S+ "
            r"(?:of |(?!{number}|and |{prepositions}|{participle})\S+ )*)(?P<tail>{plainly})",
            where=(g.complete, g.plural("counted")), named=False,
        )
        for verb, of in (("(?:{object_verbs}|(?:have|reveal|report) )", ""), ("consist ", "of "))
    ),
    *(
        Pattern(
            "condition", 8, "passive", f"{asked} {{inverted}} {{before}} {{tail}}", "asked",
            rest=r"(?P<before>(?:(?:{settings}|as |to |\S+ly )"
            r"(?:(?!{number}|{participle}|and |\S+ing )\S+ )*?(?<! of ))?)"
            rf"(?P<asked>{shape})(?P<tail>(?:(?:to |(?!of ){{settings}}){{plainly}})?)",
            where=(g.complete,), named=False,
        )
        for asked, shape in _CONDITIONS.items()
    ),
    Pattern(
        "share", 10, "active", "what percentage {whole} {inverted} {for}", "asked",
        verb="(?:account|represent|constitute|contribute|explain|cover|comprise) ",
        rest="(?P<for>(?:for )?)(?P<asked>{percentage})(?P<whole>of {numberless})", named=False,
    ),
    Pattern(
        "amount", 10, "active", "by how much {aux} {subject} {verb} {before} {tail}", "asked",
        verb="(?:{change_verbs}|{effect_verbs})",
        rest="(?!{rest}and )(?P<before>(?:{plainly}(?<!by )(?<!from ))??)(?P<asked>by {quantity})"
        "(?P<tail>(?:(?:{settings}|compared |relative ){plainly})?)",
        where=(g.complete,),
    ),
)  # fmt: skip

METHODS: Final = (
    *(
        Pattern(
            "method", 7, "passive", "how {inverted} {before}", "asked",
            verb=verb,
            subject="(?!{rest}using ){rest}",
            rest=rf"(?P<before>{{place}}?)(?P<asked>{means}{{rest}})",
        )
        for verb, means in (
            (
                "(?!{raising}|(?:followed|affected|caused|accompanied|improved|enhanced) ){word}",
                r"(?:using |via |by \S+ing |with the use of |according to |through \S+ing )",
            ),
            (
                "(?!{raising}|(?:developed|established|performed|conducted|produced) ){method_participles}",
                r"by (?!\S+ing )",
            ),
            ("(?:developed|established|performed|conducted|produced) ", r"by (?![A-Z]|\S+ing )"),
        )
    ),
    Pattern(
        "used_to", 7, "passive", "what {predicate}", "subject",
        verb="used ", rest="to {aim}{some}", where=(g.aux(lex.BE | lex.HAVE),),
    ),
    Pattern(
        "purpose", 6, "passive", "why {inverted} {before}", "asked",
        verb="(?!{raising}){word}",
        rest=r"(?P<before>(?:(?:(?!for |to ){prepositions}|out )"
        r"(?:(?!and |or |for |to |{nouns_with_to})\S+ ){0,7}?(?<!ing ))?)(?P<asked>to {aim}{some})",
        where=(g.aux(lex.BE | lex.HAVE),),
    ),
)  # fmt: skip

REASONS: Final = (
    Pattern(
        "reason", 7, "any", "why {inverted} {before}", "asked",
        where=(g.aux(lex.BE), g.because),
    ),
)  # fmt: skip

EFFECTS: Final = (
    Pattern(
        "change_noun", 8, "active modal", "how {aux} {subject} affect {target}", "asked",
        verb="{causing_verbs}", rest=_CHANGE, where=(g.affected(*_ENDS_OF_CHANGE),),
    ),
    Pattern(
        "change_noun", 8, "active modal", "what change {inverted} in {target}", "asked",
        verb="(?:{show_verbs}|(?:experience|undergo|report|reveal) )",
        rest=_CHANGE, where=(g.affected(*_ENDS_OF_CHANGE),),
    ),
    Pattern(
        "effect_on", 9, "active", "what {noun} {inverted} on {target}", "asked",
        verb="have ",
        rest=r"(?P<asked>(?:(?!and )\S+ ){1,5}?)(?P<noun>effect|impact|influence)s? on (?!{pronouns})"
        r"(?P<target>\S+ {rest})",
        where=(g.ends_here, g.affected("compared", "with", "than", "as")),
    ),
    Pattern(
        "comparison", 9, "be",
        "how {do} {subject} compare {terms} {setting} with {that} {other}", "asked",
        rest=rf"{_HIGHER}(?P<setting>(?P<link>(?:in|for|among|at|on|under|with) ){{plainly}}){_COMPARED}"
        r"(?P<other>(?P=link){no_and})",
        where=(g.in_terms, g.that_of_subject, g.compares),
    ),
    Pattern(
        "comparison", 9, "be", "how {do} {subject} {setting} compare with {other} {terms}", "asked",
        rest=rf"{_HIGHER}(?P<setting>(?:(?:in|for|among|at|on|under|during) {{plainly}})?){_COMPARED}"
        r"(?P<other>(?!{prepositions}){some})",
        where=(g.in_terms, g.compares),
    ),
    Pattern(
        "comparison", 9, "be", "how {do} {subject} compare with {that} {other} {terms}", "asked",
        rest=rf"{_HIGHER}{_COMPARED}(?P<other>{{prepositions}}{{rest}})",
        where=(g.in_terms, g.that_of_subject, g.compares),
    ),
    Pattern(
        "comparison_have", 9, "active", "how {do} {subject} compare with {other} in terms of {measure}",
        "asked",
        verb="{show_verbs}",
        rest=rf"{_DEGREE}(?P<asked>{{comparatives}})(?P<measure>(?:(?!and |with |{{number}})\S+ ){{1,10}}?)"
        rf"(?:when |as )?{_COMPARED}(?P<other>(?!{{prepositions}}){{some}})",
        where=(g.compares,),
    ),
    Pattern(
        "effect", 9, "active modal", "how {aux} {subject} affect {target}", "verb",
        verb="{effect_verbs}", rest=_AFFECTED, where=(g.affected(*_ENDS),),
    ),
    Pattern(
        "effect", 9, "perfect", "how {aux} {subject} affected {target}", "verb",
        verb="{effect_verbs.participle}", rest=_AFFECTED, where=(g.affected(*_ENDS),),
    ),
    Pattern(
        "change", 8, "active", "how {aux} {subject} change {tail}", "verb",
        verb="{change_verbs}",
        rest=r"{adverb}*(?:(?:from |by |to ){quantity})*(?P<tail>(?:"
        r"(?!of |from |by |to |using ){prepositions}(?:(?!(?:and|from|by|to) |{number})\S+ )*)?)"
        r"(?:(?:from |by |to ){quantity})*",
        where=(g.complete, g.falls_by),
    ),
    Pattern(
        "affected", 8, "passive", "how {aux} {subject} {middle} affected {tail}", "verb",
        verb="{effect_verbs.participle}",
        rest=r"(?P<tail>(?:by |in |after |under |during )(?!\S+ing |{quantity}){numberless})(?<!ed )",
        where=(g.complete,),
    ),
    Pattern(
        "raising_effect", 8, "passive", "how {inverted} to affect {target}", "asked",
        verb="{raised}", rest="to (?P<asked>{effect_verbs})" + _AFFECTED,
        where=(g.affected(*_ENDS),),
    ),
    Pattern(
        "raising_object", 6, "passive", "what {inverted} to {act}", "asked",
        verb="{raised}",
        rest="to (?P<act>(?!{effect_verbs}){object_verbs})"
        "(?P<asked>(?!{prepositions}|{quantity}){some})",
    ),
    Pattern(
        "raising_object", 7, "passive", "what {inverted} to be associated with", "asked",
        verb="{raised}", rest="to be associated with (?P<asked>{some})",
    ),
)  # fmt: skip

DESCRIPTIONS: Final = (
    Pattern(
        "nature", 7, "be", "what {aux} {subject} {nature}", "asked",
        rest=r"(?P<nature>(?:an? (?!(?:result|consequence|need|matter|lack|few) )|the )(?:\S+ ){0,4}?"
        r"{relational_nouns}(?:of |for ))(?P<asked>{some})",
        where=(g.aux(("is", "are")), g.is_source),
    ),
    Pattern(
        "definition", 8, "be", "what {aux} {subject}", "asked",
        rest=r"(?!one of (?:\S+ ){0,5}?{valued})(?!(?:an? |the )(?:\S+ ){0,4}?{relational_nouns}"
        r"(?:of |for )\S+ )"
        r"(?P<asked>(?:an? (?!(?:result|consequence|need|matter|lack|few) )|the |one of )\S+ {rest})",
        where=(g.aux(("is", "are")), g.defines),
    ),
    Pattern(
        "superlative", 8, "be", "what {aux} {adverbs} {rest}", "subject",
        rest=r"the (?!(?:most|least) (?:\S+ )?{prepositions})\S+ (?!{prepositions}|{adverb})"
        r"(?:(?!and )\S+ ){3,}",
        where=(g.complete, g.excels),
    ),
    Pattern(
        "role", 7, "active modal", "what {inverted} {role} in", "asked",
        verb="play ", rest=r"(?P<role>(?:\S+ ){0,5}?(?:roles?|part) )in (?P<asked>{some})",
    ),
)  # fmt: skip

_EMPTY: Final = "(?:which|order|addition|part|accordance) "
_OBJECT: Final = (
    r"(?!{prepositions}|(?:to|that|not|out) |\S+ly |{empty_objects})"
    r"(?!(?:\S+ )?(?:same|similar|following|different|variable|various|several) ){some}"
)
RELATIONS: Final = (
    Pattern(
        "place", 6, "passive", "where {inverted}", "asked",
        verb="{where_participles}",
        rest="(?P<preposition>(?:in|on|at|within|between|near) )"
        "(?P<asked>(?!{quantity}|{vague_places}|which ){some})",
        where=(g.takes("participle_prepositions", "verb"),),
    ),
    Pattern(
        "highest", 7, "passive", "where {inverted}", "asked",
        verb="(?:observed|recorded|seen) ", subject=r"(?:\S+ ){0,2}\S{3,}est {rest}",
        rest="in (?P<asked>(?!{quantity}|{vague_places}){some})",
    ),
    *(
        Pattern(
            "relation", 6, "passive", "what {inverted} {preposition}", "asked",
            verb=verb,
            rest=rf"(?P<preposition>(?!{not_by}){{word}})"
            rf"(?P<asked>(?!{{quantity}}|{_EMPTY}){{some}})",
            where=(g.takes("participle_prepositions", "verb"),),
        )
        for verb, not_by in (
            ("(?!{where_participles}){word}", r"by \S+ing "),
            ("{where_participles}", r"(?:in|on|at|within|between|near) "),
        )
    ),
    Pattern(
        "adjective", 6, "be been", "what {inverted} {adjective} {preposition}", "asked",
        rest=r"(?P<adjective>{word})(?P<preposition>{word})(?P<asked>{some})",
        where=(g.takes("adjective_prepositions", "adjective"),),
    ),
    *(
        Pattern(
            "object", 5, voices, "what {inverted} {setting}", "rest",
            verb=verb,
            rest=_OBJECT,
            where=(g.concrete, g.setting),
        )
        for voices, verb in (("active modal", "{object_verbs}"), ("perfect", "{object_verbs.participle}"))
    ),
    *(
        Pattern(
            "agent", score, "active", question, "subject",
            verb="{subject_asking}",
            rest=_OBJECT,
            where=(g.concrete, g.asks_subject, guard),
        )
        for score, question, guard in (
            (6, "which {type} {predicate}", g.of_type), (4, "what {predicate}", g.without_type),
        )
    ),
    Pattern(
        "preposition_verb", 6, "active modal", "what {inverted} {preposition}", "asked",
        rest=r"(?P<preposition>{word})(?!{pronouns}|{vague_places}|greater |{quantity}|"
        r"(?:\S+ ){0,2}(?:same|similar) )(?P<asked>{some})",
        where=(g.takes("verb_prepositions", "verb"), g.no_change),
    ),
    Pattern(
        "by_whom", 7, "passive", "by whom {inverted}", "asked",
        verb="{giving}", rest=r"by (?P<asked>(?!{quantity})(?:the )?[A-Z]\S* {rest})",
    ),
)  # fmt: skip

# "We measured ..." and "To measure ..., ...": the clauses of `clauses.authors_clauses`.
AUTHORS: Final = (
    Pattern(
        "to_do", 6, "purpose", "what was done {aim}", "rest",
        subject="(?P<aim>to {aim}{word}{word}{some})", named=False,
    ),
    Pattern(
        "used_to", 7, "we we_listing", "what was used {tail}", "target",
        verb="used ", rest="(?P<target>(?:(?!to )\\S+ ){1,12})(?P<tail>to {aim}{some})",
        where=(g.thing,), named=False,
    ),
    Pattern(
        "method", 7, "we we_listing", "how {be} {target} {verb}", "asked",
        verb="(?!(?:used|found|showed|shown) ){word}",
        rest=r"(?P<target>{words})(?P<asked>(?:using |via |by \S+ing ){rest})",
        where=(g.thing, g.numbered), named=False,
    ),
    Pattern(
        "count", 9, "we", "how many {counted} were {verb} {tail}", "asked",
        verb="(?!used ){word}",
        rest=r"(?:a total of )?(?P<asked>{count})(?P<counted>"
        r"(?:(?!to |using )(?:of |(?!{prepositions})\S+ ))+)(?P<tail>{rest})",
        where=(g.plural("counted"), g.clean("counted")), named=False,
    ),
)  # fmt: skip

PATTERNS: Final = (*AUTHORS, *NUMBERS, *METHODS, *REASONS, *EFFECTS, *DESCRIPTIONS, *RELATIONS)
