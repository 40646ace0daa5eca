"""The gamma method: errors with autocorrelations (Wolff, hep-lat/0306017; Schaefer, Sommer, Virotta, 1009.5228).

By pyerrors where it is installed and takes the chain, else here by numpy alone, with the same numbers.
"""
from __future__ import annotations

import dataclasses
import functools
import importlib.util
import math
import warnings
from typing import Any

import numpy

from .arrays import Array
from .chains import FEWEST_ROWS, Chains

NUMPY, PYERRORS = "numpy", "pyerrors"


@dataclasses.dataclass(frozen=True)
class GammaSettings:
    window_factor: float = 2.0  # S of the automatic window
    tau_exp: float = 0.0  # in rows of the spacing; more than 0: the tail of slow modes is added
    library: str = ""  # NUMPY or PYERRORS; empty: what is there


@dataclasses.dataclass
class GammaError:
    error: float
    error_of_error: float = math.nan
    tau: float = math.nan  # integrated autocorrelation time, 1/2 without autocorrelations, in units of the spacing
    tau_error: float = math.nan
    window: int = 0
    library: str = NUMPY


@functools.cache
def has_pyerrors() -> bool:
    return importlib.util.find_spec("pyerrors") is not None


def takes_chain(chains: Chains) -> bool:
    """Whether pyerrors does: it wants five rows of each replica, and steps that are multiples of the shortest."""
    steps = chains.steps()
    shortest = min(part.stop - part.start for part in chains.parts)
    return shortest >= FEWEST_ROWS and bool(steps.min() == chains.spacing())


def gamma_error(fluctuations: Array, chains: Chains, settings: GammaSettings = GammaSettings()) -> GammaError:
    """The error of a mean or of a function of means, from its fluctuation on each configuration."""
    fluctuations = numpy.asarray(fluctuations, dtype=float)
    if len(fluctuations) < 2 or not numpy.isfinite(fluctuations).all():
        return GammaError(math.nan)
    if not numpy.any(fluctuations):
        return GammaError(0.0, 0.0, 0.5, 0.0)
    library = settings.library or (PYERRORS if has_pyerrors() else NUMPY)
    by_library = _by_pyerrors if library == PYERRORS and takes_chain(chains) else _by_numpy
    scale = float(abs(fluctuations).max())  # squares of very small and very large numbers are none
    found = by_library(fluctuations / scale, chains, settings)
    found.error, found.error_of_error = found.error * scale, found.error_of_error * scale
    return found


def names_and_numbers(chains: Chains, ensemble: str = "ensemble") -> tuple[list[str], list[list[int]]]:
    """Replica names and the rows' numbers as pyerrors wants them."""
    names = [f"{ensemble}|r{chains.replica[part][0]}" for part in chains.parts]
    return names, [[int(n) for n in chains.number[part]] for part in chains.parts]


def observable(value: float, fluctuations: Array, chains: Chains, ensemble: str = "ensemble") -> Any:
    """An Obs of pyerrors."""
    with warnings.catch_warnings():  # of libraries below it
        warnings.simplefilter("ignore")
        import pyerrors
    names, numbers = names_and_numbers(chains, ensemble)
    parts = [numpy.asarray(fluctuations[part]) for part in chains.parts]
    made = pyerrors.Obs([part + value for part in parts], names, idl=numbers)
    return made + (value - made.value) if made.value != value else made


def _by_pyerrors(fluctuations: Array, chains: Chains, settings: GammaSettings) -> GammaError:
    obs = observable(0.0, fluctuations, chains)
    obs.gamma_method(S=settings.window_factor, tau_exp=settings.tau_exp)
    name = obs.e_names[0]
    return GammaError(float(obs.dvalue), float(obs.ddvalue), float(obs.e_tauint[name]), float(obs.e_dtauint[name]),
                      int(obs.e_windowsize[name]), PYERRORS)


