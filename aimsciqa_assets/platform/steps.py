"""A step of the method: what it reads, computes and writes, and what a run of it may use.

A stage's `assets.py` only declares what a step reads and writes and calls one pure function. `plans.py` says
whether a step has something to do, `running.py` runs it, `asset_builders.py` makes Dagster assets of steps.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import polars as pl
from aimsciqa_resources.encoder import Encoder
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.language_model import Dialogue, LanguageModel
from aimsciqa_resources.language_model.by_task import ByTask
from aimsciqa_resources.language_model.opening import ModelSource
from aimsciqa_resources.language_model.settings import ModelSettings
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.platform.accounts import Account, R
from aimsciqa_assets.platform.determinants import Determinants
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.kept_rows import Made
from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.platform.records import Records
from aimsciqa_assets.platform.stages import is_on_request
from aimsciqa_assets.settings import Settings, SettingsError
from aimsciqa_assets.settings.airqa_runs import RUN_ID, Run, runs_of
from aimsciqa_assets.settings.airqa_runs import TASK as AIRQA
from aimsciqa_assets.tables import MATERIALIZATIONS, TABLES

Resources = Mapping[str, Any]
"""What a run works with, by name."""

BY_MODEL = {"answerer": "answering", "judge": "judge", "model": "answering"}
"""The parts that are models, and the task that such a model is asked."""


@dataclass(frozen=True, slots=True)
class StepRun:
    """What a run of a step may use. `part` is what it writes of its tables: a paper batch, a retriever, ...
    (`by`); "" where they are written whole.

    `task` names the model that it may ask: the section `<task>_model` of the settings; `prompts` are the
    tasks that it puts to that model, `put_to` those of them that may be put to another one, with its section.
    `accounts` fills with what was asked.
    """

    part: str
    by: str
    warehouse: Warehouse
    settings: Settings
    files: FileStore
    encoder: Encoder
    models: ModelSource
    task: str = ""
    prompts: tuple[str, ...] = ()
    put_to: tuple[tuple[str, str], ...] = ()
    accounts: list[Account] = field(default_factory=list)

    @classmethod
    def of(cls, step: "Step", part: str, resources: Resources) -> "StepRun":
        """The run of a step for a part, with the resources of the process."""
        return cls(
            part=part if step.by else "",
            by=step.by,
            warehouse=resources["warehouse"],
            settings=resources["settings"],
            files=resources["files"],
            encoder=resources["encoder"],
            models=resources["language_models"],
            task=step.asks,
            prompts=step.prompts,
            put_to=step.put_to,
        )

    def _of(self, step: "Step", part: str) -> "StepRun":
        return replace(self, part=part, by=step.by, task=step.asks, prompts=step.prompts, put_to=step.put_to)

    @property
    def home(self) -> Path:
        """The folder of the corpus and of all that is made of it."""
        return self.warehouse.home

    def unfinished(self, table: str) -> Path:
        """A folder for what the next run can use if this one is killed; it goes when the rows are written."""
        return Home(self.home).unfinished_part(table, self.part)

    @property
    def agent_run(self) -> Run:
        """The run of a baseline of AirQA that the part is. Raises `SettingsError` where nothing names it."""
        runs = runs_of(self.settings)
        if self.part not in runs:
            raise SettingsError(
                f"The settings name no run {self.part}: set AIMSCIQA_AIRQA_BASELINES, and the model and the "
                "settings of this run, or run another one. There "
                + (f"are {', '.join(runs)}." if runs else "is none now.")
            )
        return runs[self.part]

    @property
    def model_settings(self) -> ModelSettings:
        """The settings of the step's model; where the part is the model of its task, of that one."""
        if self.by == RUN_ID and self.task == AIRQA:
            return self.agent_run.model
        if self.task and self.task == BY_MODEL.get(self.by):
            return self.settings.named_model(self.task, self.part)
        return self.settings.models[self.task]

    @property
    def model(self) -> LanguageModel:
        """The step's model, which hands some tasks over where the settings name another one for them."""
        others = self.other_models
        own = self.models.open(self.model_settings, [task for task in self.prompts if task not in others])
        if not others:
            return own
        return ByTask(own, {task: self.models.open(model, (task,)) for task, model in others.items()})

    @property
    def other_models(self) -> dict[str, ModelSettings]:
        """The settings of the models of single tasks, where they are not those of the step's model."""
        named = {task: self.settings.models[section] for task, section in self.put_to}
        return {task: model for task, model in named.items() if model != self.model_settings}

    def model_of(self, task: str) -> LanguageModel:
        """The model that is asked a task."""
        model = self.model
        return model.asked(task) if isinstance(model, ByTask) else model

    @contextmanager
    def ask(
        self,
        table: str,
        dialogues: Iterable[Dialogue[R]],
        total: int,
        doing: str,
        model: ModelSettings | None = None,
    ) -> Iterator[Iterator[R]]:
        """The results of dialogues for rows of `table`, with progress; every call goes into `ops.llm_calls`.

        A dialogue is asked for each row. `model` is another one than the step's own. Taking the results
        raises `TooManyFailuresError`, `ModelError` when the model cannot be asked at all, and whatever error
        a dialogue itself raises.
        """
        settings = model or self.model_settings
        # Failures are quicker than replies: the first ones to come back say little.
        hopeless = max(20, 2 * settings.in_flight)
        account = Account(
            table,
            self.part,
            self.models.open(model, self.prompts) if model else self.model,
            total,
            self.unfinished(table),
            failure_share=settings.tolerated_share,
            hopeless=hopeless,
        )
        self.accounts.append(account)
        with (
            progress(f"{self.part}  {doing}", total) as advance,
            closing(account.results(dialogues, advance)) as results,
        ):
            yield results

    def read(self, table: str, where: str = "", columns: str = "", **parameters: object) -> pl.DataFrame:
        """Rows of a table, in the order of its key; without `columns`, all as they are declared."""
        condition = f"where {where}" if where else ""
        order = ", ".join(TABLES[table].key)
        chosen = columns or ", ".join(f'"{column.name}"' for column in TABLES[table].columns)
        return self.warehouse.read(f"select {chosen} from {table} {condition} order by {order}", parameters)

    def lacks_columns(self, table: str) -> bool:
        """Whether the rows of this run's part were written before the table got all its columns."""
        record = f"select 1 from {MATERIALIZATIONS.name} where table_name = $table and part = $part"
        by = {"table": table, "part": self.part}
        return not self.warehouse.read(f"{record} and lacking is not null", by).is_empty()

    def read_part(self, table: str, where: str = "true", columns: str = "") -> pl.DataFrame:
        """Rows of this run's part."""
        return self.read(table, f"{self.by} = $part and {where}", columns, part=self.part)

    def current_parts(self, table: str) -> list[str]:
        """The parts of a table whose rows a run would make again as they are.

        A retriever that the settings do not name any more may have ranked other texts.
        """
        step = STEPS[table]
        records = Records(self.read(MATERIALIZATIONS.name))
        return [
            part
            for part, record in sorted(records.of_table(table).items())
            if record.own == step.determinants(self._of(step, part), records).own
        ]


