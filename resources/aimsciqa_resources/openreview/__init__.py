"""OpenReview: the threads of venues, by either version of its API.

`settings` and `client` reach the service: login, rates, retries, deadlines. `threads` reads the submissions
of a venue with all notes of their forums, page by page. What becomes of the notes is decided by the assets.
"""

from aimsciqa_resources.openreview.client import OpenReviewClient
from aimsciqa_resources.openreview.errors import CredentialsNeededError, OpenReviewError
from aimsciqa_resources.openreview.settings import OpenReviewSettings
from aimsciqa_resources.openreview.threads import threads_of

__all__ = [
    "CredentialsNeededError",
    "OpenReviewClient",
    "OpenReviewError",
    "OpenReviewSettings",
    "threads_of",
]
