"""Functions of numbers of one ensemble, with their correlations: ratios, differences, and what the user writes."""
from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Union

import numpy

from .arrays import Array
from .blocks import Result
from .fit_numbers import Number
from .quantities import Quantity, Settings
from .windows import Averaged

Known = Union[Quantity, Averaged, Number, Result, "Derived"]


class DerivedError(ValueError):
    pass


@dataclasses.dataclass
class Derived:
    """A function of numbers: the quantity, and what the spread of their fits between windows makes of it."""

    quantity: Quantity
    systematic: float

    def total_error(self, settings: Settings = Settings()) -> float:
        return math.hypot(self.quantity.gamma(settings).error, self.systematic)


def derived(function: Callable[..., float], *numbers: Known) -> Derived:
    """function(number, ...), for example derived(lambda m_pi, m_rho: m_pi / m_rho, pion, rho), of numbers of the same
    configurations: quantities, fits or results. The systematic errors of fits are taken as independent of each other.

    The gamma method takes the function's derivatives, jackknife and bootstrap the function itself on fits of each sample.
    """
    parts = [one if isinstance(one, Quantity) else one.quantity for one in numbers]
    if not parts:
        raise DerivedError("derived() needs one number or more")
    chains = parts[0].chains
    for part in parts[1:]:
        if not part.chains.has_rows_of(chains):
            raise DerivedError(f"these numbers are of different configurations ({len(chains)} and {len(part.chains)}); choose "
                               "results of the same gauge fields")
        if not part.chains.weighs_as(chains):
            raise DerivedError("these numbers have different weights of the configurations")
    values = numpy.array([part.value for part in parts])
    slopes = _slopes(function, values, parts)
    fluctuations = sum((slope * part.fluctuations for slope, part in zip(slopes, parts)), numpy.zeros(len(chains)))
    widths = numpy.cumsum([0] + [part.samples.shape[1] for part in parts])

    def estimate(means: Array) -> Array:
        of_each = [part.estimate(means[..., a:b]) for part, a, b in zip(parts, widths, widths[1:])]
        return evaluated(function, numpy.stack(of_each, axis=-1))

    samples = numpy.concatenate([part.samples for part in parts], axis=1)
    made = Quantity(float(evaluated(function, values)), fluctuations, chains, samples, estimate)
    return Derived(made, math.hypot(*(slope * _systematic(one) for slope, one in zip(slopes, numbers))))


def evaluated(function: Callable[..., float], values: Array) -> Array:
    """[...] of [...][argument]; NaN where the function has no value."""
    rows = values.reshape(-1, values.shape[-1])
    return numpy.array([_at(function, row) for row in rows]).reshape(values.shape[:-1])


def real_or_nan(number: object) -> float:
    """NaN for a complex number, as (-1)**0.5 is in Python."""
    return math.nan if isinstance(number, complex) else float(number)  # type: ignore[arg-type]


def _at(function: Callable[..., float], row: Array) -> float:
    try:
        with numpy.errstate(all="ignore"):
            return real_or_nan(function(*(float(one) for one in row)))
    except (ValueError, ZeroDivisionError, OverflowError):
        return math.nan


def _slopes(function: Callable[..., float], values: Array, parts: list[Quantity]) -> Array:
    """By differences that are small against the errors."""
    spreads = [float(numpy.sqrt((part.fluctuations**2).sum())) / len(part.fluctuations) for part in parts]
    steps = numpy.array([1e-3 * spread or 1e-6 * abs(value) or 1e-6 for spread, value in zip(spreads, values)])
    used = numpy.diag(steps)
    return (evaluated(function, values + used) - evaluated(function, values - used)) / (2 * steps)


def _systematic(one: Known) -> float:
    if isinstance(one, Quantity):
        return 0.0
    return one.systematic_error() if isinstance(one, Result) else one.systematic
