"""The dataset card tells a stranger what an item is, how to load it, and what to cite."""

import json
import re

import pyarrow.parquet as pq
import pytest

from aimsciqa_assets.release.layout import releases_in
from aimsciqa_assets.release.writing import write_release
from tests.release_corpus import Corpus, item

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def sections(written) -> dict[str, str]:
    """The text below each heading of the card; that before the first one under ""."""
    card = (written / "releases" / "aimsciqa-release" / "README.md").read_text()
    texts = re.split(r"^## (.+)$", card, flags=re.MULTILINE)
    return {"": texts[0]} | dict(zip(texts[1::2], texts[2::2], strict=True))


def code_in(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


def test_every_column_of_an_item_has_a_type_and_a_meaning(sections, written):
    items = pq.read_schema(written / "releases/aimsciqa-release/data/multi_hop/test.parquet")
    table = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$", sections["An item"], flags=re.MULTILINE)
    assert [name for name, _, _ in table] == items.names
    told = {name: (kind, meaning) for name, kind, meaning in table}
    assert told["question"] == ("text", "the whole question, which needs both papers")
    assert told["facts"][0] == "list of text"


def test_an_item_of_the_release_is_shown_as_a_record(sections, written):
    (record,) = map(json.loads, code_in(sections["An item"], "json"))
    lines = (written / "releases/aimsciqa-release/data/multi_hop/dev.jsonl").read_text().splitlines()
    item = json.loads(lines[0])
    assert record.keys() == item.keys()
    assert record["question"] == item["question"] == "merged_question of 1"
    assert record["source"]["core_qa"] == item["source"]["core_qa"]


def test_the_method_and_the_dataset_can_be_cited(sections):
    (entries,) = code_in(sections["Citation"], "bibtex")
    fields = dict(re.findall(r"^  (\w+) += \{(.+)\}", entries.partition("@software")[0], flags=re.MULTILINE))
    assert fields["title"] == "Automatic Inter-document Multi-hop Scientific {QA} Generation"
    assert fields["journal"] == "arXiv preprint arXiv:2603.14257"
    assert fields["author"].count(" and ") == 4
    assert "version = {0.1.0}" in entries


def test_the_card_says_how_to_load_the_items_and_what_beir_takes_for_a_candidate(sections):
    loading = code_in(sections[""], "python")
    assert 'load_dataset("path/to/aimsciqa-release", "multi_hop", split="test")' in loading[0]
    assert "BEIR takes the source for a candidate" in sections[""]


def test_where_no_item_is_in_test_the_card_loads_dev(tmp_path):
    corpus = Corpus(items=[item(1, 1, 2)])
    warehouse, settings = corpus.write(tmp_path)
    folder = releases_in(tmp_path) / settings.release.name
    write_release(warehouse, settings, folder)
    loading, evaluating = code_in((folder / "README.md").read_text(), "python")
    assert 'load_dataset("path/to/aimsciqa-release", "multi_hop", split="dev")' in loading
    assert evaluating.count('split="dev"') == 2


def test_the_card_has_all_its_sections(sections):
    assert list(sections) == [
        "",
        "An item",
        "Splits",
        "How it was made",
        "Figures",
        "Licences and attribution",
        "Citation",
        "Known limits",
    ]
