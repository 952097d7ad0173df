"""The small parts of the language models: thinking, prices, settings, fingerprints."""

import pytest
from aimsciqa_resources.language_model import Message, ModelRequest, Usage
from aimsciqa_resources.language_model.engine import fingerprint
from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.language_model.prices import Price, PriceTableError, read_prices
from aimsciqa_resources.language_model.settings import ModelSettings
from aimsciqa_resources.language_model.thinking import reply_text
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.settings import Settings, SettingsError, model_settings_table
from tests.fakes import SentenceModel

SERVER = {
    "AIMSCIQA_MODEL_BACKEND": "server",
    "AIMSCIQA_MODEL_NAME": "small",
    "AIMSCIQA_MODEL_BASE_URL": "http://localhost:8000/v1/",
}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Seven.", "Seven."),
        ("<think>Or 8?</think>\n\nSeven.", "Seven."),
        ("<THINKING type='x'>a</THINKING><think>b</think>Seven.", "Seven."),
        ("It was opened in the prompt.</think>Seven.", "Seven."),
        ("<think>Or <think>?</think>Seven.", "Seven."),
        ("The tag <think> opens it.", "The tag <think> opens it."),
        ("<think>and then the tokens ran out", ""),
        ("  <reasoning>never closed", ""),
        ("p < 0.05 and <b>bold</b>", "p < 0.05 and <b>bold</b>"),
        ("<thinker>is another word</thinker>", "<thinker>is another word</thinker>"),
        ("[THINK]Or 8?[/THINK]Seven.", "Seven."),
        ("<seed:think>Or 8?</seed:think>Seven.", "Seven."),
        ("<|START_THINKING|>8?<|END_THINKING|><|START_RESPONSE|>Seven.<|END_RESPONSE|>", "Seven."),
        ("◁think▷Or 8?◁/think▷Seven.", "Seven."),
        ("<|channel>thought\nOr 8?<channel|>Seven.", "Seven."),
        (
            "<|begin_of_thought|>8?<|end_of_thought|>\n<|begin_of_solution|>Seven.<|end_of_solution|>",
            "Seven.",
        ),
        ("<unused94>thought\n8?<unused95>Seven.<end_of_turn>", "Seven."),
        ("Here is my thought process: 8? Here is my response: Seven.", "Seven."),
        ("analysisOr 8?assistantfinalSeven.", "Seven."),
        ("analysisOr 8?", ""),
        ("analysis of variance: seven.", "analysis of variance: seven."),
        (
            "<|channel|>analysis<|message|>8?<|end|><|start|>assistant<|channel|>final<|message|>Seven.",
            "Seven.",
        ),
        ("<|channel|>analysis<|message|>8?<|end|><|start|>assistantSeven.<|return|>", "Seven."),
        ("<|channel|>final <|constrain|>json<|message|>[7]<|return|>", "[7]"),
        ("<|channel|>analysis<|message|>Or 8?", ""),
        ("Sure.\n<think>\nOr 8?", "Sure."),
        ('Sure. <think>First try: {"a": 8}', "Sure."),
        ("<longcat_think>Or 8?</longcat_think>Seven.", "Seven."),
        (
            "<thinking>8?<reflection>9?</reflection>8?</thinking><output>Seven.</output>",
            "<output>Seven.</output>",
        ),
        ("analysis\n\nOr 8?\n\nassistant\nfinalSeven.", "Seven."),
        (
            "<|channel|>analysis<|message|>8?<|end|><|start|>assistant<|channel|>commentary<|message|>Or 8."
            "<|end|><|start|>assistant<|channel|>final<|message|>Seven.",
            "Seven.",
        ),
        ("Seven.\n[reasoning] It was 8.", "Seven.\n[reasoning] It was 8."),
        ('<think>{"a": 8}</think>{"a": "</think> ends it"}', '{"a": "</think> ends it"}'),
        (
            r'[THINK]It is {"a": 8}[/THINK]{"a": "$\alpha$ [THINK]x[/THINK]"}',
            r'{"a": "$\alpha$ [THINK]x[/THINK]"}',
        ),
    ],
)
def test_thinking_is_taken_off(text, left):
    assert reply_text(text) == left


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "The tag <think> opens {it}."}',
        '[{"a": "Is it <analysis>?"}, {"a": "Or </analysis>?"}]',
        '```json\n{"a": "assistantfinal"}\n```',
        '{"a": "<|channel|>final<|message|>x"}\n{"a": "◁think▷x◁/think▷ [THINK]"}',
        'Which <b>analysis</b> was done? {"a": "analysis of variance"}',
    ],
)
def test_marks_that_a_reply_quotes_stay(text):
    assert reply_text(text) == text


