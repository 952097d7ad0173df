"""The necessity ledger: does an item need its documents and its hops? One row per item, test and model."""
