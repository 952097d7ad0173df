"""A code location with one job, for the launcher that is tried."""

import dagster as dg


@dg.job
def nothing():
    pass


defs = dg.Definitions(jobs=[nothing])
