"""Stage 4: a relation becomes a validated inter-document multi-hop item."""
