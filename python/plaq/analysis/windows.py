"""Fits in many windows and their average by information criteria (Jay, Neil, 2008.01069)."""
from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from .arrays import Array, Estimate
from .fit import Fit, FitError, fit, minimise, p_value, whitening
from .gamma import gamma_error
from .notation import quality, with_error
from .quantities import Quantity, Settings, quantities
from .shapes import Model, alternates

if TYPE_CHECKING:
    from .chains import Chains

ENDS = 4  # last slices that windows end at
ROWS_FOR_EACH_SLICE = 4  # configurations that a correlation matrix wants
LARGEST_CONDITION = 1e12
LEAST_WEIGHT = 1e-3  # of a window that takes part in resampling
AUTO, CORRELATED, UNCORRELATED = "auto", "correlated", "uncorrelated"


@dataclasses.dataclass
class Window:
    first: int
    last: int
    model: Any  # a Model, or what has its shape, states, split() and first_gradient()
    fit: Fit
    freedom: int
    value: float
    error: float
    expected_chi2: float
    criterion: float  # AIC
    weight: float = 0.0

    def p_value(self) -> float:
        return p_value(self.fit.chi2, self.freedom)

    def ends(self) -> tuple[float, float]:
        """Where it begins and ends, as it is printed."""
        return self.first, self.last

    def at(self) -> Array:
        """The places of its data in Data, [t of the fit]."""
        return numpy.asarray(self.model.places(self.first, self.last))


@dataclasses.dataclass
class Averaged:
    """An average over windows: a quantity, its spread between windows, and the windows."""

    quantity: Quantity
    systematic: float
    windows: Sequence[Window]
    kind: str  # CORRELATED or UNCORRELATED
    why: str
    condition: float  # of the correlation matrix of all slices that are fitted
    left_out: int  # windows whose fit was no use
    data: Any = None  # what was fitted, a Data; None: of fits in r
    chosen: bool = False  # the window was asked for, and is not one of many

    def __str__(self) -> str:
        best = self.best()
        first, last = (f"{end:.4g}" for end in best.ends())
        value = with_error(self.quantity.value, self.quantity.gamma().error, *([] if self.chosen else [self.systematic]))
        return (f"{value}, {self.kind}, {len(self.windows)} window{'s' if len(self.windows) > 1 else ''}; largest weight: "
                f"{first} to {last}, {quality(best.fit.chi2, best.freedom, best.p_value())}")

    def __repr__(self) -> str:
        return f"<Fit: {self}>"

    def best(self) -> Window:
        """The window that weighs most."""
        return self.windows[0]

    def chi2_per_freedom(self) -> float:
        """chi^2 / degrees of freedom of the window that weighs most."""
        return self.best().fit.chi2 / self.best().freedom

    def p_value(self) -> float:
        """The probability of a larger chi^2 in the window that weighs most."""
        return self.best().p_value()

    def total_error(self, settings: Settings = Settings()) -> float:
        return math.hypot(self.quantity.gamma(settings).error, self.systematic)


class Data:
    """What is fitted, [t], with its covariance: correlations of fluctuations times errors by the gamma method.

    It is made by `transform` of means, [...][mean] -> [...][t], or is the means themselves.
    """

    def __init__(self, samples: Array, chains: Chains, settings: Settings = Settings(),
                 transform: Estimate | None = None) -> None:
        self.samples, self.chains, self.settings = numpy.asarray(samples, dtype=float), chains, settings
        self.transform = transform or (lambda means: means)
        if transform is None:
            self.means, self.deviations = chains.mean(self.samples), chains.fluctuations(self.samples)
        else:
            made = quantities(self.samples, transform, chains)
            self.means = numpy.array([one.value for one in made])
            self.deviations = numpy.stack([one.fluctuations for one in made], axis=1)
        self.errors = numpy.array([gamma_error(d, chains, settings.gamma).error for d in self.deviations.T])

    def correlation(self, slices: Array) -> Array:
        chosen = self.deviations[:, slices] / abs(self.deviations[:, slices]).max(axis=0)
        norms = numpy.sqrt((chosen**2).sum(axis=0))
        return chosen.T @ chosen / numpy.outer(norms, norms)

    def covariance(self, slices: Array) -> Array:
        return self.correlation(slices) * numpy.outer(self.errors[slices], self.errors[slices])

    def last_known(self, first: int, last: int) -> int:
        """The end of the slices from `first` on that have an error."""
        known = numpy.isfinite(self.means) & (self.errors > 0)
        return first - 1 + _leading(known[first:last + 1])

    def last_signal(self, first: int, last: int) -> int:
        """The end of those whose mean is larger than its error, too."""
        with numpy.errstate(invalid="ignore"):
            return min(self.last_known(first, last),
                       first - 1 + _leading((abs(self.means) > self.errors)[first:last + 1]))


