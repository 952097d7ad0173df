"""How many processor cores this process may use."""

import os


def threads_of_process() -> int:
    """As many threads as torch would use: all cores, or this process's share of them."""
    # OpenMP accepts a list, for threads within threads; the first number counts.
    share = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0]
    return int(share) if share.isdecimal() and int(share) else len(os.sched_getaffinity(0))