def _no_files(_run: StepRun, _rows: pl.DataFrame) -> Mapping[str, Path]:
    return {}


@dataclass(frozen=True, slots=True)
class Step:
    """What a step reads and writes, and what else determines its rows.

    `reads` are tables of the same part (or whole tables, or all parts of tables in other parts); `across`
    are tables of which it looks at every batch, `across_if` the settings say so. `settings` names sections of
    `Settings` or single settings (`benchmark.split`), `encodes` says that it needs the encoder, `asks` names
    the task whose language model it asks, with `prompts` of this `prompt_version` (empty: any, and then every
    new recording makes its rows stale), `asks_if` the settings say so; `put_to` are tasks that may be put to
    another model, each with its section; `recorded` are further models that it asks whose replies may be
    recorded. `stale_if` names a query of `dbt_like_sql/analyses/stale/` for the batches whose rows lead
    to papers that are there no more, or are wrong for the reason `stale_why`; with `stale_alone` nothing
    else of the tables `across` makes its rows anew. `leaves` names the files that it leaves besides the rows
    of its first table, `served` the addresses at which a browser finds them, with a name, `is_there` tells
    whether they are as it left them. `code` is raised by hand when the rows of a step change their meaning,
    `language` is what the step is written in.
    `compute` turns a run of the step into the rows of its tables; tables from outside have none.
    """

    writes: tuple[str, ...]
    reads: tuple[str, ...] = ()
    across: tuple[str, ...] = ()
    across_if: Callable[[Settings], bool] = lambda _settings: True
    settings: tuple[str, ...] = ()
    encodes: bool = False
    asks: str = ""
    asks_if: Callable[[Settings], bool] = lambda _settings: True
    prompts: tuple[str, ...] = ()
    prompt_version: str = ""
    put_to: tuple[tuple[str, str], ...] = ()
    recorded: Callable[[Settings], Sequence[ModelSettings]] = lambda _settings: ()
    stale_if: str = ""
    stale_why: str = "its rows lead to papers that are there no more"
    stale_alone: bool = False
    leaves: Callable[[StepRun, pl.DataFrame], Mapping[str, Path]] = _no_files
    served: tuple[tuple[str, str], ...] = ()
    is_there: Callable[[StepRun], bool] = lambda _run: True
    code: str = "1"
    language: Literal["python", "sql"] = "python"
    compute: Callable[[StepRun], Made] | None = None

    @property
    def by(self) -> str:
        """By what column it writes in parts; "" where it writes whole tables."""
        return TABLES[self.writes[0]].by

    @property
    def upstream(self) -> tuple[str, ...]:
        """All tables that it may read."""
        return tuple(dict.fromkeys((*self.reads, *self.across)))

    @property
    def leaves_files(self) -> bool:
        """Whether it leaves files besides its rows, for people or for steps that read it."""
        return self.leaves is not _no_files

    @property
    def batched(self) -> bool:
        """Whether it writes one paper batch at a time."""
        return self.by == "batch"

    @property
    def on_request(self) -> bool:
        """Whether only people start it: the nightly chain does not."""
        return is_on_request(self.writes[0])

    @property
    def code_version(self) -> str:
        """Code and prompt together, as Dagster shows it."""
        return f"{self.code}+{self.prompt_version}" if self.prompt_version else self.code

    def asks_for(self, settings: Settings) -> str:
        """The task whose language model it asks, under these settings."""
        return self.asks if self.asks_if(settings) else ""

    def across_for(self, settings: Settings) -> tuple[str, ...]:
        """The tables of which it looks at every batch, under these settings."""
        return self.across if self.across_if(settings) else ()

    def determinants(self, run: StepRun, records: Records) -> Determinants:
        """What the rows of a part would be determined by, if they were made now."""
        services: dict[str, list[str]] = {}
        if self.encodes:
            services["encoder"] = [run.encoder.name, run.encoder.revision]
        asks = self.asks_for(run.settings)
        if asks:
            services["language_model"] = _identity(run.model)
            for task in run.other_models:
                if (identity := _identity(run.model_of(task))) != services["language_model"]:
                    services[f"model of {task}"] = identity
        if others := [run.models.open(model, self.prompts) for model in self.recorded(run.settings)]:
            names, revisions = zip(*((other.name, other.revision) for other in others), strict=True)
            services["recorded replies"] = [" ".join(names), " ".join(revisions)]
        return Determinants(
            self.code,
            self.prompt_version if asks == self.asks else "",
            asks,
            {name: chosen for name in self.settings if (chosen := _chosen(run.settings, name)) is not None},
            services,
            self.inputs(run.part, records),
            {
                table: records.fingerprints(table, "")
                for table in (() if self.stale_alone else self.across_for(run.settings))
            },
            self.visible(run.settings, records),
        )

    def inputs(self, part: str, records: Records) -> dict[str, dict[str, str]]:
        """Fingerprints of what it reads for this part ("": for a whole table), by table and part."""
        return {
            table: records.fingerprints(table, part if self._alike(table) else "") for table in self.reads
        }

    def _alike(self, table: str) -> bool:
        """Whether a table that it reads is in the same parts, or whole: input files are recorded by batch."""
        return TABLES[table].by in ("", self.by)

    def visible(self, settings: Settings, records: Records) -> frozenset[str]:
        """The batches that it can look at now: those which came through every table that it looks across.

        A batch that failed half way is not among them, nor one that a table over all batches has not seen.
        """
        tables = self.across_for(settings) if self.batched else self.reads
        seen = [batches for table in tables if (batches := _batches_in(table, records)) is not None]
        return frozenset.intersection(*seen) if seen else frozenset()


def _identity(model: LanguageModel) -> list[str]:
    return [model.name, model.revision, model.sampling]


def _chosen(settings: Settings, name: str) -> Any:
    """A section of the settings, or a single one: `benchmark.split`; None: it determines nothing."""
    section, _, setting = name.partition(".")
    chosen = getattr(settings, section)
    return chosen.determining(setting) if setting else chosen.model_dump(exclude={"refresh"})


STEPS: dict[str, Step] = {}
"""The step that writes a table, by table: filled as the assets are made."""


def _batches_in(table: str, records: Records) -> frozenset[str] | None:
    """The batches that a table holds, or was made from; None for one that knows of no batches."""
    if table not in STEPS:
        return None
    if TABLES[table].batched:
        return frozenset(records.of_table(table))
    record = records.get(table, "")
    return record.seen if record else frozenset()