def _leading(flags: Array) -> int:
    return len(flags) if flags.all() else int(numpy.argmin(flags))


def condition_number(correlation: Array) -> float:
    values = numpy.linalg.eigvalsh(correlation)
    return float(values[-1] / values[0]) if values[0] > 0 else math.inf


def choose_kind(data: Data, slices: Array, wanted: str) -> tuple[str, str, float]:
    """(kind, why, condition number)"""
    condition = condition_number(data.correlation(slices))
    rows, count = int(data.chains.effective()), len(slices)
    if wanted == UNCORRELATED:
        return UNCORRELATED, "as asked for", condition
    if not condition < LARGEST_CONDITION:
        return UNCORRELATED, "the correlation matrix is singular", condition
    if wanted == AUTO and rows < ROWS_FOR_EACH_SLICE * count:
        return UNCORRELATED, f"{rows} configurations are few for correlations of {count} slices", condition
    return CORRELATED, "as asked for" if wanted == CORRELATED else "", condition


def scan(data: Data, shape: str, extent: int, first: int, last: int, states: tuple[int, ...] = (1, 2),
         kind: str = AUTO) -> Averaged:
    """The average over all windows of [first, last] that have a degree of freedom or more.

    data: Data; a model of each number of states; windows end at one of the last slices.
    """
    if last <= first:
        raise FitError("there are fewer than two time slices with a signal")
    return scan_models(data, models_of(shape, extent, states), first, last, kind)


def models_of(shape: str, extent: int, states: tuple[int, ...]) -> list[Model]:
    """A model of each number of states."""
    return [Model(shape, n, extent) for n in (states if shape != "constant" else (1,))]


def scan_models(data: Data, models: Sequence[Any], first: int, last: int, kind: str = AUTO, chosen: bool = False) -> Averaged:
    """The average over windows of [first, last] and over models; `chosen`: of [first, last] alone, over models."""
    rows = models[0].places(first, last)
    kind, why, condition = choose_kind(data, rows, kind)
    found, left_out, reason = [], 0, "no fit found a minimum"
    for model in models:
        near = None  # the last fit of this model: the next one begins there, too
        for a, b in [(first, last)] if chosen else _windows(first, last, model):
            try:
                found.append(_fit_window(data, model, a, b, kind, len(rows), near))
                near = found[-1].fit.parameters[model.amplitudes():]
            except FitError as error:
                left_out, reason = left_out + 1, str(error) if chosen else reason
    if not found:
        raise FitError(reason if left_out else "there are too few time slices with a signal")
    weigh(found)
    found.sort(key=lambda window: -window.weight)
    made = average(data, found, functools.partial(_refitted, data, kind), kind, why, condition, left_out)
    return dataclasses.replace(made, data=data, chosen=chosen)


def _windows(first: int, last: int, model: Any) -> Iterator[tuple[int, int]]:
    for b in range(last, max(first, last - ENDS), -1):
        for a in range(first, b):
            if len(model.places(a, b)) > model.parameters():
                yield a, b


def _fit_window(data: Data, model: Any, a: int, b: int, kind: str, slices: int, near: Array | None) -> Window:
    t = model.places(a, b)
    covariance = data.covariance(t)
    white = whitening(covariance) if kind == CORRELATED else numpy.diag(1 / data.errors[t])
    scale = abs(data.means[t]).max()
    found = fit(model, t, data.means[t] / scale, white * scale, _starts(model, data.means[t], near))
    of_amplitudes = scale**model.power()
    found.parameters[:model.amplitudes()] *= of_amplitudes
    found.gradient /= scale
    found.gradient[:model.amplitudes()] *= of_amplitudes
    _demand_determined(model, found, covariance)
    freedom = len(t) - model.parameters()
    response = model.first_gradient(found.parameters) @ found.gradient
    # Bruno, Sommer, 2209.14188: what chi^2 of these weights is expected to be.
    _, jacobian = model.evaluate(found.parameters, t)
    pulls = white @ (numpy.eye(len(t)) - jacobian @ found.gradient)
    cut = slices - len(t)
    return Window(a, b, model, found, freedom, float(model.first(found.parameters)),
                  gamma_error(data.deviations[:, t] @ response, data.chains, data.settings.gamma).error,
                  float(numpy.trace(pulls @ covariance @ pulls.T)),
                  found.chi2 + 2 * model.parameters() + 2 * cut)


