"""Retrievers over the texts of documents, for every system: BM25, encoders, fusion, diversity, rerankers."""
