"""plaq analyse on result files whose numbers are known. Usage: analyse_test.py PLAQ; exit code 77: skipped."""
import contextlib
import csv
import io
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest.mock
import warnings

try:
    import h5py
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

from made import autoregressive, noisy, states  # finds the package

import sealed
from plaq.analysis.command import main
from plaq.analysis.potential import lattice_coulomb

PLAQ, EXTENT = sys.argv[1], 16
JOB = """job = "propagator"
[gauge]
files = [{files}]
[action]
type = "wilson"
kappa = {kappa}
boundary = [1, 1, 1, -1]
[source]
type = "point"
[quark_smearing]
steps = 20
source = {smeared}
[output]
file = "{output}"
"""


def plaq(*arguments, code=0):
    run = in_process if code in plaq.ran else program
    if code != 2:  # the program itself refuses most arguments
        plaq.ran.add(code)
    done = run([*map(str, arguments)])
    assert done.returncode == code, (arguments, done)
    assert "Traceback" not in done.stderr and "Warning" not in done.stderr, done.stderr
    if code:
        assert errors_in(done) == 1 and not done.stdout, done
    return done


plaq.ran = set()  # exit codes that the program has ended with


def program(arguments):
    return subprocess.run([PLAQ, "analyse", *arguments], capture_output=True, text=True)


def in_process(arguments):
    """The same in this process, which need not start and import it each time."""
    out, err = io.StringIO(), io.StringIO()
    while "--momentum" in arguments:  # as the program passes it on: it may begin with a minus sign
        at = arguments.index("--momentum")
        arguments[at : at + 2] = ["=".join(arguments[at : at + 2])]
    argv = unittest.mock.patch("sys.argv", ["analyse", *arguments])
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), argv:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            code = main()
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())


def errors_in(done):
    return sum(line.startswith("E ") for line in done.stderr.splitlines())


def numbers(directory, *arguments):
    """(text, blocks)"""
    path = directory / "numbers.json"
    done = plaq("--samples", "50", *arguments, "--json", path)
    return done.stdout, json.loads(path.read_text())["blocks"]


def correlator(file, name, samples, symmetry):
    """Two sources of different noise that cancels in their average; the imaginary part is of no use."""
    rng = numpy.random.default_rng(1)
    values = numpy.zeros((len(samples), 2, EXTENT, 2))
    values[..., 1] = 1e3
    change = 0.5 * samples * rng.normal(size=samples.shape)
    values[:, 0, :, 0], values[:, 1, :, 0] = samples + change, samples - change
    file[f"correlators/{name}"] = values
    file[f"correlators/{name}"].attrs["symmetry"] = symmetry


def make_propagators(path, rows=80, first=0, kappa=0.12, smeared="false", seed=1, size=0.005, energy=0.4, fields=0):
    rng = numpy.random.default_rng(seed)
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["job_type"] = "test", "propagator"
        file.attrs["extents"] = [8, 8, 8, EXTENT]
        file.attrs["job"] = JOB.format(files=f'"{path.name}"', kappa=kappa, smeared=smeared, output=path.name)
        file["configurations/trajectory"] = 100 + 10 * (first + numpy.arange(rows))
        for row in range(rows):
            file.create_group(f"gauge/{row:06}").attrs["checksum"] = fields + first + row
        pion = noisy(states("cosh", EXTENT, (energy,), (1.0,)), rows, rng, size)
        correlator(file, "pion/p_0_0_0/point", pion, "cosh")
        correlator(file, "pion/p_0_0_0/smeared", 0.1 * pion, "cosh")
        for i, momentum in enumerate(("p_1_0_0", "p_0_-1_0", "p_0_0_1")):
            # Each alone is off by a tenth; only their average is a cosh.
            off = 1 + 0.1 * numpy.array([[1, -2, 1][i]]) * numpy.cos(numpy.arange(EXTENT) * math.pi / 2)**2
            moving = noisy(states("cosh", EXTENT, (0.6,), (1.0,)), rows, rng, size)
            correlator(file, f"pion/{momentum}/point", off * moving, "cosh")
        axial = noisy(states("sinh", EXTENT, (energy,), (-0.5,)), rows, rng, size)
        correlator(file, "axial_pseudoscalar/p_0_0_0/point", axial, "sinh")
        forward = noisy(states("none", EXTENT, (0.8,), (1.0,)), rows, rng, size)
        correlator(file, "proton/p_0_0_0/point", forward, "none")
        correlator(file, "proton_minus/p_0_0_0/point", -numpy.roll(forward[:, ::-1], 1, axis=1), "none")
        # With noise of its own: a ratio without any has errors of rounding, and covariances that may be singular.
        own = 1 + 1e-4 * numpy.random.default_rng(seed + 1000).normal(size=pion.shape)
        correlator(file, "midpoint_pion/p_0_0_0/point", 0.01 * pion * own, "cosh")
        file["residual_mass/summed"] = 0.011 + 0.001 * rng.normal(size=(rows, 2))
        file["solves/iterations"] = numpy.full((rows, 2, 12), 40)
        file["solves/true_residual"] = numpy.full((rows, 2, 12), 1e-11)


