"""How quantities grow: laws that are fitted to small points and compared with larger ones.

A law says of which drivers a quantity is a sum: papers, batches, their product, ... Coefficients are those
not below zero that fit the relative errors best. A point is a measured run: its drivers and its quantities.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

Quantities = Mapping[str, float]
"""Numbers by name."""

_PRODUCT = " x "


@dataclass(frozen=True, slots=True)
class Point:
    """A run that was measured; `drivers` are the numbers that its quantities grow with."""

    drivers: Quantities
    quantities: Quantities


@dataclass(frozen=True, slots=True)
class Law:
    """A quantity is a sum of drivers, each times a coefficient.

    A driver is the name of a number, the product of two (`papers x batches`), or `once`. A prediction may be
    off by `tolerance`, a share of what is measured. With `fixed` the coefficients are given.
    """

    quantity: str
    drivers: tuple[str, ...]
    tolerance: float
    fixed: tuple[float, ...] = ()

    def fitted(self, points: Sequence[Point]) -> "Fit":
        """The coefficients for some points; those where the quantity is 0 tell nothing."""
        if self.fixed:
            return Fit(self, self.fixed)
        told = [point for point in points if point.quantities.get(self.quantity)]
        if not told:
            raise ValueError(f"No point tells {self.quantity}")
        shares = [
            [value_of(driver, point.drivers) / point.quantities[self.quantity] for driver in self.drivers]
            for point in told
        ]
        coefficients, _ = nnls(np.array(shares), np.ones(len(told)))
        return Fit(self, tuple(map(float, coefficients)))


@dataclass(frozen=True, slots=True)
class Fit:
    """A law with its coefficients."""

    law: Law
    coefficients: tuple[float, ...]

    def at(self, drivers: Quantities) -> float:
        """The quantity where the drivers have these values."""
        values = (value_of(driver, drivers) for driver in self.law.drivers)
        return sum(one * value for one, value in zip(self.coefficients, values, strict=True))


@dataclass(frozen=True, slots=True)
class Check:
    """A quantity as the small points predict it, and as it was measured at a larger one."""

    quantity: str
    papers: int
    batches: int
    predicted: float
    measured: float
    tolerance: float

    @property
    def error(self) -> float:
        """How far the prediction is off, as a share of what was measured."""
        return self.predicted / self.measured - 1

    @property
    def holds(self) -> bool:
        """Whether it is off by no more than was stated."""
        return abs(self.error) <= self.tolerance


def value_of(driver: str, drivers: Quantities) -> float:
    """The value of a driver, which may be a product of two."""
    value = 1.0
    for name in driver.split(_PRODUCT):
        value *= 1.0 if name == "once" else drivers[name]
    return value


def checked(laws: Sequence[Law], small: Sequence[Point], large: Sequence[Point]) -> list[Check]:
    """What the laws, fitted to the small points, say of the large ones."""
    checks = []
    for law in laws:
        fit = law.fitted(small)
        for point in large:
            if measured := point.quantities.get(law.quantity):
                papers, batches = (int(point.drivers.get(name, 0)) for name in ("papers", "batches"))
                predicted = fit.at(point.drivers)
                checks.append(Check(law.quantity, papers, batches, predicted, measured, law.tolerance))
    return checks


def fits_of(laws: Sequence[Law], points: Sequence[Point]) -> dict[str, Fit]:
    """The laws with their coefficients, by quantity."""
    return {law.quantity: law.fitted(points) for law in laws}
