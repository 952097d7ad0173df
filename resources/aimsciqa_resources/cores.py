"""How many processor cores this process may use."""

import os


def threads_of_process() -> int:
    """So many as torch would take: all cores, or this process's share of them."""
    # OpenMP takes a list, for threads within threads.
    share = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0]
    return int(share) if share.isdecimal() and int(share) else len(os.sched_getaffinity(0))