def within(result, truth, sigmas=4):
    assert abs(result["value"] - truth) < sigmas * result["total_error"] + 1e-12, (result["value"], truth)


def check_spectrum(directory):
    path = directory / "pion.h5"
    make_propagators(path)
    text, (block,) = numbers(directory, path)
    found = block["results"]
    assert block["chains"] == {"configurations": 80, "replicas": 1, "spacing": 10, "gaps": False}
    for name, mass in (("mass pion p=0,0,0 point", 0.4), ("mass pion p=0,0,0 smeared", 0.4),
                       ("mass pion p=0,0,1 point", 0.6), ("mass axial_pseudoscalar p=0,0,0 point", 0.4), ("mass proton p=0,0,0 point", 0.8),
                       ("pcac mass point", -0.25 * -numpy.sinh(0.4))):
        within(found[name], mass)
        assert 0 < found[name]["total_error"] < 0.05 and found[name]["unit"] == ""
        assert abs(sum(w["weight"] for w in found[name]["windows"]) - 1) < 1e-9
    within(found["residual mass midpoint"], 0.01)
    assert found["residual mass midpoint"]["total_error"] < 1e-5
    assert abs(found["residual mass summed"]["value"] - 0.011) < 0.001
    assert block["correlators"]["pion p=0,0,1 point"]["momenta_averaged"] == 3
    proton = block["correlators"]["proton p=0,0,0 point"]
    assert abs(proton["value"][3] / math.exp(-2.4) - 1) < 0.01 and proton["symmetry"] == "none"
    effective = block["effective_masses"]["mass pion p=0,0,0 point"]
    assert effective["t"][3] == 3.5 and abs(effective["value"][3] - 0.4) < 5 * effective["error"][3]
    for words in ("8x8x8x16", "80 configurations, times are in units of 10", "chi2/dof", "condition number", "weight",
                  "tau_int", "jackknife", "gamma method", "iterations 40 on average"):
        assert words in text, (words, text)
    assert text.count("\n") < 150
    return found


def check_glance(directory, found):
    """What plaq info asks for: the same masses, of the main channels at rest; the proton with what is from the other side."""
    brief = json.loads(plaq("--brief", directory / "pion.h5").stdout)
    names = ["mass pion p=0,0,0 smeared", "mass proton p=0,0,0 point"]
    assert [one["name"] for one in brief["values"]] == names, brief
    for one in brief["values"]:
        assert one["value"] == found[one["name"]]["value"] and one["written"].count("(") == 2, one
        assert abs(one["error"] / found[one["name"]]["total_error"] - 1) < 1e-5, one
    make_propagators(directory / "single.h5", rows=1)
    single = json.loads(plaq("--brief", directory / "single.h5").stdout)
    assert single["values"][0]["name"] == "effective mass pion p=0,0,0 smeared, t = 4.5", single
    assert abs(single["values"][0]["value"] - 0.4) < 0.1 and single["values"][0]["error"] is None, single
    assert single["notes"] == ["one configuration: there are no errors"], single


