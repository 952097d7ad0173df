"""`aimsciqa metrics` as it is typed."""

import errno
import sys
from typing import Annotated

import typer
from rich.markup import escape

from aimsciqa_assets.cli.config import ConfigOption, PresetOption
from aimsciqa_assets.cli.terminal import errors


def metrics_command(
    *,
    serve: Annotated[
        int | None, typer.Option(metavar="PORT", help="serve them at /metrics until Ctrl-C", min=0, max=65535)
    ] = None,
    address: Annotated[
        str,
        typer.Option(help="with --serve: the address; 0.0.0.0 lets other machines ask, without a password"),
    ] = "127.0.0.1",
    preset: PresetOption = None,
    config: ConfigOption = None,
) -> None:
    """Print figures for Prometheus: runs, steps, models, rejections, sizes. Nothing is changed."""
    from prometheus_client import generate_latest, start_http_server

    from aimsciqa_assets.cli.metrics.collecting import registry_of
    from aimsciqa_assets.cli.metrics.sources import Watched
    from aimsciqa_assets.platform.home import Home

    registry = registry_of(Watched(Home.from_environment(), preset), _tell)
    if serve is None:
        sys.stdout.write(generate_latest(registry).decode())
        return
    try:
        server, thread = start_http_server(serve, address, registry)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        errors.print(f"Port {serve} is taken, perhaps by another `aimsciqa metrics`: choose another one.")
        raise typer.Exit(1) from None
    errors.print(f"http://{address}:{server.server_port}/metrics\nCtrl-C ends it.", highlight=False)
    try:
        thread.join()
    finally:
        server.shutdown()
        server.server_close()


def _tell(source: str, error: Exception) -> None:
    first = (str(error).strip() or type(error).__name__).splitlines()[0]
    errors.print(f"no figures of {source}: {escape(first)}", highlight=False, soft_wrap=True)
