"""The names of the environment variables. One that begins with our prefix and is not known is refused.

A setting is `AIMSCIQA_<SECTION>_<SETTING>` (`aimsciqa_assets/settings/`); the few others stand here. This
module is quick to import, so that every command can ask it.
"""

import difflib
import re
from collections.abc import Collection, Iterable

NO_SETTINGS = frozenset(
    {
        *("AIMSCIQA_HOME", "AIMSCIQA_CONFIG", "AIMSCIQA_PRESET", "AIMSCIQA_JOURNAL", "AIMSCIQA_OWNERS"),
        *(
            "AIMSCIQA_PROMPTS",
            "AIMSCIQA_EXECUTOR",
            "AIMSCIQA_WAREHOUSE",
            "AIMSCIQA_WAREHOUSE_DATA",
            "AIMSCIQA_WAREHOUSE_KEEP_DAYS",
            "AIMSCIQA_SHARED",
        ),
    }
)
"""Variables that are read outside the settings."""

_PREFIX = "AIMSCIQA_"
# Matches "aimsciqa_home" and "AIM_SCIQA_HOME" too.
_MEANT_FOR_US = re.compile(r"AIM_?SCIQA(?![A-Z])", re.IGNORECASE)
_LEAST_LIKENESS = 0.5


class SettingsError(ValueError):
    """A setting in the environment that cannot be used; the message names the variable."""


def ours(names: Iterable[str]) -> list[str]:
    """Those of the names that are meant for this program, sorted."""
    return sorted(name for name in names if _MEANT_FOR_US.match(name))


def refuse_unknown(names: Iterable[str], settings: Collection[str]) -> None:
    """Raise `SettingsError` for a name that is meant for this program but is not one of its variables.

    `settings` are the variables of all settings. A misspelt variable must not be ignored in silence.
    """
    known = NO_SETTINGS | set(settings)
    for name in ours(names):
        if name not in known:
            near = _nearest(name, known)
            hint = f" Did you mean {near}?" if near else ""
            raise SettingsError(
                f"There is no setting {name}.{hint} docs/settings.md lists all settings; unset this one."
            )


def near_to(name: str, known: Iterable[str]) -> str:
    """The known key of a settings file that is most like this one, or ""."""
    return next(iter(difflib.get_close_matches(name, sorted(known), n=1, cutoff=_LEAST_LIKENESS)), "")


def _nearest(name: str, known: Collection[str]) -> str:
    """The known name that is most like this one (of equally near ones the shortest), or ""."""
    rest = _MEANT_FOR_US.sub("", name.upper()).strip("_")
    ends = sorted((one for one in known if one.endswith(f"_{rest}")), key=lambda one: (len(one), one))
    if ends:
        return ends[0]
    rests = [one.removeprefix(_PREFIX) for one in sorted(known, key=lambda one: (len(one), one))]
    near = difflib.get_close_matches(rest, rests, n=1, cutoff=_LEAST_LIKENESS)
    return _PREFIX + near[0] if near else ""
