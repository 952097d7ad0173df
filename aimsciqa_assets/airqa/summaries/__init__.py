"""What a model writes for the paper store: summaries, a tldr and tags of each paper (AirQA, section 4.3)."""
