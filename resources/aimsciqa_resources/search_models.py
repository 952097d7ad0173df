"""Encoders of queries and documents by name: what stands before each text, which revision, whose code.

Those of Table 6 of the AIM-SciQA paper are here. The settings may add others, as JSON:

    {"my-e5": {"model": "intfloat/e5-large-v2", "query_prefix": "query: ", "document_prefix": "passage: "}}
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

_QUESTION: Final = "Given a question about a study, retrieve the paper that reports it"


@dataclass(frozen=True, slots=True)
class SearchModel:
    """An encoder: a model of sentence-transformers (folder or hub name), or one `served` by a server.

    A prefix of None is what the model itself declares; of a served one: nothing. `revision` pins it on the
    hub. `remote_code`: it is nothing without the code in its repository, which must be trusted.
    """

    model: str
    served: bool = False
    revision: str = ""
    query_prefix: str | None = None
    document_prefix: str | None = None
    remote_code: bool = False


TABLE_6: Final[Mapping[str, SearchModel]] = {
    "gritlm-7b": SearchModel(
        "GritLM/GritLM-7B",
        revision="13f00a0e36500c80ce12870ea513846a066004af",
        query_prefix=f"<|user|>\n{_QUESTION}\n<|embed|>\n",
        document_prefix="<|embed|>\n",
        remote_code=True,
    ),
    "jina-v2-base-en": SearchModel(
        "jinaai/jina-embeddings-v2-base-en",
        revision="6e85f575bc273f1fd840a658067d0157933c83f0",
        query_prefix="",
        document_prefix="",
        remote_code=True,
    ),
    "e5-base-v2": SearchModel(
        "intfloat/e5-base-v2",
        revision="1c644c92ad3ba1efdad3f1451a637716616a20e8",
        query_prefix="query: ",
        document_prefix="passage: ",
    ),
    "e5-mistral-7b-instruct": SearchModel(
        "intfloat/e5-mistral-7b-instruct",
        revision="07163b72af1488142a360786df853f237b1a3ca1",
        query_prefix=f"Instruct: {_QUESTION}\nQuery: ",
        document_prefix="",
    ),
    "qwen3-embedding-8b": SearchModel(
        "Qwen/Qwen3-Embedding-8B",
        revision="4e423935c619ae4df87b646a3ce949610c66241c",
        query_prefix=f"Instruct: {_QUESTION}\nQuery:",
        document_prefix="",
    ),
    # No revision of this one is known to us: it is not pinned.
    "llm-embedder": SearchModel(
        "BAAI/llm-embedder",
        query_prefix="Represent this query for retrieving relevant documents: ",
        document_prefix="Represent this document for retrieval: ",
    ),
    "bge-large-en-v1.5": SearchModel(
        "BAAI/bge-large-en-v1.5",
        revision="d4aa6901d3a41ba39fb536a557fa166f842b0e09",
        query_prefix="Represent this sentence for searching relevant passages: ",
        document_prefix="",
    ),
    "text-embedding-ada-002": SearchModel("text-embedding-ada-002", served=True),
    # Its makers put these words before the texts when they are told which is which.
    "voyage-3-large": SearchModel(
        "voyage-3-large",
        served=True,
        query_prefix="Represent the query for retrieving supporting documents: ",
        document_prefix="Represent the document for retrieval: ",
    ),
}
"""The retrievers of Table 6. The paper says nothing of prefixes: these are what the models' makers give."""

_TYPES: Final = {"served": bool, "remote_code": bool}
_FORBIDDEN: Final = frozenset("+>:@")


def search_model(name: str, added: Mapping[str, SearchModel]) -> SearchModel:
    """The encoder of a name: one of those `added`, one of Table 6 by its own or its hub name, or a model."""
    by_model = {one.model: one for one in (*TABLE_6.values(), *added.values())}
    return added.get(name) or TABLE_6.get(name) or by_model.get(name) or SearchModel(name)


def read_search_models(written: str) -> dict[str, SearchModel]:
    """The encoders by name. Raises `ValueError`."""
    if not written:
        return {}
    try:
        read = json.loads(written)
    except ValueError as error:
        raise ValueError(f"must be a JSON object: {error}") from error
    if not isinstance(read, dict):
        raise ValueError("must be a JSON object: retrievers by name")
    return {name: _read(name, chosen) for name, chosen in read.items()}


def _read(name: str, chosen: Any) -> SearchModel:
    if not name or name.split() != [name] or _FORBIDDEN & set(name):
        raise ValueError(f"{name!r}: the name of a retriever holds no blank and none of + > : @")
    known = {field.name for field in fields(SearchModel)}
    if not isinstance(chosen, dict) or not chosen.keys() <= known:
        raise ValueError(f"{name}: must be an object with {', '.join(sorted(known))}, or some of them")
    for field, value in chosen.items():
        if not isinstance(value, _TYPES.get(field, str)):
            raise ValueError(f"{name}: {field} is {value!r}, which is no {_TYPES.get(field, str).__name__}")
    return SearchModel(**{"model": name, **chosen})
