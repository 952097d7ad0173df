"""The one form in which items of every kind reach benchmark, judges, gates, audit, release and report.

A system declares its items here, in an `ItemForm` and up to nine SELECTs in `dbt_like_sql/items/<name>/`.
The rooms that evaluate and publish items know no system: they read the form. `docs/items.md` explains it.
"""

from aimsciqa_assets.findings.form import FINDINGS
from aimsciqa_assets.items.aim_sciqa import MULTI_HOP
from aimsciqa_assets.items.baseline_sets import BASELINE_SETS
from aimsciqa_assets.items.form import ItemForm, Kind
from aimsciqa_assets.items.hopweaver import HOPWEAVER
from aimsciqa_assets.items.scidqa import SCIDQA

__all__ = [
    "FORMS",
    "ItemForm",
    "Kind",
    "UnknownKindError",
    "earlier_versions",
    "form_of",
    "judged_kinds",
    "kind_of",
    "kinds",
    "kinds_with_tables",
    "long_answer_kinds",
    "settings_of_kinds",
]

FORMS: dict[str, ItemForm] = {
    form.name: form for form in (MULTI_HOP, FINDINGS, HOPWEAVER, SCIDQA, BASELINE_SETS)
}
"""The declared forms by name, in the order in which people see them."""


class UnknownKindError(LookupError):
    """Items of a kind that no form declares."""


def kinds() -> dict[str, Kind]:
    """All declared kinds by name."""
    return {kind.name: kind for form in FORMS.values() for kind in form.kinds}


def settings_of_kinds() -> dict[str, tuple[str, ...]]:
    """In which settings each kind is answered."""
    return {name: kind.settings for name, kind in kinds().items()}


def long_answer_kinds() -> tuple[str, ...]:
    """The kinds whose right answers are whole sentences."""
    return tuple(name for name, kind in kinds().items() if kind.long_answers)


def kinds_with_tables() -> tuple[str, ...]:
    """Return the kinds of which models are shown tables and captions."""
    return tuple(name for name, kind in kinds().items() if kind.tables)


def earlier_versions() -> tuple[str, ...]:
    """The kinds whose items stand beside those of another one as they were before."""
    return tuple(name for name, kind in kinds().items() if kind.is_earlier_version)


def judged_kinds() -> dict[str, tuple[str, bool]]:
    """What judges are shown of each kind, and whether it compares."""
    return {name: (kind.shown, kind.compares) for name, kind in kinds().items()}


def kind_of(variant: str) -> Kind:
    """The kind that rows call by this `variant`. Raises `UnknownKindError`."""
    return next(kind for kind in form_of(variant).kinds if kind.name == variant)


def form_of(variant: str) -> ItemForm:
    """The form that declares a kind. Raises `UnknownKindError`."""
    for form in FORMS.values():
        if variant in {kind.name for kind in form.kinds}:
            return form
    raise UnknownKindError(
        f"There are items of the kind {variant!r}, which no form declares: add it to the kinds of its system "
        "in aimsciqa_assets/items/."
    )
