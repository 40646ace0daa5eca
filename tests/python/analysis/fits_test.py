"""Fits of correlators whose states are known, their averages over windows, effective masses. 77: skipped."""
import math
import sys

try:
    import h5py  # noqa: F401  the package reads with it
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

from made import noisy, states
from plaq.analysis import Chains, Choice, Correlator, Data, FitError, GammaSettings, Settings, effective_mass, scan
from plaq.analysis.fit import fit, p_value, whitening
from plaq.analysis.gamma import NUMPY
from plaq.analysis.gevp import principal_vectors
from plaq.analysis.ratios import constant
from plaq.analysis.shapes import Model
from plaq.analysis.windows import CORRELATED, UNCORRELATED

SETTINGS = Settings(GammaSettings(library=NUMPY), samples=100)
EXTENT = 24
ENERGIES = {"cosh": (0.4, 1.0), "sinh": (0.4, 1.0), "none": (0.4, 1.0), "cosh_oscillating": (0.4, 1.0, 0.7),
            "baryon_oscillating": (0.4, 1.0, 0.7)}
AMPLITUDES = (1.0, 0.6, 0.4)


def correlator(kind, samples, chains=None):
    return Correlator("pion", (0, 0, 0), "point", kind, samples, chains or Chains.of_rows(len(samples)))


