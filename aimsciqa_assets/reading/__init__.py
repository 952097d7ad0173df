"""Bytes become a parsed paper. Pure: no Dagster, no database, no network."""
