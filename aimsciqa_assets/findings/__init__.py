"""Findings: questions across papers from what each of them found (our own method, docs/findings.md)."""
