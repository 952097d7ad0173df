import re
from pathlib import Path

import pytest
from aimsciqa_resources.variables import NO_SETTINGS

from aimsciqa_assets.asking.asked import asked_models
from aimsciqa_assets.settings import PRESETS, Settings, SettingsError, sections, variable_name, variables


def test_the_paper_preset_has_the_papers_numbers():
    settings = Settings.preset_of("paper", {})
    assert settings.selection.min_accessible_citations == 3
    assert settings.selection.scope == "corpus"
    assert settings.selection.corpus == "eligible"
    assert settings.single_hop.alignment_fraction == 0.1
    assert settings.relations.tau == 0.3
    assert settings.relations.relations_per_source == 3
    assert settings.relations.cluster_size == 30
    assert settings.multi_hop.test_items == 300
    hopweaver = settings.hopweaver
    assert (hopweaver.kinds, hopweaver.lambdas, hopweaver.top_k, hopweaver.pool) == ("", "paper", 5, 3)
    assert (hopweaver.most_words, hopweaver.shortcuts, hopweaver.failure) == (4096, "document", "paper")
    assert hopweaver.reranker == "BAAI/bge-reranker-v2-m3"
    benchmark = settings.benchmark
    assert (benchmark.answering_items, benchmark.answering_settings) == (100, "oracle realistic citation")
    assert (benchmark.realistic_retriever, benchmark.same_family) == ("best", True)
    assert benchmark.bert_score_model == "microsoft/deberta-xlarge-mnli"
    assert settings.audit.split == "test"
    assert (settings.relations.mirrors, settings.release.gates) == ("both", "")


SERVER = {
    "AIMSCIQA_MODEL_BACKEND": "server",
    "AIMSCIQA_MODEL_BASE_URL": "http://localhost:8000/v1",
    "AIMSCIQA_MODEL_NAME": "qwen2.5:7b-instruct",
}


@pytest.mark.parametrize(
    ("environment", "refused"),
    [
        ({}, ["pairs are made by the scripted model", "items are made by the scripted model"]),
        (SERVER, []),
        (SERVER | {"AIMSCIQA_ENCODER_MODEL": "/models/medembed-large-v0.1"}, []),
        (SERVER | {"AIMSCIQA_ENCODER_MODEL": "all-MiniLM-L6-v2"}, ["AIMSCIQA_ENCODER_MODEL is all-MiniLM"]),
        (SERVER | {"AIMSCIQA_SINGLE_HOP_MODEL_NAME": "llama"}, ["pairs are made by llama"]),
        (SERVER | {"AIMSCIQA_MULTI_HOP_MODEL_NAME": "larger"}, []),
        ({"AIMSCIQA_REPRODUCTION_NAMED_MODELS": "any"}, []),
    ],
)
def test_the_paper_preset_wants_the_papers_models_unless_it_is_told_otherwise(environment, refused):
    settings = Settings.preset_of("paper", environment)
    if not refused:
        settings.refuse_other_models()
        return
    with pytest.raises(SettingsError, match="take the preset aim-sciqa") as told:
        settings.refuse_other_models()
    assert [what for what in refused if what not in str(told.value)] == []


def test_the_local_preset_has_the_papers_numbers_and_takes_any_model():
    local, paper = Settings.preset_of("aim-sciqa", {}), Settings.preset_of("paper", {})
    local.refuse_other_models()
    others = {name for name in type(local).model_fields if getattr(local, name) != getattr(paper, name)}
    assert others == {"reproduction", "encoder", "single_hop_model", "hopweaver", "benchmark"}
    assert local.benchmark.bert_score_model == ""
    assert local.benchmark == paper.benchmark.model_copy(update={"bert_score_model": ""})
    assert local.encoder == Settings.preset_of("demo", {}).encoder


