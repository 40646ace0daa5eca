"""Tables of plaq analyse: propagators in momentum space, and loops, of samples whose truth is known."""
import contextlib
import math
import pathlib
import sys
import tempfile

try:
    import h5py  # noqa: F401 - plaq needs it
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import made  # finds the package  # noqa: F401
import sealed
from plaq.analysis.analysis import Request, analyse
from plaq.analysis.export import export
from plaq.analysis.presentation import numbers_of, text_of
from plaq.analysis.quantities import Settings

ROWS = 60


@contextlib.contextmanager
def new_file(path, job_type):
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["job_type"] = "test", job_type
        file.attrs["extents"] = [4, 4, 4, 8]
        file["configurations/trajectory"] = numpy.arange(ROWS)
        yield file


def analysed(path):
    block, = analyse([path], Request())
    single = Settings(bins=ROWS)  # for jackknife errors by hand
    return block, text_of(block, single), numbers_of(block, single)["tables"]


def jackknife(samples, estimate):
    """Of every single row, by hand."""
    total = samples.sum(axis=0)
    values = numpy.array([estimate((total - row) / (len(samples) - 1)) for row in samples])
    return math.sqrt((len(values) - 1) * numpy.mean((values - values.mean())**2))


def check_quark(directory):
    rng = numpy.random.default_rng(3)
    k = numpy.array([[0.0, 0.0, 0.0, 0.0], [0.5, 0.0, 0.0, 0.3], [0.6, 0.6, 0.0, 0.3]])
    k_squared = (k**2).sum(axis=1)
    # Z = 0.9, M = 0.25 where tree level has 1 and 0.2 + W: S = Z (-i k-slash + M) / (k^2 + M^2).
    wilson = numpy.array([0.0, 0.17, 0.33])
    tree_mass, mass = 0.2 + wilson, 0.25 + wilson
    size = 0.9 / (k_squared + mass**2)
    scalar, vector = numpy.zeros((ROWS, 2, 3, 2)), numpy.zeros((ROWS, 2, 3, 4, 2))
    noise = 0.02 * rng.normal(size=(ROWS, 1, 3))
    turn = rng.normal(size=(ROWS, 1, 3))  # two sources that differ by what cancels
    sign = numpy.array([1.0, -1.0])[None, :, None]
    scalar[..., 0] = mass * size * (1 + noise) + sign * turn
    scalar[..., 1] = 1e3
    vector[..., 1] = -k * (size * (1 - noise))[..., None] + (sign * turn)[..., None]
    path = directory / "quark.h5"
    with new_file(path, "propagator") as file:
        group = file.create_group("quark_propagator")
        group["n"] = numpy.arange(12).reshape(3, 4)
        group["p_squared"] = [0.0, 0.4, 0.9]
        group["k"], group["k_squared"] = k, k_squared
        group["in_cylinder"], group["in_cone"] = [1, 1, 1], [1, 0, 1]
        tree = 1 / (k_squared + tree_mass**2)
        group["tree_vector"], group["tree_scalar"], group["tree_mass"] = tree, tree * tree_mass, 0.2
        group["scalar"], group["vector"] = scalar, vector
    block, text, tables = analysed(path)
    found = tables["quark"]
    assert found["n"] == [[4, 5, 6, 7], [8, 9, 10, 11]] and found["survives_cuts"] == [False, True]
    for i in range(2):
        for title, truth in (("Z", 0.9), ("M", mass[i + 1]), ("M corrected", 0.25)):
            value, error = found[title]["value"][i], found[title]["error"][i]
            assert abs(value - truth) < 5 * error and 0 < error < 0.02, (title, i, value, error)
        s = scalar[:, :, i + 1, 0].mean(axis=1)
        v = -(vector[:, :, i + 1, :, 1].mean(axis=1) @ k[i + 1]) / k_squared[i + 1]
        by_hand = jackknife(numpy.stack([s, v], axis=1), lambda mean: mean[0] / mean[1])
        assert math.isclose(found["M"]["jackknife_error"][i], by_hand, rel_tol=1e-9)
        # of the inverse of the mean, which is not the mean of inverses
        assert math.isclose(found["M"]["value"][i], s.mean() / v.mean(), rel_tol=1e-12)
    lines = text.splitlines()
    assert sum("8,9,10,11" in line for line in lines) == 1 and "4,5,6,7" not in text, text
    assert any("quark, 1 of 2 momenta" in line for line in lines), text
    export("csv", str(directory / "quark.csv"), [block], Settings())
    written = (directory / "quark.csv").read_text()
    assert written.count("quark M corrected n=") == 2, written


