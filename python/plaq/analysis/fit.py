"""Least squares, many at once: chi^2 = (y - f)^T C^-1 (y - f) with a fixed C, by Levenberg and Marquardt."""
from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy

from .arrays import Array

ITERATIONS = 80
SMALL, LEAST_DAMPING, MOST_DAMPING = 1e-13, 1e-10, 1e12
ROUNDING = numpy.finfo(float).eps


class FitError(ValueError):
    pass


@dataclasses.dataclass
class Fit:
    parameters: Array
    chi2: float
    gradient: Array  # [parameter][t]: how the parameters follow the data


def whitening(covariance: Array) -> Array:
    """W with W^T W = C^-1."""
    try:
        lower = numpy.linalg.cholesky(covariance)
        return numpy.linalg.solve(lower, numpy.eye(len(lower)))
    except numpy.linalg.LinAlgError as error:
        raise FitError("the covariance matrix is singular") from error


def minimise(model: Any, t: Array, data: Array, white: Array, start: Array, lost_too: bool = False) -> tuple[Array, Array, Array]:
    """Parameters [sample][parameter], chi^2 [sample] and whether it is a minimum; data [sample][t]. `lost_too`: one that is known to the
    rounding of chi^2 alone counts, too."""
    parameters = numpy.array(numpy.broadcast_to(start, data.shape[:-1] + (model.parameters(),)))
    reached = numpy.zeros(len(parameters), dtype=bool)
    with numpy.errstate(all="ignore"):
        chi2, slope, curvature = _derivatives(model, t, data, white, parameters)
        # Samples that are not done yet, and the state of each.
        at = numpy.flatnonzero(numpy.isfinite(chi2))
        here, of_here, data, slope, curvature = parameters[at], chi2[at], data[at], slope[at], curvature[at]
        damping = numpy.full(len(at), 1e-3)
        lost = numpy.zeros(len(at), dtype=bool)
        rounding = ROUNDING * numpy.linalg.norm(abs(data) @ abs(white).T, axis=-1)  # of W (y - f)
        for _ in range(ITERATIONS):
            if len(at) == 0:
                break
            step = _step(curvature, slope, damping)
            trial = here + step
            new = _derivatives(model, t, data, white, trial)
            better = new[0] <= of_here
            # Half of what chi^2 still falls by on a parabola: parameters are off by a millionth of their errors. Below its own rounding
            # chi^2 may not fall any more.
            falls = (slope * step).sum(axis=-1)
            small = (falls < SMALL * (1 + of_here)) & (damping < 1)
            lost |= lost_too & (new[0] >= of_here) & (damping < 1)
            lost &= falls < rounding * (2 * numpy.sqrt(of_here) + rounding)
            if better.all():
                here, (of_here, slope, curvature) = trial, new
            elif better.any():
                here[better] = trial[better]
                of_here[better], slope[better], curvature[better] = (part[better] for part in new)
            damping = numpy.maximum(numpy.where(better, damping / 10, damping * 10), LEAST_DAMPING)
            done = small | (damping > MOST_DAMPING)
            if done.any():
                parameters[at], chi2[at], reached[at] = here, of_here, small | lost
                at, here, of_here, data, slope, curvature, damping, lost, rounding = (
                    part[~done] for part in (at, here, of_here, data, slope, curvature, damping, lost, rounding))
        parameters[at], chi2[at], reached[at] = here, of_here, lost
    return parameters, chi2, reached


def _derivatives(model: Any, t: Array, data: Array, white: Array, parameters: Array) -> tuple[Array, Array, Array]:
    values, jacobian = model.evaluate(parameters, t)
    residual = (data - values) @ white.T
    jacobian = white @ jacobian
    chi2 = (residual**2).sum(axis=-1)
    slope = (jacobian * residual[..., None]).sum(axis=-2)
    curvature = numpy.swapaxes(jacobian, -1, -2) @ jacobian
    return numpy.where(numpy.isfinite(chi2), chi2, numpy.inf), slope, curvature


def _step(curvature: Array, slope: Array, damping: Array) -> Array:
    scale = numpy.sqrt(numpy.diagonal(curvature, axis1=-2, axis2=-1))
    scale = numpy.where(numpy.isfinite(scale) & (scale > 0), scale, 1.0)
    damped = curvature / (scale[..., :, None] * scale[..., None, :])
    # A parameter that changes nothing stays where it is.
    numpy.einsum("...ii->...i", damped)[...] = 1 + damping[:, None]
    good = numpy.isfinite(damped).all(axis=(-1, -2)) & numpy.isfinite(slope).all(axis=-1)
    force = slope / scale
    if not good.all():
        damped = numpy.where(good[:, None, None], damped, numpy.eye(scale.shape[-1]))
        force = numpy.where(good[:, None], force, 0.0)
    return numpy.linalg.solve(damped, force[..., None])[..., 0] / scale


def fit(model: Any, t: Array, data: Array, white: Array, starts: Sequence[Any]) -> Fit:
    """The best of the minima that are reached from several starts, each the logarithms of energies."""
    begun = numpy.array([model.begin(t, data, white, numpy.asarray(start)) for start in starts])
    copies = numpy.broadcast_to(data, (len(begun), len(data)))
    parameters, chi2, reached = minimise(model, t, copies, white, begun)
    if not reached.any():
        parameters, chi2, reached = minimise(model, t, copies, white, begun, lost_too=True)
    if not reached.any():
        raise FitError("no minimum was found")
    best = numpy.argmin(numpy.where(reached, chi2, numpy.inf))
    return Fit(parameters[best], float(chi2[best]), response(model, t, data, white, parameters[best]))


def response(model: Any, t: Array, data: Array, white: Array, parameters: Array) -> Array:
    """dp/dy = H^-1 J^T C^-1, H with second derivatives of the model."""
    def slope(p: Array) -> Array:
        values, jacobian = model.evaluate(p, t)
        return jacobian.T @ (white.T @ (white @ (values - data)))

    steps = 1e-5 * numpy.maximum(abs(parameters), 1e-3)
    hessian = numpy.array([(slope(parameters + s) - slope(parameters - s)) / (2 * s.sum())
                           for s in numpy.diag(steps)])
    _, jacobian = model.evaluate(parameters, t)
    try:
        return numpy.linalg.solve((hessian + hessian.T) / 2, jacobian.T @ white.T @ white)
    except numpy.linalg.LinAlgError as error:
        raise FitError("the data do not determine all parameters") from error


def p_value(chi2: float, freedom: int) -> float:
    """The probability of a larger chi^2: closed forms of the incomplete gamma function of halves."""
    if freedom < 1 or not math.isfinite(chi2):
        return math.nan
    x = chi2 / 2
    term = math.exp(-x) if freedom % 2 == 0 else math.exp(-x) * math.sqrt(x) / math.gamma(1.5)
    total = 0.0 if freedom % 2 == 0 else math.erfc(math.sqrt(x))
    for k in range(freedom // 2):
        total += term
        term *= x / (k + 1 if freedom % 2 == 0 else k + 1.5)
    return min(1.0, total)
