"""What a person writes in the launchpad of the web UI, and the settings that come of it."""

import dagster as dg
import pytest
from aimsciqa_resources.encoder import sentence_encoder

from aimsciqa_assets.orchestration.launchpad import launchpad_settings
from aimsciqa_assets.settings import Settings, SettingsError

pytestmark = pytest.mark.slow

ENVIRONMENT = {"AIMSCIQA_RELATIONS_TAU": "0.4"}


def resources_of(config: dict | None, preset: str = "demo"):
    """The resources of a run with this config for the settings, by way of Dagster."""
    seen = []

    @dg.op(required_resource_keys={"settings", "encoder"})
    def look(context) -> None:
        seen.append(context.resources)

    job = dg.GraphDefinition("looking", node_defs=[look]).to_job(
        resource_defs={"settings": launchpad_settings(preset, ENVIRONMENT), "encoder": sentence_encoder}
    )
    run_config = {"resources": {"settings": {"config": config}}} if config is not None else {}
    with dg.DagsterInstance.ephemeral() as instance:
        job.execute_in_process(run_config=run_config, instance=instance)
    return seen[0]


def made_of(config: dict | None, preset: str = "demo") -> Settings:
    return resources_of(config, preset).settings


@pytest.mark.parametrize("preset", ["default", "aim-sciqa", "paper", "demo"])
def test_without_a_word_it_is_the_preset_of_the_code_location(preset):
    assert made_of(None, preset) == Settings.preset_of(preset, ENVIRONMENT)
    assert made_of({}, preset) == Settings.preset_of(preset, ENVIRONMENT)


def test_the_other_preset_is_one_word():
    assert made_of({"preset": "paper"}) == Settings.preset_of("paper", ENVIRONMENT)


def test_one_setting_leaves_the_others_as_preset_and_environment_have_them():
    settings = made_of({"preset": "paper", "relations": {"cluster_size": 20}, "multi_hop": {"test_items": 5}})
    assert settings.relations.cluster_size == 20
    assert settings.multi_hop.test_items == 5
    assert settings.relations.core_as_retrieval_question is True
    assert settings.relations.tau == 0.4
    assert settings.selection == Settings.preset_of("paper", {}).selection


def test_what_is_written_is_put_over_the_environment():
    assert made_of({"relations": {"tau": 0.5}}).relations.tau == 0.5


def test_the_encoder_is_the_one_of_the_settings():
    encoder = resources_of({"encoder": {"model": "models/medembed", "revision": "7"}}).encoder
    assert (encoder.name, encoder.revision) == ("models/medembed", "7")
    assert resources_of({}).encoder.name == "all-MiniLM-L6-v2"


def test_a_value_that_does_not_fit_stops_the_run_and_is_named():
    with pytest.raises(dg.DagsterResourceFunctionError) as stopped:
        made_of({"relations": {"tau": 2.0}})
    assert isinstance(stopped.value.__cause__, SettingsError)
    assert "relations.tau=2.0" in str(stopped.value.__cause__)


@pytest.mark.parametrize("config", [{"preset": "large"}, {"relations": {"taau": 0.5}}])
def test_a_word_that_is_none_is_refused_before_the_run(config):
    with pytest.raises(dg.DagsterInvalidConfigError):
        made_of(config)


def test_each_setting_tells_its_meaning_and_what_the_presets_have():
    fields = launchpad_settings("demo", ENVIRONMENT).config_schema.as_field().config_type.fields
    citations = fields["selection"].config_type.fields["min_accessible_citations"]
    assert citations.description == (
        "different papers in scope that a source must cite, at least "
        "(default 0, aim-sciqa 3, paper 3, demo 0)"
    )
    assert fields["relations"].config_type.fields["tau"].description.endswith("(eq. 5) (default 0.4)")
    assert fields["preset"].default_value == "demo"


def test_the_launchpad_of_the_web_ui_opens_with_the_preset_alone(monkeypatch):
    from aimsciqa_assets.definitions import build_definitions

    monkeypatch.setenv("AIMSCIQA_PRESET", "paper")
    job = build_definitions().resolve_job_def("ask_single_hop_model")
    assert dg.validate_run_config(job, {})["resources"]["settings"]["config"] == {"preset": "paper"}