@given(st.text(alphabet="<>/thinkab ", max_size=200))
def test_thinking_never_fails_and_only_takes_away(text):
    assert len(reply_text(text)) <= len(text)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("15 mg\x00\x1b[31m\x7f", "15 mg  [31m"),
        ("Zinc\u2028fell.\r\nIron\tdid not.", "Zinc\nfell.\nIron did not."),
        ("evil\u202etext\u2066", "eviltext"),
        (r"15 \u00b5g, 2 \\u00b5g, \ud83d\ude00", "15 µg, 2 µg, 😀"),
        (r"half \ud83d of it", r"half \ud83d of it"),
        (r'{"a": "\u0022 \u005c \u0007"}', r'{"a": "\" \\  "}'),
        (r"\underline{x} \upsilon", r"\underline{x} \upsilon"),
    ],
)
def test_a_reply_is_kept_without_control_characters_and_escapes(written, kept):
    assert reply_text(written) == kept


def test_a_price_counts_cached_tokens_apart():
    usage = Usage(prompt=1_000_000, reply=500_000, cached=400_000)
    assert Price(input=1.0, cached_input=0.1, output=4.0).of(usage) == pytest.approx(0.6 + 0.04 + 2.0)


def test_a_price_table_is_read(tmp_path):
    (tmp_path / "prices.csv").write_text("model,input,cached_input,output\na,1,0.5,2\nb,3,,4\n")
    expected = {"a": Price(1, 0.5, 2), "b": Price(3, 3, 4)}
    assert read_prices(tmp_path / "prices.csv") == expected
    # As a spreadsheet saves it.
    saved = (tmp_path / "prices.csv").read_bytes().replace(b"\n", b"\r\n")
    (tmp_path / "prices.csv").write_bytes(b"\xef\xbb\xbf" + saved)
    assert read_prices(tmp_path / "prices.csv") == expected


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("model,input\na,1\n", "no column cached_input, output"),
        ("model,input,cached_input,output\na,cheap,,2\n", "could not convert"),
        ("model,input,cached_input,output\na,1\n", "cannot be read"),
        ("model,input,cached_input,output\na,nan,,2\n", "nan is not a finite number"),
        ("model,input,cached_input,output\na,1,,inf\n", "inf is not a finite number"),
        ("model,input,cached_input,output\na,1,,2\na,1,,3\n", "two rows for a"),
        ("model,input,cached_input,output\na,-1,,3\n", "cannot be read: a has a negative price"),
        ("model,input,cached_input,output\na,1,-0.5,3\n", "a has a negative price"),
        ("model,input,cached_input,output\na,1,,-1e-3\n", "a has a negative price"),
        ("model,input,cached_input,output\n\udce9,1,,2\n", r"it is not UTF-8 \(byte 33\)"),
    ],
)
def test_a_price_table_that_is_none_is_an_error(tmp_path, content, complaint):
    (tmp_path / "prices.csv").write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(PriceTableError, match=complaint):
        read_prices(tmp_path / "prices.csv")


def test_a_model_without_a_price_is_an_error(tmp_path):
    (tmp_path / "prices.csv").write_text("model,input,cached_input,output\na,1,,2\n")
    settings = ModelSettings(
        backend="server", name="b", base_url="http://h/v1", prices=str(tmp_path / "prices.csv")
    )
    with pytest.raises(PriceTableError, match="has no line for b"):
        LanguageModels(tmp_path / "journal").open(settings)