def check_gluon(directory):
    path = directory / "gluon.h5"
    rng = numpy.random.default_rng(4)
    samples = 2 + 0.1 * rng.normal(size=(ROWS, 3))
    with new_file(path, "gluon") as file:
        file["momenta/n"], file["momenta/p_squared"] = numpy.zeros((3, 4), dtype=int), [0.0, 1.0, 4.0]
        file["momenta/in_cylinder"], file["momenta/in_cone"] = [1, 1, 1], [1, 1, 0]
        file["gluon/propagator"], file["gluon/dressing"] = samples, samples * [0, 1, 4]
        file["ghost/momentum"] = [2]
        file["ghost/propagator"], file["ghost/dressing"] = samples[:, 2:] / 4, samples[:, 2:]
    _, text, tables = analysed(path)
    assert numpy.allclose(tables["gluon"]["D"]["value"], samples.mean(axis=0))
    assert numpy.allclose(tables["ghost"]["p^2 G"]["value"], samples[:, 2].mean())
    assert tables["ghost"]["p_squared"] == [4.0]
    expected = samples[:, 1].std(ddof=1) / math.sqrt(ROWS)
    assert math.isclose(tables["gluon"]["p^2 D"]["jackknife_error"][1], expected, rel_tol=1e-9)
    assert "gluon, 2 of 3 momenta" in text and "ghost" in text


def check_report(block):
    """The page of a campaign has the same tables."""
    try:
        from plaq.report.quarks import tables
    except ImportError as error:  # no Matplotlib
        print(f"skipped the report: {error}")
        return
    body = tables([("task", block)], Settings())
    assert "<h3>task</h3>" in body and "<h4>disconnected scalar</h4>" in body and body.count("<tr>") == 2 + 6, body


def make_loops(path, loops, squared=None):
    values = numpy.stack([loops.real, loops.imag], axis=-1)
    with new_file(path, "loops") as file:
        file["noise/scalar/p_0_0_0"] = values
        file["loops/condensate"] = values[..., 0].mean(axis=1).sum(axis=1) / 512
        if squared is not None:
            file["noise/squared"] = squared


def check_loops(directory):
    rng = numpy.random.default_rng(5)
    vectors, slices, vacuum, size = 6, 8, 100.0, 3.0
    # L(t) has neighbours in common: <L(t) L(0)> - <L>^2 is 2, 1, 0, 0, 0 for t = 0 .. 4.
    g = rng.normal(size=(ROWS, slices))
    gauge = g + numpy.roll(g, 1, axis=1)
    noise = size * rng.normal(size=(ROWS, vectors, slices))
    squared = rng.normal(size=(ROWS, vectors, slices, 2)) - 3
    make_loops(directory / "loops.h5", vacuum + gauge[:, None, :] + noise + 0.5j, squared)
    block, text, tables = analysed(directory / "loops.h5")
    means = tables["loops / V"]
    assert means["current"] == ["scalar"]
    assert abs(means["real"]["value"][0] - slices * vacuum / 512) < 5 * means["real"]["error"][0]
    assert math.isclose(means["imaginary"]["value"][0], slices * 0.5 / 512)
    truth = size * math.sqrt(slices / (vectors * ROWS)) / 512
    assert abs(means["noise error of real"][0] / truth - 1) < 0.2, (means, truth)
    found = tables["disconnected scalar"]["D"]
    for t, expected in enumerate((2, 1, 0, 0, 0)):
        value, error = found["value"][t], found["error"][t]
        # The noise of a vector with itself would add 9/64 at t = 0.
        assert abs(value - expected / 64) < 5 * error and error < 0.02, (t, value, error)
    assert abs(found["value"][0] - (2 + size**2) / 64) > 5 * found["error"][0]
    assert "noise error" in text and "6 vectors" in text
    susceptibilities = {one.name: one.quantity for one in block.results}
    found = susceptibilities["disconnected susceptibility"]
    density = (vacuum + gauge[:, None, :] + noise).sum(axis=2) / 512
    by_hand = 512 * (numpy.mean([density[:, i] * density[:, j] for i in range(vectors) for j in range(vectors) if i != j])
                     - density.mean()**2)
    assert math.isclose(found.value, by_hand, rel_tol=1e-9) and found.gamma(Settings()).error > 0
    assert abs(found.value - 4 * slices / 512) < 5 * found.gamma(Settings()).error, "the variance of the gauge fields"
    assert math.isclose(susceptibilities["connected susceptibility"].value,
                        -squared[..., 0].mean() * slices / 512, rel_tol=1e-12)
    check_report(block)
    # Without noise one vector says all.
    make_loops(directory / "one.h5", (vacuum + gauge + 0.0j)[:, None, :])
    block, _, tables = analysed(directory / "one.h5")
    total = vacuum + gauge
    by_hand = (numpy.roll(total, -1, axis=1) * total).mean() - total.mean()**2
    assert math.isclose(tables["disconnected scalar"]["D"]["value"][1], by_hand / 64, rel_tol=1e-9)
    assert tables["loops / V"]["noise error of real"] == [None] and any("one noise" in note for note in block.notes)
    assert not block.results, "one vector has its own noise"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made_here:
        for check in (check_quark, check_gluon, check_loops):
            check(pathlib.Path(made_here))
    print("ok")
