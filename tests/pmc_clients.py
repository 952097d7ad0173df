"""Clients for the loopback server of PubMed Central: quick to retry, with an address to send."""

from aimsciqa_resources.pmc.client import PmcClient
from aimsciqa_resources.pmc.settings import PmcSettings

KEY = "0123456789abcdef0123456789abcdef0123"


def settings_for(server, **changes):
    addresses = {
        "eutils_url": server.eutils_url,
        "bucket_url": server.bucket_url,
        "oai_url": server.oai_url,
        "email": "somebody@example.org",
        "first_retry_seconds": 0.01,
        "timeout_seconds": 5,
    }
    return PmcSettings(**addresses | changes)


def client_for(server, environment=None, **changes):
    return PmcClient(settings_for(server, **changes), environment or {})
