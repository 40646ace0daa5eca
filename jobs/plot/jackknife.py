"""Means with jackknife errors over configurations, and effective masses."""
import math

import numpy


def jackknife(samples, estimate=lambda mean: mean):
    """Value and error of estimate(mean of samples); the first axis of samples is the configuration.

    With one configuration there is no error: NaN.
    """
    samples = numpy.asarray(samples, dtype=float)
    count = len(samples)
    value = numpy.asarray(estimate(samples.mean(axis=0)), dtype=float)
    if count < 2:
        return value, numpy.full(value.shape, math.nan)
    total = samples.sum(axis=0)
    resampled = numpy.array([estimate((total - one) / (count - 1)) for one in samples], dtype=float)
    spread = resampled - resampled.mean(axis=0)
    return value, numpy.sqrt((count - 1) / count * (spread**2).sum(axis=0))


def cosh_mass(correlator):
    """m(t) with C(t)/C(t+1) = cosh(m (t - T/2)) / cosh(m (t + 1 - T/2)), t = 0 .. T-2; NaN where there is none."""
    c = numpy.asarray(correlator, dtype=float)
    middle = len(c) / 2
    return numpy.array([_solve(c[t], c[t + 1], t - middle, t + 1 - middle, _log_cosh) for t in range(len(c) - 1)])


def sinh_mass(correlator):
    """The same with sinh, for correlators that are odd about T/2."""
    c = numpy.asarray(correlator, dtype=float)
    middle = len(c) / 2
    return numpy.array([_solve(c[t], c[t + 1], t - middle, t + 1 - middle, _log_sinh) for t in range(len(c) - 1)])


def log_mass(correlator):
    """ln C(t)/C(t+1), t = 0 .. T-2, for correlators that do not come back around the lattice."""
    c = numpy.asarray(correlator, dtype=float)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        ratio = c[:-1] / c[1:]
        return numpy.where(ratio > 0, numpy.log(ratio), math.nan)


def _log_cosh(x):
    x = abs(x)
    return x + math.log1p(math.exp(-2 * x)) - math.log(2)


def _log_sinh(x):
    x = abs(x)
    return x + math.log(-math.expm1(-2 * x)) - math.log(2) if x > 0 else -math.inf


def _solve(now, then, here, there, log_shape):
    """The m > 0 with shape(m here)/shape(m there) = now/then, by bisection: the ratio is monotonic in m."""
    if not (math.isfinite(now) and math.isfinite(then)) or then == 0 or now / then <= 0:
        return math.nan
    # The two sides of a point of symmetry look alike: no mass can be told.
    if abs(here) == abs(there) or here == 0 and log_shape is _log_sinh or there == 0 and log_shape is _log_sinh:
        return math.nan
    if log_shape is _log_sinh and here * there < 0:
        return math.nan
    wanted = math.log(now / then)

    def excess(m):
        return log_shape(m * here) - log_shape(m * there) - wanted

    low, high = 1e-9, 50.0
    if excess(low) * excess(high) > 0:
        return math.nan
    for _ in range(200):
        mid = (low + high) / 2
        if excess(low) * excess(mid) <= 0:
            high = mid
        else:
            low = mid
    return (low + high) / 2
