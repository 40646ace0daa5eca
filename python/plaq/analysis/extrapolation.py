"""Fits across ensembles: to vanishing lattice spacing, to physical masses, or of any function that the user writes.

chi^2 is the sum over ensembles of d^T C^-1 d, d = (y - f(x', p), x - x'), with the covariance matrix C of y and x of this ensemble. The
true x' are fitted, too: errors of x and their correlations with y count. Ensembles are independent of each other, unless the caller
gives covariance matrices between them; d and C are then those of all ensembles together.
"""
from __future__ import annotations

import dataclasses
import functools
import importlib.util
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

import numpy

from .arrays import Array
from .blocks import Result
from .covariance import covariance
from .derived import Known, real_or_nan
from .fit import FitError, minimise, p_value, response, whitening
from .notation import quality, with_error
from .quantities import Quantity, Settings

Value = Union[Known, float, "tuple[float, float]"]  # of an ensemble, an exact number, or a value and its error
Function = Callable[[Any, Any], Any]  # (x, p) -> y of one ensemble
Between = Mapping["tuple[int, int]", Array]
OWN, LSQFIT = "plaq", "lsqfit"
LEAST_EIGENVALUE = 1e-10  # of the correlations of all data
LEAST_SINGULAR_VALUE = 1e-7  # of derivatives by the parameters, each of length 1, which are known to about 1e-8


class LibraryMissing(ImportError):
    pass


@dataclasses.dataclass
class Point:
    """y and x of one ensemble."""

    values: Array  # y, x_1, x_2, ...
    matrix: Array  # their covariance matrix


def ensemble_point(y: Value, *x: Value, settings: Settings = Settings()) -> Point:
    """Numbers of one ensemble: quantities, fits, results and derived numbers with their correlations; (value, error) for what is
    known from elsewhere; a plain number without an error. The spread of fits between windows is added as independent."""
    numbers = [y, *x]
    known = {str(i): _quantity(one) for i, one in enumerate(numbers) if not isinstance(one, (int, float, tuple))}
    values, matrix = numpy.zeros(len(numbers)), numpy.zeros((len(numbers), len(numbers)))
    if known:
        found, at = covariance(known, settings), [int(label) for label in known]
        values[at] = found.values
        matrix[numpy.ix_(at, at)] = found.matrix
    for i, one in enumerate(numbers):
        if isinstance(one, (int, float)):
            values[i] = one
        elif isinstance(one, tuple):
            values[i], matrix[i, i] = one[0], one[1]**2
        elif not isinstance(one, Quantity):
            matrix[i, i] += (one.systematic_error() if isinstance(one, Result) else one.systematic)**2
    return Point(values, matrix)


def _quantity(one: Any) -> Quantity:
    return one if isinstance(one, Quantity) else one.quantity


def linear(x: Sequence[Any], p: Sequence[Any]) -> Any:
    """p[0] + p[1] x[0] + p[2] x[1] + ..., for example with x = (a^2, m_pi^2)."""
    return p[0] + sum(slope * one for slope, one in zip(p[1:], x))


@dataclasses.dataclass
class Extrapolation:
    """Parameters with their covariance matrix, and how well they describe the ensembles."""

    function: Function
    parameters: Array
    matrix: Array  # [parameter][parameter]
    chi2: float
    freedom: int
    library: str

    def errors(self) -> Array:
        return numpy.sqrt(numpy.diag(self.matrix))

    def p_value(self) -> float:
        """The probability of a larger chi^2."""
        return p_value(self.chi2, self.freedom)

    def slopes(self, x: Sequence[float]) -> Array:
        """The derivatives of y by x, at x."""
        return _slopes(lambda values: self.function(values, self.parameters), numpy.array(x, dtype=float))

    def __str__(self) -> str:
        numbers = ", ".join(with_error(value, error) for value, error in zip(self.parameters, self.errors()))
        return f"parameters {numbers}; {quality(self.chi2, self.freedom, self.p_value())}"

    def __repr__(self) -> str:
        return f"<Extrapolation: {self}>"

    def at(self, *x: float | tuple[float, float]) -> tuple[float, float]:
        """y and its error at a point, for example at(0, 0.018) where a^2 = 0; a coordinate may be (value, error)."""
        centre = [one[0] if isinstance(one, tuple) else one for one in x]
        slopes = _slopes(lambda p: self.function(centre, p), self.parameters)
        square = float(slopes @ self.matrix @ slopes)
        square += sum((slope * one[1])**2 for slope, one in zip(self.slopes(centre), x) if isinstance(one, tuple))
        return float(self.function(centre, self.parameters)), math.sqrt(square)


