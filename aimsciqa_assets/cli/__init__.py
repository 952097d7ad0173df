"""The `aimsciqa` command: a shell over the same definitions that the web UI shows."""

from aimsciqa_assets.cli.commands import main

__all__ = ["main"]