def autocovariance(fluctuations: Array, chains: Chains) -> Array:
    """Averages over pairs of rows that are 0, 1, ... spacings apart in their chain; half the longest chain."""
    longest, placed = 0, chains.places()
    size = max(int(places[-1]) + 1 for _, places in placed)
    sums, pairs = numpy.zeros(size), numpy.zeros(size)
    for part, places in placed:
        # In a chain with gaps the last, broken spacing does not count.
        gaps = len(places) > 1 and bool((numpy.diff(places) != numpy.diff(places)[0]).any())
        step = chains.spacing() if len(places) > 1 else 1
        longest = max(longest, (int(places[-1]) * step + 1) // step if gaps else _regular_length(places))
        there, values = numpy.zeros(size), numpy.zeros(size)
        there[places], values[places] = 1.0, fluctuations[part]
        sums, pairs = sums + _correlation(values), pairs + _correlation(there)
    count = longest // 2
    return sums[:count] / numpy.maximum(numpy.round(pairs[:count]), 1.0)


def _regular_length(places: Array) -> int:
    return len(places) * int(places[1] - places[0]) if len(places) > 1 else 1


def _correlation(values: Array) -> Array:
    padded = numpy.fft.rfft(values, 2 * len(values))
    return numpy.fft.irfft(numpy.abs(padded)**2, 2 * len(values))[:len(values)]


def _by_numpy(fluctuations: Array, chains: Chains, settings: GammaSettings) -> GammaError:
    n = len(fluctuations)
    gamma = autocovariance(fluctuations, chains)
    if len(gamma) < 2 or settings.window_factor == 0:  # too few for any time, or none is wanted
        error = math.sqrt((fluctuations**2).sum() / (n * (n - 1)))
        return GammaError(error, error * math.sqrt(0.5 / n), 0.5, 0.0)
    rho = gamma / gamma[0]
    sums = numpy.cumsum(numpy.concatenate(([0.5], rho[1:])))
    sums = numpy.where(sums <= 0.5, 0.5 + numpy.finfo(float).eps, sums)
    if settings.tau_exp > 0 and len(gamma) < 4:
        raise ValueError("--tau-exp needs 8 configurations or more for the tail of slow modes")
    window = _window(sums, n, settings.window_factor) if settings.tau_exp == 0 else _tail_window(rho, n)
    tau_error = 2 * sums[window] * math.sqrt(abs(window + 0.5 - sums[window]) / n)
    tau = sums[window] * (1 + (2 * window + 1) / n) / (1 + 1 / n)  # the bias of a finite window, eq. (49)
    if settings.tau_exp > 0:
        tau += settings.tau_exp * abs(rho[window + 1])
        tau_error = math.hypot(tau_error, settings.tau_exp * _rho_error(rho, window + 1, n))
    error = math.sqrt(2 * tau * gamma[0] * (1 + 1 / n) / n)
    return GammaError(error, error * math.sqrt((window + 0.5) / n), tau, tau_error, window)


def _window(sums: Array, n: int, factor: float) -> int:
    """Where the statistical error outgrows what is cut off, with an autocorrelation of factor * tau: eq. (52)."""
    tau = factor / numpy.log((2 * sums[1:] + 1) / (2 * sums[1:] - 1))
    w = numpy.arange(1, len(sums))
    beyond = numpy.exp(-w / tau) - tau / numpy.sqrt(w * n) < 0
    return int(w[numpy.argmax(beyond)]) if beyond[:-1].any() else len(sums) - 1


def _tail_window(rho: Array, n: int) -> int:
    """Where rho is no longer more than its error above 0; the tail begins behind it."""
    last = max(1, len(rho) // 2 - 2)
    for window in range(1, last):
        if rho[window] < _rho_error(rho, window, n):
            return window
    return last


def _rho_error(rho: Array, i: int, n: int) -> float:
    """Luescher, hep-lat/0409106, eq. (E.11)."""
    k = numpy.arange(1, len(rho) - i)
    return math.sqrt(((rho[k + i] + rho[abs(k - i)] - 2 * rho[i] * rho[k])**2).sum() / n)