def extrapolate(points: Sequence[Point], function: Function = linear, start: Sequence[float] = (), library: str = OWN,
                between: Between | None = None) -> Extrapolation:
    """Fits y = function(x, p) to ensembles. `start` has a number for each parameter, which only `linear` does without. `library` is
    "plaq" or "lsqfit", which must be installed. between[i, j], i < j, is the covariance matrix [value of i][value of j] of two points that
    are of the same gauge fields; other points are independent. Throws FitError where the ensembles do not determine the parameters."""
    if library not in (OWN, LSQFIT):
        raise ValueError(f"library {library}: expected {OWN} or {LSQFIT}")
    if library == LSQFIT and importlib.util.find_spec("lsqfit") is None:
        raise LibraryMissing("lsqfit is not installed for this Python; pip install lsqfit in a virtual environment gets it, and "
                             f"library = \"{OWN}\" does the same fit without it")
    if len({len(point.values) for point in points}) != 1:
        raise FitError("each ensemble needs the same number of x" if points else "there are no ensembles")
    if not start:
        if function is not linear:
            raise FitError("a function of your own needs `start`, a number for each parameter")
        start = _linear_start(points)
    model = _Across(list(points), function, len(start), between or {})
    if len(points) < len(start):
        raise FitError(f"{len(start)} parameters need {len(start)} ensembles or more, and there "
                       + ("is one" if len(points) == 1 else f"are {len(points)}"))
    for i, point in enumerate(points):
        if not (numpy.isfinite(point.values).all() and numpy.isfinite(point.matrix).all() and point.matrix[0, 0] > 0):
            raise FitError(f"ensemble {i}: y needs a value and an error, and every x a value")
    if model.is_singular():
        raise FitError("the covariance matrix of the ensembles is singular: a number of one of them is a function of the others")
    fitted = _by_lsqfit if library == LSQFIT else _by_plaq
    parameters, matrix, chi2 = fitted(model, numpy.array([*start, *model.data[model.of_x]], dtype=float))
    return Extrapolation(function, parameters, matrix, chi2, len(points) - len(start), library)


def _linear_start(points: Sequence[Point]) -> list[float]:
    basis = numpy.array([[1.0, *point.values[1:]] for point in points])
    return list(numpy.linalg.lstsq(basis, numpy.array([point.values[0] for point in points]), rcond=None)[0])