def _demand_determined(model: Any, found: Fit, covariance: Array) -> None:
    """A second state or partner that could as well be absent, or whose energy is free, only spoils the first."""
    with numpy.errstate(invalid="ignore"):
        spread = numpy.sqrt(numpy.einsum("ij,jk,ik->i", found.gradient, covariance, found.gradient))
    if not numpy.isfinite(spread).all():
        raise FitError("the error of a time slice is NaN")
    free = spread[model.amplitudes():] > 1  # of logarithms: relative errors
    if model.has_weak_state(found.parameters, spread) or free.any():
        raise FitError("the data do not determine all states")


def _starts(model: Any, means: Array, near: Array | None) -> list[Array]:
    """Logarithms of energies: guesses of all kinds, or few beside those of a fit nearby."""
    if model.shape == "constant":
        return [numpy.zeros(0)]
    with numpy.errstate(all="ignore"):
        rates = numpy.log(means[:-1] / means[1:])
        if alternates(model.shape):
            rates = numpy.log(abs(means[:-2] / means[2:])) / 2
    rates = rates[numpy.isfinite(rates) & (rates > 0)]
    lowest = float(numpy.median(rates)) if len(rates) else 0.5
    factors = (1.0,) if near is not None else (0.3, 1.0) if model.states == 1 else (0.5, 0.8, 1.0)
    starts = [[math.log(factor * lowest)] for factor in factors]
    if model.states == 2:
        gaps = (0.8,) if near is not None else (0.3, 0.8, 2.0)
        starts = [[*start, math.log(gap)] for start in starts for gap in gaps]
    if alternates(model.shape):
        partners = (lowest + 0.3,) if near is not None else (lowest, lowest + 0.5)
        starts = [[*start, math.log(partner)] for start in starts for partner in partners]
    return [numpy.array(start) for start in starts] + ([near] if near is not None else [])


def weigh(windows: Sequence[Window]) -> None:
    least = min(window.criterion for window in windows)
    weights = numpy.array([math.exp(-(window.criterion - least) / 2) for window in windows])
    for window, weight in zip(windows, weights / weights.sum()):
        window.weight = float(weight)


def average(data: Data, windows: Sequence[Window], refit: Callable[[Any, Array], tuple[Array, Array]], kind: str, why: str,
            condition: float, left_out: int) -> Averaged:
    """Of the windows' numbers, by their weights. refit(window, values) is the number of a window for other data
    [sample][t], and where it is known."""
    weights = numpy.array([window.weight for window in windows])
    values = numpy.array([window.value for window in windows])
    mean = float(weights @ values)
    systematic = math.sqrt(max(0.0, float(weights @ (values - mean)**2)))
    gradient = numpy.zeros(len(data.means))
    for window in windows:
        gradient[window.at()] += window.weight * (
            window.model.first_gradient(window.fit.parameters) @ window.fit.gradient)
    used = gradient != 0
    found = Quantity(mean, data.deviations[:, used] @ gradient[used], data.chains, data.samples,
                     lambda means: _average_again(windows, refit, data.transform(means)))
    return Averaged(found, systematic, windows, kind, why, condition, left_out)


def _average_again(windows: Sequence[Window], refit: Callable[[Any, Array], tuple[Array, Array]], values: Array) -> Array:
    """The average for other data [sample][t], by the same weights of windows."""
    total, weights, every = numpy.zeros(len(values)), numpy.zeros(len(values)), 0.0
    for window in windows:
        if window.weight < LEAST_WEIGHT:
            continue
        number, known = refit(window, values)
        # Where the fit of a sample fails, the window keeps its number: without it the average would jump, which looks like a bias.
        total += window.weight * numpy.where(known, number, window.value)
        every += window.weight
        weights += numpy.where(known, window.weight, 0.0)
    # Most windows must have a number of their own in a sample.
    with numpy.errstate(invalid="ignore"):
        return numpy.where(weights > 0.5 * weights.max(), total / every, numpy.nan)


def refit(data: Data, kind: str, window: Window, values: Array) -> tuple[Array, Array]:
    """(parameters [sample][parameter], whether they are a minimum) for other data [sample][t], by the same weights of slices."""
    t = window.at()
    white = whitening(data.covariance(t)) if kind == CORRELATED else numpy.diag(1 / data.errors[t])
    parameters, _, reached = minimise(window.model, t, values[:, t], white, window.fit.parameters)
    return parameters, reached


def _refitted(data: Data, kind: str, window: Window, values: Array) -> tuple[Array, Array]:
    parameters, reached = refit(data, kind, window, values)
    return window.model.first(parameters), reached
