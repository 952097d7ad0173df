"""How PubMed Central is reached and how politely. No secret stands here, only where it lies."""

import dagster as dg
from pydantic import Field


class PmcSettings(dg.Config):
    """The services of PubMed Central. The addresses may be those of a mirror or of a test server."""

    eutils_url: str = Field(
        default="https://eutils.ncbi.nlm.nih.gov/entrez/eutils", description="E-utilities: which articles"
    )
    bucket_url: str = Field(
        default="https://pmc-oa-opendata.s3.amazonaws.com", description="PMC Cloud Service: the articles"
    )
    oai_url: str = Field(
        default="https://pmc.ncbi.nlm.nih.gov/api/oai/v1/mh/", description="OAI-PMH: small increments"
    )
    tool: str = Field(default="aimsciqa", description="what we call ourselves to NLM")
    email: str = Field(default="", description="whom NLM may write to; searches need it")
    api_key_variable: str = Field(
        default="NCBI_API_KEY",
        description="environment variable that holds the NCBI key; without one searches are slower",
    )
    downloads_at_once: int = Field(default=8, ge=1, le=64, description="requests at once to the bucket")
    timeout_seconds: float = Field(default=30, gt=0, description="patience with a silent connection")
    attempts: int = Field(default=6, ge=1, description="attempts at a request that fails in passing")
    first_retry_seconds: float = Field(
        default=0.5, gt=0, description="wait before the second attempt; doubled for each further one"
    )
    deadline_seconds: float = Field(
        default=300, gt=0, description="for one object or answer, with all attempts and waits"
    )
    part_deadline_seconds: float = Field(
        default=1800, gt=0, description="the same for a part of the inventory, about 50 MB"
    )
