"""Every setting of the method with its meaning, the presets, and how settings file and environment
override them.

The classes are Dagster's pydantic models, so that the launchpad can show them (`launchpad.py`).
"""

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

import dagster as dg
from aimsciqa_resources.encoder import PACKAGED
from aimsciqa_resources.language_model.named import read_named
from aimsciqa_resources.language_model.settings import HUMAN, RECORDED, ModelSettings
from aimsciqa_resources.pmc.settings import NightlySettings, PmcSettings
from aimsciqa_resources.search_models import read_search_models
from aimsciqa_resources.section import Section, refuse_bad_address
from aimsciqa_resources.settings_file import NO_FILE, SettingsFile, general, settings_file
from aimsciqa_resources.variables import SettingsError, refuse_unknown
from pydantic import Field, ValidationError, field_validator

__all__ = ["PRESETS", "Preset", "Settings", "SettingsError"]

Preset = Literal["demo", "paper", "paper-local"]
PRESETS: tuple[Preset, ...] = get_args(Preset)


class SelectionSettings(Section):
    """Which papers may be sources (AIM-SciQA, section 4.1)."""

    min_accessible_citations: int = Field(
        default=3, ge=0, description="different papers in scope that a source must cite, at least"
    )
    scope: Literal["corpus", "pmc"] = Field(
        default="corpus",
        description="which cited papers are accessible: those of this corpus, or any article with a PMCID "
        "(`aimsciqa ids` finds more)",
    )
    corpus: Literal["all", "eligible"] = Field(
        default="all",
        description="which papers are asked about, may be targets and distractors, and are searched: all of "
        "them, or only those that may be sources, as in the paper",
    )


class SingleHopSettings(Section):
    """Single-hop QA and the alignment filter (section 4.2)."""

    alignment_fraction: float = Field(
        default=0.1,
        ge=0,
        lt=1,
        description="share of the pairs with the lowest Sim(Q,A) - Sim(Q,E) that is removed",
    )
    alignment_scope: Literal["batch", "corpus"] = Field(
        default="batch",
        description="where the lowest share is taken: in each paper batch, or over the corpus. Papers that "
        "come later give up so many of their own pairs that it stays the share of all",
    )


class RelationSettings(Section):
    """Section similarity, selection and clusters (section 4.3)."""

    tau: float = Field(
        default=0.3, gt=-1, le=1, description="lowest cosine at which questions count as similar (eq. 5)"
    )
    section_pairs_per_document_pair: int = Field(
        default=1, ge=1, description="Top-K section pairs of two papers"
    )
    relations_per_source: int = Field(default=3, ge=1, description="relations kept per source paper")
    cluster_size: int = Field(default=30, ge=2, description="papers in a cluster, the target included")
    min_cited_cluster: int = Field(
        default=2,
        ge=1,
        description="citation-guided: cited papers of a source that the corpus must hold, at least",
    )
    all_citations_in_corpus: bool = Field(
        default=False,
        description="citation-guided: only sources whose references all lead to admitted papers, as the 51 "
        "of the paper",
    )
    core_as_retrieval_question: bool = Field(
        default=False,
        description="the target's core QA may also be its retrieval QA, as in the paper; the item then asks "
        "the same question that it searches by",
    )
    keyword_origins: str = Field(
        default="author subject extracted",
        pattern=r"^((author|subject|extracted)( |$))+$",
        description="which keywords make two papers candidates of each other, separated by spaces: author; "
        "subject, where there are none; extracted from title and abstract, where there are neither",
    )
    keyword_order: Literal["rarity", "count"] = Field(
        default="rarity",
        description="which papers with common keywords are nearest, and so distractors: those that share the "
        "rarer keywords, or the more",
    )
    mirrors: Literal["stronger", "both"] = Field(
        default="stronger",
        description="what becomes of two relations of a variant, one from A to B and one from B to A, on the "
        "same core pair: an item is made of the stronger one, or of both, as the paper may have",
    )
    seed: int = Field(default=20241, ge=0, description="seed of the random distractors")
    refresh: bool = Field(
        default=True,
        description="redo a finished batch when papers ingested later could become its targets; "
        "`aimsciqa run` leaves finished batches alone unless it is told --refresh",
    )


