"""Encoders of queries and documents by name: what stands before each text, which revision, whose code, which
server.

Those of Table 6 of the AIM-SciQA paper are here. The settings may add others, and say what is different with
these, as JSON:

    {"my-e5": {"model": "intfloat/e5-large-v2", "query_prefix": "query: ", "document_prefix": "passage: "},
     "voyage-3-large": {"base_url": "https://api.voyageai.com/v1", "api_key_variable": "VOYAGE_API_KEY"}}
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from aimsciqa_resources.section import refuse_bad_address, refuse_bad_variable

_QUESTION: Final = "Given a question about a study, retrieve the paper that reports it"


@dataclass(frozen=True, slots=True)
class SearchModel:
    """An encoder: a model of sentence-transformers (folder or hub name), or one `served` by a server.

    A prefix of None is what the model itself declares; of a served one: nothing. `revision` pins it on the
    hub. `remote_code`: it is nothing without the code in its repository, which must be trusted. `precision`
    is that of its numbers, `base_url` and `api_key_variable` are those of its server; empty: as the settings
    say of all (but no key is sent to a `base_url` without a variable of its own). `unverified` says what we
    doubt about its vectors.
    """

    model: str
    served: bool = False
    revision: str = ""
    query_prefix: str | None = None
    document_prefix: str | None = None
    remote_code: bool = False
    precision: str = ""
    base_url: str = ""
    api_key_variable: str = ""
    unverified: str = ""


TABLE_6: Final[Mapping[str, SearchModel]] = {
    "gritlm-7b": SearchModel(
        "GritLM/GritLM-7B",
        revision="13f00a0e36500c80ce12870ea513846a066004af",
        query_prefix=f"<|user|>\n{_QUESTION}\n<|embed|>\n",
        document_prefix="<|embed|>\n",
        remote_code=True,
        unverified="its makers average over the tokens of the text alone; sentence-transformers may count "
        "those of the words before it, and read them in one direction only",
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
    "llm-embedder": SearchModel(
        "BAAI/llm-embedder",
        revision="c3e8ac86ff4859012570d6b59341fe67b88e55ad",
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
_PRECISIONS: Final = ("", "float32", "bfloat16")
_OF_A_SERVER: Final = ("base_url", "api_key_variable")
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


def without_servers(written: str) -> str:
    """The same text without what says where servers are and how they know us: that changes no vector."""
    if not written:
        return ""
    read = json.loads(written)
    if not any(field in chosen for chosen in read.values() for field in _OF_A_SERVER):
        return written
    kept = {
        name: {field: value for field, value in chosen.items() if field not in _OF_A_SERVER}
        for name, chosen in read.items()
    }
    left = {name: chosen for name, chosen in kept.items() if chosen}
    return json.dumps(left, sort_keys=True) if left else ""


def _read(name: str, chosen: Any) -> SearchModel:
    if not name or name.split() != [name] or _FORBIDDEN & set(name):
        raise ValueError(f"{name!r}: the name of a retriever holds no blank and none of + > : @")
    known = {field.name for field in fields(SearchModel)} - {"unverified"}
    if not isinstance(chosen, dict) or not chosen.keys() <= known:
        raise ValueError(f"{name}: must be an object with {', '.join(sorted(known))}, or some of them")
    for field, value in chosen.items():
        if not isinstance(value, _TYPES.get(field, str)):
            raise ValueError(f"{name}: {field} is {value!r}, which is no {_TYPES.get(field, str).__name__}")
    if chosen.get("precision", "") not in _PRECISIONS:
        raise ValueError(f"{name}: precision is {chosen['precision']!r}; write float32 or bfloat16")
    _refuse_bad_server(name, chosen)
    meant = _meant(name, chosen)
    return replace(meant, **{"served": meant.served or "base_url" in chosen, **chosen})


def _refuse_bad_server(name: str, chosen: Mapping[str, Any]) -> None:
    for field, refuse in (("base_url", refuse_bad_address), ("api_key_variable", refuse_bad_variable)):
        if field in chosen:
            try:
                refuse(chosen[field])
            except ValueError as error:
                raise ValueError(f"{name}: {field} {error}") from error


def _meant(name: str, chosen: Mapping[str, Any]) -> SearchModel:
    """What holds where the settings say nothing.

    A name of Table 6 with another `model` means the same encoder in a folder, or as a server calls it. It is
    then not pinned.
    """
    meant = TABLE_6.get(name, SearchModel(name))
    return replace(meant, revision="") if "model" in chosen else meant
