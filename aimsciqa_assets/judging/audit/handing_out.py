"""Writes a sheet in all its forms: CSV, Argilla, Label Studio, and what the raters are told."""

from pathlib import Path

from aimsciqa_assets.judging.audit.argilla import argilla_files
from aimsciqa_assets.judging.audit.guidelines import guidelines
from aimsciqa_assets.judging.audit.label_studio import label_studio_files
from aimsciqa_assets.judging.audit.sheet import AuditError, Sheet, csv_of


def hand_out(sheet: Sheet, out: Path) -> Path:
    """Write a folder with the sheet's name into `out`; returns its CSV file.

    Files that are there already stay as they are. Raises `AuditError` where one of them differs: somebody may
    have put ratings into it.
    """
    folder = out / sheet.name
    main = folder / f"{sheet.name}.csv"
    files = {main: csv_of(sheet), folder / "guidelines.md": guidelines(sheet).encode()}
    for name, tool in {"argilla": argilla_files(sheet), "label-studio": label_studio_files(sheet)}.items():
        files |= {folder / name / path: content.encode() for path, content in tool.items()}
    for path, content in files.items():
        if path.exists() and path.read_bytes() != content:
            raise AuditError(
                f"{path} is there already and was changed since: there may be ratings in it. Import them "
                "with `aimsciqa audit import`, or give another folder with --out."
            )
    for path, content in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return main
