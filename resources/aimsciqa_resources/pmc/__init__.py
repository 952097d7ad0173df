"""PubMed Central: which articles there are, what changed, and verified copies of them.

`settings` and `client` reach the services: one polite HTTP client with rates, retries and deadlines. `search`
asks E-utilities for ids, `bucket` reads single articles of the Cloud Service, `inventory` its daily list of
all articles, `harvest` the increments of OAI-PMH. `articles` models the metadata and licences of articles.
The corpus, not this package, decides which articles it takes in or drops.
"""

from aimsciqa_resources.pmc.articles import ArticleVersion, ObjectUrl
from aimsciqa_resources.pmc.bucket import Bucket
from aimsciqa_resources.pmc.client import PmcClient
from aimsciqa_resources.pmc.errors import PmcError
from aimsciqa_resources.pmc.settings import PmcSettings

__all__ = ["ArticleVersion", "Bucket", "ObjectUrl", "PmcClient", "PmcError", "PmcSettings"]
