"""The settings that are in force: a preset, overridden by the settings file, and that by the environment."""

import os
from collections.abc import Iterator, Mapping
from typing import Any, Final

import dagster as dg
from aimsciqa_resources.language_model.settings import HUMAN, RECORDED, ModelSettings
from aimsciqa_resources.openreview.settings import OpenReviewSettings
from aimsciqa_resources.pmc.settings import NightlySettings, PmcSettings
from aimsciqa_resources.settings_file import NO_FILE, SettingsFile, settings_file
from aimsciqa_resources.variables import SettingsError, refuse_unknown
from pydantic import ValidationError

from aimsciqa_assets.findings.settings import FindingsSettings
from aimsciqa_assets.settings.airqa import AirqaSettings
from aimsciqa_assets.settings.airqa_runs import WITH_RULES, agent_models
from aimsciqa_assets.settings.benchmark import BenchmarkSettings
from aimsciqa_assets.settings.extractor import ExtractorSettings
from aimsciqa_assets.settings.hopweaver import HopWeaverSettings, RerankerTrainingSettings
from aimsciqa_assets.settings.necessity import NecessitySettings
from aimsciqa_assets.settings.places import (
    BACKEND,
    SHARED_MODEL,
    Said,
    chosen_preset,
    layers,
    tables_of,
    variable_name,
)
from aimsciqa_assets.settings.presets import ENCODER, PAIRS, PRESETS, Preset
from aimsciqa_assets.settings.scidqa import ScidqaSettings
from aimsciqa_assets.settings.sections import (
    AuditSettings,
    ComputeSettings,
    CorpusSettings,
    EncoderSettings,
    MultiHopSettings,
    RelationSettings,
    ReleaseSettings,
    ReproductionSettings,
    SelectionSettings,
    SingleHopSettings,
    SystemsSettings,
)