class MultiHopSettings(Section):
    """The dev and test split (section 4.4)."""

    test_items: int = Field(default=300, ge=0, description="test items at most")
    test_fraction: float = Field(default=0.1, ge=0, le=1, description="share of the items in test at most")
    split_seed: int = Field(default=20241, ge=0, description="seed of the split")
    kept_apart: Literal["evidence", "facts"] = Field(
        default="evidence",
        description="what a dev and a test item never share: source, two papers and any sentence of "
        "evidence; or only source and two papers (and so a core pair), which leaves more to choose from",
    )


class BenchmarkSettings(Section):
    """The evaluation: retrieval (section 5.1), answering (5.2), judges and quality gates."""

    split: Literal["all", "test"] = Field(
        default="all", description="accepted items to evaluate: all of them, or the test split"
    )
    whole_variants: str = Field(
        default="",
        description="variants of which all accepted items are evaluated, whatever `split` says, separated by "
        "spaces: cim, as in Table 8 of the paper",
    )
    retrievers: str = Field(
        default=f"bm25 {PACKAGED}",
        description="retrievers, separated by spaces: bm25; a sentence-transformers model (folder or hub "
        "name); one of Table 6 (docs/benchmark.md); server:NAME, a model of the embedding server; A+B, two "
        "of them fused; A>NAME, the first papers of A reordered by the cross-encoder NAME",
    )
    retriever_models: str = Field(
        default="",
        description="further encoders by name, as JSON, with revision and the words before queries and "
        'documents: {"my-e5": {"model": "intfloat/e5-large-v2", "query_prefix": "query: ", '
        '"document_prefix": "passage: "}}',
    )
    trust_remote_code: bool = Field(
        default=False,
        description="run the code that stands in the repositories of retrievers; two of Table 6 need it",
    )
    retrieval_items: int = Field(
        default=0,
        ge=0,
        description="items of each kind that are searched for, drawn at random by the seed; 0: all. What was "
        "not searched for is not answered in the realistic setting",
    )
    document_text: Literal["title_abstract", "chunks", "questions"] = Field(
        default="title_abstract",
        description="what represents a paper: title and abstract; its text in chunks, of which the best "
        "counts; its kept questions, of which the best counts",
    )
    chunk_words: int = Field(default=200, ge=20, description="words of a chunk at most")
    rerank_depth: int = Field(default=50, ge=1, description="papers that a cross-encoder reorders")
    embedding_base_url: str = Field(
        default="", description="address of the OpenAI-compatible embedding server, up to /v1"
    )
    embedding_api_key_variable: str = Field(
        default="OPENAI_API_KEY", description="environment variable that holds the key of that server"
    )
    answerers: str = Field(
        default="",
        description="models that answer, separated by spaces: extractive, NAME, NAME@ADDRESS of another "
        "server, recorded:NAME for replies that NAME gave, or human:NAME for answers of a person (`aimsciqa "
        "answers`); empty: the answering model alone",
    )
    answer_without_citation: bool = Field(
        default=False,
        description="citation setting: a model whose marker leads to no paper is still asked, with the "
        "source alone (`marker_fault` says so); otherwise its answer counts as wrong",
    )
    models: str = Field(
        default="",
        description="settings of single answerers and judges by name, as JSON, where they differ from those "
        'of the answering or judge model: {"gpt-5": {"api_key_variable": "OPENAI_API_KEY", "temperature": 1, '
        '"extra_body": {"reasoning_effort": "low"}}}; name says what the server calls it, if not this',
    )
    realistic_retriever: str = Field(
        default="",
        description="retriever whose first paper is read in the realistic setting; empty: the first one; "
        "best: the one with the highest Hit@1 in the clusters; best:MRR@5: by another measure",
    )
    answering_items: int = Field(
        default=0,
        ge=0,
        description="items of each kind that the models answer, drawn at random by the seed; 0: all",
    )
    answering_settings: str = Field(
        default="",
        pattern=r"^((oracle|realistic|citation|alone|closed_book)( |$))*$",
        description="settings in which they are answered, separated by spaces: oracle, realistic, citation, "
        "alone (each paper by itself), closed_book; empty: all. The gates need alone and closed_book",
    )
    judges: str = Field(
        default="",
        description="models that judge answers, written like answerers. Empty: the judge model, if it has a "
        "name; the lexical judge always judges too",
    )
    same_family: bool = Field(
        default=False,
        description="a judge also judges the answers of its own model family, as GPT-5 does in the paper",
    )
    bert_score_model: str = Field(
        default="",
        description="model of BERTScore, which the extra bertscore installs (the paper: "
        "microsoft/deberta-xlarge-mnli); empty: no BERTScore",
    )
    quality_judges: str = Field(
        default="", description="models that rate the items in HopWeaver's dimensions; empty: none"
    )
    quality_items: int = Field(
        default=50, ge=1, description="items that the quality judges rate, drawn at random"
    )
    quality_runs: int = Field(
        default=5, ge=1, description="how often each quality judge is asked about an item"
    )
    refusals: int = Field(
        default=0,
        ge=0,
        description="pairs refused by the multi-hop model that it judges again by the four criteria, drawn "
        "at random; 0: none. (The paper: about 70 % fail relational appropriateness or cross-reference "
        "necessity.)",
    )
    duplicate_similarity: float = Field(
        default=0.95, gt=0, le=1, description="lowest cosine at which questions are near-duplicates"
    )
    unusable: Literal["wrong", "left_out"] = Field(
        default="wrong",
        description="an answer that could not be given because a paper has no text, and one whose judge's "
        "reply cannot be read: wrong, so that all models rest on the same items; or left_out of the means",
    )
    resamples: int = Field(default=2000, ge=100, description="resamples for intervals and tests")
    resampled: Literal["facts", "items"] = Field(
        default="facts",
        description="what is drawn for intervals and tests: groups of items that share a core QA pair, which "
        "depend on each other, or single items",
    )
    seed: int = Field(default=20241, ge=0, description="seed of random clusters, resamples and draws")

    @field_validator("embedding_base_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        refuse_bad_address(value)
        return value

    @field_validator("retriever_models")
    @classmethod
    def _is_encoders_by_name(cls, value: str) -> str:
        read_search_models(value)
        return value

    @field_validator("models")
    @classmethod
    def _is_settings_by_name(cls, value: str) -> str:
        read_named(value)
        return value

    def named(self, name: str) -> dict[str, Any]:
        """The settings in which a listed model differs: those of NAME@ADDRESS are those of NAME."""
        return read_named(self.models).get(name.partition("@")[0], {})

    def called(self, name: str) -> str:
        """What the server calls a listed model."""
        return str(self.named(name).get("name", name))

    @property
    def retriever_names(self) -> list[str]:
        """The names of the retrievers, each once."""
        return list(dict.fromkeys(self.retrievers.split()))


class AuditSettings(Section):
    """What people are given to rate (`aimsciqa audit sample`)."""

    split: Literal["all", "test"] = Field(
        default="all", description="accepted items that are drawn: of both splits, or of the test split"
    )
    pairs: Literal["kept", "both"] = Field(
        default="kept",
        description="QA pairs that are drawn: kept ones; or half kept and half taken out by the alignment "
        "filter, without saying which",
    )
    abstracts: bool = Field(
        default=True,
        description="show the abstracts of the papers among which the target is looked for, not their titles "
        "alone",
    )


class ReleaseSettings(Section):
    """Which papers and items may stand in a release."""

    name: str = Field(
        default="aimsciqa-release",
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$",
        description="name of the dataset and of its folder",
    )
    gates: str = Field(
        default="",
        pattern=r"^((single_document|closed_book|unique_retrieval|no_duplicate)( |$))*$",
        description="quality gates that no released item may have failed, separated by spaces: "
        "single_document, closed_book, unique_retrieval, no_duplicate",
    )
    any_licence: bool = Field(
        default=False,
        description="release also papers whose licence is unknown, forbids derivatives, or allows only text "
        "mining",
    )
    retracted: bool = Field(default=False, description="release also papers that were retracted")


class EncoderSettings(Section):
    """The sentence encoder. The paper uses MedEmbed-large-v0.1 (section 4.3)."""

    model: str = Field(
        default=PACKAGED, description="all-MiniLM-L6-v2 (packaged), a model folder, or a name on the hub"
    )
    revision: str = Field(default="", description="revision on the hub; empty for the newest")
    precision: Literal["float32", "bfloat16"] = Field(
        default="float32",
        description="precision of the encoder's numbers; bfloat16 is quicker on newer processors and GPUs, "
        "and gives different vectors",
    )


class ComputeSettings(Section):
    """How sections are compared, and in how much memory."""

    similarity_precision: Literal["float32", "bfloat16"] = Field(
        default="float32",
        description="precision of the cosines between questions; bfloat16 is quicker on some processors, and "
        "off by up to 0.01",
    )
    similarity_memory_mib: int = Field(
        default=128,
        ge=1,
        description="memory for the question vectors that a batch is compared with at a time, in MiB",
    )


class ReproductionSettings(Section):
    """Whether the models must be those that the paper names."""

    named_models: Literal["required", "any"] = Field(
        default="any",
        description="required: a run refuses to start while the encoder is not MedEmbed-large-v0.1, pairs "
        "are not by Qwen2.5-7B-Instruct, or items not by a language model; any: it takes what is set",
    )


class CorpusSettings(Section):
    """How files are put into paper batches."""

    papers_per_batch: int = Field(default=500, ge=1, description="files in a paper batch at most")


class Settings(dg.ConfigurableResource):  # type: ignore[type-arg]
    """All settings. `Settings.preset_of("paper")` has every number of the AIM-SciQA paper."""

    reproduction: ReproductionSettings = ReproductionSettings()
    corpus: CorpusSettings = CorpusSettings()
    encoder: EncoderSettings = EncoderSettings()
    selection: SelectionSettings = SelectionSettings()
    single_hop: SingleHopSettings = SingleHopSettings()
    relations: RelationSettings = RelationSettings()
    compute: ComputeSettings = ComputeSettings()
    multi_hop: MultiHopSettings = MultiHopSettings()
    benchmark: BenchmarkSettings = BenchmarkSettings()
    audit: AuditSettings = AuditSettings()
    release: ReleaseSettings = ReleaseSettings()
    single_hop_model: ModelSettings = ModelSettings()
    multi_hop_model: ModelSettings = ModelSettings()
    answering_model: ModelSettings = ModelSettings()
    judge_model: ModelSettings = ModelSettings()
    pmc: PmcSettings = PmcSettings()
    nightly: NightlySettings = NightlySettings()

    @classmethod
    def preset_of(
        cls,
        preset: Preset,
        environment: Mapping[str, str] = os.environ,
        chosen: Mapping[str, Mapping[str, Any]] | None = None,
        file: SettingsFile = NO_FILE,
        *,
        asking: bool = True,
    ) -> "Settings":
        """The preset, overridden by the file, and that by every `AIMSCIQA_<SECTION>_<SETTING>`.

        `[model]` and `AIMSCIQA_MODEL_<SETTING>` apply to the models of all tasks. `chosen`, settings by
        section, override all. Where no model will be asked (`asking`), those of models need not be complete.
        Raises `SettingsError` for an invalid value, an unknown name, or a preset that does not exist.
        """
        if preset not in PRESETS:
            raise SettingsError(f"There is no preset {preset!r}; choose one of {', '.join(PRESETS)}.")
        refuse_unknown(environment, variables())
        file.refuse_unknown(keys_of_file())
        made: dict[str, dg.Config] = {}
        for name, section in sections().items():
            if section is ModelSettings and not asking:
                made[name] = section()
                continue
            values: dict[str, Any] = {}
            for _, layer in layers(name, section, preset, environment, file):
                values |= layer
            values |= (chosen or {}).get(name, {})
            try:
                made[name] = section(**values)
            except ValidationError as error:
                raise SettingsError(_complaint(name, error, environment, chosen or {}, file)) from None
        settings = cls(**made)  # type: ignore[arg-type]
        if asking:
            settings._refuse_bad_models()
        return settings

    @classmethod
    def of_environment(cls, preset: str | None = None, *, asking: bool = True) -> "Settings":
        """The settings of `preset`, or else of `chosen_preset()`; raises `SettingsError`."""
        chosen: Preset = preset or chosen_preset()  # type: ignore[assignment]
        return cls.preset_of(chosen, file=settings_file(), asking=asking)

    @property
    def models(self) -> dict[str, ModelSettings]:
        """The settings of the model of each task."""
        return {
            name.removesuffix("_model"): getattr(self, name)
            for name, section in sections().items()
            if section is ModelSettings
        }

    def named_model(self, task: str, name: str) -> ModelSettings:
        """The settings of a listed model: NAME, NAME@ADDRESS, recorded:NAME or human:NAME.

        Those that `benchmark.models` does not give are those of the model of `task`.
        """
        model = self.models[task]
        if name == "extractive":
            return ModelSettings()
        if name.startswith(HUMAN):
            return ModelSettings(backend="recorded", name=name, recordings=model.recordings)
        if name.startswith(RECORDED):
            by = name.removeprefix(RECORDED)
            return ModelSettings(backend="recorded", name=by, recordings=model.recordings)
        bare, at, address = name.partition("@")
        own = self.benchmark.named(name)
        elsewhere = at or "base_url" in own or model.backend in ("extractive", "recorded")
        backend = "server" if elsewhere else model.backend
        changed = {"backend": backend, "name": bare} | own | ({"base_url": address} if at else {})
        return ModelSettings(**model.model_dump() | changed)

    @property
    def answerer_names(self) -> list[str]:
        """The models that answer."""
        return _named(self.benchmark.answerers) or [self.answering_model.label or "extractive"]

    @property
    def judge_names(self) -> list[str]:
        """The models that judge answers."""
        return _named(self.benchmark.judges) or ([self.judge_model.label] if self.judge_model.name else [])

    @property
    def recorded_judges(self) -> list[ModelSettings]:
        """Those of them whose judgements are recorded."""
        return [self.named_model("judge", name) for name in self.judge_names if name.startswith(RECORDED)]

    @property
    def quality_judge_names(self) -> list[str]:
        """The models that rate items."""
        return _named(self.benchmark.quality_judges)

    def _refuse_bad_models(self) -> None:
        """Raise `SettingsError` for a listed model that could not be asked."""
        listed = {"answerers": "answering", "judges": "judge", "quality_judges": "judge"}
        for setting, task in listed.items():
            for name in _named(getattr(self.benchmark, setting)):
                try:
                    self.named_model(task, name)
                except ValidationError as error:
                    message = error.errors()[0]["msg"].removeprefix("Value error, ")
                    # The address is not shown: somebody may have put a key there.
                    bare = name.partition("@")[0]
                    hint = "" if name.startswith(RECORDED) else _OF_ANOTHER_SERVER
                    raise SettingsError(
                        f"{variable_name('benchmark', setting)}: {bare}: {message}.{hint}"
                    ) from None

    def refuse_other_models(self) -> None:
        """Raise `SettingsError` while the models must be those that the paper names, and are others."""
        if self.reproduction.named_models == "any" or not (others := list(self._other_models())):
            return
        raise SettingsError(
            f"This preset reproduces the paper, with the models that it names; {'; '.join(others)}. "
            "Set them, or take the preset paper-local, which has the paper's numbers and what a laptop has, "
            "or set AIMSCIQA_REPRODUCTION_NAMED_MODELS=any to go on with these."
        )

    def _other_models(self) -> Iterator[str]:
        """What is not what the paper names, and what it should be."""
        if _MED_EMBED not in _letters(self.encoder.model):
            yield (
                f"{variable_name('encoder', 'model')} is {self.encoder.model}, not {_ENCODER} (or a folder "
                "that holds it)"
            )
        pairs, items = self.single_hop_model, self.multi_hop_model
        if pairs.backend == "extractive" or _QWEN not in _letters(pairs.name):
            by = pairs.name if pairs.backend != "extractive" else "rules, without a language model"
            yield (
                f"pairs are made by {by}, not by {_PAIRS}: set {variable_name('single_hop_model', _BACKEND)} "
                "and what the backend needs (docs/models.md)"
            )
        if items.backend == "extractive":
            yield (
                "items are made by rules, without a language model (the paper names none): set "
                f"{variable_name('multi_hop_model', _BACKEND)}"
            )

    def with_refresh(self, refresh: bool) -> "Settings":
        """The same settings with another `relations.refresh`."""
        # Made anew: Dagster configures a resource from its constructor arguments, not from a changed copy.
        made = {name: getattr(self, name) for name in type(self).model_fields}
        relations = RelationSettings(**self.relations.model_dump() | {"refresh": refresh})
        return type(self)(**made | {"relations": relations})


def _named(names: str) -> list[str]:
    return list(dict.fromkeys(names.split()))


def _letters(name: str) -> str:
    """A model's name as far as servers and folders agree on it: qwen2.5:7b-instruct is qwen257binstruct."""
    return "".join(filter(str.isalnum, name.lower()))


_ENCODER, _PAIRS = "abhinand/MedEmbed-large-v0.1", "Qwen/Qwen2.5-7B-Instruct"
_MED_EMBED, _QWEN = _letters("MedEmbed-large-v0.1"), _letters("Qwen2.5-7B-Instruct")
_PAPER: dict[str, dict[str, Any]] = {
    "selection": {"min_accessible_citations": 3, "corpus": "eligible"},
    "single_hop": {"alignment_fraction": 0.1, "alignment_scope": "corpus"},
    "relations": {
        "core_as_retrieval_question": True,
        "all_citations_in_corpus": True,
        "mirrors": "both",
        "keyword_order": "count",
    },
    "multi_hop": {"kept_apart": "facts"},
    "benchmark": {
        "split": "test",
        "whole_variants": "cim",
        "answer_without_citation": True,
        "realistic_retriever": "best",
        "answering_items": 100,
        "answering_settings": "oracle realistic citation",
        "same_family": True,
    },
    "audit": {"split": "test"},
    "pmc": {"years": "2019-2024", "limit": 20_281},
}
_PRESETS: dict[Preset, dict[str, dict[str, Any]]] = {
    # In a small corpus few papers cite each other, and the similarity variant needs no citations.
    "demo": {"selection": {"min_accessible_citations": 0}},
    "paper": _PAPER
    | {
        "reproduction": {"named_models": "required"},
        "encoder": {"model": _ENCODER},
        "single_hop_model": {"name": _PAIRS},
        "benchmark": _PAPER["benchmark"] | {"bert_score_model": "microsoft/deberta-xlarge-mnli"},
    },
    "paper-local": _PAPER,
}
SHARED_MODEL = "model"
_BACKEND = "backend"
_VARIABLE_OF_MODELS = re.compile(r"AIMSCIQA_MODEL_([A-Z_]+)")
_OF_ANOTHER_SERVER = " A model of another server is written NAME@ADDRESS."
_MAY_HOLD_A_SECRET = {
    *(
        "api_key_variable",
        "base_url",
        "extra_body",
        "models",
        "embedding_base_url",
        "embedding_api_key_variable",
    ),
    *("eutils_url", "bucket_url", "oai_url"),
}


def chosen_preset(environment: Mapping[str, str] = os.environ) -> Preset:
    """`AIMSCIQA_PRESET`, else that of the settings file, else the demo. The name is not checked here."""
    return general("AIMSCIQA_PRESET", environment) or "demo"  # type: ignore[return-value]


def layers(
    name: str,
    section: type[dg.Config],
    preset: Preset,
    environment: Mapping[str, str],
    file: SettingsFile = NO_FILE,
) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is said of a section, and where: each layer overrides those before it."""
    yield f"preset {preset}", dict(_PRESETS[preset].get(name, {}))
    names = [SHARED_MODEL, name] if section is ModelSettings else [name]
    for one in names:
        texts = {setting for setting, info in section.model_fields.items() if info.annotation is str}
        said = file.of(one).items()
        yield (
            file.where(one),
            {setting: str(value) if setting in texts else value for setting, value in said},
        )
    for one in names:
        yield "environment", dict(_overrides(one, section, environment))


def keys_of_file() -> dict[str, set[str]]:
    """The keys of a settings file, by table."""
    return {
        section: set(config.model_fields)
        for section, config in (sections() | {SHARED_MODEL: ModelSettings}).items()
    }


def sections() -> dict[str, type[dg.Config]]:
    """The sections of `Settings` by name."""
    annotations = {name: field.annotation for name, field in Settings.model_fields.items()}
    return {
        name: annotation
        for name, annotation in annotations.items()
        if isinstance(annotation, type) and issubclass(annotation, dg.Config)
    }


def _complaint(
    section: str,
    error: ValidationError,
    environment: Mapping[str, str],
    chosen: Mapping[str, Mapping[str, Any]],
    file: SettingsFile,
) -> str:
    """What is wrong with a section, and the name of the variable or setting at fault.

    The value is shown, unless somebody may have put a secret there.
    """
    first = error.errors()[0]
    message = first["msg"].removeprefix("Value error, ")
    if not first["loc"]:
        # An error without a setting comes from a check of a whole model section, which is about its backend.
        named = _set_by(section, _BACKEND, environment, chosen, file)
        prefix = named.removesuffix(_BACKEND.upper())
        if prefix != named:
            message = message.replace(variable_name(SHARED_MODEL, ""), prefix)
        else:
            # Of the settings file, whose keys are short.
            message = _VARIABLE_OF_MODELS.sub(lambda found: found[1].lower(), message)
        return f"{named}: {message}"
    setting = str(first["loc"][0])
    shown = "" if setting in _MAY_HOLD_A_SECRET else f"={first['input']!r}"
    return f"{_set_by(section, setting, environment, chosen, file)}{shown}: {message}"


def _set_by(
    section: str,
    setting: str,
    environment: Mapping[str, str],
    chosen: Mapping[str, Mapping[str, Any]],
    file: SettingsFile,
) -> str:
    """Where a setting got its value: in the launchpad, by its own variable or that of all models, or in the
    settings file.
    """
    own, shared = variable_name(section, setting), variable_name(SHARED_MODEL, setting)
    of_model = sections()[section] is ModelSettings
    if setting in chosen.get(section, {}):
        return f"{section}.{setting}"
    if own in environment:
        return own
    if of_model and shared in environment:
        return shared
    if setting in file.of(section):
        return f"{file.where(section)} {setting}"
    if of_model and setting in file.of(SHARED_MODEL):
        return f"{file.where(SHARED_MODEL)} {setting}"
    return own


def variable_name(section: str, setting: str) -> str:
    """The environment variable that overrides a setting."""
    return f"AIMSCIQA_{section}_{setting}".upper()


def _overrides(section: str, config: type[dg.Config], environment: Mapping[str, str]) -> dict[str, str]:
    names = {setting: variable_name(section, setting) for setting in config.model_fields}
    return {setting: environment[name] for setting, name in names.items() if name in environment}


def variables() -> frozenset[str]:
    """The environment variables of all settings."""
    groups = sections() | {SHARED_MODEL: ModelSettings}
    return frozenset(
        variable_name(section, setting)
        for section, config in groups.items()
        for setting in config.model_fields
    )


def settings_table(demo: Settings, paper: Settings) -> list[str]:
    """All settings as rows of a Markdown table: variable, value in both presets, meaning.

    The settings of models are left out: `model_settings_table` lists them once for all tasks.
    """
    rows = []
    for section, config in sections().items():
        if config is ModelSettings:
            continue
        for setting, info in config.model_fields.items():
            values = [f"`{getattr(getattr(preset, section), setting)!s}`" for preset in (demo, paper)]
            name = variable_name(section, setting)
            rows.append(f"| `{name}` | {values[0]} | {values[1]} | {info.description} |")
    return rows


def model_settings_table() -> list[str]:
    """The settings of a model as rows of a Markdown table: variable, default, meaning."""
    return [
        f"| `{variable_name(SHARED_MODEL, setting)}` | `{info.default}` | {info.description} |"
        for setting, info in ModelSettings.model_fields.items()
    ]