def test_gates_decide_on_a_release_unless_they_are_turned_off_or_the_preset_is_the_papers():
    gates = "single_document closed_book no_duplicate relabelling"
    assert Settings.preset_of("demo", {}).release.gates == gates
    assert Settings.preset_of("aim-sciqa", {}).release.gates == ""
    assert Settings.preset_of("demo", {"AIMSCIQA_RELEASE_GATES": ""}).release.gates == ""
    assert Settings.preset_of("paper", {"AIMSCIQA_RELEASE_GATES": gates}).release.gates == gates


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


def test_small_numbers_for_small_corpora_and_the_papers_for_its_presets():
    relations = {preset: Settings.preset_of(preset, {}).relations for preset in PRESETS}
    assert {preset: chosen.section_pairs_per_document_pair for preset, chosen in relations.items()} == {
        "default": 10,
        "aim-sciqa": 1,
        "paper": 1,
        "demo": 10,
    }


def test_findings_makes_items_where_it_is_named_and_every_model_of_it_is_one():
    assert Settings.preset_of("default", {}).systems.systems == "aim-sciqa findings"
    assert not Settings.preset_of("default", {}).makes_findings
    assert Settings.preset_of("default", SERVER).makes_findings
    assert not Settings.preset_of("default", SERVER | {"AIMSCIQA_SYSTEMS": "aim-sciqa"}).makes_findings
    without = {"AIMSCIQA_STRICT_READER_MODEL_BACKEND": Settings.preset_of("default", {}).judge_model.backend}
    assert not Settings.preset_of("default", SERVER | without).makes_findings


def test_a_system_that_does_not_exist_is_refused_and_named():
    with pytest.raises(
        SettingsError, match=r"^AIMSCIQA_SYSTEMS='findings hops': there is no system 'hops'; "
    ):
        Settings.preset_of("default", {"AIMSCIQA_SYSTEMS": "findings hops"})
    systems = Settings.preset_of("default", {"AIMSCIQA_SYSTEMS": "findings"}).systems
    assert (systems.aim_sciqa, systems.findings) == (False, True)


def test_a_system_that_is_on_determines_nothing():
    systems = Settings.preset_of("default", {"AIMSCIQA_SYSTEMS": "aim-sciqa"}).systems
    assert (systems.determining("aim_sciqa"), systems.determining("findings")) == (None, False)


@pytest.mark.parametrize(
    ("settings", "lacks"),
    [
        ({}, "AIMSCIQA_HOPWEAVER_MODEL_BACKEND"),
        ({"AIMSCIQA_HOPWEAVER_MODEL_BACKEND": "recorded"}, "AIMSCIQA_POLISHER_MODEL_BACKEND"),
        (
            {
                "AIMSCIQA_HOPWEAVER_MODEL_BACKEND": "recorded",
                "AIMSCIQA_HOPWEAVER_POLISH": "false",
                "AIMSCIQA_HOPWEAVER_READER": "false",
            },
            None,
        ),
        ({"AIMSCIQA_MODEL_BACKEND": "recorded"}, None),
    ],
)
def test_rules_make_no_bridge_questions(settings, lacks):
    names = {name.replace("BACKEND", "NAME"): "jane" for name in settings if name.endswith("BACKEND")}
    wanted = {"AIMSCIQA_HOPWEAVER_KINDS": "bridge comparison"} | settings | names
    if lacks is None:
        assert Settings.preset_of("demo", wanted).hopweaver.kind_names == ("bridge", "comparison")
        return
    with pytest.raises(SettingsError, match=rf"needs a language model: .*{lacks}.*docs/recorded\.md"):
        Settings.preset_of("demo", wanted)


WEAVING = {
    "AIMSCIQA_HOPWEAVER_KINDS": "bridge comparison",
    "AIMSCIQA_HOPWEAVER_MODEL_BACKEND": "server",
    "AIMSCIQA_HOPWEAVER_MODEL_BASE_URL": "http://localhost:8000/v1",
    "AIMSCIQA_HOPWEAVER_MODEL_NAME": "qwen3-32b",
    "AIMSCIQA_POLISHER_MODEL_BACKEND": "recorded",
    "AIMSCIQA_POLISHER_MODEL_NAME": "jane",
}


