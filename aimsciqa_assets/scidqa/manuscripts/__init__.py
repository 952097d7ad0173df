"""The manuscripts that were reviewed: their versions, what changed between them, and what they answer."""
