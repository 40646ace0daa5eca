"""Functions of numbers of one ensemble, their covariance matrices, and biases, of samples whose truth is known. 77: skipped."""
import contextlib
import io
import json
import math
import pathlib
import sys
import tempfile
import unittest.mock

try:
    import h5py
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

from made import autoregressive, noisy, states  # finds the package

import sealed

from plaq.analysis import (Chains, Choice, Correlator, DerivedError, GammaSettings, Settings, covariance, covariance_of_correlator,
                           derived, mean_of, quantity)
from plaq.analysis.command import main
from plaq.analysis.formulas import read_formula
from plaq.analysis.gamma import NUMPY

SETTINGS = Settings(GammaSettings(library=NUMPY), samples=200)
ROWS, EXTENT = 200, 20


def close(one, other, relative=1e-6):
    assert math.isclose(one, other, rel_tol=relative, abs_tol=1e-14), (one, other)


def check_against_functions_of_means():
    """A function of two numbers is the same function of their means: value, all errors and the bias."""
    rng = numpy.random.default_rng(1)
    common = autoregressive((ROWS, 1), 0.5, rng)
    samples = [3.0, 2.0] + 0.3 * common + 0.2 * autoregressive((ROWS, 2), 0.3, rng)
    chains = Chains.of_rows(ROWS)
    settings = Settings(SETTINGS.gamma, bins=20, samples=200)
    whole = quantity(samples, lambda m: numpy.log(m[..., 0]) / m[..., 1], chains)
    parts = [mean_of(samples[:, i], chains) for i in range(2)]
    made = derived(lambda a, b: math.log(a) / b, *parts).quantity
    close(made.value, whole.value, 1e-12)
    for name in ("jackknife", "bootstrap", "jackknife_bias", "bootstrap_bias"):
        close(getattr(made, name)(settings), getattr(whole, name)(settings), 1e-9)
    close(made.gamma(settings).error, whole.gamma(settings).error)
    # Correlated numbers: the error of the ratio is not that of independent ones.
    ratio = derived(lambda a, b: a / b, *parts).quantity
    errors = [part.gamma(settings).error for part in parts]
    independent = ratio.value * math.hypot(errors[0] / 3, errors[1] / 2)
    assert ratio.gamma(settings).error < 0.8 * independent
    nothing = derived(lambda a, b: a - b, parts[0], parts[0]).quantity
    assert nothing.value == 0 and nothing.gamma(settings).error < 1e-12
    # Powers that are complex are no numbers, in a user's function and in a formula.
    assert math.isnan(derived(lambda a, b: (b - a)**0.5, *parts).quantity.value)
    powers, used = read_formula("(b - a)^0.5", {"a": None, "b": None})
    assert used == ["b", "a"] and math.isnan(derived(powers, *reversed(parts)).quantity.value)


def correlator(channel, samples):
    return Correlator(channel, (0, 0, 0), "point", "cosh", samples, Chains.of_rows(len(samples)))


def check_masses():
    """A ratio of fitted masses that fluctuate together: the truth, and refits of jackknife samples."""
    rng = numpy.random.default_rng(2)
    moved = 0.01 * rng.normal(size=(ROWS, 1))  # both masses of a configuration
    t = numpy.minimum(numpy.arange(EXTENT), EXTENT - numpy.arange(EXTENT))
    fits = [correlator(name, noisy(states("cosh", EXTENT, (mass,), (1.0,)), ROWS, rng, 0.002) * (1 - mass * moved * t)).mass(
        Choice(), SETTINGS) for name, mass in (("pion", 0.4), ("rho", 0.6))]
    ratio = derived(lambda m_pi, m_rho: m_pi / m_rho, *fits)
    error = ratio.quantity.gamma(SETTINGS).error
    assert abs(ratio.quantity.value - 2 / 3) < 4 * ratio.total_error(SETTINGS)
    relative = [fit.quantity.gamma(SETTINGS).error / fit.quantity.value for fit in fits]
    assert error < 0.7 * ratio.quantity.value * math.hypot(*relative)
    assert abs(ratio.quantity.jackknife(SETTINGS) / error - 1) < 0.3
    close(ratio.systematic, ratio.quantity.value * math.hypot(*(f.systematic / f.quantity.value for f in fits)), 1e-3)
    matrix = covariance({"pion": fits[0].quantity, "rho": fits[1].quantity}, SETTINGS)
    close(math.sqrt(matrix.matrix[0, 0]), fits[0].quantity.gamma(SETTINGS).error)
    slopes = numpy.array([1 / fits[1].quantity.value, -fits[0].quantity.value / fits[1].quantity.value**2])
    assert abs(math.sqrt(slopes @ matrix.matrix @ slopes) / error - 1) < 0.2
    other = mean_of(rng.normal(size=ROWS - 1), Chains.of_rows(ROWS - 1))
    for numbers in ((fits[0], other), ()):
        try:
            derived(lambda *values: 1.0, *numbers)
            raise AssertionError("no error")
        except DerivedError as error_:
            assert "configurations" in str(error_) or "one number" in str(error_)