def check_choices(directory, found):
    path = directory / "pion.h5"
    _, (block,) = numbers(directory, path, "--channel", "pion", "--momentum", "-1,0,0")
    assert list(block["results"]) == ["mass pion p=0,0,1 point", "residual mass summed"], list(block["results"])
    _, (block,) = numbers(directory, path, "--channel=pion", "--sink=smeared", "--fit", "uncorrelated", "--states", "1",
                          "--bins", "8", "--seed", "3", "--window-factor", "1.5", "--all-windows")
    one, before = block["results"]["mass pion p=0,0,0 smeared"], found["mass pion p=0,0,0 smeared"]
    assert one["fit"] == "uncorrelated" and before["fit"] == "correlated" and one["bin_length"] == 10
    assert {w["states"] for w in one["windows"]} == {1} and one["bootstrap_error"] != before["bootstrap_error"]
    text, (block,) = numbers(directory, path, "--channel", "sigma")
    assert "no correlator" in text and not block["correlators"]


def check_files_together(directory):
    """Of one job: chains that go on, in either order; the same trajectories of other fields; other jobs apart."""
    first, second, other, heavy = (directory / f"{name}.h5" for name in ("first", "second", "other", "heavy"))
    make_propagators(first, 30)
    make_propagators(second, 50, first=30, seed=2)
    make_propagators(other, 30, seed=3, fields=1000)
    make_propagators(heavy, 30, kappa=0.11, energy=0.7)
    only = ("--channel", "pion", "--momentum", "0,0,0", "--sink", "point", "--states", "1")
    _, blocks = numbers(directory, second, first, heavy, *only)
    assert [b["chains"]["configurations"] for b in blocks] == [80, 30], blocks
    within(blocks[0]["results"]["mass pion p=0,0,0 point"], 0.4)
    within(blocks[1]["results"]["mass pion p=0,0,0 point"], 0.7)
    _, swapped = numbers(directory, first, second, *only)
    value = "mass pion p=0,0,0 point"
    assert abs(swapped[0]["results"][value]["value"] - blocks[0]["results"][value]["value"]) < 1e-9
    assert abs(swapped[0]["results"][value]["error"] - blocks[0]["results"][value]["error"]) < 1e-9
    text, (block,) = numbers(directory, first, other, *only)
    assert block["chains"]["replicas"] == 2 and "replica of its own" in text
    assert "there twice" in plaq(first, first, code=4).stderr


def check_same_fields(directory):
    """Rows of one field under two names are named: a copy, one in another format, and none of many that differ."""
    path = directory / "same.h5"
    make_propagators(path, 30)
    only = ("--channel", "pion", "--momentum", "0,0,0", "--sink", "point", "--states", "1")
    rng = numpy.random.default_rng(4)
    with sealed.results(path, "r+") as file:
        for row, field in enumerate(file["gauge"].values()):
            field.attrs.update({"file": f"f.{row}", "checksum": f"{row:08x}", "plaquette": 0.55 + 1e-4 * rng.normal(),
                                "link_trace": 1e-4 * rng.normal()})
    text, _ = numbers(directory, path, *only)
    assert "counts twice" not in text, text
    with sealed.results(path, "r+") as file:
        fields = file["gauge"]
        fields["000021"].attrs.update({**fields["000020"].attrs, "file": "copy"})
        fields["000011"].attrs.update({**fields["000010"].attrs, "file": "ildg", "checksum": "1 2"})
        fields["000012"].attrs["plaquette"] = fields["000009"].attrs["plaquette"]
    text, (block,) = numbers(directory, path, *only)
    assert "note: copy has the same links as f.20: it counts twice" in text, text
    assert "note: ildg has the plaquette and the link trace of f.10: it counts twice, if" in text, text
    assert text.count("counts twice") == 2 and len(block["notes"]) == 2, block


