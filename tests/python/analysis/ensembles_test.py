"""Fits across ensembles whose parameters are known: closed forms, scatter over trials, correlations, and lsqfit. 77: skipped."""
import importlib.util
import math
import sys
import unittest.mock

try:
    import h5py  # noqa: F401  the package reads with it
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

from made import noisy, states  # finds the package

from plaq.analysis import (Chains, Choice, Correlator, FitError, GammaSettings, LibraryMissing, Settings, derived, ensemble_point,
                           extrapolate, mean_of)
from plaq.analysis.extrapolation import LSQFIT, Point
from plaq.analysis.gamma import NUMPY

SETTINGS = Settings(GammaSettings(library=NUMPY), samples=50)
SPACINGS, MASSES = (0.01, 0.006, 0.003), (0.15, 0.08, 0.03)  # a^2 and m_pi^2
TRUTH = numpy.array([1.0, -8.0, 0.7])


def true_points():
    return [(1.0 - 8.0 * a2 + 0.7 * m2, a2, m2) for a2 in SPACINGS for m2 in MASSES]


def matrix_of(errors, correlation):
    made = numpy.diag(numpy.square(errors))
    made[0, 2] = made[2, 0] = correlation * errors[0] * errors[2]
    return made


def check_closed_form():
    """x without errors: weighted least squares by hand."""
    rng = numpy.random.default_rng(1)
    errors = 0.01 + 0.01 * rng.random(9)
    y = numpy.array([one[0] for one in true_points()]) + errors * rng.normal(size=9)
    found = extrapolate([ensemble_point((value, error), a2, m2) for value, error, (_, a2, m2) in zip(y, errors, true_points())])
    basis = numpy.array([[1, a2, m2] for _, a2, m2 in true_points()])
    matrix = numpy.linalg.inv(basis.T @ numpy.diag(errors**-2) @ basis)
    expected = matrix @ basis.T @ (y / errors**2)
    assert (abs(found.parameters - expected) < 1e-5 * found.errors()).all() and numpy.allclose(found.matrix, matrix, rtol=1e-4), (
        found.parameters, expected)
    chi2 = (((y - basis @ expected) / errors)**2).sum()
    assert math.isclose(found.chi2, chi2, rel_tol=1e-8) and found.freedom == 6 and 0 < found.p_value() < 1
    value, error = found.at(0, 0.02)
    along = numpy.array([1, 0, 0.02])
    assert math.isclose(value, along @ expected, rel_tol=1e-6) and math.isclose(error, math.sqrt(along @ matrix @ along), rel_tol=1e-4)
    wider = found.at(0, (0.02, 0.5))[1]
    assert math.isclose(wider, math.hypot(error, 0.5 * expected[2]), rel_tol=1e-4)


def check_scatter():
    """Errors of x that are correlated with y: parameters are unbiased, scatter as their errors say, and chi^2 is its number of degrees
    of freedom. Without the correlations errors would be wrong."""
    rng, errors = numpy.random.default_rng(2), (0.01, 2e-4, 0.01)
    matrix = matrix_of(errors, 0.9)
    found, told, chi2, blind = [], [], [], []
    for _ in range(200):
        points = [Point(rng.multivariate_normal(one, matrix), matrix) for one in true_points()]
        fit = extrapolate(points)
        found.append([*fit.parameters, fit.at(0, 0.02)[0]])
        told.append([*fit.errors(), fit.at(0, 0.02)[1]])
        chi2.append(fit.chi2)
        blind.append(extrapolate([Point(one.values, numpy.diag(numpy.diag(matrix))) for one in points]).errors())
    truth = [*TRUTH, 1.0 + 0.7 * 0.02]
    scatter = numpy.std(found, axis=0)
    assert (abs(numpy.mean(found, axis=0) - truth) < 4 * scatter / math.sqrt(200)).all(), numpy.mean(found, axis=0)
    assert (abs(numpy.mean(told, axis=0) / scatter - 1) < 0.15).all(), (numpy.mean(told, axis=0), scatter)
    assert abs(numpy.mean(chi2) - 6) < 4 * math.sqrt(12 / 200), numpy.mean(chi2)
    assert (numpy.mean(blind, axis=0) / scatter[:3])[0] > 1.3


def check_between():
    """Points of the same gauge fields: generalised least squares by hand, and an error that is not that of independent points."""
    rng, exact = numpy.random.default_rng(5), numpy.array([0.1, 0.2, 0.3, 0.4])
    matrix = 1e-4 * (0.9 + 0.1 * numpy.eye(4))  # all four have a fluctuation in common
    matrix[3, :3] = matrix[:3, 3] = 0  # but the last one
    y = 1 + 2 * exact + rng.multivariate_normal(numpy.zeros(4), matrix)
    points = [ensemble_point((value, math.sqrt(variance)), x) for value, variance, x in zip(y, numpy.diag(matrix), exact)]
    blocks = {(i, j): numpy.array([[matrix[i, j], 0], [0, 0]]) for j in range(3) for i in range(j)}
    found = extrapolate(points, between=blocks)
    basis, inverse = numpy.stack([numpy.ones(4), exact], axis=1), numpy.linalg.inv(matrix)
    expected = numpy.linalg.inv(basis.T @ inverse @ basis)
    assert numpy.allclose(found.matrix, expected, rtol=1e-4)
    assert numpy.allclose(found.parameters, expected @ basis.T @ inverse @ y, rtol=1e-6)
    rest = y - basis @ found.parameters
    assert math.isclose(found.chi2, rest @ inverse @ rest, rel_tol=1e-6) and found.freedom == 2
    assert found.errors()[1] < 0.7 * extrapolate(points).errors()[1]
    try:
        extrapolate(points, between={(0, 1): numpy.array([[1e-4, 0], [0, 0]])})
        raise AssertionError("no error")
    except FitError as error:
        assert "singular" in str(error)


