"""Names of JATS, for what is put where it does not belong."""

NAMES = (
    "sec p title list list-item boxed-text fig table-wrap disp-formula inline-formula sup sub xref italic "
    "ref mixed-citation element-citation name surname kwd kwd-group abstract body back front article-meta "
    "article-id contrib pub-date year month day permissions license subject alternatives def-list def-item "
    "term def fn caption label math mrow mfrac tex-math sub-article response article floats-group citation "
    "citation-alternatives note pub-id ext-link person-group"
).split()
ATTRIBUTES = "id rid ref-type sec-type pub-id-type article-type abstract-type content-type lang href".split()
