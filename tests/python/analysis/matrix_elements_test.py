"""Amplitudes, matrix elements and decay constants: of synthetic correlators, and of free quarks, where they are known exactly. Usage:
matrix_elements_test.py PLAQ; exit code 77: skipped."""
import contextlib
import io
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest.mock

try:
    import h5py
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

from made import HERE, noisy, states  # finds the package

import sealed

from plaq.analysis import (Chains, Choice, Correlator, FitError, GammaSettings, Settings, WindowError, amplitude,
                           correlation_with_mass, matrix_elements, number_of)
from plaq.analysis.command import main
from plaq.analysis.factorised import Factorised, fit_together
from plaq.analysis.fit import minimise
from plaq.analysis.gamma import NUMPY
from plaq.analysis.matrix_elements import AXIAL, P_POINT, P_SMEARED
from plaq.analysis.windows import UNCORRELATED

sys.path.insert(0, str(HERE.parents[2] / "program"))
import gauge_files  # unit links

SETTINGS = Settings(GammaSettings(library=NUMPY), samples=100)
EXTENT = 32
ENERGIES, COUPLINGS = (0.4, 1.1), {P_POINT: (0.9, 0.7), P_SMEARED: (30.0, -4.0), AXIAL: (0.2, 0.3)}  # z of both states


def made_of(sink, source, rows, rng, size=0.003, count=2):
    kind = "sinh" if AXIAL in (sink, source) else "cosh"
    values = states(kind, EXTENT, ENERGIES[:count], [a * b for a, b in zip(COUPLINGS[sink], COUPLINGS[source])][:count])
    samples = noisy(values, rows, rng, size)
    channel = "axial_pseudoscalar" if sink == AXIAL else "pion"
    return Correlator(channel, (0, 0, 0), "point", kind, samples, Chains.of_rows(rows))


def within(number, truth, relative):
    error = number.total_error(SETTINGS)
    assert abs(number.quantity.value - truth) < 4 * error and error < relative * truth, (number.quantity.value, truth, error)
    assert abs(number.quantity.jackknife(SETTINGS) / number.quantity.gamma(SETTINGS).error - 1) < 0.4


def check_amplitudes():
    """A of one correlator: the truth, its errors by three methods against its scatter, and the correlation with the mass."""
    truth = states("cosh", EXTENT, ENERGIES, (0.8, 0.5))
    values, masses, errors, correlations = [], [], [], []
    rng = numpy.random.default_rng(1)
    for _ in range(150):
        fit = Correlator("pion", (0, 0, 0), "point", "cosh", noisy(truth, 200, rng, 0.01, a=0.3), Chains.of_rows(200)).mass(
            Choice(window=(9, 15)), SETTINGS)
        found = amplitude(fit)
        values.append(found.quantity.value)
        masses.append(fit.quantity.value)
        errors.append(found.quantity.gamma(SETTINGS).error)
        correlations.append(correlation_with_mass(fit, found, SETTINGS))
    assert abs(numpy.mean(values) - 0.8) < 0.01, numpy.mean(values)
    assert abs(numpy.mean(errors) / numpy.std(values) - 1) < 0.15, (numpy.mean(errors), numpy.std(values))
    assert abs(numpy.mean(correlations) - numpy.corrcoef(values, masses)[0, 1]) < 0.08 and numpy.mean(correlations) > 0.5
    for other in (found.quantity.jackknife(SETTINGS), found.quantity.bootstrap(SETTINGS)):
        assert abs(other / errors[-1] - 1) < 0.5, (other, errors[-1])
    averaged = Correlator("pion", (0, 0, 0), "point", "cosh", noisy(truth, 400, rng, 0.01), Chains.of_rows(400)).mass(Choice(), SETTINGS)
    within(amplitude(averaged), 0.8, 0.05)
    mass = number_of(averaged, lambda model, p: model.split(p)[1][..., 0])
    assert abs(mass.quantity.value - averaged.quantity.value) < 1e-12 and abs(mass.systematic - averaged.systematic) < 1e-9
    assert numpy.allclose(mass.quantity.fluctuations, averaged.quantity.fluctuations, rtol=1e-5, atol=1e-9)