def own_function(x, p):
    return p[0] * (1 + p[1] * x[0]) + p[2] * x[1]**0.5


def check_own_function():
    """A function that is not linear, without noise and with little: its parameters."""
    errors = (1e-4, 1e-5, 1e-4)
    points = [Point(numpy.array([own_function((a2, m2), (2.0, -3.0, 0.5)), a2, m2]), matrix_of(errors, 0.3)) for _, a2, m2 in true_points()]
    found = extrapolate(points, own_function, start=(1.0, 0.0, 0.1))
    assert numpy.allclose(found.parameters, (2.0, -3.0, 0.5), rtol=1e-5) and found.chi2 < 1e-8 and found.freedom == 6
    return points


def check_real_numbers():
    """Masses that are fitted on ensembles of configurations: f and m_pi^2 of one ensemble fluctuate together."""
    rng, points = numpy.random.default_rng(3), []
    for a2 in SPACINGS:
        for mass in (0.35, 0.25):
            moved = rng.normal(size=150)
            y = mean_of(1.0 - 8.0 * a2 + 0.7 * mass**2 + 0.01 * moved, Chains.of_rows(150))
            t = numpy.minimum(numpy.arange(24), 24 - numpy.arange(24))
            samples = noisy(states("cosh", 24, (mass,), (1.0,)), 150, rng, 0.002) * numpy.exp(-0.004 * moved[:, None] * t)
            fit = Correlator("pion", (0, 0, 0), "point", "cosh", samples, Chains.of_rows(150)).mass(Choice(window=(3, 10)), SETTINGS)
            points.append(ensemble_point(y, (a2, 0.01 * a2), derived(lambda m: m**2, fit), settings=SETTINGS))
    assert all(0.5 < abs(point.matrix[0, 2]) / math.sqrt(point.matrix[0, 0] * point.matrix[2, 2]) < 1 for point in points)
    assert all(point.matrix[0, 1] == 0 and point.matrix[1, 1] > 0 for point in points)
    found = extrapolate(points)
    assert (abs(found.parameters - TRUTH) < 4 * found.errors()).all() and found.p_value() > 1e-4, (found.parameters, found.errors())
    value, error = found.at(0, 0.02)
    assert abs(value - 1.014) < 4 * error < 0.05


def check_wrong(points):
    good = [ensemble_point((1.0, 0.1), a2) for a2 in SPACINGS]
    for make, words in ((lambda: extrapolate([]), "no ensembles"),
                        (lambda: extrapolate(good[:1]), "2 parameters need 2 ensembles or more, and there is one"),
                        (lambda: extrapolate([*good, ensemble_point((1.0, 0.1), 0.1, 0.2)]), "same number of x"),
                        (lambda: extrapolate(good, own_function), "start"),
                        (lambda: extrapolate([good[0], good[0]]), "do not determine"),
                        (lambda: extrapolate([ensemble_point((1.0, 0.1), a2, 0.4) for a2 in SPACINGS]), "do not determine"),
                        (lambda: extrapolate([ensemble_point((1.0, 0.1), (a2, 0.001), 3 * a2) for a2 in SPACINGS], lambda x, p: (
                            p[0] + p[1] * x[0] + p[2] * x[0]), start=(1, 1, 1)), "do not determine"),
                        (lambda: extrapolate([*good, ensemble_point(1.0, 0.1)]), "ensemble 3: y needs"),
                        (lambda: extrapolate([*good, ensemble_point((math.nan, 0.1), 0.1)]), "ensemble 3: y needs")):
        try:
            make()
            raise AssertionError(words)
        except FitError as error:
            assert words in str(error), (words, error)
    with unittest.mock.patch.object(importlib.util, "find_spec", lambda name: None):
        try:
            extrapolate(good, library=LSQFIT)
            raise AssertionError("no error")
        except LibraryMissing as error:
            assert "pip install lsqfit" in str(error)


def check_lsqfit():
    """The same numbers by lsqfit, where it is installed."""
    if importlib.util.find_spec("lsqfit") is None:
        print("without lsqfit: it is not installed for this Python")
        return
    rng, errors = numpy.random.default_rng(4), (0.01, 2e-4, 0.002)
    points = [Point(rng.multivariate_normal(one, matrix_of(errors, 0.9)), matrix_of(errors, 0.9)) for one in true_points()]
    for function, start in ((None, ()), (own_function, (1.0, 0.0, 0.1))):
        arguments = (function, start) if function else ()
        ours, theirs = extrapolate(points, *arguments), extrapolate(points, *arguments, library=LSQFIT)
        assert theirs.library == LSQFIT and numpy.allclose(ours.parameters, theirs.parameters, atol=1e-4 * ours.errors().max(), rtol=1e-4)
        assert math.isclose(ours.chi2, theirs.chi2, rel_tol=1e-5)
        assert numpy.allclose(ours.errors(), theirs.errors(), rtol=0.03), (ours.errors(), theirs.errors())


check_closed_form()
check_between()
check_scatter()
check_wrong(check_own_function())
check_real_numbers()
check_lsqfit()
print("ok")
