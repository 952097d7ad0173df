"""A reranker of HopWeaver's own: feedback on candidates, training on it, and what the training changed."""
