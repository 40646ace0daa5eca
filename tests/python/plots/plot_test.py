"""plaq plot on a result file whose numbers are known. Usage: plot_test.py PLAQ; exit code 77: skipped."""
import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest.mock

try:
    import h5py
    import matplotlib.figure
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

PLAQ = sys.argv[1]
HERE = pathlib.Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[3] / "python"), str(HERE.parents[2])]
import sealed  # noqa: E402
from plaq.analysis import Blinding  # noqa: E402
from plaq.plots.command import main  # noqa: E402
from plaq.plots.history_panels import running_mean  # noqa: E402

EXTENT, MASS, CONFIGURATIONS = 16, 0.41, 4


def make_results(path):
    t = numpy.arange(EXTENT)
    amplitude = numpy.array([1.0, 1.1, 0.9, 1.05])
    with sealed.results(path) as file:
        file.attrs["plaq_version"] = "test"
        for channel, shape in (("pion", numpy.cosh), ("axial_pseudoscalar", numpy.sinh)):
            values = numpy.zeros((CONFIGURATIONS, 2, EXTENT, 2))
            for source in range(2):
                values[:, source, :, 0] = amplitude[:, None] * shape(MASS * (t - EXTENT / 2))
            dataset = file.create_dataset(f"/correlators/{channel}/p_0_0_0/point", data=values)
            dataset.attrs["symmetry"] = shape.__name__
        proton = numpy.zeros((CONFIGURATIONS, 1, EXTENT, 2))
        proton[:, 0, :, 0] = amplitude[:, None] * numpy.exp(-0.7 * t)
        file["/correlators/proton/p_0_0_0/point"] = proton
        file["/observables/plaquette"] = numpy.array([0.59, 0.592, 0.591, 0.5905])
        times = numpy.linspace(0, 3, 31)
        file["/flow/t"] = numpy.tile(times, (CONFIGURATIONS, 1))
        file["/flow/clover_energy"] = numpy.tile(0.1 / (times + 0.1), (CONFIGURATIONS, 1))
        file["/flow/topological_charge"] = numpy.tile(times, (CONFIGURATIONS, 1))
        file["/flow/t0"] = numpy.array([2.5, 2.6, numpy.nan, 2.5])
        for name, r in (("r_1_0_0", numpy.arange(1, 4)), ("r_1_1_0", numpy.array([2**0.5]))):
            file[f"/wilson_loops/{name}"] = amplitude[:, None, None] * numpy.exp(-numpy.outer(0.2 * r, [1, 2, 3]))


MOMENTA, SINKS = [(-1, 0, 0), (0, 0, 1), (1, 1, 0)], ["point", "smeared"]


