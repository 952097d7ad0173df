import pytest

from aimsciqa_assets.settings import Settings, SettingsError, variable_name


def test_the_paper_preset_has_the_papers_numbers():
    settings = Settings.preset_of("paper", {})
    assert settings.selection.min_accessible_citations == 3
    assert settings.selection.scope == "pmc"
    assert settings.single_hop.alignment_fraction == 0.1
    assert settings.relations.tau == 0.3
    assert settings.relations.relations_per_source == 3
    assert settings.relations.cluster_size == 30
    assert settings.multi_hop.test_items == 300


def test_the_environment_overrides_a_preset():
    settings = Settings.preset_of("demo", {"AIMSCIQA_RELATIONS_TAU": "0.45", "AIMSCIQA_RELATIONS_SEED": "7"})
    assert settings.relations.tau == 0.45
    assert settings.relations.seed == 7
    assert settings.selection.min_accessible_citations == 0


def test_a_bad_value_is_an_error_that_names_the_variable():
    with pytest.raises(SettingsError, match=r"AIMSCIQA_RELATIONS_TAU='high'"):
        Settings.preset_of("demo", {"AIMSCIQA_RELATIONS_TAU": "high"})
    with pytest.raises(SettingsError, match=r"AIMSCIQA_SINGLE_HOP_ALIGNMENT_FRACTION='1\.5'"):
        Settings.preset_of("demo", {"AIMSCIQA_SINGLE_HOP_ALIGNMENT_FRACTION": "1.5"})


def test_a_misspelt_setting_is_an_error_with_a_hint():
    with pytest.raises(
        SettingsError, match=r"AIMSCIQA_RELATIONS_TAUU\. Did you mean AIMSCIQA_RELATIONS_TAU\?"
    ):
        Settings.preset_of("demo", {"AIMSCIQA_RELATIONS_TAUU": "0.9"})
    Settings.preset_of("demo", {"AIMSCIQA_HOME": "x", "AIMSCIQA_PRESET": "demo"})


def test_an_unknown_preset_is_an_error_that_names_the_presets():
    with pytest.raises(SettingsError, match="demo, paper"):
        Settings.preset_of("large", {})


def test_the_variable_of_a_setting():
    assert variable_name("multi_hop", "test_items") == "AIMSCIQA_MULTI_HOP_TEST_ITEMS"
