"""Encoders by name: those of Table 6, and those that the settings add."""

import re

import pytest
from aimsciqa_resources.search_models import TABLE_6, SearchModel, read_search_models, search_model

from aimsciqa_assets.settings import Settings, SettingsError


def test_the_nine_of_table_6_are_there():
    assert sorted(TABLE_6) == [
        "bge-large-en-v1.5",
        "e5-base-v2",
        "e5-mistral-7b-instruct",
        "gritlm-7b",
        "jina-v2-base-en",
        "llm-embedder",
        "qwen3-embedding-8b",
        "text-embedding-ada-002",
        "voyage-3-large",
    ]
    assert {name for name, one in TABLE_6.items() if one.served} == {
        "text-embedding-ada-002",
        "voyage-3-large",
    }
    pinned = {name for name, one in TABLE_6.items() if re.fullmatch(r"[0-9a-f]{40}", one.revision)}
    assert TABLE_6.keys() - pinned == {"llm-embedder", "text-embedding-ada-002", "voyage-3-large"}


def test_a_model_is_found_by_its_own_name_and_by_that_on_the_hub():
    e5 = search_model("e5-base-v2", {})
    assert (e5.model, e5.query_prefix, e5.document_prefix) == ("intfloat/e5-base-v2", "query: ", "passage: ")
    assert search_model("intfloat/e5-base-v2", {}) is e5
    assert search_model("jinaai/jina-embeddings-v2-base-en", {}).remote_code
    assert search_model("somebody/else", {}) == SearchModel("somebody/else")


def test_the_settings_add_models_and_may_say_others_of_those_of_table_6():
    added = read_search_models(
        '{"mine": {"model": "a/b", "revision": "abc", "document_prefix": "doc: "},'
        ' "e5-base-v2": {"served": true}}'
    )
    assert search_model("mine", added) == SearchModel("a/b", revision="abc", document_prefix="doc: ")
    assert search_model("a/b", added).revision == "abc"
    assert search_model("e5-base-v2", added) == SearchModel("e5-base-v2", served=True)
    assert read_search_models("") == {}


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        ("[", "must be a JSON object"),
        ("[]", "retrievers by name"),
        ('{"a+b": {}}', "holds no blank and none of"),
        ('{"a": {"prefix": "x"}}', "a: must be an object with document_prefix, model, query_prefix"),
        ('{"a": {"query_prefix": 1}}', "a: query_prefix is 1, which is no str"),
        ('{"a": {"remote_code": "yes"}}', "which is no bool"),
    ],
)
def test_what_is_no_encoder_is_refused_at_the_start(written, complaint):
    with pytest.raises(SettingsError) as refused:
        Settings.preset_of("demo", {"AIMSCIQA_BENCHMARK_RETRIEVER_MODELS": written})
    assert str(refused.value).startswith("AIMSCIQA_BENCHMARK_RETRIEVER_MODELS=")
    assert complaint in str(refused.value)
