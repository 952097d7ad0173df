"""A polite HTTP client for both versions of OpenReview's API: login, rates, retries, deadlines."""

import json
import os
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Final, Literal, Self, TypeVar

import httpx2

from aimsciqa_resources.bounded_http import BoundedClient
from aimsciqa_resources.openreview.errors import (
    CredentialsNeededError,
    OpenReviewError,
    RestrictedError,
    SecondFactorError,
)
from aimsciqa_resources.openreview.settings import OpenReviewSettings
from aimsciqa_resources.politeness import Gate, Persistence
from aimsciqa_resources.retry_after import retry_after
from aimsciqa_resources.service_errors import (
    RequestRefusedError,
    ServiceUnavailableError,
    TooManyRequestsError,
    UnexpectedAnswerError,
)

Version = Literal["v1", "v2"]
T = TypeVar("T")

_LONGEST_ANSWER: Final = 256 * 2**20
_LONGEST_DETAIL: Final = 300
_PDF: Final = b"%PDF-"
_END_OF_PDF: Final = b"%%EOF"
_SLOWER: Final = frozenset({429, 503})


class OpenReviewClient:
    """The client; closed with its context. It logs in at the first request to an API, if it can."""

    def __init__(
        self,
        settings: OpenReviewSettings,
        environment: Mapping[str, str] = os.environ,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.settings = settings
        self._user = environment.get(settings.user_variable, "").strip()
        self._password = environment.get(settings.password_variable, "")
        self._tokens: dict[Version, str] = {}
        self._gate = Gate(settings.requests_per_second, 1, sleep)
        self._persistence = Persistence(settings.attempts, settings.first_retry_seconds, sleep)
        self._http = BoundedClient(_LONGEST_ANSWER, settings.deadline_seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    @property
    def versions(self) -> list[Version]:
        """The APIs whose addresses are set."""
        named: dict[Version, str] = {"v2": self.settings.base_url_v2, "v1": self.settings.base_url_v1}
        return [version for version, address in named.items() if address]

    def read(self, version: Version, path: str, params: Mapping[str, str | int]) -> dict[str, Any]:
        """The JSON object that an API answers.

        Raises `CredentialsNeededError`, `SecondFactorError` and other `OpenReviewError`s.
        """
        return self._get(version, path, params, _json_object)

    def download(self, version: Version, path: str, params: Mapping[str, str | int]) -> bytes:
        """The file that an API serves. Raises as `read`, also for a PDF that lacks its end."""
        return self._get(version, path, params, _whole_file)

    def _get(
        self,
        version: Version,
        path: str,
        params: Mapping[str, str | int],
        read: Callable[[str, bytes], T],
    ) -> T:
        if self._user and self._password and version not in self._tokens:
            self._login(version)
        try:
            return self._ask(version, "GET", path, read, params=dict(params))
        except CredentialsNeededError:
            if version not in self._tokens:
                raise
            # Tokens end after some hours.
            del self._tokens[version]
            self._login(version)
            return self._ask(version, "GET", path, read, params=dict(params))

    def _login(self, version: Version) -> None:
        account = {"id": self._user, "password": self._password}
        answer = self._ask(version, "POST", "/login", _json_object, json=account)
        token = answer.get("token")
        if not isinstance(token, str) or not token:
            if any("mfa" in name.lower() or "challenge" in name.lower() for name in answer):
                raise SecondFactorError(
                    "OpenReview wants this account to confirm a second factor: use an account without one, "
                    "or take the second factor out of it."
                )
            raise UnexpectedAnswerError("/login: OpenReview gave no token.")
        self._tokens[version] = token

    def _ask(
        self, version: Version, method: str, path: str, read: Callable[[str, bytes], T], **options: Any
    ) -> T:
        ends = time.monotonic() + self.settings.deadline_seconds
        return self._persistence.insist(
            self._gate, ends, lambda: read(path, self._attempt(version, method, path, ends, options))
        )

    def _attempt(
        self, version: Version, method: str, path: str, ends: float, options: Mapping[str, Any]
    ) -> bytes:
        address = self.settings.base_url_v1 if version == "v1" else self.settings.base_url_v2
        headers = {"User-Agent": "aimsciqa", "Accept": "application/json, */*;q=0.5"}
        if version in self._tokens:
            headers["Authorization"] = f"Bearer {self._tokens[version]}"
        left = max(0.001, ends - time.monotonic())
        try:
            answer = self._http.request(
                method,
                f"{address.rstrip('/')}{path}",
                headers=headers,
                timeout=min(self.settings.timeout_seconds, left),
                **options,
            )
        except httpx2.HTTPError as error:
            # Without its cause, which holds the request and with it the password.
            raise ServiceUnavailableError(f"{path}: {type(error).__name__}: {error}") from None
        if answer.status_code != httpx2.codes.OK:
            raise self._fault(path, answer)
        return answer.content

    def _fault(self, path: str, answer: httpx2.Response) -> OpenReviewError:
        """The error for a status, without what is secret: servers quote what they were sent."""
        text = " ".join(answer.content.decode("utf-8", "replace").split())
        for secret in filter(None, (self._password, self._user, *self._tokens.values())):
            text = text.replace(secret, "(hidden)")
        status = answer.status_code
        detail = f"{path}: HTTP {status}: {text[:_LONGEST_DETAIL]}"
        if status in _SLOWER:
            return TooManyRequestsError(detail, retry_after(answer.headers))
        if status == 408 or status >= 500:
            return ServiceUnavailableError(detail, retry_after(answer.headers))
        if "mfa" in text.lower() or "two-factor" in text.lower():
            return SecondFactorError(f"OpenReview wants this account to confirm a second factor: {detail}")
        is_challenge = status == 401 or "ChallengeRequired" in text
        if is_challenge or (status == 403 and not self._user):
            error = CredentialsNeededError if is_challenge else RestrictedError
            return error(
                f"OpenReview answers only those who log in: put your account into "
                f"{self.settings.user_variable} and {self.settings.password_variable}. It said: {detail}"
            )
        return RequestRefusedError(detail)


def _json_object(path: str, content: bytes) -> dict[str, Any]:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        raise UnexpectedAnswerError(f"{path}: the answer is not JSON.") from None
    if not isinstance(value, dict):
        raise UnexpectedAnswerError(f"{path}: the answer is no JSON object.")
    return value


def _whole_file(path: str, content: bytes) -> bytes:
    """The content as it is; a PDF that was cut on the way is to be asked for again."""
    if not content or (content.startswith(_PDF) and _END_OF_PDF not in content):
        raise UnexpectedAnswerError(f"{path}: the file is not whole.")
    return content
