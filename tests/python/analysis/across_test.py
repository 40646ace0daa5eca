"""plaq analyse --extrapolate, on results whose masses are known functions of a^2 and m_pi^2. Usage: across_test.py; 77: skipped."""
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

from made import noisy  # finds the package

import sealed

from plaq.analysis import Choice, Request, analyse, derived, ensemble_point, extrapolate
from plaq.analysis.across import read_at, read_member
from plaq.analysis.command import main
from plaq.analysis.notation import value_and_error

ROWS, EXTENT = 60, 20
TRUTH = (0.5, 2.0, 0.8)  # m_rho = p0 + p1 a^2 + p2 m_pi^2
ENSEMBLES = [(a2, pion) for a2 in (0.04, 0.02, 0.01) for pion in (0.4, 0.3)]
WINDOWS = ("--window", "2:9", "--samples", "20")


def write(path, masses, seed, job=""):
    """Correlators of these channels, whose masses fluctuate together, on gauge fields that `seed` tells from others."""
    rng, fields = numpy.random.default_rng([seed, *map(ord, "".join(masses))]), numpy.random.default_rng(seed)
    moved, t = 0.02 * fields.normal(size=(ROWS, 1)), numpy.arange(EXTENT)
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["extents"] = "test", [8, 8, 8, EXTENT]
        if job:
            file.attrs["job"] = job
        for channel, mass in masses.items():
            values = numpy.zeros((ROWS, 1, EXTENT, 2))
            of_fields = mass * (1 + moved)
            values[:, 0, :, 0] = (numpy.exp(-of_fields * t) + numpy.exp(-of_fields * (EXTENT - t))) * noisy(
                numpy.ones(EXTENT), ROWS, rng, 0.002)
            file[f"correlators/{channel}/p_0_0_0/point"] = values
            file[f"correlators/{channel}/p_0_0_0/point"].attrs["symmetry"] = "cosh"
        for row in range(ROWS):
            about = file.create_group(f"gauge/{row:06}").attrs
            about["file"], about["checksum"] = f"{seed}.{row}", f"{fields.integers(2**32):08x}"
            about["plaquette"], about["link_trace"] = fields.random(), fields.random()


def make_ensembles(directory):
    """Two files of each: one has the pion, the other the rho meson."""
    written = []
    for seed, (a2, pion) in enumerate(ENSEMBLES):
        names = [directory / f"{channel}{seed}.h5" for channel in ("pion", "rho")]
        write(names[0], {"pion": pion}, seed, f"[action]\ntype = \"wilson\"\nkappa = {0.15 + 0.001 * seed}\n")
        write(names[1], {"rho": TRUTH[0] + TRUTH[1] * a2 + TRUTH[2] * pion**2}, seed)
        written.append(f"{names[0]},{names[1]},a2={a2}")
    return written


def run(*arguments):
    out, err = io.StringIO(), io.StringIO()
    argv = unittest.mock.patch("sys.argv", ["analyse", *map(str, arguments)])
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), argv:
        code = main()
    return code, out.getvalue(), err.getvalue()


