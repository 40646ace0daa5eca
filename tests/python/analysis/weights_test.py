"""Reweighting: means <w O> / <w> of chains whose truth is known, their errors, and weights from files. 77: skipped."""
import contextlib
import json
import math
import pathlib
import sys
import tempfile

try:
    import h5py
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

from made import analysed, autoregressive, noisy, states  # finds the package

import sealed

from plaq.analysis import (Chains, Choice, Correlator, DerivedError, EigenvalueProblem, GammaSettings, Request, Settings, Weights,
                           WeightsError, analyse, derived, mean_of, quantity)
from plaq.analysis.gamma import NUMPY
from plaq.analysis.weights import weights_of

SETTINGS = Settings(GammaSettings(library=NUMPY), samples=200)
EXTENT = 16


def weighing(weights, replica=None):
    chains = Chains(numpy.zeros(len(weights)) if replica is None else replica, numpy.arange(len(weights)))
    chains.weigh(numpy.asarray(weights, dtype=float))
    return chains


def square(means):
    return means[..., 0]**2 / means[..., 1]


def check_by_hand():
    """Means, fluctuations, jackknife and bootstrap against their formulas, also of replicas."""
    rng = numpy.random.default_rng(1)
    rows = 40
    samples, weights = rng.normal(size=(rows, 2)) + [2.0, 5.0], rng.random(rows) + 0.1
    for replica in (None, numpy.arange(rows) // 25):
        chains = weighing(weights, replica)
        found = quantity(samples, square, chains)
        means = weights @ samples / weights.sum()
        assert math.isclose(found.value, square(means), rel_tol=1e-13)
        # Products and weights as observables of their own, each less its mean in each replica.
        parts = [slice(0, rows)] if replica is None else [slice(0, 25), slice(25, rows)]
        both = numpy.concatenate([weights[:, None] * samples, weights[:, None]], axis=1)
        deviations = numpy.concatenate([both[part] - both[part].mean(axis=0) for part in parts])
        by_mean = (deviations[:, :2] - means * deviations[:, 2:]) / weights.mean()
        slopes = numpy.array([2 * means[0] / means[1], -means[0]**2 / means[1]**2])
        assert numpy.allclose(found.fluctuations, by_mean @ slopes, rtol=1e-6, atol=1e-8)
        assert numpy.allclose(chains.fluctuations(samples), by_mean, rtol=1e-12, atol=1e-14)
    settings = Settings(bins=rows)
    kept = [numpy.arange(rows) != i for i in range(rows)]
    without = numpy.array([square(weights[one] @ samples[one] / weights[one].sum()) for one in kept])
    found = quantity(samples, square, weighing(weights))
    assert numpy.allclose(found.jackknife_samples(settings), without, rtol=1e-12)
    drawn = numpy.random.default_rng(1).multinomial(rows, numpy.full(rows, 1 / rows), size=500)
    again = [square((n * weights) @ samples / (n @ weights)) for n in drawn]
    assert numpy.allclose(found.bootstrap_samples(settings), again, rtol=1e-10)
    assert math.isclose(weighing(weights).effective(), weights.sum()**2 / (weights**2).sum(), rel_tol=1e-12)
    assert numpy.array_equal(weighing(1e-300 * weights).mean(samples), weighing(weights).mean(samples)) or numpy.allclose(
        weighing(1e-300 * weights).mean(samples), means, rtol=1e-13)


def all_of(one):
    return (one.value, one.gamma(SETTINGS).error, one.jackknife(SETTINGS), one.bootstrap(SETTINGS), one.jackknife_bias(SETTINGS))


def check_equal_weights():
    """Equal weights are the bits of none, and those of the general formulas but for rounding."""
    rng = numpy.random.default_rng(2)
    samples = noisy(states("cosh", EXTENT, (0.4, 1.0), (1.0, 0.5)), 60, rng)
    numbers = []
    for weights in (None, numpy.ones(60), numpy.full(60, 0.3)):
        chains = Chains.of_rows(60) if weights is None else weighing(weights)
        fit = Correlator("pion", (0, 0, 0), "point", "cosh", samples, chains).mass(Choice(), SETTINGS).quantity
        numbers.append(all_of(fit))
    assert numbers[0] == numbers[1] == numbers[2], numbers
    general = Chains.of_rows(60)
    general.weights = numpy.ones(60)
    fit = Correlator("pion", (0, 0, 0), "point", "cosh", samples, general).mass(Choice(), SETTINGS).quantity
    assert numpy.allclose(all_of(fit), numbers[0], rtol=1e-6), (all_of(fit), numbers[0])


def check_gaussian():
    """A chain of mean 0, reweighted to mean mu: <x>, its variance, and errors that cover, with autocorrelations."""
    rng, mu, rows = numpy.random.default_rng(3), 0.4, 1000
    pulls, resampled, counts, plain = [], [], [], []
    for _ in range(150):
        x = autoregressive((rows,), 0.5, rng)
        chains = weighing(numpy.exp(mu * x))
        mean = mean_of(x, chains)
        variance = quantity(numpy.stack([x, x**2], axis=1), lambda m: m[..., 1] - m[..., 0]**2, chains)
        pulls.append([(one.value - truth) / one.gamma(SETTINGS).error for one, truth in ((mean, mu), (variance, 1.0))])
        resampled.append([one.jackknife(SETTINGS) / one.gamma(SETTINGS).error for one in (mean, variance)])
        resampled.append([one.bootstrap(SETTINGS) / one.gamma(SETTINGS).error for one in (mean, variance)])
        counts.append(chains.effective())
        plain.append(mean_of(x, Chains.of_rows(rows)).value)
    assert (abs(numpy.mean(pulls, axis=0)) < 0.35).all() and (abs(numpy.std(pulls, axis=0) - 1) < 0.2).all(), (
        numpy.mean(pulls, axis=0), numpy.std(pulls, axis=0))
    assert (abs(numpy.mean(resampled, axis=0) - 1) < 0.15).all(), numpy.mean(resampled, axis=0)
    assert abs(numpy.mean(counts) / (rows * math.exp(-mu**2)) - 1) < 0.03, numpy.mean(counts)
    assert abs(numpy.mean(plain)) < 0.02


def check_mass():
    """Correlators of fields x, C(t) = exp(-m t + s x t - s^2 t^2 / 2): mean mu of x makes the mass m - s mu."""
    rng, mass, slope, mu, rows = numpy.random.default_rng(4), 0.5, 0.02, 0.5, 800
    t = numpy.arange(EXTENT)
    x = autoregressive((rows,), 0.3, rng)
    samples = numpy.exp(-mass * t + slope * x[:, None] * t - (slope * t)**2 / 2) * (1 + 0.001 * rng.normal(size=(rows, EXTENT)))
    for weights, truth in ((None, mass), (numpy.exp(mu * x), mass - slope * mu)):
        chains = Chains.of_rows(rows) if weights is None else weighing(weights)
        one = Correlator("pion", (0, 0, 0), "point", "none", samples, chains)
        fit = one.mass(Choice(window=(1, 6)), SETTINGS)
        error = fit.quantity.gamma(SETTINGS).error
        assert abs(fit.quantity.value - truth) < 4 * error < 0.008, (fit.quantity.value, truth, error)
        assert abs(fit.quantity.jackknife(SETTINGS) / error - 1) < 0.4
        effective = one.effective_masses()[3]
        assert abs(effective.value - truth) < 4 * effective.gamma(SETTINGS).error, (effective.value, truth)
    # Whole weights are rows that are there several times.
    counts = rng.integers(1, 3, rows)
    matrix = [[Correlator("pion", (0, 0, 0), "point", "none", samples * (1 if i != j else 2 + 0.1 * t * i), weighing(counts))
               for i in range(2)] for j in range(2)]
    many = [[Correlator("pion", (0, 0, 0), "point", "none", numpy.repeat(one.samples, counts, axis=0), Chains.of_rows(counts.sum()))
             for one in row] for row in matrix]
    found, expected = (EigenvalueProblem(one, 2).energies()[0][3].value for one in (matrix, many))
    assert math.isclose(found, expected, rel_tol=1e-9), (found, expected)


def check_sources():
    """All forms of weights, and what is wrong with them."""
    chains = Chains([0, 0, 0], [30, 10, 20])
    expected = [1.0, 2.0, 3.0]
    for given in ({10: 1, 20: 2, 30: 3, 40: 9}, {(0, 10): 1, (0, 20): 2, (0, 30): 3}, [3, 1, 2], numpy.array([3.0, 1.0, 2.0]),
                  Weights([2, 3, 1], [20, 30, 10])):
        assert weights_of(given).of(chains, True, "x").tolist() == expected, given
    two = Chains([0, 1, 1], [10, 10, 20])
    for given, numbered, other, words in (
            ({10: 1, 20: 2}, True, chains, "those of trajectory 30 of x are missing"),
            ({99: 1}, True, chains, "those of trajectory 10, 20, 30 of x"), ({99: 1}, True, Chains.of_rows(9), "0, 1, 2 and 6 more of x"),
            ([1, 2], True, chains, "there are 2 for 3 configurations of x"), ({10: 1, 20: 1}, True, two, "2 replicas"),
            ({(0, 10): 1, (1, 20): 1}, True, two, "10 of replica 1 of x are missing"), ({0: 1}, False, chains, "not known")):
        fails(lambda: weights_of(given).of(other, numbered, "x"), words)
    fails(lambda: weights_of([1.0, math.nan]), "weight 1 is not finite")
    fails(lambda: weights_of([[1.0]]), "one number for each configuration")
    fails(lambda: Weights([1, 2], [5, 5]), "trajectory 5 is there twice")
    fails(lambda: weighing([1.0, -1.0]), "the sum of the weights is 0", ValueError)
    weighed, unweighed = mean_of(numpy.arange(3.0), weighing([1, 2, 3])), mean_of(numpy.arange(3.0), Chains.of_rows(3))
    fails(lambda: derived(lambda a, b: a / b, weighed, unweighed), "different weights", DerivedError)


def fails(make, words, kind=WeightsError):
    try:
        make()
    except kind as error:
        assert words in str(error), error
    else:
        raise AssertionError(f"no error: {words}")


def run(directory, *arguments, code=0):
    """(text, JSON) of plaq analyse; (errors, None) where it ends with another code, with one error."""
    text, numbers = analysed(directory, *arguments, code=code)
    assert numbers or text.count("\nE ") + text.startswith("E ") == 1, text
    return text, json.loads(numbers) if numbers else None


@contextlib.contextmanager
def new_file(path, job_type, job=""):
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["job_type"], file.attrs["extents"] = "test", job_type, [4, 4, 4, EXTENT]
        if job:
            file.attrs["job"] = job
        yield file


def put_pion(file, samples):
    values = numpy.zeros((len(samples), 1, EXTENT, 2))
    values[:, 0, :, 0] = samples
    file["correlators/pion/p_0_0_0/point"] = values
    file["correlators/pion/p_0_0_0/point"].attrs["symmetry"] = "cosh"


def check_command(directory):
    rng, rows = numpy.random.default_rng(5), 50
    path, trajectories = directory / "pion.h5", 10 * (1 + numpy.arange(rows))
    pion, weights = noisy(states("cosh", EXTENT, (0.5,), (1.0,)), rows, rng), 0.5 + rng.random(rows)
    with new_file(path, "propagator") as file:
        file["configurations/trajectory"] = trajectories
        put_pion(file, pion)
    lines = [f"{n} {w!r}" for n, w in zip(trajectories.tolist(), weights.tolist())]
    (directory / "rw.txt").write_text("\n".join(["# trajectory weight", "5 1.0", "", *lines[::-1]]))
    with h5py.File(directory / "rw.h5", "w") as file:
        file["rows/w"], file["short"], file["table"] = weights, weights[1:], numpy.ones((rows, 2))
    with h5py.File(directory / "numbered.h5", "w") as file:
        file["w"], file["configurations/trajectory"] = weights[::-1], trajectories[::-1]
    only = (path, "--states", "1", "--window", "3:7")
    _, plain = run(directory, *only)
    found = {}
    for one in ("rw.txt", "rw.h5:/rows/w", "numbered.h5:/w"):
        text, numbers = run(directory, *only, "--weights", directory / one)
        block, = numbers["blocks"]
        effective = weights.sum()**2 / (weights**2).sum()
        assert block["chains"]["weights"] == str(directory / one) and math.isclose(block["chains"]["effective_configurations"], effective)
        assert f"as good as {effective:.5g} configurations of equal weights" in text, text
        assert numpy.allclose(block["correlators"]["pion p=0,0,0 point"]["value"], weights @ pion / weights.sum(), rtol=1e-13)
        found[one] = block["results"]
    assert found["rw.txt"] == found["rw.h5:/rows/w"] == found["numbered.h5:/w"] != plain["blocks"][0]["results"]
    (directory / "ones.txt").write_text("".join(f"{n} 1\n" for n in trajectories))
    _, ones = run(directory, *only, "--weights", directory / "ones.txt")
    assert ones["blocks"][0]["chains"]["effective_configurations"] == rows
    del ones["blocks"][0]["chains"], plain["blocks"][0]["chains"]
    assert ones == plain, "weights 1 are the same bits"
    # Several ensembles: one file for all, one for each, or none.
    fit = ("--extrapolate", "pion", "--against", "a", "--states", "1", "--window", "3:7")
    members = [f"{path},a=1", f"{path},a=2"]
    with new_file(directory / "other.h5", "propagator") as file:
        file["configurations/trajectory"] = trajectories
        put_pion(file, noisy(states("cosh", EXTENT, (0.6,), (1.0,)), rows, rng))
    members = [f"{path},a=1", f"{directory / 'other.h5'},a=2"]
    _, both = run(directory, *members, *fit, "--weights", directory / "rw.txt", "--weights", "none")
    assert both["blocks"][0]["results"] == found["rw.txt"] and "weights" not in both["blocks"][1]["chains"]
    _, both = run(directory, *members, *fit, "--weights", directory / "rw.txt")
    assert [block["chains"]["weights"] for block in both["blocks"]] == [str(directory / "rw.txt")] * 2
    assert both["extrapolation"]["ensembles"][0]["values"][0] == found["rw.txt"]["mass pion p=0,0,0 point"]["value"]
    assert "one for each FILE" in run(directory, *members, *fit, *("--weights", directory / "rw.txt") * 3, code=2)[0]
    assert "one for each FILE" in run(directory, *only, *("--weights", directory / "rw.txt") * 2, code=2)[0]
    # HDF5 has the weights beside the samples; Hadrons files cannot.
    run(directory, *only, "--weights", directory / "rw.txt", "--export", "hdf5", directory / "out.h5")
    with h5py.File(directory / "out.h5") as file:
        part = file["ensemble_0/correlators/correlator_0"]
        kept = part["weights"][()]
        assert numpy.allclose(kept @ part["samples"][()] / kept.sum(), part["values"][()], rtol=1e-13)
    weighed = (*only, "--weights", directory / "rw.txt")
    assert "no place for the weights" in run(directory, *weighed, "--export", "hadrons", directory / "h", code=2)[0]
    assert "is one of the inputs" in run(directory, *weighed, "--export", "csv", directory / "rw.txt", code=5)[0]
    # Each fault is one error.
    (directory / "few.txt").write_text("\n".join(lines[2:]))
    (directory / "wide.txt").write_text("10 1.0\n20 1 2 3\n")
    (directory / "word.txt").write_text("10 x\n")
    (directory / "empty.txt").write_text("# nothing\n")
    (directory / "zero.txt").write_text("".join(f"{n} {(-1)**i}\n" for i, n in enumerate(trajectories)))
    for one, words in (("few.txt", "those of trajectory 10, 20 of"), ("wide.txt", "line 2: expected TRAJECTORY WEIGHT"),
                       ("word.txt", "line 1: expected"), ("empty.txt", "there are none"), ("zero.txt", "the sum of the weights of"),
                       ("absent.txt", "No such file"), ("rw.h5:/short", "there are 49 for 50"),
                       ("rw.h5:/none", "there is no dataset /none"), ("rw.h5:/table", "found extents (50, 2)"),
                       ("rw.txt:/w", "cannot be read")):
        assert words in run(directory, *only, "--weights", directory / one, code=4)[0], one
    return path


def check_all_results(directory):
    """Whole weights give the numbers of rows that are there several times, of each kind of result."""
    rng, rows = numpy.random.default_rng(6), 40
    counts = rng.integers(1, 4, rows)
    columns = {"observables/plaquette": 0.6 + 0.01 * rng.normal(size=rows), "observables/polyakov_loop": rng.normal(size=(rows, 2)),
               "flow/t": numpy.tile(0.1 * numpy.arange(30), (rows, 1)), "flow/topological_charge": rng.normal(size=(rows, 30)),
               "wilson_loops/r_1_0_0": numpy.exp(-0.4 * (1 + numpy.arange(4)))[None, None] * (1 + 0.01 * rng.normal(size=(rows, 2, 4)))}
    columns["flow/clover_energy"] = 1.0 / (1 + columns["flow/t"])**2 * (1 + 0.01 * rng.normal(size=(rows, 1)))
    loops = {"noise/scalar/p_0_0_0": rng.normal(size=(rows, 3, EXTENT, 2)) + 5}
    gluon = {"momenta/n": None, "gluon/propagator": 2 + 0.1 * rng.normal(size=(rows, 3))}
    for kind, parts in (("measure", columns), ("loops", loops), ("gluon", gluon)):
        blocks = []
        for repeat in (False, True):
            path = directory / f"{kind}{repeat}.h5"
            with new_file(path, kind) as file:
                file["configurations/trajectory"] = numpy.arange(counts.sum() if repeat else rows)
                for name, values in parts.items():
                    if values is not None:
                        file[name] = numpy.repeat(values, counts, axis=0) if repeat else values
                if kind == "gluon":
                    file["momenta/n"], file["momenta/p_squared"] = numpy.zeros((3, 4), dtype=int), [0.0, 1.0, 4.0]
                    file["momenta/in_cylinder"], file["momenta/in_cone"] = [1, 1, 1], [1, 1, 0]
            blocks += analyse([path], Request(weights=None if repeat else counts))
        names = [one.name for one in blocks[0].results if one.averaged is None]
        assert len(names) > (8 if kind == "measure" else -1) and len(blocks[0].results) + len(blocks[0].tables) > 0
        for name in names:
            found, expected = (next(one.quantity for one in block.results if one.name == name) for block in blocks)
            assert math.isclose(found.value, expected.value, rel_tol=1e-9, abs_tol=1e-12), (name, found.value, expected.value)
            assert found.chains.weights is not None, name
        for one, other in zip(blocks[0].tables, blocks[1].tables, strict=True):
            for title, column in one.columns.items():
                assert numpy.allclose([q.value for q in column], [q.value for q in other.columns[title]], rtol=1e-9), title


def check_history(directory):
    """Means of a history are weighted by trajectory; what is known of its trajectories is not."""
    rng, rows = numpy.random.default_rng(7), 60
    path = directory / "chain.history.h5"
    plaquette, weights, accepted = 0.5 + 0.01 * rng.normal(size=rows), rng.random(rows), (numpy.arange(rows) % 4 > 0).astype(int)
    with new_file(path, "hmc") as file:
        file["history/trajectory"], file["history/plaquette"] = 1 + numpy.arange(rows), plaquette
        file["steps/trajectory"], file["steps/accepted"] = 1 + numpy.arange(rows), accepted
        file["steps/delta_h"] = 0.1 * rng.normal(size=rows)
    block, = analyse([path], Request(skip=10, weights={1 + i: w for i, w in enumerate(weights.tolist())}))
    found = {one.name: one.quantity.value for one in block.results}
    assert math.isclose(found["plaquette"], weights[10:] @ plaquette[10:] / weights[10:].sum(), rel_tol=1e-12)
    assert math.isclose(found["acceptance"], accepted[11:].mean(), rel_tol=1e-12), (found["acceptance"], accepted[11:].mean())


check_by_hand()
check_equal_weights()
check_gaussian()
check_mass()
check_sources()
with tempfile.TemporaryDirectory() as name:
    check_command(pathlib.Path(name))
    check_all_results(pathlib.Path(name))
    check_history(pathlib.Path(name))
print("ok")
