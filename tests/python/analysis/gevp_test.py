"""The generalised eigenvalue problem of any size, of synthetic chains whose energies are known. 77: skipped."""
import json
import math
import pathlib
import sys
import tempfile

try:
    import h5py  # noqa: F401  the package reads with it
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

from made import analysed, noisy, states  # finds the package

import sealed

from plaq.analysis import Chains, Choice, Correlator, EigenvalueProblem, FitError, GammaSettings, Settings
from plaq.analysis.gamma import NUMPY

SETTINGS = Settings(GammaSettings(library=NUMPY), samples=100)
EXTENT = 24
ENERGIES = (0.3, 0.55, 0.9)
COUPLINGS = numpy.array([[1.0, 0.8, 0.5], [0.6, -0.7, 0.9], [0.3, 0.5, -1.0]])  # [state][operator]


def matrix_of(energies, couplings, rows, rng, size, a=0.0, kind="cosh", extent=EXTENT):
    """[sink][source] of correlators whose noise is that of the operators' own correlators."""
    falls = numpy.array([states(kind, extent, (e,), (1.0,)) for e in energies])
    diagonal = numpy.sqrt(numpy.einsum("ni,nt->it", couplings**2, falls))
    made = []
    for i in range(couplings.shape[1]):
        made.append([])
        for j in range(couplings.shape[1]):
            noise = noisy(numpy.ones(extent), rows, rng, size, a) - 1
            samples = numpy.einsum("n,nt->t", couplings[:, i] * couplings[:, j], falls) + diagonal[i] * diagonal[j] * noise
            made[i].append(Correlator("pion", (0, 0, 0), "point", kind, samples, Chains.of_rows(rows)))
    return made