def test_the_model_that_scores_attributes_is_the_one_that_makes_questions_unless_another_is_set():
    settings = Settings.preset_of("demo", WEAVING)
    assert settings.filter_model == settings.hopweaver_model
    other = Settings.preset_of("demo", WEAVING | {"AIMSCIQA_FILTER_MODEL_NAME": "gemma-3-27b"})
    assert (other.filter_model.name, other.hopweaver_model.name) == ("gemma-3-27b", "qwen3-32b")
    assert other.filter_model.base_url == "http://localhost:8000/v1"
    in_launchpad = Settings.preset_of("demo", WEAVING, {"hopweaver_model": {"name": "qwen3-8b"}})
    assert in_launchpad.filter_model.name == "qwen3-8b"


@pytest.mark.parametrize(
    ("more", "asked"),
    [
        ({}, "hopweaver qwen3-32b, filter qwen3-32b, polisher jane, reader jane"),
        ({"HOPWEAVER_KINDS": "bridge", "HOPWEAVER_POLISH": "false"}, "hopweaver qwen3-32b, reader jane"),
        ({"HOPWEAVER_KINDS": ""}, ""),
        (
            {"HOPWEAVER_KINDS": "", "BENCHMARK_ANSWERERS": "human:ann", "NECESSITY_MODELS": "recorded:bob"},
            "answering human:ann, necessity bob",
        ),
    ],
)
def test_models_of_systems_that_are_off_are_not_asked(more, asked):
    chosen = WEAVING | {f"AIMSCIQA_{name}": value for name, value in more.items()}
    settings = Settings.preset_of("demo", chosen)
    found = [(task, model.name) for task, model in asked_models(settings, evaluate=True)]
    assert found[:2] == [("single_hop", ""), ("multi_hop", "")]
    assert ", ".join(f"{task} {name}" for task, name in found if name) == asked
    without = Settings.preset_of("demo", chosen | {"AIMSCIQA_SYSTEMS": ""})
    tasks = [task for task, _ in asked_models(without, evaluate=False)]
    assert tasks == list(settings.hopweaver.needed_models)


@pytest.mark.parametrize(
    ("chosen", "judges"),
    [
        ({"JUDGE_MODEL_NAME": "qwen3-32b"}, []),
        ({"JUDGE_MODEL_NAME": "qwen3-32b", "BENCHMARK_SAME_FAMILY": "true"}, ["qwen3-32b"]),
        ({"BENCHMARK_JUDGES": "Qwen/QwQ-32B gemma-3-27b"}, ["gemma-3-27b"]),
        ({"BENCHMARK_JUDGES": "qwq-32b", "BENCHMARK_ANSWERERS": "qwen3-8b gpt-4o"}, ["qwq-32b"]),
        ({"BENCHMARK_JUDGES": "qwq-32b", "NECESSITY_MODELS": "gpt-4o"}, ["qwq-32b"]),
        ({"BENCHMARK_ASPECT_JUDGES": "qwq-32b", "BENCHMARK_SAME_FAMILY": "true"}, []),
        ({"BENCHMARK_ASPECT_JUDGES": "qwq-32b claude-3-7-sonnet"}, ["claude-3-7-sonnet"]),
        ({"BENCHMARK_QUALITY_JUDGES": "qwq-32b"}, ["qwq-32b"]),
        ({"BENCHMARK_JUDGES": "Qwen/QwQ-32B@http://other:8000/v1"}, []),
        ({"BENCHMARK_JUDGES": "j", "BENCHMARK_MODELS": '{"j": {"name": "Qwen/Qwen3-32B"}}'}, []),
        ({"BENCHMARK_JUDGES": "gpt-4o", "BENCHMARK_ANSWERERS": "openai/gpt-4.1 o3-mini"}, []),
        ({"BENCHMARK_JUDGES": "recorded:jane,qwen3-8b"}, []),
    ],
)
def test_a_judge_of_the_family_of_all_that_it_would_judge_is_not_asked(chosen, judges):
    models = {"ANSWERING_MODEL_BACKEND": "server", "ANSWERING_MODEL_NAME": "qwen3-8b"}
    models["MODEL_BASE_URL"] = "http://localhost:8000/v1"
    if "JUDGE_MODEL_NAME" in chosen:
        models["JUDGE_MODEL_BACKEND"] = "server"
    variables = {f"AIMSCIQA_{name}": value for name, value in (models | chosen).items()}
    settings = Settings.preset_of("demo", variables)
    found = [model.name for task, model in asked_models(settings, evaluate=True) if task == "judge"]
    assert found == judges


