"""Reads XML from the network without fetching or expanding anything."""

from lxml import etree

from aimsciqa_resources.pmc.errors import UnexpectedAnswerError


def read_xml(content: bytes, root: str) -> etree._Element:
    """The root element, whose local name has to be `root`. Raises `UnexpectedAnswerError`."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    try:
        tree = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise UnexpectedAnswerError(f"This is not XML: {error}") from None
    found = etree.QName(tree).localname
    if found != root:
        raise UnexpectedAnswerError(f"The answer should be {root} and is {found}.")
    return tree