def check_model():
    """Derivatives of the common model against differences; data without noise give its parameters back."""
    model = Factorised((P_POINT, AXIAL), ((0, 0), (1, 0)), (1.0, -1.0), (2.0, 0.5), 2, EXTENT, EXTENT // 2 + 1)
    parameters, places = numpy.array([0.9, 0.7, 0.2, 0.3, math.log(0.4), math.log(0.7)]), model.places(1, 14)
    values, jacobian = model.evaluate(parameters, places)
    for i, step in enumerate(1e-6 * numpy.eye(6)):
        slope = (model.evaluate(parameters + step, places)[0] - model.evaluate(parameters - step, places)[0]) / 2e-6
        assert numpy.allclose(slope, jacobian[:, i], rtol=1e-5, atol=1e-9), i
    assert numpy.allclose(model.evaluate(numpy.stack([parameters] * 2), places)[1][1], jacobian)
    t = numpy.arange(1, 15)
    expected = [sum(a * b * (numpy.exp(-e * t) + sign * numpy.exp(-e * (EXTENT - t))) for a, b, e in zip(*z, (0.4, 1.1)))
                for z, sign in ((((0.9, 0.7), (0.9, 0.7)), 1), (((0.2, 0.3), (0.9, 0.7)), -1))]
    assert numpy.allclose(values, numpy.concatenate(expected))
    start = model.begin(places, values, numpy.diag(1 / abs(values)), numpy.log([0.38, 0.75]))
    found, chi2, reached = minimise(model, places, values[None], numpy.diag(1e3 / abs(values)), start[None])
    assert reached[0] and chi2[0] < 1e-12 and numpy.allclose(abs(found[0][:4]), parameters[:4], rtol=1e-6)
    z, energies = model.split(parameters)
    assert numpy.allclose(z, [1.8, 1.4, 0.1, 0.15]) and numpy.allclose(energies, [0.4, 1.1]) and model.coupling(AXIAL, parameters) == 0.1


def check_synthetic():
    """Point sources, smeared sources, and both: m, <0|P|pi>, <0|A|pi> and f within their errors, which shrink with more operators."""
    rng = numpy.random.default_rng(2)
    cases = {"point": [(P_POINT, P_POINT), (AXIAL, P_POINT)],
             "smeared": [(P_SMEARED, P_SMEARED), (P_POINT, P_SMEARED), (AXIAL, P_SMEARED)]}
    cases["both"] = [*cases["point"], *cases["smeared"], (P_SMEARED, P_POINT)]
    errors = {}
    for name, ends in cases.items():
        found = {(sink, source): made_of(sink, source, 300, rng) for sink, source in ends}
        elements = matrix_elements(found, Choice(), SETTINGS)
        within(elements.fit, ENERGIES[0], 0.01)
        within(elements.pseudoscalar, COUPLINGS[P_POINT][0] * math.sqrt(2 * 0.4), 0.02)
        within(elements.axial, COUPLINGS[AXIAL][0] * math.sqrt(2 * 0.4), 0.02)
        within(elements.decay_constant, COUPLINGS[AXIAL][0] * math.sqrt(2 / 0.4), 0.02)
        errors[name] = elements.decay_constant.quantity.gamma(SETTINGS).error
    assert errors["both"] < errors["point"] and errors["both"] < 1.05 * errors["smeared"], errors
    chosen = matrix_elements(found, Choice(window=(3, 16), states=(2,)), SETTINGS)
    assert chosen.fit.chosen and len(chosen.fit.windows) == 1 and chosen.fit.windows[0].last == 15
    within(chosen.decay_constant, COUPLINGS[AXIAL][0] * math.sqrt(2 / 0.4), 0.05)
    lonely = {(P_POINT, P_SMEARED): made_of(P_POINT, P_SMEARED, 50, rng), (AXIAL, P_SMEARED): made_of(AXIAL, P_SMEARED, 50, rng)}
    for wrong, choice, words in ((lonely, Choice(), "at both ends"), (found, Choice(window=(14, 15)), "with all its operators")):
        try:
            fit_together(wrong, choice, SETTINGS)
            raise AssertionError(words)
        except FitError as error:
            assert words in str(error) and isinstance(error, WindowError) == bool(choice.window), error


def check_coverage():
    """Of many ensembles: f scatters as its error says, and lies within one error of the truth in two thirds of them."""
    rng = numpy.random.default_rng(3)
    truth = COUPLINGS[AXIAL][0] * math.sqrt(2 / 0.4)
    values, errors = [], []
    for _ in range(100):
        found = {ends: made_of(*ends, 120, rng, 0.01, 1) for ends in ((P_POINT, P_POINT), (AXIAL, P_POINT))}
        # Weights without correlations: those are themselves uncertain with so few configurations.
        elements = matrix_elements(found, Choice(window=(9, 14), kind=UNCORRELATED), SETTINGS)
        values.append(elements.decay_constant.quantity.value)
        errors.append(elements.decay_constant.quantity.gamma(SETTINGS).error)
    assert abs(numpy.mean(errors) / numpy.std(values) - 1) < 0.2, (numpy.mean(errors), numpy.std(values))
    covered = numpy.mean([abs(value - truth) < error for value, error in zip(values, errors)])
    assert 0.5 < covered < 0.85, covered


def free_correlators(length, extent, mass):
    """(C_PP(t), C_AP(t)) of free Wilson quarks, antiperiodic in time, by sums over momenta: S(p) = (-i p-slash + B) / (p^2 + B^2)."""
    gamma = GAMMA
    fourth = 2 * math.pi * (numpy.arange(extent) + 0.5) / extent
    line = 2 * math.pi * numpy.arange(length) / length
    p = numpy.stack(numpy.meshgrid(line, line, line, fourth, indexing="ij"), axis=-1).reshape(-1, extent, 4)
    k, b = numpy.sin(p), mass + (1 - numpy.cos(p)).sum(axis=-1)
    s = (-1j * numpy.einsum("ptm,mab->ptab", k, gamma) + b[..., None, None] * numpy.eye(4)) / ((k**2).sum(axis=-1) + b**2)[..., None, None]
    in_time = numpy.einsum("tk,pkab->ptab", numpy.exp(1j * numpy.outer(numpy.arange(extent), fourth)) / extent, s)
    squares = numpy.einsum("ptab,ptcb->tac", in_time, in_time.conj()) * 3 / length**3
    five = gamma[0] @ gamma[1] @ gamma[2] @ gamma[3]
    return numpy.einsum("taa->t", squares).real, numpy.einsum("ab,tba->t", five @ gamma[3] @ five, squares).real


GAMMA = numpy.zeros((4, 4, 4), dtype=complex)  # DeGrand-Rossi
for _at, _rows in enumerate(((1j, 1j, -1j, -1j), (-1, 1, 1, -1), (1j, -1j, -1j, 1j), (1, 1, 1, 1))):
    for _row, _entry in enumerate(_rows):
        GAMMA[_at, _row, (3 - _row) if _at < 2 else (_row + 2) % 4] = _entry


def exact(length, extent, mass):
    """(m, |<0|P|pi>|, f) of two free quarks at rest: S(t) = (1 + gamma_t)/2 (1 + m)^-(t + 1), so A = 6 / (L^3 (1 + m)^2). A quark
    that is antiperiodic in time goes around any number of times: each S has a factor 1 / (1 + (1 + m)^-T)."""
    energy, amplitude_ = 2 * math.log(1 + mass), 6 / (length**3 * (1 + mass)**2 * (1 + (1 + mass)**-extent)**2)
    return energy, math.sqrt(2 * energy * amplitude_), math.sqrt(2 * amplitude_ / energy)


def check_free_quarks():
    """Values that are known exactly, from correlators with a noise of a part in 10^4."""
    length, extent, mass = 6, 48, 0.2
    rng, rows = numpy.random.default_rng(4), 200
    pp, ap = free_correlators(length, extent, mass)
    # The lowest state alone, far from the source and from the middle.
    energy, p, f = exact(length, extent, mass)
    assert abs(pp[14] / (1 + math.exp(-energy * 20)) / (p**2 / (2 * energy) * math.exp(-14 * energy)) - 1) < 1e-4
    found = {}
    for channel, values, kind, ends in (("pion", pp, "cosh", (P_POINT, P_POINT)), ("axial_pseudoscalar", ap, "sinh", (AXIAL, P_POINT))):
        found[ends] = Correlator(channel, (0, 0, 0), "point", kind, noisy(values, rows, rng, 1e-4), Chains.of_rows(rows))
    elements = matrix_elements(found, Choice(window=(13, 23)), SETTINGS)
    for number, truth in ((elements.fit, energy), (elements.pseudoscalar, p), (elements.decay_constant, f)):
        assert abs(number.quantity.value - truth) < 4 * number.quantity.gamma(SETTINGS).error + 1e-5 * truth
        assert number.quantity.gamma(SETTINGS).error < 1e-3 * truth, (number.quantity.value, truth)


JOB = """job = "propagator"
[gauge]
files = ["unit.nersc"]
[action]
type = "wilson"
mass = 0.2
[source]
type = "point"
position = [1, 2, 3, 5]
[solver]
tolerance = 1e-11
[correlators]
channels = ["pion", "axial_pseudoscalar"]
[output]
file = "free.h5"
"""


def check_program(directory, plaq):
    """Correlators of the program on unit links are these sums: so the norm of its sources and currents is that of the formulas."""
    (directory / "unit.nersc").write_bytes(gauge_files.unit_field([6, 6, 6, 24]))
    (directory / "free.toml").write_text(JOB)
    done = subprocess.run([plaq, "run", "free.toml"], cwd=directory, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    pp, ap = free_correlators(6, 24, 0.2)
    with h5py.File(directory / "free.h5") as file:
        for channel, expected in (("pion", pp), ("axial_pseudoscalar", ap)):
            values = file[f"correlators/{channel}/p_0_0_0/point"][0, 0, :, 0]
            assert numpy.allclose(values, expected, rtol=1e-7, atol=1e-10 * pp[0]), (channel, values, expected)


def make_result(path, source, rows=80, seed=5, sinks=("point", "smeared"), kind="point"):
    rng = numpy.random.default_rng(seed)
    smeared = source == P_SMEARED
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["job_type"], file.attrs["extents"] = "test", "propagator", [8, 8, 8, EXTENT]
        file.attrs["job"] = (f'job = "propagator"\n[action]\ntype = "wilson"\n[source]\ntype = "{kind}"\n[quark_smearing]\nsteps = 20\n'
                             f'source = {str(smeared).lower()}\n')
        file["configurations/trajectory"] = numpy.arange(rows)
        for row in range(rows):
            file.create_group(f"gauge/{row:06}").attrs["checksum"] = row
        for sink in sinks:
            for channel, operator in (("pion", P_POINT if sink == "point" else P_SMEARED), ("axial_pseudoscalar", AXIAL)):
                one = made_of(operator, source, rows, rng, 0.01)
                values = numpy.zeros((rows, 1, EXTENT, 2))
                values[:, 0, :, 0] = one.samples
                file[f"correlators/{channel}/p_0_0_0/{sink}"] = values
                file[f"correlators/{channel}/p_0_0_0/{sink}"].attrs["symmetry"] = one.symmetry


def run(*arguments):
    out, err = io.StringIO(), io.StringIO()
    argv = unittest.mock.patch("sys.argv", ["analyse", "--samples", "20", *map(str, arguments)])
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), argv:
        code = main()
    assert code == 0, err.getvalue()
    return out.getvalue()


def check_command(directory):
    point, smeared, numbers = directory / "point.h5", directory / "smeared.h5", directory / "numbers.json"
    make_result(point, P_POINT, seed=5)
    make_result(smeared, P_SMEARED, seed=6)
    truth = {"matrix element 0|P|pion": 0.9 * math.sqrt(0.8), "matrix element 0|A|pion": 0.2 * math.sqrt(0.8),
             "decay constant pion": 0.8 * 0.2 * math.sqrt(2 / 0.4), "mass pion of operators": 0.4}
    text = run(point, smeared, "--z-axial", "0.80(2)", "--json", numbers, "--derived", "f_pion/pion", "--states", "1", "--window", "10:15")
    blocks = json.loads(numbers.read_text())["blocks"]
    for block, ending in ((blocks[0], ""), (blocks[1], ""), (blocks[1], " of both sources")):
        for name, value in truth.items():
            found = block["results"][name + ending]
            assert abs(found["value"] - value) < 5 * found["error"] and found["error"] < 0.1 * value, (name + ending, found, value)
        assert math.isclose(block["results"]["decay constant pion" + ending]["error_of_scale"],
                            0.02 / 0.8 * block["results"]["decay constant pion" + ending]["value"], rel_tol=1e-9)
    assert "Z_A = 0.8 +- 0.02" in text and "P smeared, P point, A point" in text, text
    of_mass = blocks[0]["results"]["mass pion p=0,0,0 point"]["amplitude"]
    assert abs(of_mass["value"] - 0.81) < 5 * of_mass["error"] and 0 < of_mass["correlation_with_mass"] < 1
    assert "amplitude 0.8" in text and "correlation with the mass" in text
    ratio = blocks[0]["results"]["f_pion/pion"]
    assert abs(ratio["value"] - truth["decay constant pion"] / 0.4) < 5 * ratio["error"]
    # What is not known is said.
    make_result(directory / "wall.h5", P_POINT, kind="wall")
    assert "it needs a source of type point" in run(directory / "wall.h5", "--window", "10:15")
    make_result(directory / "alone.h5", P_SMEARED, sinks=("point",))
    text = run(directory / "alone.h5", "--window", "10:15")
    assert "a smeared source needs pions of smeared sinks" in text and "  decay constant pion  " not in text


check_model()
check_amplitudes()
check_synthetic()
check_coverage()
check_free_quarks()
with tempfile.TemporaryDirectory() as name:
    check_command(pathlib.Path(name))
    check_program(pathlib.Path(name), sys.argv[1])
print("ok")