def check_three_states():
    """Three operators and three states, with autocorrelations: all energies, and errors by three methods."""
    rng = numpy.random.default_rng(1)
    for kind in ("cosh", "none"):
        problem = EigenvalueProblem(matrix_of(ENERGIES, COUPLINGS, 400, rng, 0.002, a=0.5, kind=kind), 3)
        effective = problem.energies()
        assert [len(one) for one in effective] == [EXTENT // 2] * 3
        for n, energy in enumerate(ENERGIES):
            assert all(math.isnan(one.value) for one in effective[n][:3])
            for t in range(3, 7):
                one, error = effective[n][t], effective[n][t].gamma(SETTINGS).error
                assert abs(one.value - energy) < 4.5 * error < 0.1, (kind, n, t, one.value, error)
                for other in (one.jackknife(SETTINGS), one.bootstrap(SETTINGS)):
                    assert abs(other / error - 1) < 0.5, (kind, n, t, error, other)
            assert effective[n][3].gamma(SETTINGS).tau > 0.8
            found = problem.energy(n, Choice(), SETTINGS)
            assert abs(found.quantity.value - energy) < 4 * found.total_error(SETTINGS) < 0.12, (kind, n, str(found))
            assert abs(found.quantity.jackknife(SETTINGS) / found.quantity.gamma(SETTINGS).error - 1) < 0.5
    # The log of neighbouring eigenvalues, by hand.
    means = problem.samples.mean(axis=2)
    values = [numpy.sort(numpy.linalg.eigvals(numpy.linalg.solve(means[..., 3], means[..., t])).real)[::-1] for t in (4, 5)]
    assert numpy.allclose([one[4].value for one in effective], numpy.log(values[0] / values[1]), rtol=1e-9)


def check_scatter():
    """Errors of E_n(t) are what ensembles scatter, also of two states of nearly equal energies."""
    rng = numpy.random.default_rng(2)
    for energies, size in (((0.4, 0.9), 0.003), ((0.5, 0.54), 0.001)):
        values, errors, resampled = [], [], []
        for _ in range(80):
            matrix = matrix_of(energies, COUPLINGS[:2, :2], 200, rng, size, a=0.3, extent=12)
            problem = EigenvalueProblem(matrix, 1)
            found = [one[2] for one in problem.energies()]
            values.append([one.value for one in found])
            errors.append([one.gamma(SETTINGS).error for one in found])
            resampled.append([one.jackknife(SETTINGS) for one in found])
        scatter, told, again = numpy.std(values, axis=0), numpy.mean(errors, axis=0), numpy.mean(resampled, axis=0)
        assert (abs(numpy.mean(values, axis=0) - energies) < 4 * scatter / math.sqrt(80) + 1e-4).all(), (energies, values)
        assert (abs(told / scatter - 1) < 0.25).all(), (energies, told, scatter)
        assert (abs(again / scatter - 1) < 0.3).all(), (energies, again, scatter)


def check_order():
    """States keep their places where eigenvalues cross: from slice to slice, and in samples."""
    t = numpy.arange(EXTENT // 2 + 1)
    falls = numpy.array([numpy.exp(-0.4 * t), numpy.exp(-0.5 * t)])
    falls[1, 6] *= 3  # larger than that of the lower state there
    full = numpy.concatenate([falls, falls[:, -2:0:-1]], axis=1)
    couplings = numpy.array([[1.0, 0.5], [0.4, -0.8]])
    means = numpy.einsum("ni,nj,nt->ijt", couplings, couplings, full)
    rng = numpy.random.default_rng(3)
    matrix = [[Correlator("pion", (0, 0, 0), "point", "cosh", noisy(means[i, j], 50, rng, 1e-6), Chains.of_rows(50))
               for j in range(2)] for i in range(2)]
    problem = EigenvalueProblem(matrix, 2)
    exact = problem._eigenvalues(problem._upper(means))
    assert numpy.allclose(exact, falls / falls[:, 2:3], rtol=1e-6), exact
    # A sample in which the states cross at another slice, too.
    crossed = full.copy()
    crossed[1, [5, EXTENT - 5]] *= 4
    other = problem._eigenvalues(problem._upper(numpy.einsum("ni,nj,nt->ijt", couplings, couplings, crossed)))
    assert crossed[1, 5] / falls[1, 2] > crossed[0, 5] / falls[0, 2], "they cross"
    assert numpy.allclose(other, crossed[:, :13] / crossed[:, 2:3], rtol=1e-6), other
    # Many samples at once are the same as one by one.
    both = problem._eigenvalues(numpy.stack([problem._upper(means), problem._upper(2.0 * means)]))
    assert numpy.allclose(both, exact, rtol=1e-12), "a common factor cancels"


def check_fixed():
    """Vectors of one time: correlators of one state each, of three operators; a missing correlator is that of the ends exchanged."""
    rng = numpy.random.default_rng(4)
    matrix = matrix_of(ENERGIES, COUPLINGS, 300, rng, 0.001)
    for i, j in ((1, 0), (0, 2)):
        matrix[i][j] = None
    problem = EigenvalueProblem(matrix, 2, "proton")
    assert numpy.array_equal(problem.samples[1, 0], matrix[0][1].unfolded())
    made = problem.fixed(4)
    assert [one.channel for one in made] == ["proton state 0", "proton state 1", "proton state 2"]
    for one, energy in zip(made, ENERGIES):
        assert abs(one.samples.mean(axis=0)[2] - 1) < 1e-9
        found = one.mass(Choice(), SETTINGS)
        assert abs(found.quantity.value - energy) < 5 * found.total_error(SETTINGS) < 0.05, (energy, str(found))


def fails(make, words):
    try:
        make()
    except FitError as error:
        assert words in str(error), error
    else:
        raise AssertionError(f"no error: {words}")


def check_limits():
    rng = numpy.random.default_rng(5)
    good = matrix_of(ENERGIES, COUPLINGS, 40, rng, 0.001)
    fails(lambda: EigenvalueProblem(good, 11), "t0 = 11 must lie in the first half")
    fails(lambda: EigenvalueProblem(good, 40), "t0 = 40 must lie in the first half")
    fails(lambda: EigenvalueProblem(good, 3).fixed(13), "must lie in the first half")
    fails(lambda: EigenvalueProblem(good[:1], 3), "two operators")
    fails(lambda: EigenvalueProblem([row[:2] for row in good], 3), "a row and a column for each")
    # The third operator is the sum of the two others and less: no positive matrix.
    negative = COUPLINGS.copy()
    negative[2] = 0
    bad = matrix_of(ENERGIES, negative, 40, rng, 1e-9)
    bad[2][2].samples[:] *= 0.9
    fails(lambda: EigenvalueProblem(bad, 3), "the matrix at t = 3 is not positive")
    short = [list(row) for row in good]
    short[0][1] = Correlator("pion", (0, 0, 0), "point", "cosh", good[0][1].samples[1:], Chains.of_rows(39))
    fails(lambda: EigenvalueProblem(short, 3), "different configurations")
    weighed = [list(row) for row in good]
    weighed[0][1] = Correlator("pion", (0, 0, 0), "point", "cosh", good[0][1].samples, Chains.of_rows(40))
    weighed[0][1].chains.weigh(1.0 + numpy.arange(40))
    fails(lambda: EigenvalueProblem(weighed, 3), "different weights")
    missing = [list(row) for row in good]
    missing[0][1] = missing[1][0] = None
    fails(lambda: EigenvalueProblem(missing, 3), "is missing")
    broken = matrix_of(ENERGIES, COUPLINGS, 40, rng, 0.001)
    broken[1][1].samples[3, 4] = numpy.nan
    fails(lambda: EigenvalueProblem(broken, 3), "not finite")
    # A sample whose matrix is not positive has no energies.
    problem = EigenvalueProblem(good, 3)
    samples = numpy.stack([problem._upper(problem.means), -problem._upper(problem.means)])
    found = problem._energies(samples)
    assert numpy.isfinite(found[0, 0, 3:]).all() and numpy.isnan(found[1]).all()


JOB = """job = "propagator"
[action]
kappa = 0.12
[quark_smearing]
steps = 20
source = {smeared}
"""


def make_file(path, smeared, rows=100, flaw=1.0):
    """Protons of two interpolators at both ends, whose quarks are smeared or not: four operators in all, of two files."""
    kinds = {"point": 0, "smeared": 1}
    source = kinds["smeared" if smeared else "point"]
    couplings = numpy.array([[1.0, 0.2, 0.9, 0.1], [0.5, 0.4, -0.3, 0.3], [0.2, 1.0, 0.1, 0.8], [0.3, -0.9, -0.2, 0.5]])
    energies = (0.4, 0.7, 0.9, 1.2)
    falls = numpy.array([states("none", EXTENT, (e,), (1.0,)) for e in energies])
    rng = numpy.random.default_rng(6 + smeared)
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["job_type"], file.attrs["extents"] = "test", "propagator", [8, 8, 8, EXTENT]
        file.attrs["job"] = JOB.format(smeared="true" if smeared else "false")
        file["configurations/trajectory"] = numpy.arange(rows)
        for sink in kinds:
            for i in range(2):
                for j in range(2):
                    at_sink, at_source = 2 * kinds[sink] + i, 2 * source + j
                    samples = numpy.einsum("n,nt->t", couplings[:, at_sink] * couplings[:, at_source], falls)
                    samples = noisy(samples, rows, rng, 2e-5)
                    if (i, j) == (0, 1):
                        samples *= flaw
                    values = numpy.zeros((rows, 1, EXTENT, 2))
                    values[:, 0, :, 0] = samples
                    name = "proton" if i == j == 0 else f"proton_{i + 1}{j + 1}"
                    file[f"correlators/{name}/p_0_0_0/{sink}"] = values
                    file[f"correlators/{name}/p_0_0_0/{sink}"].attrs["symmetry"] = "none"
        if smeared:  # a channel that has no matrix
            file["correlators/lambda/p_0_0_0/point"] = values
            file["correlators/lambda/p_0_0_0/point"].attrs["symmetry"] = "none"


def run(directory, *arguments, code=0):
    """(text, blocks) of plaq analyse; (errors, []) where it ends with another code."""
    text, numbers = analysed(directory, *arguments, code=code)
    return text, json.loads(numbers)["blocks"] if numbers else []


def of_states(block):
    return {name: one for name, one in block["results"].items() if name.endswith("gevp")}


def check_files(directory):
    point, smeared = directory / "point.h5", directory / "smeared.h5"
    make_file(point, False)
    make_file(smeared, True)
    few = ("--states", "1", "--window", "proton=4:8")
    # One file: its two interpolators at its own end.
    text, (block,) = run(directory, point, "--gevp", "3", "--derived", "proton_state_1 - proton_state_0", *few)
    found = of_states(block)
    assert list(found) == ["mass proton state 0 p=0,0,0 gevp", "mass proton state 1 p=0,0,0 gevp"], found
    assert block["facts"]["gevp"] == "t0 = 3, vectors of each t"
    assert block["facts"]["operators of proton"] == "proton point, proton_22 point"
    lowest, first = found.values()
    assert abs(lowest["value"] - 0.4) < 0.02 and lowest["window_chosen"] and not first["window_chosen"]
    gap = first["value"] - lowest["value"]
    assert math.isclose(block["results"]["proton_state_1 - proton_state_0"]["value"], gap, rel_tol=1e-9)
    assert len(block["effective_masses"]["mass proton state 1 p=0,0,0 gevp"]["value"]) == EXTENT // 2
    assert "vectors of each t" in text
    # Both files: four operators and four states.
    _, blocks = run(directory, smeared, point, "--gevp", "2", *few)
    found = of_states(blocks[0])
    assert len(found) == 4 and not of_states(blocks[1])
    for n, energy in enumerate((0.4, 0.7, 0.9, 1.2)):
        one = found[f"mass proton state {n} p=0,0,0 gevp"]
        assert abs(one["value"] - energy) < 5 * one["total_error"] < 0.1, (n, one["value"], one["total_error"])
    assert blocks[0]["facts"]["operators of proton"] == "proton point, proton smeared, proton_22 point, proton_22 smeared"
    assert blocks[0]["facts"]["gevp"] == f"with {point}, t0 = 2, vectors of each t"
    # Operators are chosen by channel and sink; vectors are fixed at T1.
    _, blocks = run(directory, smeared, point, "--gevp", "2,4", "--channel", "proton", "--channel", "proton_22", "--sink", "smeared", *few)
    assert blocks[0]["facts"]["operators of proton"] == "proton smeared, proton_22 smeared" and len(of_states(blocks[0])) == 2
    assert "vectors of t = 4" in blocks[0]["facts"]["gevp"] and "amplitude" in of_states(blocks[0])["mass proton state 0 p=0,0,0 gevp"]
    # Without the option: smearings of each channel alone, with fixed vectors.
    _, blocks = run(directory, smeared, point, *few)
    names = [f"mass {channel} state {n} p=0,0,0 gevp" for channel in ("proton", "proton_12", "proton_21", "proton_22") for n in (0, 1)]
    # Off-diagonal ones of different operators are no positive matrix.
    assert [name for name in names if name in of_states(blocks[0])] == list(of_states(blocks[0])) and len(of_states(blocks[0])) >= 4
    assert blocks[0]["facts"]["gevp"] == f"with {point}, t0 = 2, vectors of t = 4"
    # One operator is no matrix, and a matrix that is not positive says so.
    text, _ = run(directory, point, "--gevp", "3", "--channel", "proton", *few)
    assert "there is no matrix of two operators" in text
    make_file(directory / "bad.h5", False, flaw=50.0)
    text, _ = run(directory, directory / "bad.h5", "--gevp", "3")
    assert "gevp of proton p=0,0,0: the matrix at t = 3 is not positive; choose another T0" in text
    text, _ = run(directory, point, "--gevp", "30", *few)
    assert text.count("t0 = 30 must lie in the first half of the lattice") == 1
    for wrong in ("1,2,3", "x", "-1", ""):
        assert "expected T0 or T0,T1" in run(directory, point, f"--gevp={wrong}", code=2)[0]
    assert "slices do not determine" in run(directory, point, "--gevp", "3", "--window", "proton state 1=4:4", code=2)[0]


check_three_states()
check_scatter()
check_order()
check_fixed()
check_limits()
with tempfile.TemporaryDirectory() as name:
    check_files(pathlib.Path(name))
print("ok")