def test_an_unknown_preset_is_an_error_that_names_the_presets():
    with pytest.raises(SettingsError, match="default, aim-sciqa, paper, demo"):
        Settings.preset_of("large", {})


def test_the_variable_of_a_setting():
    assert variable_name("multi_hop", "test_items") == "AIMSCIQA_MULTI_HOP_TEST_ITEMS"
    assert variable_name("systems", "systems") == "AIMSCIQA_SYSTEMS"


MISSPELT = {
    "AIMSCIQA_RELATIONS_TAUU": "AIMSCIQA_RELATIONS_TAU",
    "AIMSCIQA_RELATION_TAU": "AIMSCIQA_RELATIONS_TAU",
    "AIMSCIQA_TAU": "AIMSCIQA_RELATIONS_TAU",
    "AIMSCIQA_RELATIONSTAU": "AIMSCIQA_RELATIONS_TAU",
    "aimsciqa_relations_tau": "AIMSCIQA_RELATIONS_TAU",
    "AIM_SCIQA_RELATIONS_TAU": "AIMSCIQA_RELATIONS_TAU",
    "AIMSCIQA__RELATIONS_TAU": "AIMSCIQA_RELATIONS_TAU",
    "AIMSCIQA_MODEL_TEMPRATURE": "AIMSCIQA_MODEL_TEMPERATURE",
    "AIMSCIQA_MODELL_NAME": "AIMSCIQA_MODEL_NAME",
    "AIMSCIQA_MULTIHOP_MODEL_NAME": "AIMSCIQA_MULTI_HOP_MODEL_NAME",
    "AIMSCIQA_PAPERS_PER_BATCH": "AIMSCIQA_CORPUS_PAPERS_PER_BATCH",
    "AIMSCIQA_HOM": "AIMSCIQA_HOME",
    "AIMSCIQA_HOME_": "AIMSCIQA_HOME",
    "AIMSCIQA_PRESETS": "AIMSCIQA_PRESET",
    "AIMSCIQA_JOURNALL": "AIMSCIQA_JOURNAL",
    "AIMSCIQA_OWNER": "AIMSCIQA_OWNERS",
    "AIMSCIQA_EMAIL": "AIMSCIQA_PMC_EMAIL",
    "AIMSCIQA_PUBMED_EMAIL": "AIMSCIQA_PMC_EMAIL",
    "AIMSCIQA_NIGHTLY_ENABLE": "AIMSCIQA_NIGHTLY_ENABLED",
}


@pytest.mark.parametrize(("name", "meant"), MISSPELT.items())
def test_a_name_that_nothing_reads_is_refused_with_the_nearest_one(name, meant):
    with pytest.raises(SettingsError, match=rf"no setting {name}\. Did you mean {meant}\?"):
        Settings.preset_of("demo", {name: "1"})


