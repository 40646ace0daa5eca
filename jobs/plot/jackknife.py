"""Means with jackknife errors over configurations, and effective masses."""
import math

import numpy


def jackknife(samples, estimate=lambda mean: mean):
    """Value and error of estimate(mean of samples); the first axis of samples is the configuration.

    `estimate` may be given many means at once, as further axes in front. With one configuration there is no error: NaN.
    """
    samples = numpy.asarray(samples, dtype=float)
    count = len(samples)
    value = numpy.asarray(estimate(samples.mean(axis=0)), dtype=float)
    if count < 2:
        return value, numpy.full(value.shape, math.nan)
    resampled = numpy.asarray(estimate((samples.sum(axis=0) - samples) / (count - 1)), dtype=float)
    spread = resampled - resampled.mean(axis=0)
    return value, numpy.sqrt((count - 1) / count * (spread**2).sum(axis=0))


def cosh_mass(correlator):
    """m(t) with C(t)/C(t+1) = cosh(m (t - T/2)) / cosh(m (t + 1 - T/2)), t = 0 .. T-2; NaN where there is none."""
    return _shape_mass(correlator, _log_cosh, numpy.array(True))


def sinh_mass(correlator):
    """The same with sinh, for correlators that are odd about T/2."""
    here = numpy.arange(numpy.shape(correlator)[-1] - 1) - numpy.shape(correlator)[-1] / 2
    return _shape_mass(correlator, _log_sinh, here * (here + 1) > 0)


def log_mass(correlator):
    """ln C(t)/C(t+1), t = 0 .. T-2, for correlators that do not come back around the lattice."""
    c = numpy.asarray(correlator, dtype=float)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        ratio = c[..., :-1] / c[..., 1:]
        return numpy.where(ratio > 0, numpy.log(ratio), math.nan)


def _log_cosh(x):
    x = abs(x)
    return x + numpy.log1p(numpy.exp(-2 * x)) - math.log(2)


def _log_sinh(x):
    x = abs(x)
    return x + numpy.log(-numpy.expm1(-2 * x)) - math.log(2)


def _shape_mass(correlator, log_shape, allowed):
    """The m > 0 with shape(m here)/shape(m there) = C(t)/C(t+1), by bisection: the ratio is monotonic in m."""
    c = numpy.asarray(correlator, dtype=float)
    here = numpy.arange(c.shape[-1] - 1) - c.shape[-1] / 2
    there = here + 1
    with numpy.errstate(all="ignore"):
        ratio = c[..., :-1] / c[..., 1:]
        # The two sides of a point of symmetry look alike: no mass can be told.
        good = numpy.isfinite(ratio) & (ratio > 0) & (abs(here) != abs(there)) & allowed
        wanted = numpy.log(numpy.where(good, ratio, 1.0))

        def excess(m):
            return log_shape(m * here) - log_shape(m * there) - wanted

        low, high = numpy.full(ratio.shape, 1e-9), numpy.full(ratio.shape, 50.0)
        at_low = excess(low)
        good &= at_low * excess(high) <= 0
        for _ in range(60):
            middle = (low + high) / 2
            below = at_low * excess(middle) <= 0
            low, high = numpy.where(below, low, middle), numpy.where(below, middle, high)
    return numpy.where(good, (low + high) / 2, math.nan)
