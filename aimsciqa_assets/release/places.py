"""Items that a release names by places alone, because a licence forbids their text: whether that holds."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final, Literal

import pyarrow.parquet as pq
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from aimsciqa.release import WITHOUT_TEXT
from aimsciqa_assets.release.layout import configs, forms_in
from aimsciqa_assets.release.provenance import Manifest
from aimsciqa_assets.release.reasons import is_of_a_licence

_Id = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^\S+$")]
_Word = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]+$", max_length=60)]
_Licence = Annotated[str, StringConstraints(max_length=40)]
_EXAMPLES: Final = 3


class _Row(BaseModel):
    """An object that holds nothing but what is declared: there is no room for a text."""

    model_config = ConfigDict(extra="forbid", strict=True)


class _Stretch(_Row):
    start: int = Field(ge=0)
    end: int = Field(gt=0)


class _Text(_Stretch):
    name: _Word
    text_id: _Id
    licence: _Licence | None


class _Quote(_Stretch):
    role: _Word
    paragraph_id: _Id


class _Document(_Row):
    role: _Word
    paper_id: _Id
    licence: _Licence


class Named(_Row):
    """A line of `without_text.jsonl`."""

    item_id: _Id
    variant: _Word
    split: Literal["dev", "test"]
    reason: _Word
    texts: list[_Text] = Field(min_length=1)
    documents: list[_Document] = Field(min_length=1)
    quotes: list[_Quote]


def problems_of_places(folder: Path, manifest: Manifest) -> Iterator[str]:
    """A line for each rule that `without_text.jsonl` breaks; without such items it is not there."""
    try:
        found = [Named.model_validate_json(line) for line in _lines(folder / WITHOUT_TEXT)]
    except (OSError, ValueError) as error:
        yield f"{WITHOUT_TEXT} cannot be read: {_first(error)}"
        return
    told = manifest.get("without_text", 0)
    if len(found) != told:
        yield f"{WITHOUT_TEXT} has {len(found):,} lines, PROVENANCE.json says {told:,}"
    ids = Counter(one.item_id for one in found)
    released = {one for one in _released(folder, manifest) if one in ids} if ids else set[str]()
    rules = {
        "the item is named twice": [one for one, times in ids.items() if times > 1],
        "the item is released with its text": sorted(released),
        "no licence is in the way": [one.item_id for one in found if not is_of_a_licence(one.reason)],
        "a place ends before it begins": [
            one.item_id
            for one in found
            if any(place.start >= place.end for place in (*one.texts, *one.quotes))
        ],
    }
    for rule, broken in rules.items():
        if broken:
            yield f"{WITHOUT_TEXT}: {rule} ({len(broken):,}): {'; '.join(broken[:_EXAMPLES])}"


def _lines(path: Path) -> Iterator[str]:
    if path.exists():
        with path.open(encoding="utf-8") as file:
            yield from file


def _released(folder: Path, manifest: Manifest) -> Iterator[str]:
    held = configs(forms_in(manifest["rows"]))
    for form in forms_in(manifest["rows"]):
        for path in held[form][1].values():
            with pq.ParquetFile(folder / path) as file:
                for batch in file.iter_batches(columns=["item_id"]):
                    yield from batch.column(0).to_pylist()


def _first(error: Exception) -> str:
    if isinstance(error, ValidationError):
        wrong = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, wrong['loc']))}: {wrong['msg']}"
    return str(error).splitlines()[0]
