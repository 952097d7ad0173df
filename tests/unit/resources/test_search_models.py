"""Encoders by name: those of Table 6, and those that the settings add."""

import json
import re
from dataclasses import replace

import pytest
from aimsciqa_resources.search_models import (
    TABLE_6,
    SearchModel,
    read_search_models,
    search_model,
    without_servers,
)

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
    assert TABLE_6.keys() - pinned == {"text-embedding-ada-002", "voyage-3-large"}
    assert [name for name, one in TABLE_6.items() if one.unverified] == ["gritlm-7b"]


def test_a_model_is_found_by_its_own_name_and_by_that_on_the_hub():
    e5 = search_model("e5-base-v2", {})
    assert (e5.model, e5.query_prefix, e5.document_prefix) == ("intfloat/e5-base-v2", "query: ", "passage: ")
    assert search_model("intfloat/e5-base-v2", {}) is e5
    assert search_model("jinaai/jina-embeddings-v2-base-en", {}).remote_code
    assert search_model("somebody/else", {}) == SearchModel("somebody/else")


def test_the_settings_add_models_and_may_say_others_of_those_of_table_6():
    added = read_search_models(
        '{"mine": {"model": "a/b", "revision": "abc", "document_prefix": "doc: "},'
        ' "e5-base-v2": {"served": true}, "llm-embedder": {"model": "c/d"}}'
    )
    assert search_model("mine", added) == SearchModel("a/b", revision="abc", document_prefix="doc: ")
    assert search_model("a/b", added).revision == "abc"
    assert search_model("e5-base-v2", added) == replace(TABLE_6["e5-base-v2"], served=True)
    assert search_model("llm-embedder", added) == replace(TABLE_6["llm-embedder"], model="c/d", revision="")
    assert read_search_models("") == {}


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        ("[", "must be a JSON object"),
        ("[]", "retrievers by name"),
        ('{"a+b": {}}', "holds no blank and none of"),
        ('{"a": {"prefix": "x"}}', "a: must be an object with api_key_variable, base_url, document_prefix"),
        ('{"a": {"unverified": "x"}}', "a: must be an object with"),
        ('{"a": {"precision": "int8"}}', "a: precision is 'int8'; write float32 or bfloat16"),
        ('{"a": {"base_url": "localhost:8000"}}', "a: base_url must be an address like"),
        ('{"a": {"base_url": "http://me:pw@h/v1"}}', "a: base_url must hold no password"),
        ('{"a": {"api_key_variable": "sk-hush"}}', "a: api_key_variable must be the name of an environment"),
        ('{"a": {"query_prefix": 1}}', "a: query_prefix is 1, which is no str"),
        ('{"a": {"remote_code": "yes"}}', "which is no bool"),
    ],
)
def test_what_is_no_encoder_is_refused_at_the_start(written, complaint):
    with pytest.raises(SettingsError) as refused:
        Settings.preset_of("demo", {"AIMSCIQA_BENCHMARK_RETRIEVER_MODELS": written})
    assert str(refused.value).startswith("AIMSCIQA_BENCHMARK_RETRIEVER_MODELS: ")
    assert complaint in str(refused.value)
    assert not re.search("hush|pw@", str(refused.value))


OF_TWO_PROVIDERS = {
    "text-embedding-ada-002": {"base_url": "http://one/v1", "api_key_variable": "ONE_KEY"},
    "voyage-3-large": {
        "base_url": "http://two/v1",
        "api_key_variable": "TWO_KEY",
        "document_prefix": "doc: ",
    },
    "mine": {"model": "a/b", "base_url": "http://three/v1"},
}


def test_served_models_may_be_at_servers_of_their_own_and_an_address_makes_one_served():
    added = read_search_models(json.dumps(OF_TWO_PROVIDERS))
    ada, voyage, mine = added.values()
    assert (ada.model, ada.base_url, ada.api_key_variable) == (
        "text-embedding-ada-002",
        "http://one/v1",
        "ONE_KEY",
    )
    assert (voyage.base_url, voyage.api_key_variable) == ("http://two/v1", "TWO_KEY")
    assert (voyage.query_prefix, voyage.document_prefix) == (TABLE_6["voyage-3-large"].query_prefix, "doc: ")
    assert mine == SearchModel("a/b", served=True, base_url="http://three/v1")


def test_where_a_server_is_determines_no_ranking_and_stands_in_no_record():
    settings = Settings.preset_of(
        "demo", {"AIMSCIQA_BENCHMARK_RETRIEVER_MODELS": json.dumps(OF_TWO_PROVIDERS)}
    )
    assert settings.benchmark.determining("retriever_models") == (
        '{"mine": {"model": "a/b"}, "voyage-3-large": {"document_prefix": "doc: "}}'
    )
    assert without_servers('{"m":  {"model": "a/b"}}') == '{"m":  {"model": "a/b"}}'
    assert without_servers('{"m": {"base_url": "http://one/v1"}}') == without_servers("") == ""