def check_eigenvalue_problem(directory):
    point, smeared = directory / "point.h5", directory / "smeared.h5"
    couplings = numpy.array([[1.0, 0.9], [0.5, -0.1]])  # state, operator
    for path, row, flag in ((point, 0, "false"), (smeared, 1, "true")):
        make_propagators(path, 40, smeared=flag)
        rng = numpy.random.default_rng(5)
        with sealed.results(path, "r+") as file:
            for column, sink in enumerate(("point", "smeared")):
                c = states("cosh", EXTENT, (0.4, 0.9), couplings[:, row] * couplings[:, column])
                del file[f"correlators/pion/p_0_0_0/{sink}"]
                correlator(file, f"pion/p_0_0_0/{sink}", noisy(c, 40, rng, 0.001), "cosh")
    text, blocks = numbers(directory, smeared, point, "--channel", "pion", "--momentum", "0,0,0", "--gevp", "1,3")
    found = next(b["results"] for b in blocks if "gevp" in b["facts"])
    within(found["mass pion state 0 p=0,0,0 gevp"], 0.4)
    within(found["mass pion state 1 p=0,0,0 gevp"], 0.9)
    assert "t0 = 1, vectors of t = 3" in text
    text, _ = numbers(directory, smeared, point, "--channel", "pion", "--gevp", "4,40")
    assert "must lie in the first half" in text


def check_gauge(directory):
    rng = numpy.random.default_rng(9)
    path = directory / "history.h5"
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["job_type"] = "test", "generate"
        file.attrs["job"] = "job = \"generate\"\n[update]\nthermalization = 100\n"
        file["history/sweep"] = 10 * numpy.arange(410)
        plaquette = 0.6 + 0.01 * autoregressive(410, 0.6, rng)
        plaquette[:10] = 0.1
        file["history/plaquette"] = plaquette
        file["history/polyakov_loop"] = 0.1 * autoregressive((410, 2), 0.0, rng)
    _, (block,) = numbers(directory, path)
    found = block["results"]["plaquette"]
    assert block["chains"]["configurations"] == 400 and block["chains"]["spacing"] == 10
    assert abs(found["value"] - 0.6) < 5 * found["error"] and 1 < found["tau_int"] < 4, found
    assert abs(block["results"]["polyakov_loop modulus"]["value"] / (0.1 * math.sqrt(math.pi / 2)) - 1) < 0.1
    assert "polyakov_loop susceptibility" not in block["results"], "the extents are not known"
    _, (block,) = numbers(directory, path, "--skip", "0")
    assert block["chains"]["configurations"] == 410
    check_flow(directory)
    check_potential(directory)
    check_polyakov(directory)
    check_fixing(directory)


def check_flow(directory):
    """t^2 E = 0.1 t (1 + c): t0 = 3/(1 + c), w0^2 = 3/(1 + c)."""
    path, times = directory / "flow.h5", numpy.linspace(0.1, 4, 40)
    changes = 0.05 * numpy.random.default_rng(10).normal(size=(60, 1))
    changes -= changes.mean()
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["extents"] = "test", [4, 4, 4, 8]
        file["flow/t"] = numpy.tile(times, (60, 1))
        file["flow/clover_energy"] = 0.1 / times * (1 + changes)
        charge = numpy.tile([-1.0, 1.0, 2.0], 20)
        file["flow/topological_charge"] = numpy.tile(charge[:, None], (1, 40))
        file["observables/plaquette"] = numpy.full(60, 0.6)
    text, (block,) = numbers(directory, path)
    found = block["results"]
    assert abs(found["t0"]["value"] - 3) < 1e-9 and abs(found["w0"]["value"] - math.sqrt(3)) < 1e-9, found
    error = changes.std(ddof=1) / math.sqrt(60)
    assert abs(found["t0"]["jackknife_error"] / (3 * error) - 1) < 0.1
    assert abs(found["w0"]["jackknife_error"] / (math.sqrt(3) * error / 2) - 1) < 0.1
    assert abs(found["a by t0"]["value"] - 0.1465 / math.sqrt(3)) < 1e-9 and found["a by t0"]["unit"] == "fm"
    assert abs(found["a by w0"]["error_of_scale"] / found["a by w0"]["value"] - math.hypot(18, 4) / 1755) < 1e-9
    assert found["its square"]["value"] == 2 and abs(found["topological susceptibility"]["value"] - 2 / 512) < 1e-12
    assert found["plaquette"]["error"] == 0 and "the same in all configurations" in text
    _, (block,) = numbers(directory, path, "--sqrt-t0", "0.15(1)", "--w0", "0.17")
    assert abs(block["results"]["a by t0"]["error_of_scale"] - 0.01 / math.sqrt(3)) < 1e-9
    assert "error_of_scale" not in block["results"]["a by w0"]


