"""The report's page as a browser would read it."""

import json

from lxml import html


def read(page: str):
    return html.document_fromstring(page)


def text_of(element) -> str:
    return " ".join(element.text_content().split())


def lines(page: str, exhibit: str) -> list[list[str]]:
    """The cells of a table or figure, without what its pictures say."""
    figure = read(page).get_element_by_id(exhibit)
    for said in list(figure.iter("title")):
        said.getparent().remove(said)
    for ticks in figure.xpath(".//*[@class='axis']"):
        ticks.clear(keep_tail=True)
    return [[text_of(cell) for cell in row.iter("th", "td")] for row in figure.iter("tr")]


def index_of(page: str) -> dict:
    return json.loads(read(page).get_element_by_id("index").text)
