"""Disks that are full or read-only, for a test; whoever runs it."""

import os
import resource
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NOBODY = 65534


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file grows beyond so many bytes meanwhile: writing fails as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def a_folder_for_all() -> Iterator[Path]:
    """A new folder that any user may enter."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Nothing can be made in the folder meanwhile, nor in those below; root, who may do all, is nobody."""
    folders = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
    was_root = os.getuid() == 0
    for one in folders:
        one.chmod(0o555)
    if was_root:
        os.setresuid(_NOBODY, _NOBODY, 0)
    try:
        yield
    finally:
        if was_root:
            os.setresuid(0, 0, 0)
        for one in folders:
            one.chmod(0o755)
