"""The paper store that agents search: eight tables with fixed names, filled from PDF, JATS or MinerU's JSON."""
