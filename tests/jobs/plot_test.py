"""plaq plot on a result file whose numbers are known. Usage: plot_test.py PLAQ; exit code 77: skipped."""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import h5py
    import matplotlib
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

PLAQ = sys.argv[1]
EXTENT, MASS, CONFIGURATIONS = 16, 0.41, 4


def make_results(path):
    t = numpy.arange(EXTENT)
    amplitude = numpy.array([1.0, 1.1, 0.9, 1.05])
    with h5py.File(path, "w") as file:
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


def plot(*arguments, code=0):
    done = subprocess.run([PLAQ, "plot", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == code, (arguments, done)
    assert "Traceback" not in done.stderr, done.stderr
    if code:
        assert done.stderr.count("E ") == 1, done.stderr
    return done


def check_numbers(numbers):
    plaquettes = numbers["plaquette"]
    assert abs(plaquettes["mean"] - 0.590875) < 1e-12
    # The jackknife error of a mean is its standard error.
    expected = numpy.std([0.59, 0.592, 0.591, 0.5905], ddof=1) / 2
    assert abs(plaquettes["error"] - expected) < 1e-12
    for name, mass in (("pion", MASS), ("proton", 0.7)):
        found = numpy.array(numbers[f"correlator-{name}-p_0_0_0-point"]["effective_mass"])
        assert numpy.isfinite(found).all() and abs(found - mass).max() < 1e-9, found
    odd = numpy.array(numbers["correlator-axial_pseudoscalar-p_0_0_0-point"]["effective_mass"])
    good = numpy.isfinite(odd)
    assert good.sum() == EXTENT - 3 and abs(odd[good] - MASS).max() < 1e-9, odd
    # d/dt sinh = MASS cosh on the lattice: (sinh(x + m) - sinh(x - m)) / 4 = sinh(m) cosh(x) / 2.
    pcac = numpy.array(numbers["pcac-point"]["mass"])
    assert abs(pcac - numpy.sinh(MASS) / 2).max() < 1e-12, pcac
    assert abs(numpy.array(numbers["flow"]["t2E_error"])).max() < 1e-12


with tempfile.TemporaryDirectory() as name:
    directory = pathlib.Path(name)
    results = directory / "results.h5"
    make_results(results)
    plot(results, "--json", directory / "numbers.json")
    assert (directory / "results.pdf").read_bytes().startswith(b"%PDF")
    check_numbers(json.loads((directory / "numbers.json").read_text()))
    plot(results, "--output", directory / "x.png")
    pictures = sorted(p.name for p in directory.glob("x.*.png"))
    assert len(pictures) == 7 and "x.flow.png" in pictures, pictures
    plot(results, "--output", directory / "x.doc", code=2)
    plot(directory / "absent.h5", code=4)
    plot(results, "--output", directory / "nowhere" / "x.pdf", code=5)
    (directory / "text.h5").write_text("no HDF5")
    plot(directory / "text.h5", code=4)
    with h5py.File(directory / "foreign.h5", "w") as file:
        file["x"] = 1
    plot(directory / "foreign.h5", code=4)
    assert not list(directory.glob("*.part*"))
print("ok")