def check_potential(directory):
    """W = A exp(-V t) + B exp(-V' t) with V = V0 - e [1/r] + sigma r, along an axis and off it."""
    # [1/r] is the inverse of the Laplacian, is known at the origin (Watson's integral), and is 1/r far away.
    assert abs(lattice_coulomb((0, 0, 0)) / (4 * math.pi) - 0.252731009858663) < 1e-8
    for r in ((0, 0, 0), (1, 0, 0), (2, 1, 0), (4, 4, 2)):
        near = [lattice_coulomb(tuple(abs(x + d * (k == i)) for k, x in enumerate(r))) for i in range(3) for d in (1, -1)]
        assert abs(6 * lattice_coulomb(r) - sum(near) - 4 * math.pi * (r == (0, 0, 0))) < 1e-7, r
    assert abs(lattice_coulomb((30, 10, 0)) * math.hypot(30, 10) - 1) < 1e-3
    path, rng = directory / "loops.h5", numpy.random.default_rng(11)
    v0, e, sigma, t = 0.6, 0.29, 0.05, numpy.arange(1, 6)

    def v(r):
        return v0 - e * lattice_coulomb(r) + sigma * math.dist(r, (0, 0, 0))

    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["extents"] = "test", [12, 12, 12, 12]
        shared = autoregressive((80, 1, 1), 0.3, rng)
        for step, count in (((1, 0, 0), 6), ((2, 1, 0), 3)):
            n = numpy.arange(1, count + 1)
            potential = numpy.array([[v(tuple(k * x for x in step))] for k in n])
            potential[[max(k * x for x in step) == 6 for k in n]] -= 0.2  # two strings
            loops = 0.9 * numpy.exp(-potential * t) + 0.1 * numpy.exp(-(potential + 1.0) * t)
            own = numpy.cumsum(rng.normal(size=(80, count, len(t))), axis=2)
            file["wilson_loops/r_{}_{}_{}".format(*step)] = loops * (1 + 0.001 * n[:, None] * (shared + own))
    text, (block,) = numbers(directory, path)
    found = block["results"]
    for r in ("1,0,0", "5,0,0", "2,1,0", "4,2,0"):
        within(found[f"potential r={r}"], v(tuple(int(x) for x in r.split(","))), 5)
    r0 = math.sqrt((1.65 - e) / sigma)
    for name, truth in (("r0", r0), ("a by r0", 0.5 / r0), ("string tension", sigma), ("coulomb e", e),
                        ("self-energy V0", v0)):
        within(found[name], truth, 5)
        assert abs(found[name]["jackknife_error"] / found[name]["error"] - 1) < 0.5, found[name]
    assert found["r0"]["total_error"] < 0.3 and found["r0"]["windows"][0]["last"] <= 5 and "V0 - e/r + sigma r" in text
    assert "without r = (6,0,0), (6,3,0)" in text, text
    # Straight from the numbers of the file.
    with h5py.File(path) as file:
        w = numpy.mean(file["wilson_loops/r_1_0_0"], axis=0)
    assert abs(found["W(1,1)"]["value"] - w[0, 0]) < 1e-15
    assert abs(found["creutz ratio 1,1"]["value"] + math.log(w[0, 0])) < 1e-12
    assert abs(found["creutz ratio 3,3"]["value"] + math.log(w[2, 2] * w[1, 1] / (w[2, 1] * w[1, 2]))) < 1e-12
    effective = block["effective_masses"]["potential r=2,0,0"]["value"]
    assert abs(effective[0] + math.log(w[1, 0])) < 1e-12 and abs(effective[2] - math.log(w[1, 1] / w[1, 2])) < 1e-12
    # An area law alone, without errors: no fits, but ratios.
    with sealed.results(directory / "area.h5") as file:
        file.attrs["plaq_version"] = "test"
        file["wilson_loops/r_1_0_0"] = numpy.tile(numpy.exp(-0.7 * numpy.outer(t, t)), (4, 1, 1))
    text, (block,) = numbers(directory, directory / "area.h5")
    assert abs(block["results"]["creutz ratio 5,5"]["value"] - 0.7) < 1e-9 and "all configurations are the same" in text
    with sealed.results(directory / "two.h5") as file:
        file.attrs["plaq_version"] = "test"
        file["wilson_loops/r_1_0_0"] = numpy.ones((4, 3))
    plaq(directory / "two.h5", code=4)