def make_many(path, count=12):
    """Two channels, each with three momenta, two of which are equal by symmetry; the pion with two sinks. Energies are MASS + 0.1
    for the two, MASS + 0.2 for the third; (0, 0, 1) has twice the amplitude. The job says kappa, and its field beta."""
    t, rng = numpy.arange(EXTENT), numpy.random.default_rng(7)
    with open(path.parent / "field.nersc", "w", encoding="ascii") as field:
        field.write("BEGIN_HEADER\nBETA = 5.75\nEND_HEADER\n")
    with sealed.results(path) as file:
        file.attrs.update({"plaq_version": "test", "job_type": "propagator", "extents": [6, 6, 6, EXTENT],
                           "job": '[action]\ntype = "clover"\nkappa = 0.1357\n'})
        file.create_group("gauge/000000").attrs["file"] = "fields/field.nersc"
        for channel, sinks in (("pion", SINKS), ("rho", SINKS[:1])):
            for i, momentum in enumerate(MOMENTA):
                for sink in sinks:
                    noise = 1 + 1e-3 * rng.normal(size=(count, EXTENT // 2 + 1))
                    noise = numpy.concatenate([noise, noise[:, EXTENT // 2 - 1:0:-1]], axis=1)  # the same on both sides
                    values = numpy.zeros((count, 1, EXTENT, 2))
                    energy = MASS + (0.1 if i < 2 else 0.2)
                    values[:, 0, :, 0] = (1 + (i == 1)) * noise * numpy.cosh(energy * (t - EXTENT / 2))
                    name = "p_" + "_".join(map(str, momentum))
                    dataset = file.create_dataset(f"/correlators/{channel}/{name}/{sink}", data=values)
                    dataset.attrs["symmetry"] = "cosh"


def pages_of(path):
    return path.read_bytes().count(b"/Type /Page ")


def check_many(directory):
    """One page; with --channel, --momentum and --all the details."""
    results = directory / "many.h5"
    make_many(results)

    def numbers_of(pages, *options):
        plot(results, "--json", directory / "many.json", *options)
        assert pages_of(directory / "many.pdf") == pages, (options, pages_of(directory / "many.pdf"))
        return json.loads((directory / "many.json").read_text())

    found = numbers_of(1)
    pion = found["correlator-pion-p_0_0_1-smeared"]  # no correlator is at rest: the slowest one
    assert sorted(found) == ["correlator-pion-p_0_0_1-smeared", "dispersion"], sorted(found)
    assert abs(pion["energy"] - MASS - 0.1) < 4 * pion["energy_error"] < 0.01, pion
    # Both momenta are averaged, one with twice the other's amplitude, and both sides of the lattice.
    t = numpy.arange(EXTENT // 2 + 1)
    expected = 1.5 * numpy.cosh((MASS + 0.1) * (t - EXTENT / 2))
    assert abs(numpy.array(pion["correlator"]) / expected - 1).max() < 2e-3, pion
    assert found["dispersion"]["momentum"] == [[0, 0, 1], [0, 1, 1]], found["dispersion"]
    assert abs(found["dispersion"]["p_squared"][1] - 2 * (2 * numpy.pi / 6)**2) < 1e-12, found["dispersion"]
    assert abs(found["dispersion"]["energy"][1] - MASS - 0.2) < 0.01, found["dispersion"]
    one = numbers_of(1, "--channel", "rho", "--momentum=-1,0,0")
    assert sorted(one) == ["correlator-rho-p_0_0_1-point"], sorted(one)
    assert one == numbers_of(1, "--channel", "rho", "--momentum", "1")
    rho = [f"correlator-rho-{p}-point" for p in ("p_0_0_1", "p_0_1_1")]
    assert sorted(numbers_of(3, "--channel", "rho", "--channel", "rho")) == rho
    plot(results, "--channel", "kaon", code=4)
    plot(results, "--momentum", "2,2,2", code=4)
    plot(results, "--momentum", "1,0", code=2)
    pion = [f"correlator-pion-{p}-{s}" for p in ("p_0_0_1", "p_0_1_1") for s in SINKS]
    assert sorted(numbers_of(1 + 9, "--all")) == sorted([*rho, *pion, "dispersion"])
    ours, theirs = os.openpty()  # a terminal
    subprocess.run([PLAQ, "plot", str(results)], stdout=subprocess.DEVNULL, stderr=theirs, check=True)
    os.close(theirs)
    shown = os.read(ours, 10000).decode()
    os.close(ours)
    assert "page 1, summary" in shown, shown


def check_headline(directory):
    """What the summary says in words: action, beta of the field's header, kappa, lattice, configurations, and the mass."""
    plot(directory / "many.h5", "--output", directory / "many.svg")
    text = (directory / "many.svg").read_text()
    for words in ("Clover quarks,  β = 5.75,  κ = 0.1357,  6³×16,  12 configurations", "Dispersion of the pion"):
        assert f"<!-- {words}" in text, words
    make_many(directory / "one.h5", 1)
    plot(directory / "one.h5", "--output", directory / "one.svg")
    assert "One configuration: there are no errors" in (directory / "one.svg").read_text()


SOLVERS = ["bicgstab, double 18", "cg, double 18", "bicgstab, half 12 in double 18, reliable updates 0.1",
           "bicgstab, half 12 in double 18, defect correction 0.1"]


def write_rows(file, rows):
    """Rows as a study has them: texts are numbers of `names`."""
    for name in dict.fromkeys(name for row in rows for name in row):
        values = [row.get(name) for row in rows]
        if any(isinstance(value, str) for value in values):
            names = list(dict.fromkeys(value or "" for value in values))
            file[f"/rows/{name}"] = numpy.array([names.index(value or "") for value in values])
            file[f"/rows/{name}"].attrs["names"] = numpy.array(names, dtype=h5py.string_dtype())
        elif isinstance(values[0], float):
            file[f"/rows/{name}"] = numpy.array([numpy.nan if value is None else value for value in values])
        else:
            file[f"/rows/{name}"] = numpy.array([-1 if value is None else value for value in values])


def make_study(path):
    """Two configurations, masses 0.2, -0.1 and 0.1, and two sources; the last solver fails once, at -0.1."""
    rows = []
    for configuration in range(2):
        for mass, base in ((0.2, 100), (-0.1, 400), (0.1, 200)):
            for number, (solver, seconds) in enumerate(zip(SOLVERS, (4.0, 8.0, 1.0, 2.0))):
                for source in range(2):
                    failed = (configuration, mass, number, source) == (1, -0.1, 3, 0)
                    rows.append({"target": solver, "storage": "double 18", "right_hand_sides": 1, "mass": mass, "source": source,
                                 "configuration": f"field.{configuration}", "scaling": "strong", "ranks": 1,
                                 "lattice": (4, 4, 4, 8), "process_grid": (1, 1, 1, 1), "transport": "auto",
                                 "iterations": base + number + 10 * configuration, "updates": 12, "seconds_least": seconds,
                                 "outcome": "stagnation" if failed else "converged"})
    with sealed.results(path) as file:
        file.attrs["plaq_version"] = "test"
        write_rows(file, rows)


def check_study(numbers):
    """Of the summary; all solvers are few enough to be in it."""
    assert sorted(numbers) == ["solvers-iterations", "solvers-seconds", "solvers-speedup"], sorted(numbers)
    iterations, speedup = numbers["solvers-iterations"], numbers["solvers-speedup"]
    assert iterations["mass"] == [-0.1, 0.1, 0.2] and abs(iterations["kappa"][0] - 1 / 7.8) < 1e-12, iterations
    assert iterations[SOLVERS[0]] == [405, 205, 105], iterations
    assert iterations[SOLVERS[2]] == [407 + 12, 207 + 12, 107 + 12], iterations  # updates count
    failed = iterations[SOLVERS[3]]
    assert numpy.isnan(failed[0]) and failed[1:] == [208 + 12, 108 + 12], failed
    assert speedup[SOLVERS[0]] == [1.0] * 3 and speedup[SOLVERS[1]] == [0.5] * 3, speedup
    assert speedup[SOLVERS[2]] == [4.0] * 3 and speedup[SOLVERS[3]][1:] == [2.0] * 2, speedup


def plot(*arguments, code=0):
    run = in_process if code in plot.codes else program  # each exit code comes out of the program once
    plot.codes.add(code)
    done = run([*map(str, arguments)])
    assert done.returncode == code, (arguments, done)
    assert "Traceback" not in done.stderr, done.stderr
    if code:
        assert done.stderr.count("E ") == 1, done.stderr
    return done


plot.codes = set()


def program(arguments):
    return subprocess.run([PLAQ, "plot", *arguments], capture_output=True, text=True)


def in_process(arguments):
    """Runs plaq plot in this process, which need not start and import it each time, and looks at the axes of each figure."""
    out, err = io.StringIO(), io.StringIO()
    argv = unittest.mock.patch("sys.argv", ["plot", *arguments])
    saved = unittest.mock.patch.object(matplotlib.figure.Figure, "savefig", checked_savefig)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), argv, saved:
        code = main()
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())


save = matplotlib.figure.Figure.savefig


def checked_savefig(figure, *arguments, **settings):
    """Each axis has a label, and ticks of counts are whole numbers. Panels of text have no axes."""
    save(figure, *arguments, **settings)
    for axes in figure.axes:
        if not axes.axison:
            continue
        labels = axes.get_xlabel(), axes.get_ylabel()
        bars = axes.get_xticklabels()[0].get_text() and not axes.get_xlabel()  # their names are labels enough
        shared = axes.get_shared_y_axes().get_siblings(axes)  # one label for a row of panels
        assert labels[0] or bars, axes.get_title()
        assert any(one.get_ylabel() for one in shared), axes.get_title()
        for axis, label in zip((axes.xaxis, axes.yaxis), labels):
            if label in COUNTS and axis.get_scale() == "linear":
                assert all(tick == round(tick) for tick in axis.get_majorticklocs()), (label, axis.get_majorticklocs())
                checked_savefig.seen.add(label)


COUNTS = ("$t/a$", "trajectory", "configuration", "compound sweeps", "sweeps", "configurations", "copies", "ranks")
checked_savefig.seen = set()


def check_numbers(numbers):
    """Of --all: what is known exactly. Errors are those of analyse, which has tests of its own."""
    plaquettes = numbers["plaquette"]
    assert abs(plaquettes["mean"] - 0.590875) < 1e-12 and 0 < plaquettes["error"] < 0.01
    for name, mass in (("pion", MASS), ("proton", 0.7)):
        found = numpy.array(numbers[f"correlator-{name}-p_0_0_0-point"]["effective_mass"])
        assert numpy.isfinite(found).all() and abs(found - mass).max() < 1e-9, found
    odd = numpy.array(numbers["correlator-axial_pseudoscalar-p_0_0_0-point"]["effective_mass"])
    good = numpy.isfinite(odd)
    assert good.sum() == EXTENT // 2 - 2 and abs(odd[good] - MASS).max() < 1e-9, odd
    # d/dt sinh = MASS cosh on the lattice: (sinh(x + m) - sinh(x - m)) / 4 = sinh(m) cosh(x) / 2.
    pcac = numpy.array(numbers["pcac-point"]["mass"])
    assert abs(pcac - numpy.sinh(MASS) / 2).max() < 1e-12, pcac
    assert abs(numpy.array(numbers["flow"]["t2E_error"])).max() < 1e-12
    r, v = (numpy.array(numbers["potential"][name]) for name in ("r", "potential"))
    assert abs(r - [1, 2**0.5, 2, 3]).max() < 1e-12 and numbers["potential"]["t"][:1] == [0.5]
    assert abs(v[:, 1:] - 0.2 * r[:, None]).max() < 1e-12 and abs(v[:, 0] - 0.2 * r + numpy.log(1.0125)).max() < 1e-12
    assert numpy.array(numbers["potential"]["potential_error"])[:, 0].min() > 0.005


def make_fixing(path):
    """One field, four copies, the last of which did not converge; curves of three points in rows of five."""
    nothing = numpy.nan
    with sealed.results(path) as file:
        file.attrs["plaq_version"] = "test"
        file.create_group("fixing").attrs.update({"gauge": "landau", "theta": 1e-12})
        file["/copies/functional"] = numpy.array([[0.8, 0.75, 0.6, 0.9]])
        file["/copies/converged"] = numpy.array([[1, 1, 1, 0]])
        for name in ("annealing", "stochastic", "overrelaxation"):
            file[f"/copies/{name}"] = numpy.array([[10, 20, 30, 40]])
        for name, row in (("sweeps", [4, 8, 12]), ("functional", [0.5, 0.7, 0.8]), ("theta", [1.0, 0.1, 1e-13]),
                          ("temperature", [2.0, 1.0, 0.0])):
            file[f"/history/{name}"] = numpy.tile(numpy.array(row + [nothing] * 2), (1, 4, 1))


def check_fixing(numbers):
    assert sorted(numbers) == ["annealing", "copies", "fixing"], sorted(numbers)
    assert numpy.allclose(numbers["copies"]["relative"], [0, 0.0625, 0.25]), numbers["copies"]
    assert numbers["copies"]["sweeps"] == [[30, 60, 90, 120]]
    assert numbers["fixing"]["sweeps_3"] == [4, 8, 12] and numbers["fixing"]["theta_0"][2] == 1e-13
    assert numbers["annealing"]["temperature_1"] == [2, 1], numbers["annealing"]


def make_gluon(path):
    """Two fields, three momenta of which one survives both cuts, a ghost at the last one."""
    with sealed.results(path) as file:
        file.attrs["plaq_version"] = "test"
        file["/momenta/p_squared"] = numpy.array([0.0, 1.0, 4.0])
        file["/momenta/in_cylinder"] = numpy.array([1, 1, 1])
        file["/momenta/in_cone"] = numpy.array([1, 0, 1])
        file["/gluon/dressing"] = numpy.array([[0.0, 2.0, 1.5], [0.0, 2.2, 1.7]])
        file["/ghost/momentum"] = numpy.array([2])
        file["/ghost/dressing"] = numpy.array([[1.2], [1.3]])


def check_gluon(numbers):
    assert sorted(numbers) == ["ghost", "gluon"], sorted(numbers)
    assert numpy.allclose(numbers["gluon"]["dressing"], [0, 2.1, 1.6])
    assert numpy.allclose(numbers["gluon"]["dressing_error"], [0, 0.1, 0.1])
    assert numbers["gluon"]["p"] == [0, 1, 2] and numbers["ghost"]["p"] == [2]
    assert numpy.allclose(numbers["ghost"]["dressing"], [1.25])


def check_weights_and_blinding(directory):
    """Means by weights in all panels, and a title and a file of numbers that say what is blinded."""
    make_gluon(directory / "weighed.h5")
    make_quark(directory / "heavy.h5")
    with h5py.File(directory / "rows.h5", "w") as file:
        file["w"] = [3.0, 1.0]
    weights, found = ("--weights", f"{directory / 'rows.h5'}:/w"), directory / "weighed.json"
    plot(directory / "weighed.h5", "--json", found, *weights)
    numbers = json.loads(found.read_text())
    assert numpy.allclose(numbers["gluon"]["dressing"], [0, 2.05, 1.55]) and numpy.allclose(numbers["ghost"]["dressing"], [1.225]), numbers
    plot(directory / "heavy.h5", "--json", found, *weights)
    with h5py.File(directory / "heavy.h5") as file:
        scalar, vector = (numpy.average(file[f"quark_propagator/{name}"][()], axis=0, weights=[3, 1]) for name in ("scalar", "vector"))
        k, square = (file[f"quark_propagator/{name}"][()] for name in ("k", "k_squared"))
        v0, s0, tree = (file[f"quark_propagator/{name}"][()] for name in ("tree_vector", "tree_scalar", "tree_mass"))
    away = square > 1e-12
    v = -(vector[..., 1].mean(axis=0) * k).sum(axis=1)[away] / square[away]
    expected = scalar[..., 0].mean(axis=0)[away] / v - s0[away] / v0[away] + tree
    assert numpy.allclose(json.loads(found.read_text())["quark_mass"]["value"], expected), numbers
    # A flow, and correlators.
    rng, rows, extent = numpy.random.default_rng(1), 10, 16
    t, w = 0.1 * numpy.arange(20), rng.random(rows)
    energy, pion = 1 / (1 + t)**2 * (1 + 0.1 * rng.normal(size=(rows, 1))), numpy.exp(-0.5 * numpy.arange(extent)) + rng.random((rows, 1))
    lines = "".join(f"{n} {one!r}\n" for n, one in enumerate(w.tolist()))
    (directory / "rw.txt").write_text(lines)
    with sealed.results(directory / "flow.h5") as file:
        file.attrs["plaq_version"], file.attrs["extents"] = "test", [8, 8, 8, 16]
        file["configurations/trajectory"] = numpy.arange(rows)
        file["flow/t"], file["flow/clover_energy"], file["flow/plaquette_energy"] = numpy.tile(t, (rows, 1)), energy, energy
    plot(directory / "flow.h5", "--json", found, "--weights", directory / "rw.txt")
    assert numpy.allclose(json.loads(found.read_text())["flow"]["t2E"], t**2 * (w @ energy) / w.sum())
    with sealed.results(directory / "pion.h5") as file:
        file.attrs["plaq_version"], file.attrs["extents"] = "test", [8, 8, 8, 16]
        file["configurations/trajectory"] = numpy.arange(rows)
        values = numpy.zeros((rows, 1, extent, 2))
        values[:, 0, :, 0] = pion
        file["correlators/pion/p_0_0_0/point"] = values
    picture = directory / "pion.svg"
    options = ("--channel", "pion", "--output", picture, "--json", found)
    plot(directory / "pion.h5", *options, "--weights", directory / "rw.txt", "--blind", "spring")
    numbers = json.loads(found.read_text())
    assert numbers["blinded"] == "spring"
    drawn = next(of for name, of in numbers.items() if name.startswith("correlator"))
    factor = Blinding({"": "spring"}).factor("pion")
    half = extent // 2 + 1
    assert numpy.allclose(drawn["correlator"], factor * (w @ pion)[:half] / w.sum(), rtol=1e-12), drawn
    assert "Blinded spring" in picture.read_text() and "weights rw.txt" in picture.read_text()
    plot(directory / "pion.h5", *options)
    assert "Blinded" not in picture.read_text() and "weights" not in picture.read_text() and "blinded" not in found.read_text()
    for code, *wrong in ((4, "--weights", directory / "absent.txt"), (4, "--weights", f"{directory / 'rows.h5'}:/w"),
                         (2, "--blind", "rho=spring"), (2, "--weights", directory / "rw.txt", "--json", directory / "rw.txt")):
        plot(directory / "pion.h5", "--output", directory / "wrong.pdf", *wrong, code=code)
    assert (directory / "rw.txt").read_text() == lines


def make_quark(path):
    """Two fields of tree level times 2 in Z, and M = 0.5 + 0.1 above tree level; the momentum 0 has no Z."""
    k = numpy.array([[0.0, 0, 0, 0], [0.3, 0, 0, 0.4]])
    v0 = 1 / ((k**2).sum(axis=1) + 0.25)
    with sealed.results(path) as file:
        file.attrs["plaq_version"] = "test"
        group = file.create_group("quark_propagator")
        group["k"], group["k_squared"], group["p_squared"] = k, (k**2).sum(axis=1), [0.0, 0.36]
        group["in_cylinder"], group["in_cone"] = [1, 1], [1, 1]
        group["tree_vector"], group["tree_scalar"], group["tree_mass"] = v0, 0.5 * v0, 0.5
        v, mass = 2 / ((k**2).sum(axis=1) + 0.36), 0.6
        scalar, vector = numpy.zeros((2, 1, 2, 2)), numpy.zeros((2, 1, 2, 4, 2))
        for row, factor in enumerate((0.9, 1.1)):
            scalar[row, 0, :, 0] = factor * mass * v
            vector[row, 0, :, :, 1] = -k * (2 - factor) * v[:, None]
        group["scalar"], group["vector"] = scalar, vector


def check_quark(numbers):
    assert sorted(numbers) == ["quark_mass", "quark_z"], sorted(numbers)
    assert numpy.allclose(numbers["quark_z"]["p"], [0.6]) and numpy.allclose(numbers["quark_z"]["value"], [2.0])
    assert numpy.allclose(numbers["quark_mass"]["value"], [0.6])
    # For two fields the jackknife means are the fields: half the distance of 0.6 * 0.9 / 1.1 and 0.6 * 1.1 /
    # 0.9.
    assert numpy.allclose(numbers["quark_mass"]["error"], [0.3 * (1.1 / 0.9 - 0.9 / 1.1)])


STORAGES = ["double 18", "half 12", "half 8"]


def rate(target, storage, rhs, lattice, gflops, share=None):
    row = {"target": target, "storage": storage, "right_hand_sides": rhs, "scaling": "strong", "ranks": 1, "lattice": lattice,
           "process_grid": (1, 1, 1, 1), "transport": "auto", "flops_per_second": 1e9 * gflops, "seconds": 1.0}
    if share is not None:
        row["share"] = share
    return row


def make_rates(path, bandwidth):
    """GFLOPS are 1000 rhs index + 100 operator index + 10 storage index + T, a tenth of the limit."""
    rows = [rate(operator, storage, batch, (4, 4, 4, sites), 1000.0 * r + 100 * o + 10 * s + sites, 0.1 if bandwidth else None)
            for sites in (8, 16) for o, operator in enumerate(("wilson_hop", "wilson_schur")) for r, batch in enumerate((1, 12))
            for s, storage in enumerate(STORAGES)]
    rows += [rate(method, storage, 1, (4, 4, 4, 16), gflops) for method, of in (("cg", (8.0, 16.0, 15.0)), ("bicgstab", (7.0, 14.0, 13.0)))
             for storage, gflops in zip(STORAGES, of)]
    first = len(rows)
    rows += [{**rate("accuracy", storage, 1, (4, 4, 4, 8), 1.0)} for storage in STORAGES]
    with sealed.results(path) as file:
        file.attrs["plaq_version"] = "test"
        write_rows(file, rows)
        file["/accuracy/row"] = numpy.arange(first, first + 3)
        file["/accuracy/epsilon"] = numpy.tile(numpy.array([1e-16, 1e-5, 1e-3]), (3, 1))
        file["/accuracy/proportion"] = numpy.array([[0.0, 0, 0], [1, 0.5, 0], [1, 0.6, 0.01]])


def make_chain(path):
    """Six trajectories of which one was rejected and one failed, after two of thermalisation."""
    with sealed.results(path) as file:
        file.attrs.update({"plaq_version": "test", "job_type": "hmc", "extents": [4, 4, 4, 8], "beta": 5.6,
                           "job": '[action]\ntype = "clover"\nkappa = 0.13\n[update]\nthermalization = 2\n'})
        file["history/trajectory"] = 10 + numpy.arange(9)
        file["history/plaquette"] = numpy.array([1.0, 0.8, 0.6, 0.59, 0.58, 0.59, 0.6, 0.59, 0.58])
        file["configurations/trajectory"] = numpy.array([12, 14, 16, 18])
        file["steps/trajectory"] = 11 + numpy.arange(8)
        for name, values in {"delta_h": [9.0, 3.0, 0.1, 2.0, -0.1, numpy.nan, 0.2, 0.0], "accepted": [1, 1, 1, 0, 1, 0, 1, 1],
                             "acceptance": [0, 0.05, 0.9, 0.13, 1, 0, 0.8, 1], "iterations": [500, 400, 300, 310, 320, 60, 300, 310],
                             "force_rms_gauge": [5.0] * 8, "force_largest_gauge": [9.0] * 8,
                             "force_rms_quarks": [2.0] * 5 + [numpy.nan] + [2.0] * 2}.items():
            file[f"steps/{name}"] = numpy.array(values, dtype=float)


def check_chain(directory):
    """A chain of hmc: the panels of its trajectories, and the sentence about what is wrong."""
    path = directory / "chain.h5"
    make_chain(path)
    plot(path, "--all", "--json", directory / "chain.json")
    assert pages_of(directory / "chain.pdf") == 5
    found = json.loads((directory / "chain.json").read_text())
    assert sorted(found) == ["delta_h", "forces", "history", "iterations"], sorted(found)
    assert found["delta_h"]["trajectory"] == list(range(11, 19)) and found["delta_h"]["accepted"] == [1, 1, 1, 0, 1, 0, 1, 1]
    assert found["history"]["running_mean"] == [0.6, 0.59, 0.58, 0.59, 0.6, 0.59, 0.58], found["history"]
    assert sorted(found["forces"]) == ["force_largest_gauge", "force_rms_gauge", "force_rms_quarks", "trajectory"]
    middles, means = running_mean(numpy.arange(10, 16), numpy.array([1.0, 2, 3, 4, 5, 9]), 3)
    assert numpy.allclose(middles, [11, 12, 13, 14]) and numpy.allclose(means, [2, 3, 4, 6])
    plot(path, "--output", directory / "chain.svg")
    text = (directory / "chain.svg").read_text()
    for words in ("Clover quarks,  β = 5.6,  κ = 0.13,  4³×8,  4 configurations", "accepted (4)", "rejected (1)", "failed or unstable (1)",
                  "dH, 67% accepted", "Warning: 1 of 6 trajectories failed"):
        assert words in text, words


def rounded(numbers):
    if isinstance(numbers, dict):
        return {key: rounded(value) for key, value in numbers.items()}
    if isinstance(numbers, list):
        return [rounded(value) for value in numbers]
    return round(numbers, 9) if isinstance(numbers, float) and numbers == numbers and abs(numbers) > 0.01 else numbers


def check_rates(numbers, bandwidth):
    numbers = rounded(numbers)
    curves = [f"rates-{target}-{precision}" for target in ("wilson_hop", "wilson_schur") for precision in ("double", "half")]
    assert sorted(numbers) == ["accuracy", "best-rates", "methods", *curves], sorted(numbers)
    best = numbers["best-rates"]  # of the largest T and number of right-hand sides
    assert best["gflops"][:2] == [[1016, 1026, 1036], [1116, 1126, 1136]] and best["storages"] == STORAGES, best
    half = numbers["rates-wilson_schur-half"]
    assert half["temporal_extent"] == [8, 16]
    assert half["12 reals, 1 rhs"] == [118, 126] and half["8 reals, 12 rhs"] == [1128, 1136], half
    assert len(half) == 1 + (8 if bandwidth else 4), half
    if bandwidth:
        assert abs(half["8 reals, 12 rhs, limit"][0] - 11280) < 1e-9, half
    assert numbers["rates-wilson_hop-double"]["18 reals, 12 rhs"] == [1008, 1016]
    assert numbers["methods"] == {"storage": [f"{storage}, 1 rhs" for storage in STORAGES], "wilson_schur": [116, 126, 136],
                                  "cg": [8, 16, 15], "bicgstab": [7, 14, 13]}, numbers["methods"]
    assert numbers["accuracy"]["half 8"] == [1, 0.6, 0.01] and numbers["accuracy"]["epsilon"][1] == 1e-5


POINTS = [("strong", 1, "auto"), ("strong", 2, "host"), ("strong", 2, "nccl"), ("strong", 4, "host"),
          ("strong", 4, "host"), ("weak", 2, "host"), ("weak", 4, "host")]


def make_scaling(path, model):
    """Times are 100 / ranks and, of strong scaling, 5 for each rank more; the second grid of four ranks is slower."""
    rows = []
    for i, (kind, ranks, transport) in enumerate(POINTS):
        time = [50.0, 62.5][i - 5] if kind == "weak" else 100 / ranks + 5 * (ranks - 1) + (10 if i == 4 else 0)
        efficiency = 50.0 / time if kind == "weak" else 100 / (ranks * time)
        grid = (1, 1, 1, ranks) if i != 4 else (1, 1, 2, 2)
        for target in ("wilson_hop", "cg"):
            for storage, scale in (("single 12", 1.0), ("half 12", 0.5)):
                rows.append({"target": target, "storage": storage, "right_hand_sides": 1, "scaling": kind, "ranks": ranks,
                             "lattice": (8, 8, 8, 16) if kind == "strong" else (4, 4, 4, 4 * ranks), "process_grid": grid,
                             "transport": transport, "flops_per_second": 1.0, "seconds": time * scale, "efficiency": efficiency,
                             "exposed": 0.1 * time * scale})
                if model:
                    rows[-1].update({"predicted": 100 / ranks * scale, "predicted_exposed": 0.0})
    with sealed.results(path) as file:
        file.attrs["plaq_version"] = "test"
        write_rows(file, rows)


def check_scaling(numbers, model):
    strong, weak = "scaling-strong-8x8x8x16-", "scaling-weak-4x4x4x4-"
    assert sorted(numbers) == ["efficiency-strong-8x8x8x16", "efficiency-weak-4x4x4x4", strong + "cg", strong + "wilson_hop",
                               weak + "cg", weak + "wilson_hop"], sorted(numbers)
    assert numbers["efficiency-strong-8x8x8x16"] == {"ranks": [1, 2, 4], "wilson_hop": [1, 100 / 110, 0.625],
                                                     "cg": [1, 100 / 110, 0.625]}, numbers["efficiency-strong-8x8x8x16"]
    found = numbers[strong + "wilson_hop"]
    assert found["ranks"] == [1, 2, 4]
    assert found["single 12, 1 rhs, host: seconds"] == [100, 55, 40], found  # the faster grid
    assert found["half 12, 1 rhs, host: seconds"] == [50, 27.5, 20], found
    nccl = found["single 12, 1 rhs, nccl: efficiency"]
    assert nccl[0] == 1 and abs(nccl[1] - 100 / 110) < 1e-12 and numpy.isnan(nccl[2]), nccl
    assert abs(found["single 12, 1 rhs, host: exposed"][2] - 0.1) < 1e-12, found
    assert not any("auto" in name for name in found), found
    assert numbers[weak + "cg"]["single 12, 1 rhs, host: efficiency"] == [1, 0.8], numbers[weak + "cg"]
    assert len(found) == 1 + 2 * 2 * 3 * (2 if model else 1), sorted(found)
    if model:
        assert found["single 12, 1 rhs, host: efficiency, model"] == [1, 1, 1], found


def check_that_files_stay(directory, results):
    """No plot replaces what it draws, another plot, or a file of another kind."""
    precious = directory / "precious.nersc"
    precious.write_bytes(b"BEGIN_HEADER links")
    named_as_plot = directory / "disguised.pdf"
    named_as_plot.write_bytes(precious.read_bytes())
    (directory / "link.pdf").symlink_to(results.name)
    before = results.read_bytes()
    for code, *arguments in ((5, "--json", precious), (5, "--output", named_as_plot), (2, "--json", results),
                             (2, "--output", directory / "link.pdf"),
                             (2, "--output", directory / "x.svg", "--json", directory / "x.summary.svg"),
                             (2, "--output", directory / "new.pdf", "--json", directory / "." / "new.pdf")):
        plot(results, *arguments, code=code)
    assert results.read_bytes() == before and (directory / "link.pdf").is_symlink()
    assert precious.read_bytes() == named_as_plot.read_bytes() == b"BEGIN_HEADER links"
    assert not list(directory.glob("x.*.svg")) and not (directory / "new.pdf").exists()


with tempfile.TemporaryDirectory() as name:
    directory = pathlib.Path(name)
    results = directory / "results.h5"
    make_results(results)
    plot(results, "--all", "--json", directory / "numbers.json")
    assert (directory / "results.pdf").read_bytes().startswith(b"%PDF")
    check_numbers(json.loads((directory / "numbers.json").read_text()))
    plot(results, "--output", directory / "x.png")
    pictures = sorted(p.name for p in directory.glob("x.*.png"))
    assert pictures == ["x.summary-gauge.png", "x.summary.png"], pictures
    check_many(directory)
    check_headline(directory)
    check_chain(directory)
    make_study(directory / "study.h5")
    for options, pages in (((), 1), (("--all",), 4)):
        plot(directory / "study.h5", "--json", directory / "study.json", *options)
        assert pages_of(directory / "study.pdf") == pages
        check_study(json.loads((directory / "study.json").read_text()))
    plot(results, "--output", directory / "x.doc", code=2)
    plot(directory / "absent.h5", code=4)
    plot(results, "--output", directory / "nowhere" / "x.pdf", code=5)
    (directory / "text.h5").write_text("no HDF5")
    plot(directory / "text.h5", code=4)
    with sealed.results(directory / "foreign.h5") as file:
        file["x"] = 1
    plot(directory / "foreign.h5", code=4)
    for bandwidth in (True, False):
        make_rates(directory / "kernels.h5", bandwidth)
        plot(directory / "kernels.h5", "--all", "--json", directory / "kernels.json")
        assert (directory / "kernels.pdf").read_bytes().startswith(b"%PDF")
        check_rates(json.loads((directory / "kernels.json").read_text()), bandwidth)
    for model in (True, False):
        make_scaling(directory / "scaling.h5", model)
        plot(directory / "scaling.h5", "--all", "--json", directory / "scaling.json")
        check_scaling(json.loads((directory / "scaling.json").read_text()), model)
    make_fixing(directory / "fixing.h5")
    plot(directory / "fixing.h5", "--all", "--json", directory / "fixing.json")
    assert (directory / "fixing.pdf").read_bytes().startswith(b"%PDF")
    check_fixing(json.loads((directory / "fixing.json").read_text()))
    check_weights_and_blinding(directory)
    make_gluon(directory / "gluon.h5")
    plot(directory / "gluon.h5", "--all", "--json", directory / "gluon.json")
    check_gluon(json.loads((directory / "gluon.json").read_text()))
    plot(directory / "gluon.h5", "--output", directory / "gluon.svg")
    assert "ghost, peak, p = 2" in (directory / "gluon.svg").read_text()
    make_quark(directory / "quark.h5")
    plot(directory / "quark.h5", "--all", "--json", directory / "quark.json")
    check_quark(json.loads((directory / "quark.json").read_text()))
    check_that_files_stay(directory, results)
    assert not list(directory.glob("*.part*"))
    assert {"$t/a$", "configuration", "sweeps", "copies"} <= checked_savefig.seen, checked_savefig.seen
print("ok")
