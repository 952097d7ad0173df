"""Outside services behind small interfaces: the warehouse, language models, the encoder."""