def check_polyakov(directory):
    path, rng = directory / "polyakov.h5", numpy.random.default_rng(12)
    squares = numpy.array([0, 1, 2, 3, 4, 5, 6, 8, 9, 12])  # a part of those of 8 x 8 x 6
    free = 1 - 0.5 / numpy.sqrt(numpy.maximum(squares, 0.25))
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["extents"] = "test", [8, 8, 6, 4]
        loop = 0.1 * rng.normal(size=(300, 2)) + [0.2, 0]
        file["observables/polyakov_loop"] = loop
        common = 1 + 0.01 * autoregressive((300, 1), 0.3, rng)
        file["polyakov_correlators/r_squared"] = numpy.tile(squares, (300, 1)).astype(float)
        file["polyakov_correlators/separations"] = numpy.ones((300, len(squares)))
        file["polyakov_correlators/average"] = common * numpy.exp(-free)
        singlet = common * numpy.exp(-2 * free)
        singlet[:, squares == 4] *= -1
        file["polyakov_correlators/singlet"] = singlet
    text, (block,) = numbers(directory, path)
    found = block["results"]
    for r in (1, 2, 3):
        assert abs(found[f"free energy r={r}"]["value"] - (1 - 0.5 / r)) < 5 * found[f"free energy r={r}"]["error"]
        assert 1e-4 < found[f"free energy r={r}"]["error"] < 2e-3
    assert "free energy r=4" not in found, "half of the shortest extent is 3"
    assert abs(found["singlet free energy r=1"]["value"] - 1) < 5 * found["singlet free energy r=1"]["error"]
    assert "singlet free energy r=2" not in found and "singlet free energy r=2: the mean" in text
    modulus = numpy.hypot(loop[:, 0], loop[:, 1])
    by_hand = 8 * 8 * 6 * (numpy.mean(modulus**2) - modulus.mean()**2)
    assert math.isclose(found["polyakov_loop susceptibility"]["value"], by_hand, rel_tol=1e-9)
    with sealed.results(directory / "other.h5") as file:
        file.attrs["plaq_version"] = "test"
        file["polyakov_correlators/r_squared"] = numpy.array([[0.0, 1, 2], [0, 1, 3]])
    plaq(directory / "other.h5", code=4)


def check_fixing(directory):
    path = directory / "fixing.h5"
    with sealed.results(path) as file:
        file.attrs["plaq_version"] = "test"
        file.create_group("fixing").attrs.update({"gauge": "landau", "theta": 1e-12})
        file["copies/functional"] = numpy.array([[0.8, 0.75], [0.7, 0.9], [0.8, 0.6]])
        file["copies/converged"] = numpy.array([[1, 1], [1, 0], [1, 1]])
        file["copies/theta"] = numpy.array([[1e-13, 2e-13], [1e-13, 1e-3], [1e-13, 1e-13]])
        file["copies/overrelaxation"] = numpy.array([[100, 200], [100, 1000], [100, 300]])
    text, (block,) = numbers(directory, path)
    assert block["facts"]["converged"] == "5 of 6 copies, 3 of 3 fields with one or more"
    assert block["facts"]["sweeps"].startswith("300 a copy on average, 100 to 1000"), block["facts"]
    assert "2e-13 at most where converged, 0.001 at most elsewhere" in block["facts"]["theta"], block["facts"]
    assert abs(block["results"]["functional, best copy"]["value"] - 2.3 / 3) < 1e-12 and "landau" in text


