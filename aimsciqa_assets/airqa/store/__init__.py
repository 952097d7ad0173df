"""The paper store that agents search: eight tables, filled from PDF, JATS or MinerU's JSON."""