def test_the_same_settings_give_the_same_model(tmp_path):
    models = LanguageModels(tmp_path / "journal")
    settings = {"backend": "server", "name": "b", "base_url": "http://h/v1"}
    assert models.open(ModelSettings(**settings)) is models.open(ModelSettings(**settings))
    assert models.open(ModelSettings(**settings)) is not models.open(ModelSettings(**settings, seed=1))


def test_the_model_without_weights_comes_from_outside(tmp_path):
    scripted = SentenceModel()
    assert LanguageModels(tmp_path / "journal", lambda: scripted).open(ModelSettings()) is scripted
    with pytest.raises(ValueError, match="no model for the backend scripted"):
        LanguageModels(tmp_path / "journal").open(ModelSettings())


def test_the_names_of_who_replied_beforehand_are_labelled():
    environment = {
        "AIMSCIQA_MODEL_BACKEND": "recorded",
        "AIMSCIQA_MODEL_NAME": "jane-doe, Qwen/Qwen2.5-7B",
        "AIMSCIQA_JUDGE_MODEL_NAME": "bob",
        "AIMSCIQA_BENCHMARK_ANSWERERS": "recorded:ann extractive",
        "AIMSCIQA_MODEL_RECORDINGS": "replies.jsonl",
    }
    settings = Settings.preset_of("demo", environment)
    assert settings.single_hop_model.label == "recorded:jane-doe,Qwen/Qwen2.5-7B"
    assert settings.judge_names == ["recorded:bob"]
    answerer = settings.named_model("answering", "recorded:ann")
    assert (answerer.backend, answerer.name, answerer.recordings) == ("recorded", "ann", "replies.jsonl")
    assert settings.models["judge"].where == "replies recorded by bob"
    assert settings.single_hop_model.tolerated_share == 1
    own = Settings.preset_of("demo", environment | {"AIMSCIQA_BENCHMARK_ANSWERERS": ""})
    assert own.answerer_names == ["recorded:jane-doe,Qwen/Qwen2.5-7B"]


@pytest.mark.parametrize("name", ["recorded:", "recorded:jane@example.org", "recorded:jane,"])
def test_a_name_that_cannot_stand_in_a_release_is_refused(name):
    complaint = r"^AIMSCIQA_BENCHMARK_JUDGES: recorded:.* needs the name of who replied, such as jane-doe"
    with pytest.raises(SettingsError, match=complaint) as caught:
        Settings.preset_of("demo", {"AIMSCIQA_BENCHMARK_JUDGES": name})
    assert "example.org" not in str(caught.value)


def test_a_model_of_a_server_is_none_that_replied_beforehand():
    settings = Settings.preset_of(
        "demo",
        {
            "AIMSCIQA_MODEL_BACKEND": "recorded",
            "AIMSCIQA_MODEL_NAME": "jane",
            "AIMSCIQA_MODEL_BASE_URL": "http://h/v1",
        },
    )
    assert settings.named_model("judge", "jane").backend == "server"


def test_recordings_lie_in_the_home_unless_the_settings_say_where(tmp_path):
    models = LanguageModels(tmp_path / "journal", recordings=tmp_path / "own.jsonl")
    named = ModelSettings(backend="recorded", name="jane", recordings=str(tmp_path / "shipped.jsonl"))
    assert models.recordings(ModelSettings(backend="recorded", name="jane")).path == tmp_path / "own.jsonl"
    assert models.recordings(named).path == tmp_path / "shipped.jsonl"
    assert models.recordings(named) is models.recordings(named)


def test_settings_hold_for_all_tasks_or_for_one():
    settings = Settings.preset_of("demo", SERVER | {"AIMSCIQA_MULTI_HOP_MODEL_NAME": "large"})
    assert (settings.single_hop_model.name, settings.multi_hop_model.name) == ("small", "large")
    assert settings.multi_hop_model.base_url == "http://localhost:8000/v1"
    assert settings.single_hop_model.backend == settings.multi_hop_model.backend == "server"


def test_the_paper_preset_has_the_papers_single_hop_model():
    settings = Settings.preset_of("paper", {})
    assert (settings.single_hop_model.name, settings.single_hop_model.temperature) == (
        "Qwen/Qwen2.5-7B-Instruct",
        0.0,
    )


