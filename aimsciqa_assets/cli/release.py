"""What can be typed about releases: `release verify`, `release push`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from aimsciqa_assets.cli.terminal import console, errors

release_app = typer.Typer(
    no_args_is_help=True,
    help="Check a release from its files alone, or push it to the Hugging Face Hub. `aimsciqa run` writes it "
    "into releases/ in AIMSCIQA_HOME.",
)

_FILES = "release.files"

FolderArgument = Annotated[
    Path | None, typer.Argument(metavar="DIR", help="release folder; default: that of AIMSCIQA_HOME")
]


@release_app.command("verify")
def verify_release(folder: FolderArgument = None) -> None:
    """Check a release: checksums, schema, quotes, licences, splits, and that all its forms agree."""
    from aimsciqa_assets.release.verifying import verify

    chosen = folder or _own_release()
    verdict = verify(chosen)
    for problem in verdict.problems:
        console.print(f"[red]wrong[/red] {escape(problem)}", highlight=False, soft_wrap=True)
    if verdict.problems:
        raise typer.Exit(1)
    numbers = [
        f"{count:,} {config.replace('_', '-')} ({split})"
        for config, splits in verdict.manifest["rows"].items()
        for split, count in splits.items()
    ]
    console.print(f"{chosen} is sound: {', '.join(numbers)}.", highlight=False, soft_wrap=True)
    if verdict.manifest["settings"]["release"]["any_licence"]:
        console.print("It holds papers whatever their licence: it is not to be published.")


@release_app.command("push")
def push_release(
    repo: Annotated[str, typer.Argument(help="dataset on the Hub: NAME/DATASET")],
    folder: Annotated[
        Path | None, typer.Option("--from", help="release folder; default: that of AIMSCIQA_HOME")
    ] = None,
    public: Annotated[bool, typer.Option("--public", help="a new dataset is public, not private")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="do not ask")] = False,
) -> None:
    """Upload a release to the Hugging Face Hub; it is verified first.

    The token is that of HF_TOKEN, or of `hf auth login`.
    """
    from aimsciqa_assets.release.hub import NotPushedError, open_hub, push

    chosen = folder or _own_release()
    try:
        hub = open_hub()
        if not yes:
            typer.confirm(f"Upload {chosen} to https://huggingface.co/datasets/{repo}?", abort=True)
        console.print(push(chosen, repo, hub, private=not public), soft_wrap=True)
    except NotPushedError as error:
        errors.print(f"[red]Not pushed[/red]: {escape(str(error))}", highlight=False, soft_wrap=True)
        raise typer.Exit(1) from None


def _own_release() -> Path:
    """The release of AIMSCIQA_HOME under the name of the settings.

    Raises `NoReleaseError` when another worker has withdrawn it, although an earlier one may still lie here.
    """
    from aimsciqa_assets.platform.home import Home
    from aimsciqa_assets.release.layout import releases_in
    from aimsciqa_assets.release.verifying import NoReleaseError
    from aimsciqa_assets.settings import Settings

    home = Home.from_environment()
    published = home.published
    if published and (last := published.find(_FILES)) and not last.paths:
        raise NoReleaseError("No item may be released: the last `aimsciqa run` has withdrawn the release.")
    home.fetch(_FILES)
    return releases_in(home.folder) / Settings.of_environment(asking=False).release.name
