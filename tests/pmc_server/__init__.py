"""PubMed Central on the loopback: E-utilities, the bucket of the Cloud Service, OAI-PMH.

It is a second implementation of the protocols and knows nothing of our client. In a test:
`with PmcServer(archive, plan=...) as server:` and `server.eutils_url`, `server.bucket_url`, `server.oai_url`.
The `Archive` holds the articles; a test changes it from one simulated day to the next.
"""

from tests.pmc_server.archive import Archive, Version
from tests.pmc_server.server import PmcServer
from tests.pmc_server.steps import (
    Complete,
    CutBody,
    CutConnection,
    Missing,
    OtherBytes,
    Plan,
    Reset,
    Seen,
    SlowDrip,
    Status,
    Step,
    always,
    first_times,
    share,
)

__all__ = [
    "Archive",
    "Complete",
    "CutBody",
    "CutConnection",
    "Missing",
    "OtherBytes",
    "Plan",
    "PmcServer",
    "Reset",
    "Seen",
    "SlowDrip",
    "Status",
    "Step",
    "Version",
    "always",
    "first_times",
    "share",
]
