"""The `aimsciqa` command: a shell over the same definitions that the web UI shows."""

from aimsciqa.command_line import platform_is_installed

if platform_is_installed():
    from aimsciqa_assets.cli.commands import main
else:
    from aimsciqa.command_line import main

__all__ = ["main"]
