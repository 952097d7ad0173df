"""The models that a look for missing recordings works with: recorded ones are asked, no other is."""

from aimsciqa_resources.language_model import Message, ModelRequest, converse, once
from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.language_model.settings import ModelSettings

from aimsciqa_assets.cli.due_requests import NotingModels, extractor_is_idle, recorded_models
from aimsciqa_assets.settings import Settings

REQUEST = ModelRequest("t", "row", {"a": "1"}, (Message("user", "1"),))


def test_a_recorded_model_notes_what_is_missing_and_a_server_is_left_alone(tmp_path):
    noted = []
    models = NotingModels(LanguageModels(tmp_path / "journal"), lambda *what: noted.append(what))
    jane = ModelSettings(backend="recorded", name="jane")
    # Nobody listens there.
    server = ModelSettings(backend="server", name="m", base_url="http://localhost:9/v1", patience_seconds=0)
    assert list(converse(models.open(server), [once(REQUEST)])) == []
    assert noted == []
    (reply,) = converse(models.open(jane), [once(REQUEST)])
    assert (reply.failure, noted) == ("not_recorded", [(REQUEST, jane)])
    assert list(tmp_path.iterdir()) == []


def test_recorded_models_are_found_wherever_the_settings_name_them():
    environment = {
        "AIMSCIQA_SINGLE_HOP_MODEL_BACKEND": "recorded",
        "AIMSCIQA_SINGLE_HOP_MODEL_NAME": "jane, ann",
        "AIMSCIQA_BENCHMARK_ANSWERERS": "extractive recorded:carl",
        "AIMSCIQA_BENCHMARK_JUDGES": "recorded:bob m@http://localhost:9/v1",
        "AIMSCIQA_BENCHMARK_QUALITY_JUDGES": "recorded:dora",
    }
    assert set(recorded_models(Settings.preset_of("demo", environment))) == {
        "recorded:jane,ann",
        "recorded:carl",
        "recorded:bob",
        "recorded:dora",
    }
    assert recorded_models(Settings.preset_of("demo", {})) == {}


def test_extractor_is_asked_nothing_while_no_example_is_wanted():
    recorded = {"AIMSCIQA_EXTRACTOR_MODEL_BACKEND": "recorded", "AIMSCIQA_EXTRACTOR_MODEL_NAME": "jane"}

    def is_idle(task=None, **more):
        return extractor_is_idle(Settings.preset_of("demo", recorded | more), task)

    assert is_idle(AIMSCIQA_AIRQA_STORE="true")
    assert is_idle("extractor_tracker")
    assert not is_idle()
    assert not is_idle("airqa_sql", AIMSCIQA_AIRQA_STORE="true")
    assert not is_idle(AIMSCIQA_AIRQA_STORE="true", AIMSCIQA_EXTRACTOR_EXAMPLES="3")
    assert not extractor_is_idle(Settings.preset_of("demo", {"AIMSCIQA_AIRQA_STORE": "true"}))
