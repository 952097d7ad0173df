"""The release described in Croissant."""

from collections.abc import Mapping, Sequence

from aimsciqa_assets.platform.croissant import described, described_file, described_rows
from aimsciqa_assets.release.card import SUMMARY
from aimsciqa_assets.release.layout import ATTRIBUTION, configs, forms_in
from aimsciqa_assets.release.provenance import Manifest


def croissant(manifest: Manifest, hashes: Mapping[str, str], licence_urls: Sequence[str]) -> str:
    """`croissant.json`, with the SHA-256 of each file by its path."""
    held = configs(forms_in(manifest["rows"]))
    about = {
        "name": manifest["name"],
        "description": SUMMARY,
        "license": list(licence_urls) or [ATTRIBUTION],
        "citeAs": f"{manifest['name']}, made with aimsciqa {manifest['versions']['aimsciqa']} by the method "
        "of arXiv:2603.14257",
        "version": f"{manifest['format']}.0.0",
    }
    return described(
        about,
        [described_file(path, hashes[path]) for _, paths in held.values() for path in paths.values()],
        [
            described_rows(f"{config}_{split}", schema, path)
            for config, (schema, paths) in held.items()
            for split, path in paths.items()
        ],
    )