def check_covariance():
    """Without autocorrelations: the covariance of means by hand; of chains that overlap, that of what they share."""
    rng = numpy.random.default_rng(3)
    samples = rng.multivariate_normal([1.0, 2.0, 3.0], [[1, 0.8, 0], [0.8, 2, -0.5], [0, -0.5, 1]], ROWS)
    plain = Settings(GammaSettings(window_factor=0, library=NUMPY))
    chains = Chains.of_rows(ROWS)
    found = covariance({name: mean_of(samples[:, i], chains) for i, name in enumerate("abc")}, plain)
    assert found.labels == ["a", "b", "c"] and found.configurations == ROWS
    assert numpy.allclose(found.matrix, numpy.cov(samples.T) / ROWS) and numpy.allclose(found.values, samples.mean(axis=0))
    assert numpy.allclose(found.correlation(), numpy.corrcoef(samples.T)) and numpy.allclose(found.errors()**2, numpy.diag(found.matrix))
    half = Chains(numpy.zeros(ROWS), numpy.arange(ROWS) + ROWS // 2)
    later = rng.normal(size=ROWS)
    later[:ROWS // 2] = samples[ROWS // 2:, 0] - 1  # the second half of the first number
    partly = covariance({"a": mean_of(samples[:, 0], chains), "b": mean_of(later, half)}, plain)
    first, second = samples[:, 0] - samples[:, 0].mean(), later - later.mean()
    by_hand = (first[ROWS // 2:] * second[:ROWS // 2]).sum() / math.sqrt((first**2).sum() * (second**2).sum())
    assert partly.configurations == ROWS + ROWS // 2 and abs(partly.correlation()[0, 1] - by_hand) < 1e-12
    one = correlator("pion", noisy(states("cosh", EXTENT, (0.4,), (1.0,)), ROWS, rng))
    of_slices = covariance_of_correlator(one, plain)
    assert numpy.allclose(of_slices.matrix, numpy.cov(one.samples.T) / ROWS) and of_slices.labels[3] == "t=3"


def check_bias():
    """The square of a mean is too large by the variance of the mean: the jackknife knows that exactly."""
    rng = numpy.random.default_rng(4)
    samples = rng.normal(size=50)
    settings = Settings(SETTINGS.gamma, bins=50, samples=4000)
    square = quantity(samples[:, None], lambda m: m[..., 0]**2, Chains.of_rows(50))
    close(square.jackknife_bias(settings), samples.var(ddof=1) / 50, 1e-9)
    mean = mean_of(samples, Chains.of_rows(50))
    assert abs(mean.jackknife_bias(settings)) < 1e-12
    assert abs(mean.bootstrap_bias(settings)) < 0.1 * mean.bootstrap(settings)
    assert math.isnan(mean_of(samples[:1], Chains.of_rows(1)).jackknife_bias(settings))


def check_formulas():
    known = {"pion": 1, "rho": 2, "pion.light_m0.5": 3, "f_pion": 4, "pion_ps": 5}
    values = {name: float(value) for name, value in known.items()}
    for formula, expected in (("pion/rho", 0.5), ("(rho - pion)^2 / pion.light_m0.5", 1 / 3), ("f_pion/pion_ps", 0.8),
                              ("-sqrt(f_pion) + 2*rho", 2.0), ("log(exp(rho)) * abs(pion - rho)", 2.0), ("pion^2^3", 1.0)):
        function, used = read_formula(formula, known)
        close(function(*(values[name] for name in used)), expected)
    for absent in ("sigma/pion", "pion.light_strange/pion", "3 * 4", "pion.light_m0.7"):
        assert read_formula(absent, known)[0] is None, absent
    for wrong in ("pion/", "pion.__class__()", "__import__('os')", "[pion]", "pion if rho else pion", "sqrt(pion, rho)", "open(pion)",
                  "pion; rho", "lambda: pion", "'a' * pion", "pion @ rho"):
        try:
            function, _ = read_formula(wrong, known)
            raise AssertionError(wrong)
        except DerivedError as error:
            assert "formula" in str(error), error


def make_result(path):
    rng = numpy.random.default_rng(5)
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["extents"] = "test", [8, 8, 8, EXTENT]
        for channel, mass in (("pion", 0.4), ("rho", 0.6), ("proton", 0.9)):
            for sink, size in (("point", 0.01), ("smeared", 0.002)):
                values = numpy.zeros((60, 1, EXTENT, 2))
                values[:, 0, :, 0] = noisy(states("cosh", EXTENT, (mass,), (1.0,)), 60, rng, size)
                file[f"correlators/{channel}/p_0_0_0/{sink}"] = values
                file[f"correlators/{channel}/p_0_0_0/{sink}"].attrs["symmetry"] = "cosh"
        # One number whose square is mostly noise.
        file["flow/t"], file["flow/topological_charge"] = numpy.tile([0.0, 1.0], (60, 1)), rng.normal(size=(60, 2))


def run(*arguments):
    out, err = io.StringIO(), io.StringIO()
    argv = unittest.mock.patch("sys.argv", ["analyse", *map(str, arguments)])
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), argv:
        code = main()
    return code, out.getvalue(), err.getvalue()


def check_command(directory):
    path, numbers, exported = directory / "masses.h5", directory / "numbers.json", directory / "out.h5"
    make_result(path)
    code, text, errors = run(path, "--derived", "usual", "--derived", "proton - pion", "--samples", "20", "--json", numbers,
                             "--export", "hdf5", exported)
    assert code == 0, errors
    block = json.loads(numbers.read_text())["blocks"][0]
    found = block["results"]
    for name, truth in (("pion/rho", 2 / 3), ("pion/proton", 4 / 9), ("rho/proton", 2 / 3), ("pion^2", 0.16), ("proton - pion", 0.5)):
        assert abs(found[name]["value"] - truth) < 5 * found[name]["total_error"] and f"  {name} " in text, (name, found[name])
    masses = [found[f"mass {name} p=0,0,0 smeared"]["value"] for name in ("pion", "rho")]  # of the sink with the plateau
    close(found["pion/rho"]["value"], masses[0] / masses[1], 1e-12)
    assert "delta - proton" not in found and "jackknife_bias" in found["pion/rho"]
    matrix = block["covariance"]
    at = [matrix["labels"].index(name) for name in ("pion/rho", "pion^2")]
    assert matrix["configurations"] == 60 and len(matrix["matrix"]) == len(matrix["labels"]) == len(found)
    close(math.sqrt(matrix["matrix"][at[0]][at[0]]), found["pion/rho"]["error"], 1e-9)
    assert matrix["matrix"][at[0]][at[1]] == matrix["matrix"][at[1]][at[0]] > 0
    with h5py.File(exported) as file:
        results = file["ensemble_0/results"]
        assert results.attrs["configurations"] == 60 and list(results["labels"].asstr()) == matrix["labels"]
        assert numpy.allclose(results["covariance"], matrix["matrix"], rtol=1e-12)
        first = next(one for one in file["ensemble_0/correlators"].values() if one.attrs["name"] == "pion p=0,0,0 smeared")
        assert first["covariance"].shape == (EXTENT, EXTENT) and first["samples"].shape == (60, EXTENT)
        assert numpy.allclose(first["values"], numpy.mean(first["samples"], axis=0)) and first.attrs["configurations"] == 60
        close(math.sqrt(first["covariance"][3, 3]), block["correlators"]["pion p=0,0,0 smeared"]["error"][3], 1e-9)
    before = path.read_bytes()
    for code_wanted, arguments, words in ((2, ("--derived", "delta/pion"), "the names are pion, proton, rho"),
                                          (2, ("--derived", "pion//rho"), "formula"), (5, ("--export", "hdf5", path), "another name")):
        code, text, errors = run(path, *arguments)
        assert code == code_wanted and words in errors and errors.count("\n") == 1 and not text, errors
    assert path.read_bytes() == before


def check_bias_is_shown(directory):
    """A mean that is 0 within its error: its square has a bias as large as its error, and the output says so."""
    path = directory / "square.h5"
    rng = numpy.random.default_rng(6)
    with sealed.results(path) as file:
        file.attrs["plaq_version"] = "test"
        values = numpy.zeros((400, 1, 8, 2))
        values[..., 0] = states("cosh", 8, (0.5,), (1.0,)) * (1 + 0.01 * rng.normal(size=(400, 1, 8)))
        file["correlators/pion/p_0_0_0/point"] = values
        file["correlators/pion/p_0_0_0/point"].attrs["symmetry"] = "cosh"
    _, text, _ = run(path, "--samples", "20", "--derived", "pion^2", "--derived", "(pion - 0.5)^2")
    lines = {line.split("  ")[1].strip(): line for line in text.splitlines() if "jackknife" in line}
    assert ", bias +" in lines["(pion - 0.5)^2"] and "bias" not in lines["pion^2"], text


check_against_functions_of_means()
check_masses()
check_covariance()
check_bias()
check_formulas()
with tempfile.TemporaryDirectory() as name:
    check_command(pathlib.Path(name))
    check_bias_is_shown(pathlib.Path(name))
print("ok")
