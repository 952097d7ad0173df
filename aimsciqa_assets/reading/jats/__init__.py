"""JATS XML, the format of PubMed Central, becomes a parsed paper."""
