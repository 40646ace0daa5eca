"""Fits in windows that are chosen: their numbers, their chi^2, and one clear error for a window that is none. 77: skipped."""
import contextlib
import io
import json
import math
import pathlib
import re
import sys
import tempfile
import unittest.mock

try:
    import h5py  # noqa: F401  the package reads with it
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

from made import noisy, states  # finds the package

import sealed

from plaq.analysis import Chains, Choice, Correlator, FitError, GammaSettings, Settings, WindowError
from plaq.analysis.command import main
from plaq.analysis.fit import p_value, whitening
from plaq.analysis.gamma import NUMPY
from plaq.analysis.ratios import constant
from plaq.analysis.windows import CORRELATED, UNCORRELATED

SETTINGS = Settings(GammaSettings(library=NUMPY), samples=100)
EXTENT = 24


def correlator(samples, kind="cosh", channel="pion"):
    return Correlator(channel, (0, 0, 0), "point", kind, samples, Chains.of_rows(len(samples)))


def check_numbers():
    """One window of one state: the minimum of chi^2 by a scan over masses, and that of the average in this window."""
    rng = numpy.random.default_rng(1)
    one = correlator(noisy(states("cosh", EXTENT, (0.4, 1.0), (1.0, 0.6)), 300, rng))
    every = one.mass(Choice(states=(1,)), SETTINGS)
    for kind in (CORRELATED, UNCORRELATED):
        found = one.mass(Choice(window=(5, 11), kind=kind), SETTINGS)
        window, = found.windows
        assert found.chosen and (window.first, window.last, window.model.states, window.weight) == (5, 11, 1, 1)
        assert found.systematic == 0 and found.kind == kind and window.freedom == 5
        t = numpy.arange(5, 12)
        white = whitening(found.data.covariance(t)) if kind == CORRELATED else numpy.diag(1 / found.data.errors[t])
        data = white @ found.data.means[t]

        def chi2(mass):
            shape = white @ (numpy.exp(-mass * t) + numpy.exp(-mass * (EXTENT - t)))
            return data @ data - (shape @ data)**2 / (shape @ shape)

        masses = window.value + numpy.linspace(-1e-3, 1e-3, 201)
        values = numpy.array([chi2(mass) for mass in masses])
        assert abs(masses[values.argmin()] - window.value) < 2e-5, (masses[values.argmin()], window.value)
        assert abs(values.min() - window.fit.chi2) < 1e-6 * window.fit.chi2 + 1e-9
        assert re.fullmatch(rf"\S+\(\d+\), {found.kind}, 1 window; largest weight: 5 to 11, chi2/dof {window.fit.chi2 / 5:.2f} \(5 dof\), "
                            r"p \S+", str(found)) and repr(found) == f"<Fit: {found}>", found
        assert found.chi2_per_freedom() == window.fit.chi2 / 5 and found.p_value() == p_value(window.fit.chi2, 5)
        error = found.quantity.gamma(SETTINGS).error
        assert abs(found.quantity.jackknife(SETTINGS) / error - 1) < 0.4
        if kind == CORRELATED:
            same = [w for w in every.windows if (w.first, w.last) == (5, 11)]
            assert abs(same[0].value - window.value) < 1e-9 and abs(same[0].error - error) < 1e-9
    two = one.mass(Choice(window=(1, 11), states=(2,)), SETTINGS)
    assert [w.model.states for w in two.windows] == [2] and abs(two.quantity.value - 0.4) < 4 * two.quantity.gamma(SETTINGS).error
    # A window of one state that begins where excited states are: a wrong mass, and a p-value that says so.
    early = one.mass(Choice(window=(1, 11)), SETTINGS)
    assert early.p_value() < 1e-6 and abs(early.quantity.value - 0.4) > 4 * early.quantity.gamma(SETTINGS).error
    both = one.mass(Choice(window=(1, 11), states=(1, 2)), SETTINGS)
    assert sorted(w.model.states for w in both.windows) == [1, 2] and both.windows[0].model.states == 2
    assert abs(sum(w.weight for w in both.windows) - 1) < 1e-12


def check_names():
    """A channel's own window comes before that of all; quarks and states belong to their channel."""
    choice = Choice(window=(3, 9), windows={"pion": (4, 10), "rho.a_b": (5, 11), "pion state 1": (2, 6)})
    for name, window in (("pion", (4, 10)), ("pion.light_strange", (4, 10)), ("rho", (3, 9)), ("rho.a_b", (5, 11)),
                         ("rho.a_c", (3, 9)), ("pion state 0", (4, 10)), ("pion state 1", (2, 6)), ("rho state 1", None), ("pcac", (3, 9))):
        assert choice.window_of(name) == window, name
    assert Choice().window_of("pion") is None


def fails(make, *words):
    try:
        make()
    except WindowError as error:
        assert all(word in str(error) for word in words) and isinstance(error, FitError), error
    else:
        raise AssertionError(f"no error: {words}")


