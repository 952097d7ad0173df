"""Facts about the machine that a benchmark ran on."""

import datetime
import os
import platform
from pathlib import Path
from typing import Any


def machine() -> dict[str, Any]:
    """Processor, cores, system, Python and date."""
    return {
        "cpu": cpu_name(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
    }


def cpu_name() -> str:
    """The processor's name where the system tells."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")),
        platform.processor(),
    )


def peak_memory_mb() -> int:
    """The most memory that this process ever held, in 10^6 bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    kibibytes = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    return round(kibibytes * 1024 / 1e6)