def test_names_of_others_and_our_few_beside_the_settings_are_taken():
    few = {
        "AIMSCIQA_HOME": "x",
        "AIMSCIQA_PRESET": "demo",
        "AIMSCIQA_JOURNAL": "j",
        "AIMSCIQA_OWNERS": "team:a",
        "AIMSCIQA_CONFIG": "c",
        "AIMSCIQA_PROMPTS": "p",
        "AIMSCIQA_EXECUTOR": "kubernetes",
        "AIMSCIQA_WAREHOUSE": "ducklake:postgres:dbname=w",
        "AIMSCIQA_WAREHOUSE_DATA": "s3://bucket/w",
        "AIMSCIQA_WAREHOUSE_KEEP_DAYS": "7",
        "AIMSCIQA_SHARED": "s3://bucket/s",
    }
    assert few.keys() == NO_SETTINGS
    Settings.preset_of("demo", few | {"AIMSCIQAX_HOME": "x", "HOME": "y", "MY_AIMSCIQA_HOME": "z"})


def test_every_setting_is_a_known_variable():
    Settings.preset_of("demo", {"AIMSCIQA_MODEL_SEED": "1", "AIMSCIQA_JUDGE_MODEL_SEED": "2"})
    assert {"AIMSCIQA_MODEL_SEED", "AIMSCIQA_JUDGE_MODEL_SEED", "AIMSCIQA_PMC_SINCE"} <= variables()


def test_no_variable_of_the_code_is_missing_from_the_list():
    root = Path(__file__).parents[2]
    folders = (root / "aimsciqa_assets", root / "resources")
    code = "\n".join(path.read_text() for folder in folders for path in folder.rglob("*.py"))
    named = set(re.findall(r'"(AIMSCIQA_[A-Z_]*[A-Z])"', code))
    assert "AIMSCIQA_HOME" in named
    assert named - variables() - NO_SETTINGS == set()


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({"AIMSCIQA_MODEL_TEMPERATURE": "-1"}, "AIMSCIQA_MODEL_TEMPERATURE='-1': "),
        ({"AIMSCIQA_JUDGE_MODEL_TEMPERATURE": "-1"}, "AIMSCIQA_JUDGE_MODEL_TEMPERATURE='-1': "),
        (
            {"AIMSCIQA_JUDGE_MODEL_TEMPERATURE": "-1", "AIMSCIQA_MODEL_TEMPERATURE": "0"},
            "AIMSCIQA_JUDGE_MODEL_TEMPERATURE='-1': ",
        ),
        (
            {"AIMSCIQA_MODEL_BACKEND": "server"},
            "AIMSCIQA_MODEL_BACKEND: the backend server needs the name of a model: AIMSCIQA_MODEL_NAME",
        ),
        (
            {"AIMSCIQA_JUDGE_MODEL_BACKEND": "server", "AIMSCIQA_JUDGE_MODEL_NAME": "m"},
            "AIMSCIQA_JUDGE_MODEL_BACKEND: the backend server needs an address: AIMSCIQA_JUDGE_MODEL_BASE_",
        ),
    ],
)
def test_an_error_names_the_variable_that_was_set(environment, told):
    with pytest.raises(SettingsError) as refused:
        Settings.preset_of("demo", environment)
    assert str(refused.value).startswith(told)


def test_an_error_of_the_launchpad_names_its_setting():
    with pytest.raises(SettingsError, match=r"^relations\.tau=7: "):
        Settings.preset_of("demo", {"AIMSCIQA_RELATIONS_TAU": "0.2"}, {"relations": {"tau": 7}})


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("AIMSCIQA_MODEL_TEMPERATURE", "inf"),
        ("AIMSCIQA_MODEL_TIMEOUT_SECONDS", "1e999"),
        ("AIMSCIQA_MODEL_PATIENCE_SECONDS", "nan"),
        ("AIMSCIQA_PMC_DEADLINE_SECONDS", "Infinity"),
        ("AIMSCIQA_RELATIONS_TAU", "nan"),
        ("AIMSCIQA_MULTI_HOP_TEST_FRACTION", "nan"),
        ("AIMSCIQA_RELATIONS_SEED", "-1"),
        ("AIMSCIQA_MULTI_HOP_SPLIT_SEED", "-1"),
        ("AIMSCIQA_BENCHMARK_SEED", "-20241"),
        ("AIMSCIQA_MODEL_SEED", "-2"),
    ],
)
def test_numbers_that_would_fail_later_are_refused_at_the_start(variable, value):
    with pytest.raises(SettingsError, match=f"^{variable}='{value}': "):
        Settings.preset_of("demo", {variable: value})