def check_exports(directory, found):
    path = directory / "pion.h5"
    plaq(path, "--channel", "pion", "--samples", "20", "--export", "csv", directory / "out.csv", "--export", "hadrons",
         directory / "h" / "pion")
    with open(directory / "out.csv", newline="", encoding="utf-8") as stream:
        rows = {row["name"]: row for row in csv.DictReader(stream)}
    name = "mass pion p=0,0,0 point"
    assert abs(float(rows[name]["value"]) - found[name]["value"]) < 1e-9
    assert abs(float(rows[name]["error"]) - found[name]["error"]) < 1e-9
    assert abs(float(rows["correlator pion p=0,0,0 point t=0"]["value"]) - 1) < 0.01
    assert len(list((directory / "h").glob("pion.*.h5"))) == 80
    with h5py.File(directory / "h" / "pion.100.h5") as file:
        assert file["meson/meson_0"].attrs["gamma_snk"][0] == b"Gamma5"
        assert file["meson/meson_0/corr"]["re"].shape == (EXTENT,)
    short = (path, "--channel", "pion", "--momentum", "0,0,0", "--sink", "point", "--states", "1", "--samples", "20")
    plaq(*short, "--export", "csv", directory / "out.csv")  # in place of its own kind
    precious, before = directory / "precious.csv", path.read_bytes()
    precious.write_text("of another kind")
    for code, *arguments in ((5, "--export", "csv", precious), (5, "--json", path), (5, "--export", "csv", path),
                             (2, "--export", "root", "x"), (5, "--json", directory / "nowhere" / "x.json")):
        plaq(*short, *arguments, code=code)
    assert precious.read_text() == "of another kind" and path.read_bytes() == before


def check_errors(directory):
    (directory / "text.h5").write_text("no HDF5")
    with sealed.results(directory / "foreign.h5") as file:
        file["x"] = 1
    with sealed.results(directory / "empty.h5") as file:
        file.attrs["plaq_version"] = "test"
    with sealed.results(directory / "shape.h5") as file:
        file.attrs["plaq_version"] = "test"
        file["correlators/pion/p_0_0_0/point"] = numpy.zeros((3, 16))
    with sealed.results(directory / "momentum.h5") as file:
        file.attrs["plaq_version"] = "test"
        file["correlators/pion/zero/point"] = numpy.zeros((3, 1, 16, 2))
    for name in ("absent", "text", "foreign", "empty", "shape", "momentum"):
        plaq(directory / f"{name}.h5", code=4)
    check_damage(directory)
    for arguments in ((), ("--momentum", "1"), ("--fit", "best"), ("--states", "3"), ("--sqrt-t0", "x"),
                      ("--bins", "1"), ("--nothing",), ("--gevp", "1,2,3")):
        plaq(*([directory / "pion.h5"] if arguments else []), *arguments, code=2)


