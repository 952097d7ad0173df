"""What can go wrong with a service of the network; pmc/ and openreview/ add what only they know."""

from typing import ClassVar

from aimsciqa_resources.printable import printable


class ServiceError(RuntimeError):
    """A request to a service failed. `passing`: the error is transient, so the request may be repeated.

    `wait` is how many seconds the server asks to wait. Messages quote servers, in printable characters.
    """

    passing: ClassVar[bool] = False

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(printable(message))
        self.wait = wait


class ServiceUnavailableError(ServiceError):
    """The service does not answer at present: failed connections, timeouts, other 5xx."""

    passing = True


class DeadlineError(ServiceError):
    """A request took longer than one object may take."""

    passing = True


class TooManyRequestsError(ServiceError):
    """The service asks for fewer requests."""

    passing = True


class UnexpectedAnswerError(ServiceError):
    """The answer does not have the form of the protocol; it may be cut, or come from another server."""

    passing = True


class RequestRefusedError(ServiceError):
    """The service refuses the request itself; repeating it would not help."""