def check_fit(directory, written):
    numbers = directory / "numbers.json"
    code, text, errors = run(*written, *WINDOWS, "--extrapolate", "rho", "--against", "a2", "--against", "pion^2", "--at", "0,0.02",
                             "--at=0,0.02(1)", "--json", numbers)
    assert code == 0 and not errors, errors
    found = json.loads(numbers.read_text())["extrapolation"]
    assert found["y"] == "rho" and found["x"] == ["a2", "pion^2"] and found["degrees_of_freedom"] == 3
    for value, error, truth in zip(found["parameters"], found["errors"], TRUTH):
        assert abs(value - truth) < 4 * error, (found["parameters"], found["errors"])
    assert found["p_value"] > 1e-3 and math.isclose(sum(one["pull"]**2 for one in found["ensembles"]), found["chi2"], rel_tol=1e-3)
    # Numbers of one ensemble fluctuate together; x without an error is exact.
    for one in found["ensembles"]:
        matrix = numpy.array(one["covariance"])
        assert (matrix[1] == 0).all() and 0.5 < matrix[0, 2] / math.sqrt(matrix[0, 0] * matrix[2, 2]) < 1, matrix
    # Scripts get these points from ensemble_point() and derived().
    request = Request(Choice(window=(2, 9), states=(1,)))
    points = []
    for one, (a2, _) in zip(written, ENSEMBLES):
        pion, rho = (analyse([path], request)[0].results[0].averaged for path in one.split(",")[:2])
        points.append(ensemble_point(rho, a2, derived(lambda m: m**2, pion)))
    fit = extrapolate(points)
    assert numpy.allclose(found["parameters"], fit.parameters, rtol=1e-5) and numpy.allclose(found["covariance"], fit.matrix, rtol=1e-3)
    assert math.isclose(found["chi2"], fit.chi2, rel_tol=1e-4)
    exact, uncertain = found["at"]
    for one, (value, error) in ((exact, fit.at(0, 0.02)), (uncertain, fit.at(0, (0.02, 0.01)))):
        assert math.isclose(one["value"], value, rel_tol=1e-5) and math.isclose(one["error"], error, rel_tol=1e-3)
    assert uncertain["error"] > 2 * exact["error"]
    # All of it is in the text, after the ensembles.
    shown = text[text.index("extrapolation of 6 ensembles: y = p0 + p1 x1 + p2 x2"):]
    assert f"chi2/dof {found['chi2'] / 3:.2f} (3 dof), p " in shown and "at x1 = 0, x2 = 0.020(10): y = 0.5" in shown, shown
    assert len(re.findall(r"^  \S+pion\d.h5,\S+ +0\.\d+\(\d+\) .* [+-]\d\.\d\d$", shown, re.M)) == 6, shown


def check_given(directory, written):
    """A number from elsewhere: with its error, and in place of one that files have. Parameters of the job are names, too."""
    numbers = directory / "given.json"
    errors = []
    for mark in ("", "(8)"):
        members = [one + mark for one in written]
        assert run(*members, *WINDOWS, "--extrapolate", "rho", "--against", "a2", "--against", "pion^2", "--json", numbers)[0] == 0
        found = json.loads(numbers.read_text())["extrapolation"]
        errors.append(found["errors"][1])
        assert math.isclose(found["ensembles"][0]["covariance"][1][1], 0.08**2 if mark else 0.0, rel_tol=1e-6, abs_tol=1e-12)
    assert errors[1] > 2 * errors[0]
    members = [f"{one},rho={i}.5(2)" for i, one in enumerate(written)]
    code, text, _ = run(*members, *WINDOWS, "--extrapolate", "rho", "--against", "1/kappa", "--against", "L/T", "--against", "pion",
                        "--json", numbers)
    assert code == 4  # L/T is 0.4 everywhere, as the constant is
    assert run(*members, *WINDOWS, "--extrapolate", "rho", "--against", "1/kappa", "--json", numbers)[0] == 0
    ensembles = json.loads(numbers.read_text())["extrapolation"]["ensembles"]
    assert [one["values"][0] for one in ensembles] == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]
    assert all(math.isclose(one["values"][1], 1 / (0.15 + 0.001 * i)) for i, one in enumerate(ensembles))


