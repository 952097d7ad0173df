"""The figures in Prometheus's form: a collector for its registry, which reads them anew at every scrape."""

import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from threading import Lock

from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from aimsciqa_assets.cli.metrics import declared
from aimsciqa_assets.cli.metrics.declared import METRICS
from aimsciqa_assets.cli.metrics.sources import SOURCES, Sample, Watched


class HomeCollector(Collector):
    """Reads the figures of a home; of what cannot be read, `tell` is told the name and the error."""

    def __init__(self, watched: Watched, tell: Callable[[str, Exception], None]) -> None:
        self._watched = watched
        self._tell = tell
        self._lock = Lock()

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """A family of each metric that has a value; one scrape at a time."""
        families = {
            metric: GaugeMetricFamily(metric.name, metric.meaning, labels=metric.labels) for metric in METRICS
        }
        with self._lock:
            for sample in self._samples():
                families[sample.metric].add_metric(sample.labels, sample.value)
        return (family for family in families.values() if family.samples)

    def _samples(self) -> Iterator[Sample]:
        yield Sample(declared.INFO, (version("aimsciqa"), version("duckdb")), 1)
        for name, read in SOURCES.items():
            began = time.perf_counter()
            try:
                # All of a source, or nothing.
                found = list(read(self._watched))
            except Exception as error:
                self._tell(name, error)
                found = [Sample(declared.SUCCESS, (name,), 0)]
            else:
                found.append(Sample(declared.SUCCESS, (name,), 1))
            yield from found
            yield Sample(declared.DURATION, (name,), time.perf_counter() - began)


def registry_of(watched: Watched, tell: Callable[[str, Exception], None]) -> CollectorRegistry:
    """A registry with the figures of a home and nothing else. Nothing is read before the first scrape."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(HomeCollector(watched, tell))
    return registry
