"""All-mode averaging: no bias for any choice of exact sources, weights of least variance, and blocks of result files. 77: skipped."""
import itertools
import pathlib
import sys
import tempfile

try:
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

from made import analysed  # finds the package

import sealed

from plaq.analysis import all_mode_average, all_mode_blocks, analyse, best_weight, open_result

NAME = "correlators/pion/p_0_0_0/point"


def synthetic(rows, sources, rng, correlation=0.9):
    """A and E of all sources, [row][source][t]; E has a mean of 1, A one of 3."""
    common = rng.normal(size=(rows, 1, 4)) * 0.3
    e = 1 + common + rng.normal(size=(rows, sources, 4))
    return 3 + common + correlation * (e - 1) + 0.2 * rng.normal(size=e.shape), e


def check_bias():
    """The mean over all choices of exact sources is that of E, on each row and for each weight."""
    a, e = synthetic(3, 5, numpy.random.default_rng(1))
    for exact, weight in itertools.product((1, 2, 5), (1.0, 0.3)):
        choices = [(*chosen, *(k for k in range(5) if k not in chosen)) for chosen in itertools.combinations(range(5), exact)]
        found = numpy.mean([all_mode_average(a[:, order], e[:, order[:exact]], weight) for order in choices], axis=0)
        assert numpy.allclose(found, e.mean(axis=1), rtol=0, atol=1e-13), (exact, weight)
    assert not numpy.allclose(all_mode_average(a, e[:, :1]), e.mean(axis=1), rtol=0, atol=1e-3)


def check_weight():
    """The weight of least variance: of a scan, of a line through the values, and better than 1 where A is amplified."""
    a, e = synthetic(400, 16, numpy.random.default_rng(2))
    a = 1 + 2.5 * (a - 1)
    weight = best_weight(a, e[:, :2])
    variance = lambda w: all_mode_average(a, e[:, :2], w).var(axis=0)  # noqa: E731
    for other in (weight + 0.02, weight - 0.02, 1.0):
        assert (variance(weight) < variance(other)).all()
    difference = a.mean(axis=1) - a[:, :2].mean(axis=1)
    for t in range(4):
        slope = numpy.polyfit(difference[:, t], e[:, :2].mean(axis=1)[:, t], 1)[0]
        assert abs(weight[t] + slope) < 1e-10
    assert (variance(weight) < 0.5 * e[:, :2].mean(axis=1).var(axis=0)).all()
    assert abs(all_mode_average(a, e[:, :2], weight).mean(axis=0) - 1).max() < 0.1
    assert (best_weight(a[:, :2], e[:, :2]) == 1).all()  # every source is exact


def check_file(directory):
    a, e = synthetic(6, 3, numpy.random.default_rng(3))
    e = e[:, :2]
    corrected = all_mode_average(a, e)
    assert numpy.allclose(corrected, a.mean(axis=1) + (e - a[:, :2]).mean(axis=1), rtol=1e-14)
    path = directory / "average.h5"
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["job_type"], file.attrs["extents"] = "0", "propagator", [4, 4, 4, 4]
        for group, values in (("approximate/", a), ("exact/", e), ("", corrected[:, None])):
            file[group + NAME] = numpy.stack([values, 0 * values], axis=-1)
            file[group + NAME].attrs["symmetry"] = "cosh"
        file["approximate/solves/residual"] = numpy.full((6, 3, 12), 0.02)
        file["approximate/solves/iterations"] = numpy.full((6, 3, 12), 7)
        file["solves/true_residual"], file["solves/iterations"] = numpy.full((6, 2, 12), 1e-11), numpy.full((6, 2, 12), 50)
        file["configurations/trajectory"] = numpy.array([60, 50, 40, 30, 20, 10])
    with open_result(path) as ensemble:
        blocks = all_mode_blocks(ensemble, NAME, ensemble.chains(NAME))
        assert all(numpy.array_equal(found[..., 0], values[::-1]) for found, values in zip(blocks, (a, e)))
    with open_result(path, blind="secret") as ensemble:
        blinded = all_mode_blocks(ensemble, NAME)
        assert all(numpy.array_equal(found[..., 0], ensemble.factor("pion") * values) for found, values in zip(blinded, (a, e)))
        assert ensemble.factor("pion") != 1
    text, numbers = analysed(directory, path)
    assert "3 approximate sources a configuration, 2 of them exact too" in text, text
    assert "approximate solves: 7 iterations at most, residual 0.02" in text, text
    assert "mass pion" in numbers


def check_loops(directory):
    """Corrected loops of noise vectors without gauge fluctuations: their noise error is the whole error."""
    rng, rows, vectors, exact = numpy.random.default_rng(4), 300, 12, 3
    e = 5 + rng.normal(size=(rows, vectors, 4))
    a = 4 + 0.8 * (e - 5) + 0.3 * rng.normal(size=e.shape)
    e = e[:, :exact]
    corrected = all_mode_average(a, e)
    path = directory / "loops.h5"
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["job_type"], file.attrs["extents"] = "0", "loops", [2, 2, 2, 4]
        for group, values in (("approximate/noise", a), ("exact/noise", e), ("loops", corrected)):
            file[f"{group}/scalar/p_0_0_0"] = numpy.stack([values, 0 * values], axis=-1)
        file["approximate/solves/residual"] = numpy.full((rows, vectors, 2), 0.02)
        file["approximate/solves/iterations"] = numpy.full((rows, vectors, 2), 7)
        file["solves/true_residual"] = numpy.full((rows, exact, 2), 1e-11)
    block, = analyse([path])
    table, = block.tables
    loop, noise = table.columns["real"][0], table.plain["noise error of real"][0]
    density = corrected.sum(axis=1) / 32
    assert abs(loop.value - density.mean()) < 1e-12 and abs(loop.value - 5 * 4 / 32) < 4 * noise
    assert abs(noise / (density.std() / rows**0.5) - 1) < 0.15, (noise, density.std() / rows**0.5)
    assert "12 approximate noise vectors a configuration, 3 of them exact too" in dict(block.facts)["all-mode averaging"]
    assert any("two-point functions" in note for note in block.notes)


check_bias()
check_weight()
with tempfile.TemporaryDirectory() as name:
    check_file(pathlib.Path(name))
    check_loops(pathlib.Path(name))
print("ok")
