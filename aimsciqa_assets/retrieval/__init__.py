"""Retrievers over the texts of documents, shared by every system: BM25, encoders, fusion, cross-encoders."""
