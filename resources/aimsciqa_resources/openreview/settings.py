"""What to take from OpenReview, and how politely.

No secret is a setting: a setting names the environment variable that holds it.
"""

from datetime import UTC, datetime

from pydantic import Field, field_validator

from aimsciqa_resources.pmc.settings import years_of
from aimsciqa_resources.section import Section, refuse_bad_address, refuse_bad_variable


class OpenReviewSettings(Section):
    """Which venues to take from OpenReview, and the addresses of its APIs; nothing is asked without them."""

    base_url_v1: str = Field(
        default="",
        description="address of the first version of the API, https://api.openreview.net: venues until about "
        "2023; empty: it is not asked",
    )
    base_url_v2: str = Field(
        default="",
        description="address of the second version, https://api2.openreview.net; empty: it is not asked",
    )
    venues: str = Field(
        default="",
        description="venues, separated by spaces, with {year} for the years: ICLR.cc/{year}/Conference TMLR",
    )
    years: str = Field(default="", description="years of these venues: 2018-2022")
    invitations: str = Field(
        default="Blind_Submission Submission",
        description="what the invitations of submissions are called, separated by spaces; a venue needs one "
        "of them",
    )
    deadlines: str = Field(
        default="",
        description="until when papers could be submitted to a venue, ISO 8601, separated by spaces: "
        "ICLR.cc/2020/Conference=2019-09-25T23:59:00Z; venues that are not named here: the date that their "
        "invitation tells",
    )
    user_variable: str = Field(
        default="OPENREVIEW_USERNAME",
        description="environment variable that holds the name of your account; without one nobody logs in",
    )
    password_variable: str = Field(
        default="OPENREVIEW_PASSWORD", description="environment variable that holds its password"
    )
    page_size: int = Field(
        default=100, ge=1, le=1000, description="submissions of a page, which come with their whole forums"
    )
    whole_days: int = Field(
        default=30,
        ge=1,
        description="days after which --news and the nightly chain read a venue as a whole again, which "
        "alone finds notes that are there no more",
    )
    requests_per_second: float = Field(default=2, gt=0, description="requests in a second at most")
    timeout_seconds: float = Field(default=60, gt=0, description="seconds to wait on a silent connection")
    attempts: int = Field(default=6, ge=1, description="attempts at a request whose errors are transient")
    first_retry_seconds: float = Field(
        default=1, gt=0, description="seconds before the second attempt; doubled for each further one"
    )
    deadline_seconds: float = Field(
        default=600, gt=0, description="seconds for one answer, with all attempts and waits"
    )

    @field_validator("base_url_v1", "base_url_v2")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        refuse_bad_address(value)
        return value

    @field_validator("user_variable", "password_variable")
    @classmethod
    def _is_a_variable(cls, value: str) -> str:
        refuse_bad_variable(value)
        return value

    @field_validator("deadlines")
    @classmethod
    def _are_deadlines(cls, value: str) -> str:
        _deadlines(value)
        return value

    @field_validator("years")
    @classmethod
    def _are_years(cls, value: str) -> str:
        years_of(value)
        return value

    def deadline_of(self, venue: str) -> int | None:
        """Until when papers could be submitted to a venue, in milliseconds, where that is set."""
        return _deadlines(self.deadlines).get(venue)

    @property
    def venue_ids(self) -> list[str]:
        """The venues of all years, each once. Raises `ValueError` for {year} without years."""
        first_last = years_of(self.years)
        if "{year}" in self.venues and first_last is None:
            raise ValueError("the venues name {year}: set AIMSCIQA_OPENREVIEW_YEARS")
        years = range(first_last[0], first_last[1] + 1) if first_last else range(1)
        named = [one.replace("{year}", str(year)) for one in self.venues.split() for year in years]
        return list(dict.fromkeys(named))

    def invitations_of(self, venue: str) -> list[str]:
        """The invitations of the submissions of a venue."""
        return [f"{venue}/-/{name}" for name in self.invitations.split()]


def _deadlines(value: str) -> dict[str, int]:
    """Milliseconds since 1970 by venue; a date without a zone is UTC. Raises `ValueError`."""
    found = {}
    for one in value.split():
        venue, equals, date = one.partition("=")
        if not (venue and equals):
            raise ValueError(f"{one} is no VENUE=DATE")
        told = datetime.fromisoformat(date)
        found[venue] = int((told if told.tzinfo else told.replace(tzinfo=UTC)).timestamp() * 1000)
    return found
