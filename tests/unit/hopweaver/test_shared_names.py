"""Which names of a document others hold, too."""

from aimsciqa_assets.hopweaver.documents import Document
from aimsciqa_assets.hopweaver.shared_names import SharedNames


def document(name: str, title: str, *texts: str) -> Document:
    return Document(name, title, tuple((f"{name}-{place}", text) for place, text in enumerate(texts)))


WEIR = document(
    "d1",
    "Hollin Weir",
    "Hollin Weir stands at Ostley. However, Ada Reed of the Lantern School drew it for Bo.",
)
SCHOOL = document("d2", "Lantern School", "However, the Lantern School near Ostley taught Ada Reed.")
TOWN = document("d3", "Ostley", "In Ostley lies Hollin Weir. A dam at Ostley fell. The town forgot Cy Lund.")


def test_names_that_others_hold_come_rarest_first_without_those_of_the_title():
    shared = SharedNames({one.document_id: one for one in (WEIR, SCHOOL, TOWN)})
    assert shared.of(WEIR) == ["Ada Reed", "Lantern School", "Ostley"]
    assert shared.of(SCHOOL) == ["Ada Reed", "Ostley"]
    assert shared.of(TOWN) == ["Hollin Weir"]


def test_a_document_alone_shares_nothing():
    assert SharedNames({"d1": WEIR}).of(WEIR) == []
    assert SharedNames({}).of(WEIR) == []


def test_the_list_is_short():
    many = " and ".join(f"Mill{chr(97 + one // 26)}{chr(97 + one % 26)}" for one in range(60))
    first, second = document("a", "A", f"See {many}."), document("b", "B", f"Or {many}.")
    assert len(SharedNames({"a": first, "b": second}).of(first)) == 40
