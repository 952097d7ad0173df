"""The AIM-SciQA code location: one folder per stage of the method, from papers to multi-hop questions."""