def check_correlated(directory):
    """Two kappas on the same fields: their masses fluctuate together, so a difference of both is known better than each."""
    heavy = {"pion": 0.5, "eta": 0.4}
    for seed, names in enumerate(("same0.h5", "same1.h5", "same2.h5")):
        # Two jobs on one set of fields, and one on another set.
        write(directory / names, heavy if seed == 1 else {"pion": 0.4 + 0.05 * seed}, seed // 2)
    files = [f"{directory}/same0.h5,m=1", f"{directory}/same1.h5,m=2.2", f"{directory}/same2.h5,m=2"]
    numbers, fits = directory / "same.json", []
    for some in (files, [f"{directory}/same1.h5,m=1,pion=eta", f"{directory}/same1.h5,m=2.2", files[2]]):
        code, text, errors = run(*some, *WINDOWS, "--extrapolate", "pion", "--against", "m", "--json", numbers)
        assert code == 0 and "ensembles with gauge fields in common are correlated" in text, errors
        fits.append(json.loads(numbers.read_text())["extrapolation"])
        assert fits[-1]["correlated"] and abs(fits[-1]["ensembles"][0]["values"][0] - 0.4) < 0.02
    points = [ensemble_point((one["values"][0], math.sqrt(one["covariance"][0][0])), one["values"][1]) for one in fits[0]["ensembles"]]
    assert fits[0]["errors"][1] < 0.8 * extrapolate(points).errors()[1], fits[0]
    # The correlation by hand, from the fluctuations of both fits on the same configurations.
    request = Request(Choice(window=(2, 9), states=(1,)))
    one, other = (analyse([directory / f"same{i}.h5"], request)[0].results[-1].averaged.quantity for i in (0, 1))
    correlation = numpy.corrcoef(one.fluctuations, other.fluctuations)[0, 1]
    assert correlation > 0.5
    block = correlation * one.gamma(request.settings).error * other.gamma(request.settings).error
    by_hand = extrapolate(points, between={(0, 1): numpy.array([[block, 0], [0, 0]])})
    assert numpy.allclose(by_hand.matrix, fits[0]["covariance"], rtol=1e-2) and math.isclose(by_hand.chi2, fits[0]["chi2"], rel_tol=1e-2)


def check_wrong(directory, written):
    pions = [one.split(",")[0] for one in written]
    again, moved = directory / "again.h5", directory / "moved.h5"
    write(again, {"pion": 0.4}, 0)
    write(moved, {"pion": 0.4}, 0)
    with sealed.results(moved, "r+") as file:
        file["configurations/trajectory"] = numpy.arange(ROWS)[::-1]
    usual = ("--extrapolate", "rho", "--against", "pion^2")
    for code, files, arguments, words in (
            (2, written, ("--extrapolate", "rho"), "--against FORMULA"), (2, written, ("--against", "pion"), "--extrapolate FORMULA"),
            (2, written, ("--at", "0"), "--extrapolate FORMULA"), (2, written, (*usual, "--at", "0,1"), "2 numbers for 1 variables"),
            (2, pions, usual, "does not have all of its numbers; it has pion"),
            (2, written, ("--extrapolate", "rho", "--against", "pion/"), "--against pion/: expected a formula"),
            (2, written, ("--extrapolate", "rho", "--against", "log(-pion)"), "no finite value for these numbers"),
            (2, [f"{written[0]},{again}", *written[1:]], usual, "several files of"),
            (2, [pions[0], moved], ("--extrapolate", "pion", "--against", "L"), "gauge fields in common under different trajectories"),
            (4, [f"{pions[0]},m=1", f"{pions[0]},m=2"], ("--extrapolate", "pion", "--against", "m"), "singular"),
            (2, ["a2=1", *written[1:]], usual, "no result file"), (2, [f"{pions[0]},z=1.2.3"], usual, "NAME=VALUE"),
            (2, [f"{pions[0]},z=one"], usual, "there is no number one; there are pion"),
            (4, written[:1], usual, "2 parameters need 2 ensembles or more"),
            (4, [*written[:2], f"{directory}/none.h5"], usual, "cannot be read")):
        found, text, errors = run(*files, *WINDOWS, *arguments)
        assert found == code and words in errors and errors.count("\n") == 1 and not text, (words, found, errors)
    try:
        run(*written, *WINDOWS, *usual, "--at", "one")
        raise AssertionError("no error")
    except SystemExit as error:
        assert error.code == 2


def check_written_numbers():
    for written, expected in (("0.1465(21)", (0.1465, 0.0021)), ("12(3)", (12, 3)), ("1.50(25)e-3", (1.5e-3, 2.5e-4)), ("7", (7, 0))):
        assert numpy.allclose(value_and_error(written), expected, rtol=1e-12), written
    assert read_at("0,-1.5(2)") == ((0.0, 0.0), (-1.5, 0.2))
    for wrong in ("0", "-1", "1(", "a", "1.5(-2)", "1e999"):
        try:
            value_and_error(wrong)
            raise AssertionError(wrong)
        except ValueError as error:
            assert "expected a number" in str(error)
    member = read_member("a.h5,flow.h5,z=0.81(2),x=-3")
    assert member.files == ["a.h5", "flow.h5"] and member.given == {"z": (0.81, 0.02), "x": (-3.0, 0.0)}


check_written_numbers()
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    made = make_ensembles(folder)
    check_fit(folder, made)
    check_given(folder, made)
    check_correlated(folder)
    check_wrong(folder, made)
print("ok")