def check_wrong_windows():
    rng = numpy.random.default_rng(2)
    truth = states("cosh", EXTENT, (0.4, 1.0), (1.0, 0.6))
    good = noisy(truth, 200, rng)
    one = correlator(good)
    for window, words in (((4, 13), ("0 to 12", "4:13 of pion p=0,0,0 point")), ((9, 4), ("not behind",)), ((4, 5), ("choose 3 slices",))):
        fails(lambda: one.mass(Choice(window=window), SETTINGS), *words)
    fails(lambda: one.mass(Choice(window=(4, 7), states=(2,)), SETTINGS), "4 slices", "4 parameters", "one state")
    for wrong in ("4:12", (4,), (4, 5.5), 4):
        fails(lambda: Choice(window=wrong), "expected the first and the last time slice")
        fails(lambda: Choice(windows={"pion": wrong}), "expected the first and the last time slice")
    try:
        Choice(kind="correlate")
        raise AssertionError("an unknown kind was accepted")
    except ValueError as error:
        assert "'correlate': expected 'auto', 'correlated' or 'uncorrelated'" in str(error), error
    assert correlator(noisy(states("sinh", EXTENT, (0.4,), (1.0,)), 200, rng), "sinh").mass(
        Choice(window=(4, 12)), SETTINGS).windows[0].last == 11  # a sinh is 0 in the middle
    fails(lambda: correlator(good, "sinh").mass(Choice(window=(4, 13)), SETTINGS), "0 to 11")
    added = 3 * rng.normal(size=good.shape) * (numpy.minimum(numpy.arange(EXTENT), EXTENT - numpy.arange(EXTENT)) > 6)
    noise = good + added - added.mean(axis=0)
    fails(lambda: correlator(noise).mass(Choice(window=(7, 12)), SETTINGS), "noise begins", "earlier")
    assert correlator(noise).mass(Choice(window=(2, 8)), SETTINGS).chosen  # five slices with a signal, and two without
    still = good.copy()
    still[:, 5] = still[:, EXTENT - 5] = truth[5]
    fails(lambda: correlator(still).mass(Choice(window=(3, 9)), SETTINGS), "slice 5 has no error")
    samples = noisy(numpy.full(10, 0.03), 60, rng)
    found = constant(samples, lambda means: means, Chains.of_rows(60), 1, 9, Choice(windows={"pcac": (3, 8)}), SETTINGS, "pcac")
    assert found.chosen and found.windows[0].freedom == 5 and abs(found.quantity.value - samples[:, 3:9].mean()) < 1e-3
    fails(lambda: constant(samples, lambda m: m, Chains.of_rows(60), 1, 9, Choice(window=(3, 11)), SETTINGS), "0 to 9")


def make_result(path):
    rng = numpy.random.default_rng(3)
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["extents"] = "test", [8, 8, 8, EXTENT]
        for channel, kind, mass in (("pion", "cosh", 0.4), ("rho", "cosh", 0.6), ("axial_pseudoscalar", "sinh", 0.4)):
            values = numpy.zeros((100, 1, EXTENT, 2))
            values[:, 0, :, 0] = noisy(states(kind, EXTENT, (mass,), (1.0,)), 100, rng)
            file[f"correlators/{channel}/p_0_0_0/point"] = values
            file[f"correlators/{channel}/p_0_0_0/point"].attrs["symmetry"] = kind


def run(*arguments):
    """(exit code, standard output, errors) of plaq analyse."""
    out, err = io.StringIO(), io.StringIO()
    argv = unittest.mock.patch("sys.argv", ["analyse", *map(str, arguments)])
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), argv:
        code = main()
    return code, out.getvalue(), err.getvalue()


def check_command(directory):
    path, numbers = directory / "pion.h5", directory / "numbers.json"
    make_result(path)
    code, text, _ = run(path, "--window", "4:10", "--window", "rho=3:9", "--window", "pcac=5:9", "--samples", "20", "--json", numbers)
    found = json.loads(numbers.read_text())["blocks"][0]["results"]
    assert code == 0 and text.count("in the chosen window") == 4, text
    for name, first, last in (("mass pion p=0,0,0 point", 4, 10), ("mass rho p=0,0,0 point", 3, 9), ("pcac mass point", 5, 9)):
        window, = found[name]["windows"]
        assert (window["first"], window["last"]) == (first, last) and found[name]["window_chosen"], window
        assert 0 <= window["p_value"] <= 1
        row = rf"^    {first}-{last} +1 +\S+ +(\S+) +(\S+) +{window['degrees_of_freedom']} "
        reduced = [f"{window[one] / window['degrees_of_freedom']:.2f}" for one in ("chi2", "expected_chi2")]
        assert tuple(reduced) in re.findall(row, text, re.M), (reduced, text)
        assert f"{found[name]['value']:.4f}"[:5] in text
    assert not math.isnan(found["mass rho p=0,0,0 point"]["error"])
    for arguments, words in ((("--window", "4:40"), "0 to 11"), (("--window", "a=b"), "expected FIRST:LAST"),
                             (("--window", "sigma=4:9"), "nothing that is fitted is called sigma; there are"),
                             (("--window", "pion=9:11", "--states", "2"), "choose 5 slices")):
        code, text, errors = run(path, *arguments)
        assert code == 2 and not text and errors.count("\n") == 1 and errors.startswith("E analyse: ") and words in errors, errors


def check_loaded(directory):
    """plaq.load: the mass of a window, with chi^2 and p-value beside it."""
    try:
        from plaq.results import load
    except ImportError as error:
        print(f"without plaq.load: {error}")
        return
    one = load(directory / "pion.h5").correlator("pion")
    mass = one.mass(window=(4, 10))
    found = one.found.mass(Choice(window=(4, 10)))
    assert mass.value == found.quantity.value and math.isclose(mass.error, found.quantity.gamma().error, rel_tol=1e-12)
    assert mass.fit.chi2_per_freedom() == found.chi2_per_freedom() and mass.fit.p_value() == found.p_value() < 1
    assert (2 * mass).fit is None


check_numbers()
check_names()
check_wrong_windows()
with tempfile.TemporaryDirectory() as name:
    check_command(pathlib.Path(name))
    check_loaded(pathlib.Path(name))
print("ok")
