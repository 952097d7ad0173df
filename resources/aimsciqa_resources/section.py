"""What all sections of the settings have in common."""

import dagster as dg
from pydantic import ConfigDict


class Section(dg.Config):
    """A section of the settings, as the launchpad shows it; infinite numbers and NaN are refused."""

    model_config = ConfigDict(allow_inf_nan=False)