class Settings(dg.ConfigurableResource):  # type: ignore[type-arg]
    """All settings. `Settings.preset_of("paper")` has every number of the AIM-SciQA paper."""

    systems: SystemsSettings = SystemsSettings()
    reproduction: ReproductionSettings = ReproductionSettings()
    corpus: CorpusSettings = CorpusSettings()
    encoder: EncoderSettings = EncoderSettings()
    selection: SelectionSettings = SelectionSettings()
    single_hop: SingleHopSettings = SingleHopSettings()
    relations: RelationSettings = RelationSettings()
    compute: ComputeSettings = ComputeSettings()
    multi_hop: MultiHopSettings = MultiHopSettings()
    findings: FindingsSettings = FindingsSettings()
    hopweaver: HopWeaverSettings = HopWeaverSettings()
    reranker_training: RerankerTrainingSettings = RerankerTrainingSettings()
    airqa: AirqaSettings = AirqaSettings()
    extractor: ExtractorSettings = ExtractorSettings()
    scidqa: ScidqaSettings = ScidqaSettings()
    benchmark: BenchmarkSettings = BenchmarkSettings()
    necessity: NecessitySettings = NecessitySettings()
    audit: AuditSettings = AuditSettings()
    release: ReleaseSettings = ReleaseSettings()
    single_hop_model: ModelSettings = ModelSettings()
    multi_hop_model: ModelSettings = ModelSettings()
    findings_model: ModelSettings = ModelSettings()
    drafter_model: ModelSettings = ModelSettings()
    challenger_model: ModelSettings = ModelSettings()
    strict_reader_model: ModelSettings = ModelSettings()
    hopweaver_model: ModelSettings = ModelSettings()
    filter_model: ModelSettings = ModelSettings()
    polisher_model: ModelSettings = ModelSettings()
    reader_model: ModelSettings = ModelSettings()
    answering_model: ModelSettings = ModelSettings()
    judge_model: ModelSettings = ModelSettings()
    airqa_model: ModelSettings = ModelSettings()
    summary_model: ModelSettings = ModelSettings()
    extractor_model: ModelSettings = ModelSettings()
    tracker_model: ModelSettings = ModelSettings()
    actor_model: ModelSettings = ModelSettings()
    scidqa_model: ModelSettings = ModelSettings()
    pmc: PmcSettings = PmcSettings()
    openreview: OpenReviewSettings = OpenReviewSettings()
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
            for one in tables_of(name, section):
                values |= (chosen or {}).get(one, {})
            try:
                made[name] = section(**values)
            except ValidationError as error:
                said = Said(environment, chosen or {}, file)
                raise SettingsError(said.complaint(name, section, error)) from None
        settings = cls(**made)  # type: ignore[arg-type]
        if asking:
            settings._refuse_bad_models()
        return settings

    @classmethod
    def of_environment(
        cls,
        preset: str | None = None,
        *,
        asking: bool = True,
        chosen: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> "Settings":
        """The settings of `preset`, or else of `chosen_preset()`, with those `chosen` for this time.

        Raises `SettingsError`.
        """
        named: Preset = preset or chosen_preset()  # type: ignore[assignment]
        return cls.preset_of(named, chosen=chosen, file=settings_file(), asking=asking)

    @property
    def makes_findings(self) -> bool:
        """Return whether Findings makes items: it is among the systems, and has language models to ask."""
        backends = {self.models[task].backend for task in FINDINGS_TASKS}
        return self.systems.findings and backends <= {"server", "vllm", "recorded"}

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
        elsewhere = at or "base_url" in own or model.backend in ("scripted", "recorded")
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
    def aspect_judge_names(self) -> list[str]:
        """The models that rate long answers."""
        return _named(self.benchmark.aspect_judges)

    @property
    def recorded_aspect_judges(self) -> list[ModelSettings]:
        """Those of them whose ratings are recorded."""
        names = [name for name in self.aspect_judge_names if name.startswith(RECORDED)]
        return [self.named_model("judge", name) for name in names]

    @property
    def quality_judge_names(self) -> list[str]:
        """The models that rate items."""
        return _named(self.benchmark.quality_judges)

    def _refuse_bad_models(self) -> None:
        """Raise `SettingsError` for a model that could not be asked."""
        for task in self.hopweaver.needed_models:
            if self.models[task].backend == "scripted":
                kinds = f"{variable_name('hopweaver', 'kinds')}={self.hopweaver.kinds}"
                raise _needs_model(
                    f"{kinds} needs a language model: the scripted one makes no such questions.", task
                )
        if self.airqa.summarises and self.summary_model.backend == "scripted":
            summaries = f"{variable_name('airqa', 'summaries')}=true"
            raise _needs_model(
                f"{summaries} needs a language model: the scripted one writes no summaries.", "summary"
            )
        if self.scidqa.asks and self.scidqa_model.backend == "scripted":
            asked = (
                f"{variable_name('scidqa', 'extraction')}=true"
                if self.scidqa.extraction
                else f"{variable_name('scidqa', 'evidence_versions')}={self.scidqa.evidence_versions}"
            )
            raise _needs_model(
                f"{asked} needs a language model: the scripted one reads no reviews.",
                "scidqa",
            )
        for task in ("extractor", "tracker", "actor") if self.extractor.examples else ():
            if self.models[task].backend == "scripted":
                examples = f"{variable_name('extractor', 'examples')}={self.extractor.examples}"
                raise _needs_model(
                    f"{examples} needs a language model: the scripted one makes no such examples.", task
                )
        if not set(self.airqa.baseline_names) <= WITH_RULES and "scripted" in (
            model.backend for model in agent_models(self)
        ):
            raise _needs_model(
                f"The extractive reader answers for {', '.join(sorted(WITH_RULES))} of AirQA's baselines; "
                f"{variable_name('airqa', 'baselines')}={self.airqa.baselines} needs a language model.",
                "airqa",
            )
        for (section, setting), task in LISTED_MODELS.items():
            for name in _named(getattr(getattr(self, section), setting)):
                try:
                    self.named_model(task, name)
                except ValidationError as error:
                    message = error.errors()[0]["msg"].removeprefix("Value error, ")
                    # The address is not shown: somebody may have put a key there.
                    bare = name.partition("@")[0]
                    hint = "" if name.startswith(RECORDED) else _OF_ANOTHER_SERVER
                    raise SettingsError(
                        f"{variable_name(section, setting)}: {bare}: {message}.{hint}"
                    ) from None

    def refuse_other_models(self) -> None:
        """Raise `SettingsError` while the models must be those that the paper names, and are others."""
        if self.reproduction.named_models == "any" or not (others := list(self._other_models())):
            return
        raise SettingsError(
            f"This preset reproduces the paper, with the models that it names; {'; '.join(others)}. "
            "Set them, or take the preset aim-sciqa, which has the paper's numbers and what a laptop has, "
            "or set AIMSCIQA_REPRODUCTION_NAMED_MODELS=any to go on with these."
        )

    def _other_models(self) -> Iterator[str]:
        """What is not what the paper names, and what it should be."""
        if _MED_EMBED not in _letters(self.encoder.model):
            yield (
                f"{variable_name('encoder', 'model')} is {self.encoder.model}, not {ENCODER} (or a folder "
                "that holds it)"
            )
        pairs, items = self.single_hop_model, self.multi_hop_model
        if pairs.backend == "scripted" or _QWEN not in _letters(pairs.name):
            by = pairs.name if pairs.backend != "scripted" else "the scripted model"
            yield (
                f"pairs are made by {by}, not by {PAIRS}: set {variable_name('single_hop_model', BACKEND)} "
                "and what the backend needs (docs/models.md)"
            )
        if items.backend == "scripted":
            yield (
                "items are made by the scripted model (the paper names none): set "
                f"{variable_name('multi_hop_model', BACKEND)}"
            )

    def with_refresh(self, refresh: bool) -> "Settings":
        """The same settings with another `relations.refresh`."""
        # Made anew: Dagster configures a resource from its constructor arguments, not from a changed copy.
        made = {name: getattr(self, name) for name in type(self).model_fields}
        relations = RelationSettings(**self.relations.model_dump() | {"refresh": refresh})
        return type(self)(**made | {"relations": relations})


def _needs_model(why: str, task: str) -> SettingsError:
    return SettingsError(
        f"{why} Set {variable_name(f'{task}_model', BACKEND)}, or {variable_name(SHARED_MODEL, BACKEND)} "
        "for the models of all tasks, and what the backend needs (docs/models.md); the backend recorded "
        "uses replies that were given beforehand (docs/recorded.md)."
    )


def _named(names: str) -> list[str]:
    return list(dict.fromkeys(names.split()))


def _letters(name: str) -> str:
    """A model's name as far as servers and folders agree on it: qwen2.5:7b-instruct is qwen257binstruct."""
    return "".join(filter(str.isalnum, name.lower()))


FINDINGS_TASKS: Final = ("findings", "drafter", "challenger", "strict_reader")
LISTED_MODELS: Final = {
    ("airqa", "models"): "airqa",
    ("benchmark", "answerers"): "answering",
    ("benchmark", "judges"): "judge",
    ("benchmark", "aspect_judges"): "judge",
    ("benchmark", "quality_judges"): "judge",
    ("necessity", "models"): "answering",
}
"""The settings (section, name) that list models, each with the task whose model they differ from."""
_OF_ANOTHER_SERVER = " A model of another server is written NAME@ADDRESS."
_MED_EMBED, _QWEN = _letters("MedEmbed-large-v0.1"), _letters("Qwen2.5-7B-Instruct")


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


def variables() -> frozenset[str]:
    """The environment variables of all settings."""
    groups = sections() | {SHARED_MODEL: ModelSettings}
    return frozenset(
        variable_name(section, setting)
        for section, config in groups.items()
        for setting in config.model_fields
    )


def settings_table(default: Settings, paper: Settings) -> list[str]:
    """All settings as rows of a Markdown table: variable, value in both presets, meaning.

    The settings of models are left out: `model_settings_table` lists them once for all tasks.
    """
    rows = []
    for section, config in sections().items():
        if config is ModelSettings:
            continue
        for setting, info in config.model_fields.items():
            values = [f"`{getattr(getattr(preset, section), setting)!s}`" for preset in (default, paper)]
            name = variable_name(section, setting)
            rows.append(f"| `{name}` | {values[0]} | {values[1]} | {info.description} |")
    return rows


def model_settings_table() -> list[str]:
    """The settings of a model as rows of a Markdown table: variable, default, meaning."""
    return [
        f"| `{variable_name(SHARED_MODEL, setting)}` | `{info.default}` | {info.description} |"
        for setting, info in ModelSettings.model_fields.items()
    ]
