"""What determines the rows of a step, readable: the difference of two says why a step runs again."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any

from aimsciqa_assets.platform.records import Record

Fingerprints = Mapping[str, Mapping[str, str]]
"""Fingerprints by table and part."""

_MAY_HOLD_A_SECRET = ("api_key_variable", "base_url", "extra_body", "models")
_BY_NAME = 3


@dataclass(frozen=True)
class Determinants:
    """What the rows of a step's part are determined by.

    `inputs` are what it reads of its own part (or whole tables), `across` what it looks at in all parts,
    `seen` the batches that came through all of that. `unanswered` are the requests without a reply. `made` is
    a hash of which rows were made, for a step that looks across all parts without naming them in `across`.
    """

    code: str
    prompt: str
    asks: str
    settings: Mapping[str, Any]
    services: Mapping[str, Sequence[str]]
    inputs: Fingerprints
    across: Fingerprints
    seen: frozenset[str]
    unanswered: tuple[str, ...] = ()
    made: str = ""

    @cached_property
    def own(self) -> str:
        """Hash of code, prompt, settings, services and the inputs of its own part."""
        return self._marked(
            {
                "code": f"{self.code}+{self.prompt}" if self.prompt else self.code,
                "settings": self.settings,
                "services": self.services,
                "inputs": self.inputs,
            }
        )

    @cached_property
    def fingerprint(self) -> str:
        """Hash of everything: the same fingerprint, the same rows."""
        own = replace(self, unanswered=()).own
        made = {"made": self.made} if self.made else {}
        return self._marked({"own": own, "across": self.across} | made)

    @cached_property
    def inputs_digest(self) -> str:
        """Hash of the inputs of its own part alone."""
        return self._marked(self.inputs)

    def record(self, table: str, part: str, rows: int) -> Record:
        """The record of rows that were made with these determinants."""
        return Record(
            table, part, self.fingerprint, self.own, self.inputs_digest, self.seen, rows, self.to_json()
        )

    def to_json(self) -> str:
        """All of it for people and for `differences`. What may hold a secret is only marked."""
        return json.dumps(
            {
                "code": self.code,
                "prompt": self.prompt,
                "settings": self._flat_settings(),
                "services": self.services,
                "inputs": {
                    table: {part: fingerprint[:8] for part, fingerprint in parts.items()}
                    for table, parts in self.inputs.items()
                },
                # One hash per table: with all parts of all tables the records would grow with their square.
                "across": {table: digest(parts)[:8] for table, parts in self.across.items()},
                "unanswered": len(self.unanswered),
            },
            sort_keys=True,
            default=str,
        )

    def differences(self, record: Record) -> list[str]:
        """Why these are others than those of a record, in plain words; at least one reason."""
        if not record.determinants:
            same = record.inputs == self.inputs_digest
            what = "something changed" if same else "what it reads was made anew"
            return [f"{what} since an earlier version of this program made its rows"]
        then, now = json.loads(record.determinants), json.loads(self.to_json())
        return [
            *self._differences_of_code(then),
            *_differences_of_settings(then["settings"], now["settings"]),
            *_differences_of_services(then["services"], now["services"]),
            *self._differences_of_data(then, now, record.seen),
        ] or ["something that it looks at changed"]

    def _marked(self, determinants: Mapping[str, Any]) -> str:
        """With requests that had no reply, the rows are not what a run with all replies would write."""
        plain = digest(determinants)
        return digest({"of": plain, "unanswered": self.unanswered}) if self.unanswered else plain

    def _flat_settings(self) -> dict[str, Any]:
        """Every single setting by its full name."""
        flat = {}
        for name, chosen in self.settings.items():
            settings = chosen if isinstance(chosen, Mapping) else {"": chosen}
            for setting, value in settings.items():
                secret = (setting or name.rpartition(".")[2]) in _MAY_HOLD_A_SECRET and value
                full = f"{name}.{setting}" if setting else name
                flat[full] = f"hidden {digest({setting: value})[:8]}" if secret else value
        return flat

    def _differences_of_code(self, then: Mapping[str, Any]) -> Iterator[str]:
        if then["code"] != self.code:
            yield f"the code of the step was version {then['code']}, is {self.code}"
        if then["prompt"] != self.prompt:
            yield f"prompt {self.asks} changed"
        if then["unanswered"] and not self.unanswered:
            yield f"{then['unanswered']:,} requests had no reply"

    def _differences_of_data(
        self, then: Mapping[str, Any], now: Mapping[str, Any], seen: frozenset[str]
    ) -> Iterator[str]:
        read = _differences_of_inputs(then["inputs"], now["inputs"])
        new = self.seen - seen
        yield from _named([*read.new, *sorted(new - set(read.new))], "is new", "are new")
        yield from _named([*read.gone, *sorted(seen - self.seen - set(read.gone))], "is gone", "are gone")
        anew = list(read.anew)
        for table, parts in self.across.items():
            # New batches bring rows to all tables; the question is whether those of before are the same.
            before = {part: fingerprint for part, fingerprint in parts.items() if part not in new}
            whole = "" in parts
            if digest(before)[:8] != then["across"].get(table) and not (whole and new) and table not in anew:
                anew.append(table)
        yield from (f"{table} was made anew" for table in anew)


@dataclass(frozen=True, slots=True)
class _Inputs:
    """What became of the parts that are read."""

    new: list[str]
    gone: list[str]
    anew: list[str]


def _differences_of_inputs(then: Fingerprints, now: Fingerprints) -> _Inputs:
    new: dict[str, None] = {}
    gone: dict[str, None] = {}
    anew = []
    known = {part for parts in then.values() for part in parts}
    for table in dict.fromkeys((*now, *then)):
        was, has = then.get(table, {}), now.get(table, {})
        if "" in was or "" in has:
            anew += [table] if was != has else []
            continue
        new |= dict.fromkeys(sorted(has.keys() - was.keys() - known))
        gone |= dict.fromkeys(sorted(was.keys() - has.keys()))
        # The rows of a part that other tables had before are no new part.
        first_rows = (has.keys() - was.keys()) & known
        if first_rows or any(was[part] != has[part] for part in was.keys() & has.keys()):
            anew.append(table)
    return _Inputs(list(new), list(gone), anew)


def _differences_of_settings(then: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted(then.keys() | now.keys()):
        was, has = then.get(name), now.get(name)
        if was == has:
            continue
        if "hidden" in f"{was} {has}" and name.rpartition(".")[2] in _MAY_HOLD_A_SECRET:
            yield f"setting {name} changed"
        elif name not in then:
            yield f"setting {name} is new: {_shown(has)}"
        else:
            yield f"setting {name} was {_shown(was)}, is {_shown(has)}"


def _differences_of_services(
    then: Mapping[str, Sequence[str]], now: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    for service in sorted(then.keys() | now.keys()):
        was, has = then.get(service, ["none"]), now.get(service, ["none"])
        name = "model" if service == "language_model" else service
        if was[0] != has[0]:
            yield f"{name} was {_shown(was[0])}, is {_shown(has[0])}"
        elif was != has:
            pairs = zip(("revision", "sampling"), was[1:], has[1:], strict=False)
            for what, before, after in pairs:
                if before != after:
                    yield f"{what} of {name} {has[0]} was {_shown(before)}, is {_shown(after)}"


def _named(parts: Sequence[str], one: str, many: str) -> Iterator[str]:
    if len(parts) == 1:
        yield f"{parts[0]} {one}"
    elif parts:
        more = f" and {len(parts) - _BY_NAME:,} more" if len(parts) > _BY_NAME else ""
        yield f"{', '.join(parts[:_BY_NAME])}{more} {many}"


def _shown(value: object) -> str:
    return "empty" if value in ("", None) else str(value)


def digest(determinants: Mapping[str, Any]) -> str:
    """32 hex digits over anything JSON can say, the same in every process."""
    text = json.dumps(determinants, sort_keys=True, default=str)
    return blake2b(text.encode(), digest_size=16).hexdigest()
