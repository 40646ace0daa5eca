"""Numbers of fits beside the lowest energy: amplitudes, and what is made of amplitudes and energies."""
from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy

from .arrays import Array
from .covariance import covariance
from .fit import FitError
from .quantities import Quantity, Settings
from .windows import LEAST_WEIGHT, Averaged, refit

Function = Callable[[Any, Array], Array]  # (model, parameters [...][parameter]) -> [...]


@dataclasses.dataclass
class Number:
    """A number of a fit, averaged over its windows: the quantity, and its spread between windows."""

    quantity: Quantity
    systematic: float

    def total_error(self, settings: Settings = Settings()) -> float:
        return math.hypot(self.quantity.gamma(settings).error, self.systematic)


def number_of(fitted: Averaged, function: Function) -> Number:
    """function(model, parameters) of each window, with the weights that the energy has. Its fluctuations are those of the same
    configurations, so that its correlations with the energy and with other numbers are known. Throws FitError for fits in r."""
    data = fitted.data
    if data is None:
        raise FitError("a fit in r does not keep its data, so it has no such numbers")
    weights = numpy.array([window.weight for window in fitted.windows])
    values = numpy.array([float(function(window.model, window.fit.parameters)) for window in fitted.windows])
    mean = float(weights @ values)
    gradient = numpy.zeros(len(data.means))
    for window in fitted.windows:
        slopes = _slopes(function, window.model, window.fit.parameters)
        gradient[window.at()] += window.weight * (slopes @ window.fit.gradient)
    used = gradient != 0
    made = Quantity(mean, data.deviations[:, used] @ gradient[used], data.chains, data.samples,
                    lambda means: _again(fitted, function, data.transform(means)))
    return Number(made, math.sqrt(max(0.0, float(weights @ (values - mean)**2))))


def _slopes(function: Function, model: Any, parameters: Array) -> Array:
    steps = numpy.diag(1e-6 * numpy.maximum(abs(parameters), 1e-3))
    return (function(model, parameters + steps) - function(model, parameters - steps)) / (2 * numpy.diag(steps))


def _again(fitted: Averaged, function: Function, values: Array) -> Array:
    """The average for other data [sample][t]: fits again, with the weights of windows held fixed."""
    total, weights, every = numpy.zeros(len(values)), numpy.zeros(len(values)), 0.0
    for window in fitted.windows:
        if window.weight < LEAST_WEIGHT:
            continue
        parameters, known = refit(fitted.data, fitted.kind, window, values)
        number = function(window.model, parameters)
        known = known & numpy.isfinite(number)
        total += window.weight * numpy.where(known, number, float(function(window.model, window.fit.parameters)))
        every += window.weight
        weights += numpy.where(known, window.weight, 0.0)
    with numpy.errstate(invalid="ignore"):
        return numpy.where(weights > 0.5 * weights.max(), total / every, numpy.nan)


def has_amplitudes(fitted: Averaged) -> bool:
    """Whether the fit is a sum of states of one correlator."""
    return fitted.data is not None and fitted.best().model.energies() > 0 and fitted.best().model.power() == 1


def amplitude(fitted: Averaged) -> Number:
    """A of C(t) = A [exp(-m t) +- exp(-m (T - t))] + ..., the amplitude of the lowest state."""
    return number_of(fitted, lambda model, parameters: model.split(parameters)[0][..., 0])


def correlation_with_mass(fitted: Averaged, number: Number, settings: Settings = Settings()) -> float:
    """The correlation coefficient of a number of a fit and its energy."""
    found = covariance({"mass": fitted.quantity, "number": number.quantity}, settings)
    return float(found.correlation()[0, 1])
