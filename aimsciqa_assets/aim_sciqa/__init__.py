"""AIM-SciQA: single-hop QA, relations by question similarity and by citation, and multi-hop items."""
