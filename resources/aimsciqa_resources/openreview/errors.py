"""What can go wrong with OpenReview beside what can go wrong with any service.

A listing that failed is always an error, never an empty listing. No message holds the password or a token.
"""

from aimsciqa_resources.service_errors import ServiceError

OpenReviewError = ServiceError


class CredentialsNeededError(OpenReviewError):
    """OpenReview answers only those who are logged in; the message says what to set."""


class RestrictedError(CredentialsNeededError):
    """What was asked for may not be read without an account, or by nobody; other things may be."""


class SecondFactorError(OpenReviewError):
    """The account has to confirm a second factor, which a program cannot."""


class NoSubmissionsError(OpenReviewError):
    """Neither API knows a submission of a venue: rather its name or its invitations are wrong."""


class NoDeadlineError(OpenReviewError):
    """It is not known until when papers could be submitted; the message says what to set."""


class ShiftedListingError(OpenReviewError):
    """A listing contradicts itself: a page comes again, or notes of other invitations come."""

    passing = True