def check_minima():
    """Data without noise: all parameters are found, by one fit of the right model."""
    for kind, energies in ENERGIES.items():
        model = Model(kind, 2, EXTENT)
        t = numpy.arange(1, EXTENT // 2)
        c = states(kind, EXTENT, energies, AMPLITUDES)[t]
        start = numpy.log([0.3, 0.9] + [0.5] * (model.energies() - 2))
        found = fit(model, t, c, numpy.diag(1000 / abs(c)), [start])
        amplitudes, masses = model.split(found.parameters)
        assert abs(masses - energies).max() < 1e-6, (kind, masses)
        assert abs(amplitudes - AMPLITUDES[:len(energies)]).max() < 1e-5, (kind, amplitudes)


def check_small_errors():
    """chi^2 of data with errors down to 1e-10 rounds by more than a fit wants of it: it is a minimum all the same."""
    rng = numpy.random.default_rng(5)
    model, t = Model("cosh", 1, EXTENT), numpy.arange(1, EXTENT // 2)
    truth = states("cosh", EXTENT, (0.4,), (1.0,))[t]
    for error in (1e-6, 1e-7, 1e-8, 1e-10):
        for _ in range(40):
            found = fit(model, t, truth * (1 + error * rng.normal(size=len(t))), numpy.diag(1 / (error * truth)),
                        [numpy.log([0.4 + 0.1 * rng.normal()])])
            assert found.chi2 < 60 and abs(model.split(found.parameters)[1][0] - 0.4) < 10 * error, (error, found)


def check_known_masses():
    """A noisy correlator of each kind: the mass is right within its errors, and so are the errors of three methods."""
    rng = numpy.random.default_rng(1)
    for kind, energies in ENERGIES.items():
        one = correlator(kind, noisy(states(kind, EXTENT, energies, AMPLITUDES), 400, rng, a=0.5))
        for choice in (Choice(), Choice(kind=UNCORRELATED)):
            found = one.mass(choice, SETTINGS)
            error = found.quantity.gamma(SETTINGS).error
            assert found.kind == (choice.kind if choice.kind == UNCORRELATED else CORRELATED), found.why
            assert abs(found.quantity.value - 0.4) < 4 * found.total_error(SETTINGS), (kind, found.quantity.value)
            assert found.total_error(SETTINGS) < 0.01, (kind, found.total_error(SETTINGS))
            for other in (found.quantity.jackknife(SETTINGS), found.quantity.bootstrap(SETTINGS)):
                assert abs(other / error - 1) < 0.5, (kind, error, other)
            assert abs(sum(w.weight for w in found.windows) - 1) < 1e-12
            weights = [w.weight for w in found.windows]
            assert weights == sorted(weights, reverse=True) and len(weights) > 10
            assert found.condition > 1 and all(0 <= w.p_value() <= 1 for w in found.windows)


def check_errors_of_fits():
    """Of 500 ensembles: the error of one window and that of the average against what they scatter, and chi^2."""
    rng, averages, windows, totals, errors, chi2 = numpy.random.default_rng(2), [], [], [], [], []
    truth = states("cosh", 10, (0.5,), (1.0,))
    for _ in range(500):
        found = correlator("cosh", noisy(truth, 200, rng, size=0.05, a=0.3)).mass(Choice(states=(1,)), SETTINGS)
        longest = max(found.windows, key=lambda w: w.freedom)
        averages.append(found.quantity.value)
        totals.append(found.total_error(SETTINGS))
        windows.append(longest.value)
        errors.append(longest.error)
        chi2.append(longest.fit.chi2 / longest.freedom)
    for values in averages, windows:
        assert abs(numpy.mean(values) - 0.5) < 4 * numpy.std(values) / math.sqrt(500), numpy.mean(values)
    assert abs(numpy.mean(errors) / numpy.std(windows) - 1) < 0.1, (numpy.mean(errors), numpy.std(windows))
    # Weights that scatter, too, are in the systematic error, which is a little too careful.
    assert 0.95 < numpy.mean(totals) / numpy.std(averages) < 1.2, (numpy.mean(totals), numpy.std(averages))
    assert 0.9 < numpy.mean(chi2) < 1.25, numpy.mean(chi2)


def check_weights():
    """Jay and Neil: exp(-(chi^2 + 2 k + 2 N_cut)/2); the spread of windows is the systematic error."""
    rng = numpy.random.default_rng(3)
    data = Data(noisy(states("cosh", EXTENT, (0.4, 1.0), AMPLITUDES), 300, rng)[:, :13], Chains.of_rows(300), SETTINGS)
    found = scan(data, "cosh", EXTENT, 1, 12)
    best = found.windows[0]
    for window in found.windows:
        cut = 12 - (window.last - window.first + 1)
        criterion = window.fit.chi2 + 2 * (2 * window.model.states) + 2 * cut
        assert abs(criterion - window.criterion) < 1e-9
        assert abs(window.weight / best.weight - math.exp((best.criterion - criterion) / 2)) < 1e-9
    weights, values = (numpy.array([getattr(w, n) for w in found.windows]) for n in ("weight", "value"))
    assert abs(found.quantity.value - weights @ values) < 1e-12
    assert abs(found.systematic - math.sqrt(weights @ (values - weights @ values)**2)) < 1e-12
    assert {w.model.states for w in found.windows} == {1, 2}
    # From the second slice on one exponential is far off: two states have the weight there.
    assert sum(w.weight for w in found.windows if w.model.states == 1 and w.first == 1) < 1e-6


def check_response():
    """How a fit follows its data, from derivatives, against fits of changed data; with a full covariance."""
    rng = numpy.random.default_rng(4)
    model, t = Model("cosh", 2, EXTENT), numpy.arange(2, 11)
    data = Data(noisy(states("cosh", EXTENT, (0.4, 1.0), AMPLITUDES), 300, rng)[:, :13], Chains.of_rows(300), SETTINGS)
    white, start = whitening(data.covariance(t)), [numpy.log([0.4, 0.6])]
    found = fit(model, t, data.means[t], white, start)
    for i in range(len(t)):
        change = numpy.zeros(len(t))
        change[i] = 1e-3 * data.errors[t[i]]
        up, down = (fit(model, t, data.means[t] + s * change, white, start).parameters for s in (1, -1))
        slope = (up - down) / (2 * change[i])
        assert numpy.allclose(slope, found.gradient[:, i], rtol=1e-3, atol=1e-4 * abs(found.gradient).max()), i


def check_p_values():
    """Against tables of chi^2, and the exponential of two degrees of freedom."""
    for chi2, freedom, p in ((3.841459, 1, 0.05), (5.991465, 2, 0.05), (18.307038, 10, 0.05), (11.070498, 5, 0.05),
                             (2.7055, 1, 0.1), (23.209251, 10, 0.01), (0.0, 7, 1.0)):
        assert abs(p_value(chi2, freedom) - p) < 1e-5, (chi2, freedom, p_value(chi2, freedom))
    assert math.isnan(p_value(1.0, 0)) and p_value(1e6, 5) == 0


def check_effective_masses():
    t = numpy.arange(16)
    for kind, shape in (("cosh", numpy.cosh), ("sinh", numpy.sinh)):
        found = effective_mass(shape(0.41 * (t - 8)), kind)
        good = numpy.isfinite(found)
        assert good.sum() == 15 - 2 * (kind == "sinh") and abs(found[good] - 0.41).max() < 1e-12, found
    assert abs(effective_mass(numpy.exp(-0.7 * t), "none") - 0.7).max() < 1e-12
    # Without smoothing the partner makes nonsense of the mass.
    staggered = numpy.cosh(0.3 * (t - 8)) - 0.1 * (-1.0)**t * numpy.cosh(0.5 * (t - 8))
    plain, smooth = effective_mass(staggered, "cosh")[1:7], effective_mass(staggered, "cosh_oscillating")[1:7]
    assert abs(smooth - 0.3).max() < 0.05 < 0.2 < numpy.nanmax(abs(plain - 0.3)), (plain, smooth)
    for broken in (numpy.zeros(16), -numpy.ones(16), numpy.full(16, numpy.nan)):
        for kind in ENERGIES:
            assert not (effective_mass(broken, kind) > 0).any()


def check_constants():
    rng = numpy.random.default_rng(6)
    samples = noisy(numpy.full(10, 0.03), 200, rng, size=0.1)
    found = constant(samples, lambda means: means, Chains.of_rows(200), 1, 9, Choice(), SETTINGS)
    assert abs(found.quantity.value - 0.03) < 4 * found.total_error(SETTINGS)
    assert all(w.model.parameters() == 1 for w in found.windows)


def check_eigenvectors():
    """Two states in two operators are taken apart exactly."""
    t = numpy.arange(EXTENT)
    couplings = numpy.array([[1.0, 0.8], [0.3, -0.9]])  # state, operator
    falls = numpy.array([states("cosh", EXTENT, (e,), (1.0,)) for e in (0.4, 0.9)])
    means = numpy.einsum("ni,nj,nt->ijt", couplings, couplings, falls)
    vectors = principal_vectors(means, (2, 4))
    principal = numpy.einsum("ni,ijt,nj->nt", vectors, means, vectors)
    for n, energy in enumerate((0.4, 0.9)):
        found = effective_mass(principal[n], "cosh")[:8]
        assert abs(found - energy).max() < 1e-6, found
    assert abs(principal[:, 2] - 1).max() < 1e-9 and len(t) == EXTENT


def fails(make, words):
    try:
        make()
    except FitError as error:
        assert words in str(error), error
    else:
        raise AssertionError(f"no error: {words}")


def check_limits():
    rng = numpy.random.default_rng(8)
    truth = states("cosh", EXTENT, (0.4, 1.0), AMPLITUDES)
    good = noisy(truth, 60, rng)
    fails(lambda: correlator("cosh", good[:1]).mass(), "one configuration")
    fails(lambda: correlator("cosh", numpy.tile(truth, (10, 1))).mass(), "the same")
    broken = good.copy()
    broken[3, 5] = numpy.nan
    fails(lambda: correlator("cosh", broken).mass(), "not finite")
    fails(lambda: correlator("cosh", rng.normal(size=(60, EXTENT))).mass(Choice(), SETTINGS), "fewer than two")
    few = correlator("cosh", good[:20]).mass(Choice(), SETTINGS)
    assert few.kind == UNCORRELATED and "few" in few.why, few.why
    singular = correlator("cosh", good[:5]).mass(Choice(kind=CORRELATED), SETTINGS)  # 5 rows, 12 slices
    assert singular.kind == UNCORRELATED and "singular" in singular.why, singular.why
    common = truth * (1 + 0.01 * rng.normal(size=(60, 1)))  # all slices move together
    assert correlator("cosh", common).mass(Choice(), SETTINGS).kind == UNCORRELATED
    still = good.copy()
    still[:, 4] = still[:, EXTENT - 4] = truth[4]  # a slice without variance ends the signal
    assert max(w.last for w in correlator("cosh", still).mass(Choice(states=(1,)), SETTINGS).windows) == 3


check_minima()
check_small_errors()
check_known_masses()
check_errors_of_fits()
check_weights()
check_response()
check_p_values()
check_effective_masses()
check_constants()
check_eigenvectors()
check_limits()
print("ok")
