"""The `aimsciqa` command: a shell over the same definitions that the web UI shows."""

from aimsciqa.command_line import platform_is_installed


def main() -> None:
    """Run the command line, or that of the light package if the platform is not installed."""
    # Imported here: modules of the rooms hold commands, and import parts of this package.
    if platform_is_installed():
        from aimsciqa_assets.cli.commands import main as run
    else:
        from aimsciqa.command_line import main as run
    run()


__all__ = ["main"]