class _Across:
    """Parameters: p, then the true values of all x with errors. Data: y of each ensemble, then its x with errors."""

    def __init__(self, points: list[Point], function: Function, count: int, between: Between) -> None:
        self.points, self.function, self.count = points, function, count
        self.free = [[i for i in range(1, len(point.values)) if point.matrix[i, i] > 0] for point in points]
        self.true = numpy.cumsum([count] + [len(free) for free in self.free])  # the first parameter of each ensemble's true x
        used = [[0, *free] for free in self.free]
        self.data = numpy.concatenate([point.values[at] for point, at in zip(points, used)])
        ends = numpy.cumsum([0] + [len(at) for at in used])
        self.of_y = ends[:-1]
        self.of_x = numpy.setdiff1d(numpy.arange(len(self.data)), self.of_y)
        self.matrix = numpy.zeros((len(self.data), len(self.data)))
        for point, at, a, b in zip(points, used, ends, ends[1:]):
            self.matrix[a:b, a:b] = point.matrix[numpy.ix_(at, at)]
        for (i, j), block in between.items():
            made = block[numpy.ix_(used[i], used[j])]
            self.matrix[ends[i]:ends[i + 1], ends[j]:ends[j + 1]] = made
            self.matrix[ends[j]:ends[j + 1], ends[i]:ends[i + 1]] = made.T

    def is_singular(self) -> bool:
        errors = numpy.sqrt(numpy.diag(self.matrix))
        return bool(numpy.linalg.eigvalsh(self.matrix / numpy.outer(errors, errors))[0] < LEAST_EIGENVALUE)

    def parameters(self) -> int:
        return self.count + len(self.of_x)

    def values(self, parameters: Sequence[Any]) -> list[Any]:
        """The data as the parameters have them; floats, or gvars."""
        made: list[Any] = []
        for i in range(len(self.points)):
            true = list(parameters[self.true[i]:self.true[i + 1]])
            made += [self._y(i, parameters[:self.count], true), *true]
        return made

    def _y(self, i: int, p: Sequence[Any], true: Sequence[Any]) -> Any:
        """The function at ensemble i, whose x with errors are `true`."""
        x: list[Any] = self.points[i].values[1:].tolist()
        for k, value in zip(self.free[i], true):
            x[k - 1] = value
        return self.function(x, p)

    def evaluate(self, parameters: Array, t: Array) -> tuple[Array, Array]:
        """Values [...][datum] and derivatives [...][datum][parameter], by differences."""
        rows = parameters.reshape(-1, parameters.shape[-1])
        values = numpy.array([self._floats(row) for row in rows])
        slopes = numpy.array([self._jacobian(row) for row in rows])
        return values.reshape(*parameters.shape[:-1], -1), slopes.reshape(*parameters.shape[:-1], *slopes.shape[1:])

    def _floats(self, parameters: Array) -> Array:
        try:
            return numpy.array([real_or_nan(one) for one in self.values(parameters.tolist())])
        except (ValueError, ZeroDivisionError, OverflowError):
            return numpy.full(len(self.data), math.nan)

    def _jacobian(self, parameters: Array) -> Array:
        """y of an ensemble depends on p and on its own true x; an x with errors is its true value."""
        made = numpy.zeros((len(self.data), len(parameters)))
        made[self.of_x, numpy.arange(self.count, len(parameters))] = 1
        for i, datum in enumerate(self.of_y):
            used = [*range(self.count), *range(self.true[i], self.true[i + 1])]
            made[datum, used] = _slopes(functools.partial(self._y_or_nan, i), parameters[used])
        return made

    def _y_or_nan(self, i: int, used: Array) -> float:
        try:
            return real_or_nan(self._y(i, used[:self.count].tolist(), used[self.count:].tolist()))
        except (ValueError, ZeroDivisionError, OverflowError):
            return math.nan


def _difference(function: Callable[[Array], Any], at: Array, i: int) -> Any:
    step = numpy.zeros(len(at))
    step[i] = 1e-4 * max(abs(at[i]), 1e-3)
    return (function(at + step) - function(at - step)) / (2 * step[i])


def _slopes(function: Callable[[Array], Any], at: Array) -> Array:
    return numpy.array([float(_difference(function, at, i)) for i in range(len(at))])


def _by_plaq(model: _Across, start: Array) -> tuple[Array, Array, float]:
    white, places = whitening(model.matrix), numpy.arange(len(model.data))
    found, chi2, reached = minimise(model, places, model.data[None], white, start[None], lost_too=True)
    if not reached[0]:
        raise FitError("the fit of the ensembles found no minimum; try another start")
    _, jacobian = model.evaluate(found[0], places)
    weighted = white @ jacobian
    lengths = numpy.sqrt((weighted**2).sum(axis=0))
    if numpy.linalg.matrix_rank(weighted / numpy.where(lengths > 0, lengths, 1.0), tol=LEAST_SINGULAR_VALUE) < model.parameters():
        raise FitError("the ensembles do not determine all parameters: leave out an x that is the same in all of them, or that the others "
                       "determine")
    moved = response(model, places, model.data, white, found[0])
    matrix = moved @ model.matrix @ moved.T
    return found[0][:model.count], matrix[:model.count, :model.count], float(chi2[0])


def _by_lsqfit(model: _Across, start: Array) -> tuple[Array, Array, float]:
    import gvar
    import lsqfit
    data = gvar.gvar(model.data, model.matrix)
    fit = lsqfit.nonlinear_fit(data=(None, data), fcn=lambda x, p: numpy.array(model.values(list(p))), p0=start, svdcut=False, tol=1e-12)
    found = fit.p[:model.count]
    return numpy.array(gvar.mean(found)), numpy.array(gvar.evalcov(found)), float(fit.chi2)
