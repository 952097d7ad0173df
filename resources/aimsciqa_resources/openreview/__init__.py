"""OpenReview: the threads of venues, by either version of its API.

`settings` and `client` reach the service: login, rates, retries, deadlines. `threads` reads the submissions
of a venue with all notes of their forums, page by page, `news` the notes that changed, `revisions`
the PDFs. What becomes of them is decided by the assets.
"""

from aimsciqa_resources.openreview.client import OpenReviewClient
from aimsciqa_resources.openreview.errors import (
    CredentialsNeededError,
    OpenReviewError,
    RestrictedError,
    SecondFactorError,
)
from aimsciqa_resources.openreview.news import news_of
from aimsciqa_resources.openreview.revisions import (
    Revision,
    deadline_of,
    newest_pdf_of,
    pdf_of,
    revisions_of,
)
from aimsciqa_resources.openreview.settings import OpenReviewSettings
from aimsciqa_resources.openreview.threads import ServedForum, thread_by_id, threads_of

__all__ = [
    "CredentialsNeededError",
    "OpenReviewClient",
    "OpenReviewError",
    "OpenReviewSettings",
    "RestrictedError",
    "Revision",
    "SecondFactorError",
    "ServedForum",
    "deadline_of",
    "newest_pdf_of",
    "news_of",
    "pdf_of",
    "revisions_of",
    "thread_by_id",
    "threads_of",
]