@pytest.mark.parametrize(
    "setting",
    ["MODEL_BASE_URL", "BENCHMARK_EMBEDDING_BASE_URL", "PMC_EUTILS_URL", "PMC_BUCKET_URL", "PMC_OAI_URL"],
)
@pytest.mark.parametrize(
    "value", ["localhost:8000", "ftp://host", "http://", "http://h:99999", "http://u:hush@h"]
)
def test_an_address_that_is_none_is_refused_at_the_start(setting, value):
    with pytest.raises(SettingsError, match=f"^AIMSCIQA_{setting}: must ") as refused:
        Settings.preset_of("demo", {f"AIMSCIQA_{setting}": value})
    assert "hush" not in str(refused.value)


@pytest.mark.parametrize("value", ['{"temperature": NaN}', '{"top_p": -Infinity}'])
def test_more_fields_are_json_that_a_server_takes(value):
    with pytest.raises(SettingsError, match=r"AIMSCIQA_MODEL_EXTRA_BODY: must be a JSON object: -?\w+ is no"):
        Settings.preset_of("demo", {"AIMSCIQA_MODEL_EXTRA_BODY": value})


def test_the_former_name_of_the_scripted_model_is_refused_with_the_new_one():
    with pytest.raises(
        SettingsError, match=r"^AIMSCIQA_MODEL_BACKEND='extractive': .* is gone; set scripted"
    ):
        Settings.preset_of("demo", {"AIMSCIQA_MODEL_BACKEND": "extractive"})


@pytest.mark.parametrize("setting", ["ANSWERERS", "JUDGES", "QUALITY_JUDGES"])
def test_a_model_that_nobody_could_ask_is_refused_at_the_start(setting):
    variable = f"AIMSCIQA_BENCHMARK_{setting}"
    with pytest.raises(SettingsError, match=f"^{variable}: qwen: the backend server needs an address"):
        Settings.preset_of("demo", {variable: "extractive qwen"})
    with pytest.raises(SettingsError, match=f"^{variable}: qwen: must hold no password") as refused:
        Settings.preset_of("demo", {variable: "qwen@http://me:sk-hush@host/v1"})
    assert "hush" not in str(refused.value)
    Settings.preset_of("demo", {variable: "extractive qwen@http://localhost:8000/v1"})


METHOD = (
    *("selection", "single_hop", "relations", "multi_hop", "hopweaver", "benchmark"),
    "necessity",
    "release",
)
OTHERWISE = {("relations", "refresh")}
"""Commands set it by their flag `--refresh`, which tests give."""
ONLY_READ = {"test_settings.py", "test_settings_file.py", "test_launchpad.py"}
"""Tests of how settings are read, not of what they do."""


def test_every_setting_of_the_method_is_set_where_its_effect_is_tested():
    """See `test_settings_take_effect.py`: the place for a setting that no other test sets."""
    paths = [path for path in Path(__file__).parents[1].rglob("*.py") if path.name not in ONLY_READ]
    tests = "\n".join(path.read_text() for path in paths)

    def is_named(section: str, setting: str) -> bool:
        variable, config = f"{section}_{setting}", sections()[section].__name__
        forms = (variable.upper(), rf"\b{variable}", rf"\.{section}\.{setting}")
        made = rf"{config}\([^)]*\b{setting}="
        return any(re.search(rf"{form}\b", tests) for form in forms) or bool(re.search(made, tests))

    settings = [(section, setting) for section in METHOD for setting in sections()[section].model_fields]
    assert {one for one in settings if not is_named(*one)} == OTHERWISE
