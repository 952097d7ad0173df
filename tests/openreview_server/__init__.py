"""A second implementation of OpenReview's two APIs, on the loopback, with faults."""

from tests.openreview_server.server import OpenReviewServer
from tests.openreview_server.site import Site

__all__ = ["OpenReviewServer", "Site"]