def check_damage(directory):
    """One flipped bit, wherever it is, is no number but an error; so is what is no file that can be read to its end."""
    whole, path = (directory / "pion.h5").read_bytes(), directory / "damaged.h5"
    for place in (len(whole) // 2, len(whole) - 1, len(whole) - 10, len(whole) - 30):
        changed = bytearray(whole)
        changed[place] ^= 1
        path.write_bytes(changed)
        assert "damaged" in plaq(path, code=4).stderr
    for bytes_of_file, words in ((whole[:-20], "end with the checksum trailer"), (whole[:5000], "end with the checksum trailer"),
                                 (whole + b"x", "end with the checksum trailer"),
                                 (whole[:3000] + whole[-20:], "damaged"), (b"", "not an HDF5 file")):
        path.write_bytes(bytes_of_file)
        assert words in plaq(path, code=4).stderr
    path.unlink()
    os.mkfifo(path)
    assert "not a regular file" in plaq(path, code=4).stderr
    path.unlink()


def check_poor_data(directory):
    """One configuration, equal ones, numbers that are none: what can be said is said."""
    for name, words in (("one", "one configuration has no errors"), ("same", "all configurations are the same"),
                        ("nan", "not finite"), ("zero", "the same")):
        path = directory / f"{name}.h5"
        values = numpy.zeros((1 if name == "one" else 10, 1, EXTENT, 2))
        values[..., 0] = 0 if name == "zero" else states("cosh", EXTENT, (0.4,), (1.0,))
        if name == "nan":
            values[..., 0] *= 1 + 0.01 * numpy.random.default_rng(1).normal(size=(10, 1, EXTENT))
            values[3, 0, 4, 0] = numpy.nan
        with sealed.results(path) as file:
            file.attrs["plaq_version"] = "test"
            file["correlators/pion/p_0_0_0/point"] = values
            file["correlators/pion/p_0_0_0/point"].attrs["symmetry"] = "cosh"
        text, (block,) = numbers(directory, path)
        assert words in text and not block["results"], text
        if name in ("one", "same"):
            assert abs(block["effective_masses"]["mass pion p=0,0,0 point"]["value"][2] - 0.4) < 1e-9


def check_quarks(directory):
    """Channels of named quarks: what is averaged and divided is of the same ones."""
    path = directory / "kaon.h5"
    rng = numpy.random.default_rng(3)
    made = {quarks: noisy(states("cosh", EXTENT, (mass,), (1.0,)), 60, rng, 0.005)
            for quarks, mass in (("light_light", 0.4), ("light_m0.5", 0.5))}
    axial = noisy(states("sinh", EXTENT, (0.5,), (-0.5,)), 60, rng, 0.005)
    forward = noisy(states("none", EXTENT, (0.8,), (1.0,)), 60, rng, 0.005)
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["job_type"] = "test", "contract"
        file.attrs["extents"] = [8, 8, 8, EXTENT]
        for quarks, samples in made.items():
            correlator(file, f"pion.{quarks}/p_0_0_0/point", samples, "cosh")
        correlator(file, "axial_pseudoscalar.light_m0.5/p_0_0_0/point", axial, "sinh")
        correlator(file, "proton.light_light/p_0_0_0/point", forward, "none")
        minus = -numpy.roll(forward[:, ::-1], 1, axis=1)
        correlator(file, "proton_minus.light_light/p_0_0_0/point", minus, "none")
        file["correlators/proton_matrix.light_light/p_0_0_0/point"] = numpy.zeros((60, 2, EXTENT, 4, 4, 2))
    _, (block,) = numbers(directory, path)
    found = block["results"]
    within(found["mass pion.light_light p=0,0,0 point"], 0.4)
    within(found["mass pion.light_m0.5 p=0,0,0 point"], 0.5)
    within(found["pcac mass light_m0.5 point"], -0.25 * -numpy.sinh(0.5))
    within(found["mass proton.light_light p=0,0,0 point"], 0.8)
    assert not [name for name in found if "matrix" in name]
    _, (block,) = numbers(directory, path, "--channel", "pion")
    assert sorted(block["results"]) == [f"mass pion.{quarks} p=0,0,0 point" for quarks in made]
    _, (block,) = numbers(directory, path, "--channel", "pion.light_m0.5")
    assert list(block["results"]) == ["mass pion.light_m0.5 p=0,0,0 point"]


with tempfile.TemporaryDirectory() as name:
    directory = pathlib.Path(name)
    found = check_spectrum(directory)
    check_quarks(directory)
    check_choices(directory, found)
    check_glance(directory, found)
    check_files_together(directory)
    check_same_fields(directory)
    check_eigenvalue_problem(directory)
    check_gauge(directory)
    check_exports(directory, found)
    check_errors(directory)
    check_poor_data(directory)
    assert not list(directory.glob(".*"))
print("ok")
