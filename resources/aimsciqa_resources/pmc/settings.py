"""What to take from PubMed Central, when, and how politely.

No secret is a setting: a setting names the environment variable that holds it.
"""

import re
from datetime import date
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, field_validator

from aimsciqa_resources.pmc.articles import licence_codes
from aimsciqa_resources.section import Section, refuse_bad_address

_YEARS = re.compile(r"(\d{4})(?:\s*[-:]\s*(\d{4}))?")


def years_of(text: str) -> tuple[int, int] | None:
    """First and last year of "2019-2024" or "2024"; None of "". Raises `ValueError`."""
    if not text.strip():
        return None
    found = _YEARS.fullmatch(text.strip())
    if not found or int(found[1]) > int(found[2] or found[1]):
        raise ValueError(f"{text!r} are no years: write 2024 or 2019-2024")
    return int(found[1]), int(found[2] or found[1])


class NightlySettings(Section):
    """The nightly run: new papers of PubMed Central, and everything that follows from them."""

    enabled: bool = Field(
        default=False,
        description="schedule and automation are on from the start; the web UI can turn them on and off",
    )
    hour: int = Field(default=3, ge=0, le=23, description="hour of the nightly run")
    minute: int = Field(default=0, ge=0, le=59, description="minute of the nightly run")
    time_zone: str = Field(default="UTC", description="time zone of that hour: Europe/Zurich")

    @field_validator("time_zone")
    @classmethod
    def _is_known(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError):
            raise ValueError("must be the name of a time zone, such as Europe/Zurich") from None
        return value

    @property
    def cron(self) -> str:
        """The time of the nightly run as a cron expression."""
        return f"{self.minute} {self.hour} * * *"


class PmcSettings(Section):
    """What to take from PubMed Central, and the addresses of its services, or of a mirror."""

    query: str = Field(
        default="",
        description="search in PubMed Central's syntax; empty: everything that the other settings admit",
    )
    licences: str = Field(
        default="", description="licences of the papers, such as CC0, CC BY (one is enough); empty: any"
    )
    years: str = Field(
        default="", description="years of publication: 2019-2024; empty: any. Nightly runs take any year"
    )
    limit: int = Field(
        default=0,
        ge=0,
        description="papers of a search at most, always the same sample; 0: all. Nightly runs have no limit",
    )
    since: str = Field(
        default="",
        description="day from which the first nightly run searches: 2026-11-01; empty: three days before "
        "that run",
    )
    most_withdrawn: float = Field(
        default=0.05,
        ge=0,
        le=1,
        description="largest share of the papers (but at least 20 papers) that may be gone at once; if more "
        "are gone, the bucket is presumed faulty and nothing is retired. 1: retire them in any case",
    )
    eutils_url: str = Field(
        default="https://eutils.ncbi.nlm.nih.gov/entrez/eutils", description="E-utilities: which articles"
    )
    bucket_url: str = Field(
        default="https://pmc-oa-opendata.s3.amazonaws.com", description="PMC Cloud Service: the articles"
    )
    oai_url: str = Field(
        default="https://pmc.ncbi.nlm.nih.gov/api/oai/v1/mh/", description="OAI-PMH: small increments"
    )
    tool: str = Field(default="aimsciqa", description="name of this program in requests to NLM")
    email: str = Field(default="", description="your e-mail address, which NLM wants with searches")
    api_key_variable: str = Field(
        default="NCBI_API_KEY",
        description="environment variable that holds the NCBI key; without one searches are slower",
    )
    downloads_at_once: int = Field(default=8, ge=1, le=64, description="simultaneous requests to the bucket")
    timeout_seconds: float = Field(default=30, gt=0, description="seconds to wait on a silent connection")
    attempts: int = Field(default=6, ge=1, description="attempts at a request whose errors are transient")
    first_retry_seconds: float = Field(
        default=0.5, gt=0, description="seconds before the second attempt; doubled for each further one"
    )
    deadline_seconds: float = Field(
        default=300, gt=0, description="seconds for one object or answer, with all attempts and waits"
    )
    part_deadline_seconds: float = Field(
        default=1800, gt=0, description="the same for a part of the inventory, about 50 MB"
    )

    @field_validator("eutils_url", "bucket_url", "oai_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        refuse_bad_address(value)
        return value

    @field_validator("licences")
    @classmethod
    def _are_licences(cls, value: str) -> str:
        licence_codes(value)
        return value

    @field_validator("years")
    @classmethod
    def _are_years(cls, value: str) -> str:
        years_of(value)
        return value

    @field_validator("since")
    @classmethod
    def _is_a_day(cls, value: str) -> str:
        if value:
            date.fromisoformat(value)
        return value

    @property
    def first_day(self) -> date | None:
        """`since` as a date."""
        return date.fromisoformat(self.since) if self.since else None
