"""Pushes a verified release to the Hugging Face Hub, when a person asks for it."""

from pathlib import Path
from typing import Any, Protocol

from aimsciqa_assets.release.verifying import verify

_FOLDERS = ["data/**", "beir/**", "mteb/**", "squad/**", "baselines/**"]


class NotPushedError(RuntimeError):
    """A release was not pushed; the message says why."""


class Hub(Protocol):
    """What is used of `huggingface_hub.HfApi`."""

    def create_repo(self, repo_id: str, *, repo_type: str, private: bool, exist_ok: bool) -> Any:
        """Make the repository, unless it is there."""

    def upload_folder(
        self,
        *,
        repo_id: str,
        repo_type: str,
        folder_path: Path,
        commit_message: str,
        delete_patterns: list[str],
    ) -> Any:
        """Upload a folder in one commit."""


def open_hub() -> Hub:
    """The Hub, with the token of the environment (`HF_TOKEN`) or of `hf auth login`.

    Raises `NotPushedError` without a token, or where the environment forbids the network.
    """
    from huggingface_hub import HfApi, get_token
    from huggingface_hub.constants import HF_HUB_OFFLINE

    if HF_HUB_OFFLINE:
        raise NotPushedError("HF_HUB_OFFLINE is set, so nothing can be pushed to the Hub: unset it first.")
    if get_token() is None:
        raise NotPushedError("There is no token: set HF_TOKEN, or run `hf auth login`.")
    hub: Hub = HfApi()
    return hub


def push(folder: Path, repo: str, hub: Hub, *, private: bool) -> str:
    """Upload a release as the dataset `repo` in one commit; returns its address.

    Data files of an earlier release there are removed. Raises `NotPushedError` when the release does not
    verify, or admits papers of any licence.
    """
    verdict = verify(folder)
    if verdict.problems:
        raise NotPushedError(
            f"{folder} has {len(verdict.problems)} problems: `aimsciqa release verify` names them."
        )
    if verdict.manifest["settings"]["release"]["any_licence"]:
        raise NotPushedError(
            "This release admits papers of any licence (AIMSCIQA_RELEASE_ANY_LICENCE): it must not be "
            "published."
        )
    hub.create_repo(repo, repo_type="dataset", private=private, exist_ok=True)
    hub.upload_folder(
        repo_id=repo,
        repo_type="dataset",
        folder_path=folder,
        commit_message=f"Release {verdict.manifest['name']}",
        delete_patterns=_FOLDERS,
    )
    return f"https://huggingface.co/datasets/{repo}"
