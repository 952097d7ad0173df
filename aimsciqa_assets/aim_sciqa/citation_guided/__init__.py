"""The citation-guided variant (CIM-SciQA): relations that start from in-text citations."""
