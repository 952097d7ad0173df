"""Settings of single answerers and judges, by name."""

import json

import pytest
from aimsciqa_resources.language_model.named import read_named

from aimsciqa_assets.platform.determinants import Determinants
from aimsciqa_assets.settings import Settings, SettingsError

MODELS = {
    "gpt-5": {
        "base_url": "http://one/v1",
        "api_key_variable": "ONE_KEY",
        "temperature": 1,
        "extra_body": {"reasoning_effort": "low"},
    },
    "tiny": {"name": "Qwen/tiny", "reply_tokens": 9},
}
ENVIRONMENT = {
    "AIMSCIQA_MODEL_BACKEND": "server",
    "AIMSCIQA_MODEL_NAME": "m",
    "AIMSCIQA_MODEL_BASE_URL": "http://all/v1",
    "AIMSCIQA_MODEL_TOP_P": "0.5",
    "AIMSCIQA_BENCHMARK_MODELS": json.dumps(MODELS),
}


def settings(**more):
    return Settings.preset_of(
        "demo", ENVIRONMENT | {f"AIMSCIQA_BENCHMARK_{name}": value for name, value in more.items()}
    )


def test_a_named_model_differs_from_that_of_its_task_in_what_it_says():
    named = settings().named_model("judge", "gpt-5")
    assert (named.name, named.base_url, named.api_key_variable) == ("gpt-5", "http://one/v1", "ONE_KEY")
    assert (named.temperature, named.top_p) == (1, 0.5)
    assert named.more_fields == {"reasoning_effort": "low"}
    other = settings().named_model("answering", "other")
    assert (other.base_url, other.temperature, other.api_key_variable) == (
        "http://all/v1",
        0,
        "OPENAI_API_KEY",
    )


def test_a_name_of_ones_own_and_an_address_in_the_list():
    tiny = settings().named_model("answering", "tiny")
    assert (tiny.name, tiny.reply_tokens, tiny.base_url) == ("Qwen/tiny", 9, "http://all/v1")
    there = settings().named_model("answering", "gpt-5@http://two/v1")
    assert (there.base_url, there.temperature) == ("http://two/v1", 1)
    assert settings().benchmark.called("tiny") == "Qwen/tiny"
    assert settings().benchmark.called("other@http://h/v1") == "other@http://h/v1"


def test_a_named_model_with_an_address_needs_no_server_of_its_task():
    only = {"AIMSCIQA_BENCHMARK_MODELS": json.dumps(MODELS), "AIMSCIQA_BENCHMARK_JUDGES": "gpt-5"}
    assert Settings.preset_of("demo", only).named_model("judge", "gpt-5").backend == "server"
    with pytest.raises(SettingsError, match=r"^AIMSCIQA_BENCHMARK_JUDGES: tiny: the backend server needs"):
        Settings.preset_of("demo", only | {"AIMSCIQA_BENCHMARK_JUDGES": "tiny"})


def test_the_launchpad_and_a_file_give_the_same():
    chosen = {"benchmark": {"models": json.dumps(MODELS)}}
    assert Settings.preset_of("demo", {}, chosen).named_model("judge", "gpt-5").temperature == 1


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        ("{", "must be a JSON object such as"),
        ("[]", "must be a JSON object: settings by the name"),
        ('{"m": 1}', "m: must be an object of settings"),
        ('{"m": {"temprature": 1}}', "m: a model has no setting 'temprature'. Did you mean temperature?"),
        ('{"a b": {}}', "'a b': the name of a model holds no blank and no @"),
        ('{"m@http://h/v1": {}}', "holds no blank and no @"),
    ],
)
def test_settings_that_no_model_has_are_refused_at_the_start(written, complaint):
    with pytest.raises(SettingsError) as refused:
        Settings.preset_of("demo", {"AIMSCIQA_BENCHMARK_MODELS": written})
    assert str(refused.value).startswith("AIMSCIQA_BENCHMARK_MODELS: ")
    assert complaint in str(refused.value)


@pytest.mark.parametrize(
    "chosen", [{"temperature": -1}, {"api_key_variable": "sk-hush"}, {"extra_body": {"api_key": "sk-hush1"}}]
)
def test_a_value_that_a_model_cannot_have_is_refused_where_it_is_listed(chosen):
    environment = ENVIRONMENT | {"AIMSCIQA_BENCHMARK_MODELS": json.dumps({"m": chosen})}
    with pytest.raises(SettingsError, match=r"^AIMSCIQA_BENCHMARK_JUDGES: m: ") as refused:
        Settings.preset_of("demo", environment | {"AIMSCIQA_BENCHMARK_JUDGES": "m"})
    assert "hush" not in str(refused.value)


def test_nothing_named_is_nothing_changed():
    assert read_named("") == {}


def test_what_may_hold_an_address_is_not_shown_in_the_records():
    determinants = Determinants(
        "1", "", "", {"benchmark.models": json.dumps(MODELS)}, {}, {}, {}, frozenset()
    )
    assert "http://one" not in determinants.to_json()
