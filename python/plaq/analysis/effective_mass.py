"""Masses of two neighbouring slices, of [...][t]: m(t) from C(t)/C(t+1), t = 0 .. T-2; NaN where there is none."""
from __future__ import annotations

import math

import numpy

from .arrays import Array

BISECTIONS = 60


def effective_mass(correlator: Array, shape: str) -> Array:
    """As a correlator of this shape has it: "cosh", "sinh", "none" (one exponential), "cosh_oscillating", or that of a
    staggered baryon."""
    if shape == "cosh_oscillating":
        return cosh_mass(smoothed(correlator))
    if shape.startswith("baryon_oscillating"):  # what comes back alternates, and is smoothed away
        return log_mass(smoothed(correlator))
    return {"cosh": cosh_mass, "sinh": sinh_mass}.get(shape, log_mass)(correlator)


def smoothed(correlator: Array) -> Array:
    """(C(t-1) + 2 C(t) + C(t+1))/4, around the lattice: a cosh stays one, times (1 + cosh m)/2, while what alternates
    is multiplied by (1 - cosh m)/2, which is small."""
    c = numpy.asarray(correlator, dtype=float)
    return (numpy.roll(c, 1, axis=-1) + 2 * c + numpy.roll(c, -1, axis=-1)) / 4


def log_mass(correlator: Array) -> Array:
    c = numpy.asarray(correlator, dtype=float)
    with numpy.errstate(all="ignore"):
        ratio = c[..., :-1] / c[..., 1:]
        return numpy.where(ratio > 0, numpy.log(ratio), math.nan)


def cosh_mass(correlator: Array) -> Array:
    """C(t)/C(t+1) = cosh(m (t - T/2)) / cosh(m (t + 1 - T/2))"""
    return _symmetric_mass(correlator, 1.0)


def sinh_mass(correlator: Array) -> Array:
    return _symmetric_mass(correlator, -1.0)


def _symmetric_mass(correlator: Array, sign: float) -> Array:
    c = numpy.asarray(correlator, dtype=float)
    here = abs(numpy.arange(c.shape[-1]) - c.shape[-1] / 2)
    far, near = numpy.maximum(here[:-1], here[1:]), numpy.minimum(here[:-1], here[1:])
    with numpy.errstate(all="ignore"):
        ratio = numpy.where(here[:-1] > here[1:], c[..., :-1] / c[..., 1:], c[..., 1:] / c[..., :-1])
        # Two slices that are as far from the middle say nothing, nor does one where a sinh is 0.
        good = numpy.isfinite(ratio) & (ratio > 0) & (far != near) & ((near > 0) | (sign > 0))
        least = 1.0 if sign > 0 else far / near
        good &= ratio > least
        wanted = numpy.log(numpy.where(good, ratio, 2.0))
        # log of the ratio is between m (far - near) - log 2 and m (far - near) + log 2, or above that for a sinh.
        low, high = numpy.full(ratio.shape, 0.0), (wanted + 2) / (far - near)
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            below = _log_ratio(middle, far, near, sign) < wanted
            low, high = numpy.where(below, middle, low), numpy.where(below, high, middle)
    return numpy.where(good, (low + high) / 2, math.nan)


def _log_ratio(m: Array, far: Array, near: Array, sign: float) -> Array:
    """log of cosh(m far)/cosh(m near), or of sinh."""
    return m * (far - near) + numpy.log1p(sign * numpy.exp(-2 * m * far)) - numpy.log1p(sign * numpy.exp(-2 * m * near))
