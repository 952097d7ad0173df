"""The settings file: what it may say, who wins over it, and what is told of a mistake in it."""

from pathlib import Path

import pytest
from aimsciqa_resources.settings_file import NO_FILE, general, settings_file

from aimsciqa_assets.cli.config import all_settings
from aimsciqa_assets.orchestration.launchpad import launchpad_settings
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.stages import owners
from aimsciqa_assets.settings import Settings, SettingsError, chosen_preset


def written(folder: Path, text: str, name: str = "aimsciqa.toml") -> dict[str, str]:
    """The environment of a home with this settings file."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    return {"AIMSCIQA_HOME": str(folder)}


def settings_of(environment: dict[str, str], preset: str = "demo") -> Settings:
    return Settings.preset_of(preset, environment, file=settings_file(environment))


def origins_of(environment: dict[str, str]) -> dict[tuple[str, str], tuple[object, str]]:
    return {(one.section, one.setting): (one.value, one.origin) for one in all_settings(None, environment)}


def test_the_file_overrides_the_preset_and_the_environment_the_file(tmp_path):
    environment = written(
        tmp_path, "[relations]\ntau = 0.4\nseed = 1\n[selection]\nmin_accessible_citations = 2\n"
    )
    settings = settings_of(environment | {"AIMSCIQA_RELATIONS_SEED": "7"})
    assert (settings.relations.tau, settings.relations.seed) == (0.4, 7)
    assert settings.selection.min_accessible_citations == 2
    assert settings_of(environment, "paper").selection.corpus == "eligible"


def test_what_is_empty_in_the_file_or_in_the_environment_is_said_all_the_same(tmp_path):
    environment = written(tmp_path / "empty", '[release]\ngates = ""\n')
    assert settings_of(environment).release.gates == ""
    environment = written(tmp_path / "one", '[release]\ngates = "no_duplicate"\n')
    assert settings_of(environment).release.gates == "no_duplicate"
    assert settings_of(environment | {"AIMSCIQA_RELEASE_GATES": ""}).release.gates == ""


def test_a_variable_for_all_models_wins_over_the_file_for_one(tmp_path):
    environment = written(
        tmp_path, "[model]\ntemperature = 0.1\ntop_p = 0.5\n[judge_model]\ntemperature = 0.2\n"
    )
    settings = settings_of(environment)
    assert (settings.judge_model.temperature, settings.multi_hop_model.temperature) == (0.2, 0.1)
    settings = settings_of(environment | {"AIMSCIQA_MODEL_TEMPERATURE": "0.3"})
    assert settings.judge_model.temperature == 0.3
    assert settings.judge_model.top_p == 0.5


def test_lists_tables_numbers_days_and_paths_are_taken_as_the_settings_have_them(tmp_path):
    environment = written(
        tmp_path,
        """
        owners = ["team:a", "b@example.org"]
        journal = "shared/journal.sqlite"
        [benchmark]
        retrievers = ["bm25", "server:e5"]
        [pmc]
        licences = ["CC0", "CC BY"]
        years = 2024
        since = 2026-11-01
        [model]
        extra_body = { reasoning_effort = "low" }
        prices = "prices.csv"
        """,
    )
    settings = settings_of(environment)
    assert settings.benchmark.retrievers == "bm25 server:e5"
    assert (settings.pmc.licences, settings.pmc.years, settings.pmc.since) == (
        "CC0, CC BY",
        "2024",
        "2026-11-01",
    )
    assert settings.judge_model.extra_body == '{"reasoning_effort": "low"}'
    assert settings.judge_model.prices == str(tmp_path / "prices.csv")
    assert owners(environment) == ["team:a", "b@example.org"]
    assert general("AIMSCIQA_JOURNAL", environment) == str(tmp_path / "shared" / "journal.sqlite")


def test_a_model_of_its_own_is_a_table_of_its_name(tmp_path):
    environment = written(
        tmp_path,
        '[models."gpt-5"]\ntemperature = 1\nextra_body = { effort = "low" }\n[benchmark]\nseed = 3\n',
    )
    assert settings_file(environment).of("benchmark") == {
        "seed": 3,
        "models": '{"gpt-5": {"temperature": 1, "extra_body": {"effort": "low"}}}',
    }


def test_preset_and_journal_of_the_file_are_those_of_the_program(tmp_path, monkeypatch):
    (home,) = written(tmp_path / "home", 'preset = "paper"\njournal = "j.sqlite"\n').values()
    monkeypatch.setenv("AIMSCIQA_HOME", home)
    assert chosen_preset() == "paper"
    assert Home.from_environment().journal == tmp_path / "home" / "j.sqlite"
    monkeypatch.setenv("AIMSCIQA_PRESET", "demo")
    assert chosen_preset() == "demo"


def test_another_file_can_be_named_and_must_be_there(tmp_path):
    environment = written(tmp_path, "[relations]\ntau = 0.4\n", "mine.toml")
    assert settings_file(environment) == NO_FILE
    named = environment | {"AIMSCIQA_CONFIG": str(tmp_path / "mine.toml")}
    assert settings_of(named).relations.tau == 0.4
    with pytest.raises(SettingsError, match=r"There is no settings file .*gone\.toml"):
        settings_file(environment | {"AIMSCIQA_CONFIG": str(tmp_path / "gone.toml")})


def test_a_file_that_changed_is_read_again(tmp_path):
    environment = written(tmp_path, "[relations]\ntau = 0.4\n")
    assert settings_of(environment).relations.tau == 0.4
    written(tmp_path, "[relations]\ntau = 0.55\n")
    assert settings_of(environment).relations.tau == 0.55


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[relation]\ntau = 1\n", r"there is no section \[relation\]\. Did you mean relations\?"),
        ("[relations]\ntua = 1\n", r"there is no setting tua in \[relations\]\. Did you mean tau\?"),
        ("presets = 'demo'\n", r"there is no setting presets above the tables\. Did you mean preset\?"),
        ("system = 'findings'\n", r"no setting system above the tables\. Did you mean systems\?"),
        (
            "systems = ['hops']\n",
            r"^aimsciqa\.toml systems='hops': there is no system 'hops'; name ",
        ),
        ("[relations]\ntau = 7\n", r"aimsciqa\.toml \[relations\] tau=7: "),
        ("[model]\ntemperature = -1\n", r"aimsciqa\.toml \[model\] temperature=-1"),
        (
            "[model]\nbackend = 'server'\n",
            r"aimsciqa\.toml \[model\] backend: .* needs the name of a model: name$",
        ),
        ("[relations\n", r"aimsciqa\.toml cannot be read: .*line 1"),
        (
            "[benchmark]\nretrievers = [1]\n",
            r"retrievers in \[benchmark\] must be a text, or a list of texts",
        ),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path, text, told):
    with pytest.raises(SettingsError, match=told):
        settings_of(written(tmp_path, text))


def test_a_key_that_somebody_wrote_into_the_file_is_never_shown(tmp_path):
    with pytest.raises(SettingsError) as refused:
        settings_of(written(tmp_path, "[model]\napi_key_variable = 'sk-hush-hush'\n"))
    assert "hush" not in str(refused.value)
    with pytest.raises(SettingsError) as refused:
        settings_of(written(tmp_path, "[model]\napi_key = 'sk-hush-hush'\n"))
    assert "Did you mean api_key_variable?" in str(refused.value)
    assert "hush" not in str(refused.value)


def test_every_value_is_shown_with_its_origin(tmp_path):
    text = "systems = ['findings']\n[relations]\ntau = 0.4\n[model]\nextra_body = { a = 'b' }\n"
    environment = written(tmp_path, text)
    shown = origins_of(environment | {"AIMSCIQA_RELATIONS_SEED": "7", "AIMSCIQA_PRESET": "paper"})
    assert shown["", "home"] == (str(tmp_path), "environment")
    assert shown["", "preset"] == ("paper", "environment")
    assert shown["", "systems"] == ("findings", "aimsciqa.toml")
    assert shown["relations", "tau"] == (0.4, "aimsciqa.toml [relations]")
    assert shown["relations", "seed"] == (7, "environment")
    assert shown["relations", "cluster_size"] == (30, "default")
    assert shown["selection", "corpus"] == ("eligible", "preset paper")
    assert shown["judge_model", "extra_body"] == ("(set, not shown)", "aimsciqa.toml [model]")
    assert shown["judge_model", "reply_tokens"] == (2048, "default")


def test_the_launchpad_of_the_web_ui_starts_from_the_file(tmp_path):
    environment = written(tmp_path, "[relations]\ntau = 0.4\n")
    file = settings_file(environment)
    described = launchpad_settings("demo", environment, file).config_schema.as_field()
    tau = described.config_type.fields["relations"].config_type.fields["tau"]
    assert "default 0.4" in tau.description


def test_where_no_model_is_asked_its_settings_need_not_be_complete():
    environment = {"AIMSCIQA_MODEL_BACKEND": "server", "AIMSCIQA_CORPUS_PAPERS_PER_BATCH": "7"}
    assert Settings.preset_of("demo", environment, asking=False).corpus.papers_per_batch == 7
    with pytest.raises(SettingsError, match="needs the name of a model"):
        Settings.preset_of("demo", environment)


def test_the_servers_of_a_model_are_a_list(tmp_path):
    environment = written(
        tmp_path,
        """
        [model]
        backend = "server"
        name = "m"
        base_url = ["http://a:8000/v1", "http://b:8000/v1/"]

        [models.other]
        base_url = ["http://c/v1", "http://d/v1"]
        """,
    )
    settings = settings_of(environment)
    assert settings.multi_hop_model.base_urls == ("http://a:8000/v1", "http://b:8000/v1")
    assert settings.named_model("judge", "other").base_urls == ("http://c/v1", "http://d/v1")
    one_task = {"AIMSCIQA_JUDGE_MODEL_BASE_URL": "http://e/v1, http://f/v1"}
    assert settings_of(environment | one_task).judge_model.base_urls == ("http://e/v1", "http://f/v1")
