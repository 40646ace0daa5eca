"""t0 and w0 of the mean energy of flowed fields (Luescher, JHEP 08 (2010) 071; Borsanyi et al., JHEP 09 (2012) 010)."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy

from .arrays import Array
from .quantities import Quantity, quantities
from .results import Ensemble, NotAResult

if TYPE_CHECKING:
    from .chains import Chains

TARGET = 0.3  # of t^2 E and of t d/dt (t^2 E)
# Borsanyi et al., JHEP 09 (2012) 010, with physical quarks: value and both errors in one, fm.
SQRT_T0 = (0.1465, math.hypot(0.0021, 0.0013))
W0 = (0.1755, math.hypot(0.0018, 0.0004))


def flow_times(ensemble: Ensemble, chains: Chains) -> Array:
    times = ensemble.column("flow/t", chains)
    if times.ndim != 2 or (times != times[0]).any():
        raise NotAResult(f"{ensemble.name()}: the flow times of its configurations differ")
    if (numpy.diff(times[0]) <= 0).any():
        raise NotAResult(f"{ensemble.name()}: the flow times do not increase")
    return times[0]


def scales(ensemble: Ensemble, chains: Chains) -> list[Quantity]:
    """(t0, w0) as quantities, NaN where the mean does not get there."""
    times = flow_times(ensemble, chains)
    energy = ensemble.column("flow/clover_energy", chains)
    derivative = derivative_matrix(times)

    def both(means: Array) -> Array:
        y = times**2 * means
        return numpy.stack([first_rise(times, y), numpy.sqrt(first_rise(times, times * (y @ derivative.T)))], axis=-1)

    return quantities(energy, both, chains)


def derivative_matrix(times: Array) -> Array:
    """[i][j]: the slope at t_i of the polynomial through five samples around it, as plaq measure has it."""
    count = min(5, len(times))
    matrix = numpy.zeros((len(times), len(times)))
    for i in range(len(times)):
        first = min(max(i - 2, 0), len(times) - count)
        near = times[first:first + count] - times[i]
        powers = numpy.vander(near, count, increasing=True).T  # weights w with sum_j w_j near_j^k = slope of x^k
        matrix[i, first:first + count] = numpy.linalg.solve(powers, numpy.eye(count)[min(1, count - 1)])
    return matrix


def first_rise(times: Array, y: Array, target: float = TARGET) -> Array:
    """Where y [...][t] comes from below the target first, on the cubic through four samples around; NaN: nowhere."""
    rows = numpy.reshape(y, (-1, y.shape[-1]))
    found = numpy.full(len(rows), math.nan)
    with numpy.errstate(invalid="ignore"):
        rises = (rows[:, :-1] < target) & (rows[:, 1:] >= target)
    at = numpy.flatnonzero(rises.any(axis=1))
    if len(at):
        found[at] = _crossings(times, rows[at], numpy.argmax(rises[at], axis=1), target)
    return found.reshape(y.shape[:-1])


def _crossings(times: Array, rows: Array, middle: Array, target: float) -> Array:
    count = min(4, len(times))
    first = numpy.clip(middle - 1, 0, len(times) - count)
    index = first[:, None] + numpy.arange(count)
    t, y = times[index], numpy.take_along_axis(rows, index, axis=1)
    low, high = times[middle], times[middle + 1]
    for _ in range(60):
        half = (low + high) / 2
        below = _lagrange(t, y, half) < target
        low, high = numpy.where(below, half, low), numpy.where(below, high, half)
    return high


def _lagrange(t: Array, y: Array, x: Array) -> Array:
    total = numpy.zeros(len(x))
    for i in range(t.shape[1]):
        others = [j for j in range(t.shape[1]) if j != i]
        total += y[:, i] * numpy.prod((x[:, None] - t[:, others]) / (t[:, [i]] - t[:, others]), axis=1)
    return total