@pytest.mark.parametrize(
    ("environment", "complaint"),
    [
        ({"AIMSCIQA_MODEL_BACKEND": "server"}, "AIMSCIQA_MODEL_NAME"),
        ({"AIMSCIQA_MODEL_BACKEND": "vllm"}, "AIMSCIQA_MODEL_NAME"),
        ({"AIMSCIQA_MODEL_BACKEND": "recorded"}, "who replied, such as jane-doe: AIMSCIQA_MODEL_NAME"),
        ({"AIMSCIQA_MODEL_BACKEND": "server", "AIMSCIQA_MODEL_NAME": "m"}, "AIMSCIQA_MODEL_BASE_URL"),
        (SERVER | {"AIMSCIQA_MODEL_BASE_URL": "localhost:8000"}, "must be an address"),
        (SERVER | {"AIMSCIQA_MODEL_EXTRA_BODY": "[1]"}, "must be a JSON object"),
        (SERVER | {"AIMSCIQA_MODEL_IN_FLIGHT": "0"}, "^AIMSCIQA_MODEL_IN_FLIGHT='0'"),
        ({"AIMSCIQA_MODEL_TEMPRATURE": "1"}, r"Did you mean AIMSCIQA_MODEL_TEMPERATURE\?"),
    ],
)
def test_settings_that_cannot_work_say_what_to_set(environment, complaint):
    with pytest.raises(SettingsError, match=complaint):
        Settings.preset_of("demo", environment)


@pytest.mark.parametrize(
    "environment",
    [
        {"AIMSCIQA_MODEL_API_KEY_VARIABLE": "sk-hush"},
        {"AIMSCIQA_MODEL_BASE_URL": "http://me:sk-hush@host/v1"},
        {"AIMSCIQA_MODEL_BASE_URL": "http://host/v1?key=sk-hush"},
        {"AIMSCIQA_MODEL_BASE_URL": "http://host/v1#sk-hush"},
        {"AIMSCIQA_MODEL_EXTRA_BODY": "sk-hush"},
        {"AIMSCIQA_MODEL_EXTRA_BODY": '{"api_key": "sk-hush"}'},
        {"AIMSCIQA_MODEL_EXTRA_BODY": '{"provider": [{"access_token": "hush"}]}'},
        {"AIMSCIQA_MODEL_EXTRA_BODY": '{"header": "Use sk-hush-0123456789"}'},
    ],
)
def test_a_secret_in_the_wrong_place_is_refused_and_not_repeated(environment):
    with pytest.raises(SettingsError) as caught:
        Settings.preset_of("demo", environment)
    assert "hush" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_token_budgets_are_no_secrets():
    body = '{"max_completion_tokens": 7, "thinking": {"budget_tokens": 9}, "stop_token_ids": [1]}'
    assert ModelSettings(extra_body=body).more_fields["max_completion_tokens"] == 7


def test_every_setting_of_a_model_has_a_line():
    assert len(model_settings_table()) == len(ModelSettings.model_fields)


def test_a_fingerprint_depends_on_all_that_determines_a_reply():
    def marks(**changes):
        request = {"task": "t", "key": "k", "variables": {}, "messages": (Message("user", "a"),)}
        return fingerprint("model", ModelRequest(**request | changes))

    different = [
        marks(),
        fingerprint("other", ModelRequest("t", "k", {}, (Message("user", "a"),))),
        marks(messages=(Message("system", "a"),)),
        marks(messages=(Message("user", "a"), Message("user", ""))),
        marks(reply_schema={"type": "object"}),
        marks(reply_grammar="root ::= x"),
        marks(messages=(Message("user", "\ud800"),)),
        marks(run=2),
        marks(run=3),
    ]
    assert len(set(different)) == len(different)
    assert marks(task="u", key="l", variables={"x": "y"}, run=1) == marks()


def test_replies_of_earlier_versions_are_found_again():
    request = ModelRequest("t", "k", {}, (Message("user", "a"),))
    assert fingerprint("model", request) == "ea8c593b1367e93a81de10b78dba5230"
