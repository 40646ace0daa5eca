"""Ratios of three-point functions and the summation method, of samples whose matrix elements are known. 77: skipped."""
import math
import pathlib
import re
import sys
import tempfile

try:
    import h5py  # noqa: F401  the package reads with it
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

from made import noisy, states  # finds the package

import sealed

from plaq.analysis import Chains, Choice, Correlator, FitError, GammaSettings, Request, Settings, analyse, summation
from plaq.analysis.gamma import NUMPY
from plaq.analysis.insertions import IMAGINARY, REAL, Operator
from plaq.analysis.presentation import numbers_of, text_of
from plaq.analysis.three_point import ThreePoint

SETTINGS = Settings(GammaSettings(library=NUMPY), samples=50)
EXTENT, ROWS = 32, 120
MASS, ENERGY, GAP, Z0, ZP = 0.4, 0.6, 0.5, 1.0, 0.7


def three(sink_time, element, excited, energy, z):
    """C3(t) of a hadron of this energy at the source: the element, and what excited states on both sides add."""
    t = numpy.arange(EXTENT)
    fall = math.sqrt(Z0 * z) * numpy.exp(-energy * t - MASS * (sink_time - t))
    return fall * (element + excited * (numpy.exp(-GAP * t) + numpy.exp(-GAP * (sink_time - t))))


def make_result(path, sink_time, seed):
    """Matrix elements 1.2 (u) and 0.4 (d) of the axial current, imaginary part, with excited states; 1 of a pion's charge, exactly
    flat, and 0.8 of it at q; noise that numerator and denominator share."""
    rng = numpy.random.default_rng(seed)
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["job_type"], file.attrs["extents"] = "test", "propagator", [8, 8, 8, EXTENT]
        file.attrs["job"] = f'job = "propagator"\n[source]\ntype = "point"\n[three_point]\nsink_time = {sink_time}\n'
        file["configurations/trajectory"] = numpy.arange(ROWS)
        for row in range(ROWS):
            file.create_group(f"gauge/{row:06}").attrs["checksum"] = row
        for channel, momentum, energy, z in (("proton", "p_0_0_0", MASS, Z0), ("pion", "p_0_0_0", MASS, Z0),
                                             ("pion", "p_1_0_0", ENERGY, ZP)):
            values = numpy.zeros((ROWS, 2, EXTENT, 2))
            values[..., 0] = noisy(states("none", EXTENT, (energy,), (z,)), ROWS, rng, 0.002)[:, None]
            file[f"correlators/{channel}/{momentum}/point"] = values
            file[f"correlators/{channel}/{momentum}/point"].attrs["symmetry"] = "none"
        for insertion, current, momentum, part, c3 in (
                ("pion", "vector_t", "p_0_0_0", 0, three(sink_time, 1.0, 0.0, MASS, Z0)),
                ("pion", "vector_t", "p_1_0_0", 0, three(sink_time, 0.8, 0.0, ENERGY, ZP)),
                ("proton_u_polarized", "axial_z", "p_0_0_0", 1, three(sink_time, 1.2, 0.5, MASS, Z0)),
                ("proton_d_polarized", "axial_z", "p_0_0_0", 1, three(sink_time, 0.4, 0.2, MASS, Z0))):
            values = numpy.full((ROWS, 2, EXTENT, 2), 7.0)  # the other part is of no use
            own = noisy(c3, ROWS, rng, 0.002)
            values[:, 0, :, part], values[:, 1, :, part] = 1.1 * own, 0.9 * own
            file[f"three_point/{insertion}/{current}/{momentum}"] = values
            file[f"three_point/{insertion}/{current}/{momentum}"].attrs.update({"sink_time": sink_time, "sink": "point"})
            if f"three_point/{insertion}/true_residual" not in file:
                file[f"three_point/{insertion}/true_residual"] = numpy.zeros((ROWS, 2, 12))


def within(result, truth, most):
    error = result["total_error"] if "total_error" in result else result["error"]
    assert abs(result["value"] - truth) < 4 * error and error < most, (result["value"], truth, error)


def check_files(directory):
    paths = []
    for sink_time in (6, 8, 10, 12):
        paths.append(directory / f"three{sink_time}.h5")
        make_result(paths[-1], sink_time, sink_time)
    blocks = analyse(paths, Request(Choice(states=(1,)), SETTINGS))
    text, numbers = text_of(blocks[0], SETTINGS), [numbers_of(block, SETTINGS) for block in blocks]
    for sink_time, block in zip((6, 8, 10, 12), numbers):
        found = block["results"]
        within(found[f"ratio pion vector_t q=0,0,0 sink_time {sink_time}"], 1.0, 0.002)
        within(found[f"ratio pion vector_t q=0,0,1 sink_time {sink_time}"], 0.8, 0.002)
        table = block["tables"][f"proton_u_polarized axial_z q=0,0,0 sink_time {sink_time}"]
        for t in range(1, sink_time):
            truth = 1.2 + 0.5 * (math.exp(-GAP * t) + math.exp(-GAP * (sink_time - t)))
            assert abs(table["R"]["value"][t] - truth) < 5 * table["R"]["error"][t] < 0.02, (t, table["R"]["value"][t], truth)
    found = numbers[0]["results"]
    # Sums: the slope is the matrix element, and excited states are gone with exp(-gap t_s); a constant fit is far off.
    for name, element, excited in (("proton_u_polarized", 1.2, 0.5), ("proton_d_polarized", 0.4, 0.2), ("proton_u-d_polarized", 0.8, 0.3)):
        sums = [element * (ts - 1) + 2 * excited * sum(math.exp(-GAP * t) for t in range(1, ts)) for ts in (6, 8, 10, 12)]
        low, high = min(numpy.diff(sums)) / 2, max(numpy.diff(sums)) / 2  # slopes between neighbours, of which a fit is an average
        result = found[f"summed {name} axial_z q=0,0,0"]
        assert low - 4 * result["error"] < result["value"] < high + 4 * result["error"], (result["value"], low, high)
        assert abs(result["value"] - element) < 0.05 and 0 < result["error"] < 0.01
        assert abs(result["jackknife_error"] / result["error"] - 1) < 0.3
        constant = found[f"ratio {name} axial_z q=0,0,0 sink_time 6"]
        assert abs(constant["value"] - element) > 3 * abs(result["value"] - element)
    assert math.isclose(found["summed proton_u_polarized axial_z q=0,0,0"]["value"] - found["summed proton_d_polarized axial_z q=0,0,0"][
        "value"], found["summed proton_u-d_polarized axial_z q=0,0,0"]["value"], abs_tol=0.01)
    within(found["summed pion vector_t q=0,0,0"], 1.0, 0.002)
    assert re.search(r"sink times 6, 8, 10, 12, \w+, chi2/dof \d+\.\d\d \(2 dof\), p \S+$", text, re.M), text
    # The window of ratios is chosen by its name.
    block, = analyse(paths[1:2], Request(Choice(channels=("pion",), states=(1,), windows={"ratio": (3, 6)}), SETTINGS))
    fit = next(result.averaged for result in block.results if result.name.startswith("ratio pion vector_t q=0,0,0"))
    assert fit.chosen and fit.windows[0].ends() == (3, 6)
    assert not [result.name for result in block.results if "proton" in result.name]


def point(sink_time, three_samples, two):
    chains = Chains.of_rows(len(two))
    rest = Correlator("pion", (0, 0, 0), "point", "none", two, chains)
    return ThreePoint("pion", "vector_t", (0, 0, 0), sink_time, three_samples, rest, None, chains)


def check_summation_by_hand():
    """Two sink times: the difference of sums over that of times, with the jackknife of every row."""
    rng = numpy.random.default_rng(1)
    two = noisy(states("none", EXTENT, (MASS,), (1.0,)), 40, rng, 0.05)
    points = [point(ts, noisy(three(ts, 1.0, 0.3, MASS, 1.0), 40, rng, 0.05), two) for ts in (6, 9)]
    settings = Settings(GammaSettings(window_factor=0, library=NUMPY), bins=40)  # without autocorrelations

    def slope(keep):
        sums = [(one.samples[keep].mean(axis=0)[1:one.sink_time] / two[keep].mean(axis=0)[one.sink_time]).sum() for one in points]
        return (sums[1] - sums[0]) / 3

    found = summation(points, Choice(), settings)
    rows = numpy.arange(40)
    without = numpy.array([slope(rows != row) for row in rows])
    assert math.isclose(found.quantity.value, slope(rows >= 0), rel_tol=1e-10) and found.freedom == 0
    by_hand = math.sqrt(39 * numpy.mean((without - without.mean())**2))
    assert math.isclose(found.quantity.jackknife(settings), by_hand, rel_tol=1e-8)
    assert abs(found.quantity.gamma(settings).error / by_hand - 1) < 0.1
    for wrong, words in ((points[:1], "two sink times"), ([points[0], point(6, points[0].samples, two)], "two sink times"),
                         ([points[0], point(9, points[1].samples[:30], two[:30])], "different configurations")):
        try:
            summation(wrong)
            raise AssertionError(words)
        except FitError as error:
            assert words in str(error), error


def make_moving(path, sink_times, noise):
    """A pion with the sink at p' = (0, 0, 1): the charge at q = 0 is 1, of the Breit frame, q = (0, 0, -2), 0.6, and 0.8 into a pion at
    rest, q = (0, 0, -1). Of one sink time as [t], of several as [sink_time][t]."""
    rng = numpy.random.default_rng(noise)
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["job_type"], file.attrs["extents"] = "test", "propagator", [8, 8, 8, EXTENT]
        key = f"sink_times = {sink_times}" if isinstance(sink_times, list) else f"sink_time = {sink_times}"
        file.attrs["job"] = f'job = "propagator"\n[source]\ntype = "point"\n[three_point]\n{key}\nsink_momentum = [0, 0, 1]\n'
        file["configurations/trajectory"] = numpy.arange(ROWS)
        for row in range(ROWS):
            file.create_group(f"gauge/{row:06}").attrs["checksum"] = row
        for momentum, energy, z in (("p_0_0_0", MASS, Z0), ("p_0_0_1", ENERGY, ZP)):
            values = numpy.zeros((ROWS, 2, EXTENT, 2))
            values[..., 0] = noisy(states("none", EXTENT, (energy,), (z,)), ROWS, rng, 0.002)[:, None]
            file[f"correlators/pion/{momentum}/point"] = values
            file[f"correlators/pion/{momentum}/point"].attrs["symmetry"] = "none"
        t = numpy.arange(EXTENT)
        for momentum, element, energy, z in (("p_0_0_0", 1.0, ENERGY, ZP), ("p_0_0_-2", 0.6, ENERGY, ZP), ("p_0_0_-1", 0.8, MASS, Z0)):
            made = []
            for time in numpy.atleast_1d(sink_times):
                fall = math.sqrt(ZP * z) * numpy.exp(-energy * t - ENERGY * (time - t)) * element
                made.append(noisy(fall, ROWS, rng, 0.002))
            values = numpy.zeros((ROWS, 2, len(made), EXTENT, 2))
            values[..., 0] = numpy.stack(made, axis=1)[:, None]
            name = f"three_point/pion/vector_t/{momentum}"
            file[name] = values if isinstance(sink_times, list) else values[:, :, 0]
            file[name].attrs.update({"sink_time": sink_times, "sink": "point", "sink_momentum": [0, 0, 1]})


def check_moving_sinks_and_times_of_one_file(directory):
    path = directory / "moving.h5"
    make_moving(path, [6, 8, 10], 3)
    block, = analyse([path], Request(Choice(states=(1,)), SETTINGS))
    found = numbers_of(block, SETTINGS)["results"]
    for q, truth in (("0,0,0", 1.0), ("0,0,-2", 0.6), ("0,0,-1", 0.8)):
        for time in (6, 8, 10):
            within(found[f"ratio pion vector_t q={q} p'=0,0,1 sink_time {time}"], truth, 0.005)
        within(found[f"summed pion vector_t q={q} p'=0,0,1"], truth, 0.02)
    assert re.search(r"sink times 6, 8, 10, \w+, chi2/dof", text_of(block, SETTINGS)), text_of(block, SETTINGS)
    block, = analyse([path], Request(Choice(momentum=(0, 1, 0), channels=("pion",), states=(1,)), SETTINGS))
    names = [one.name for one in block.results if "vector_t" in one.name]
    assert names and all("q=0,0,-1 p'" in name for name in names), names
    # A file of one more sink time belongs to it.
    make_moving(directory / "more.h5", 12, 4)
    first, second = analyse([path, directory / "more.h5"], Request(Choice(states=(1,)), SETTINGS))
    assert "sink times 6, 8, 10, 12," in text_of(first, SETTINGS) and "summed" not in text_of(second, SETTINGS)


REST, AXIS = (0, 0, 0), (0, 0, 1)
GAMMAS = ("scalar", "pseudoscalar", *(f"{kind}_{mu}" for kind in ("vector", "axial") for mu in "xyzt"),
          *(f"tensor_{both}" for both in ("xy", "xz", "xt", "yz", "yt", "zt")))


def check_symmetries():
    """Operators that do not vanish: local ones as docs/result-files.md has them, and those of moments and of quasi distributions."""
    def kept(operator, polarized, sink=REST, q=REST):
        found = {gamma: operator.part(gamma, polarized, sink, q) for gamma in GAMMAS}
        return {gamma: part for gamma, part in found.items() if part is not None}

    local, line = Operator(), Operator("wilson_line", "z", 3)
    odd = Operator("wilson_line", "z", 3, odd=True)
    assert kept(local, False) == {"scalar": REAL, "vector_t": REAL} and kept(local, True) == {"axial_z": IMAGINARY, "tensor_xy": REAL}
    # Magnetic moments: the current across q and the spin.
    assert kept(local, True, q=(0, 1, 0))["vector_x"] == REAL and "vector_y" not in kept(local, True, q=(0, 1, 0))
    assert kept(Operator("derivative", "t"), False) == {"scalar": REAL, "vector_t": REAL}
    assert kept(Operator("derivative", "z"), False) == {"vector_z": REAL}
    assert kept(Operator("derivative", "t"), True) == {"axial_z": IMAGINARY, "tensor_xy": REAL}
    assert kept(Operator("derivative", "z"), True) == {"axial_t": IMAGINARY}
    assert kept(line, False) == kept(local, False) and kept(odd, False) == {"vector_z": REAL}
    # In a moving hadron h(z) has an imaginary part, which is odd.
    assert kept(line, False, AXIS)["vector_t"] == REAL and kept(odd, False, AXIS)["vector_t"] == IMAGINARY
    assert kept(line, False, AXIS)["vector_z"] == IMAGINARY and "tensor_zt" not in kept(line, False, AXIS)
    assert Operator("derivative", "zt").reach() == (1, 1) and Operator("derivative", "tt").reach() == (2, 2) and line.reach() == (0, 0)
    assert Operator("wilson_line", "t", 3).reach() == (3, 3) and Operator("conserved").reach() == (0, 1) and local.reach() == (0, 0)


def h(z):
    """A matrix element of a line, with h(-z) = h(z)^*."""
    return math.exp(-z * z / 20) * complex(math.cos(0.3 * z), math.sin(0.3 * z))


def make_point_split(path, sink_times):
    """The sink's pion has p' = (0, 0, 1). Of the conserved charge 1 at q = 0 and 0.8 into rest, between t and t + 1; -0.3 of
    derivative_t vector_t, with contact terms on the slices that it reaches; h(z) of lines along z; the local charge is 1 / 0.7."""
    rng = numpy.random.default_rng(9)
    t, longest = numpy.arange(EXTENT), 2
    rows = 60

    def stacked(make):
        """[row][source][sink time][t][part] of make(sink_time), a complex [t]."""
        values = numpy.zeros((rows, 2, len(sink_times), EXTENT, 2))
        for k, sink_time in enumerate(sink_times):
            truth = make(sink_time)
            for part, one in enumerate((truth.real, truth.imag)):
                values[:, :, k, :, part] = noisy(one, rows, rng, 0.002)[:, None]
        return values

    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["job_type"], file.attrs["extents"] = "test", "propagator", [8, 8, 8, EXTENT]
        file.attrs["job"] = f'job = "propagator"\n[source]\ntype = "point"\n[three_point]\nsink_times = {sink_times}\n'
        file["configurations/trajectory"] = numpy.arange(rows)
        for row in range(rows):
            file.create_group(f"gauge/{row:06}").attrs["checksum"] = row
        for momentum, energy, z in (("p_0_0_0", MASS, Z0), ("p_0_0_1", ENERGY, ZP)):
            values = numpy.zeros((rows, 2, EXTENT, 2))
            values[..., 0] = noisy(states("none", EXTENT, (energy,), (z,)), rows, rng, 0.002)[:, None]
            file[f"correlators/pion/{momentum}/point"] = values

        def add(name, values, **more):
            file[name] = values
            file[name].attrs.update({"sink_time": sink_times, "sink": "point", "sink_momentum": AXIS, **more})

        def flat(time):
            return numpy.full(EXTENT, ZP * math.exp(-ENERGY * time)) + 0j

        def contact(time):
            return numpy.where((t > 1) & (t < time - 1), 1.0, 9.0)

        add("three_point/pion/vector_t/p_0_0_0", stacked(lambda time: flat(time) / 0.7))
        # On each field it is the same on all slices up to the sink: the covariance has no inverse.
        charge = stacked(flat)
        charge[..., 0] = charge[..., :1, 0] * numpy.stack([t < time for time in sink_times])
        add("conserved/pion/vector_t/p_0_0_0", charge)
        add("conserved/pion/vector_t/p_0_0_-1", stacked(lambda time: 0.8 * math.sqrt(Z0 * ZP) * numpy.exp(
            -MASS * (t + 0.5) - ENERGY * (time - t - 0.5)) + 0j))
        add("derivative/pion/t/vector_t/p_0_0_0", stacked(lambda time: -0.3 * flat(time) * contact(time)))
        add("derivative/pion/t/vector_x/p_0_0_0", stacked(flat))  # vanishes on average over gauge fields
        lines = [stacked(lambda time, z=z: (h(z) + 5j * (z != 0)) * flat(time)) for z in range(-longest, longest + 1)]
        add("wilson_line/pion/z/vector_t/p_0_0_0", numpy.stack(lines, axis=3), z=numpy.arange(-longest, longest + 1))


def check_point_split_operators(directory):
    path = directory / "split.h5"
    make_point_split(path, [6, 9])
    block, = analyse([path], Request(Choice(states=(1,)), SETTINGS))
    found = numbers_of(block, SETTINGS)
    results = found["results"]
    moving = "p'=0,0,1"
    for time in (6, 9):
        within(results[f"ratio pion conserved vector_t q=0,0,0 {moving} sink_time {time}"], 1.0, 0.005)
        within(results[f"ratio pion conserved vector_t q=0,0,-1 {moving} sink_time {time}"], 0.8, 0.005)
        within(results[f"ratio pion derivative t vector_t q=0,0,0 {moving} sink_time {time}"], -0.3, 0.005)
        within(results[f"z_vector pion sink_time {time}"], 0.7, 0.005)
        for z in range(3):
            within(results[f"ratio pion wilson_line z {z} vector_t q=0,0,0 {moving} sink_time {time}"], h(z).real, 0.005)
        for z in (1, 2):
            within(results[f"ratio pion wilson_line z {z} odd vector_t q=0,0,0 {moving} sink_time {time}"], h(z).imag, 0.01)
        even, odd = [found["tables"][f"pion wilson_line z {parity} vector_t q=0,0,0 {moving} sink_time {time}"]
                     for parity in ("even", "odd")]
        assert even["z"] == [0, 1, 2] and odd["z"] == [1, 2]
        assert odd["R"]["value"][1] == results[f"ratio pion wilson_line z 2 odd vector_t q=0,0,0 {moving} sink_time {time}"]["value"]
    for name, truth in (("conserved vector_t q=0,0,0", 1.0), ("derivative t vector_t q=0,0,0", -0.3),
                        ("wilson_line z 2 odd vector_t q=0,0,0", h(2).imag)):
        result = results[f"summed pion {name} {moving}"]
        within(result, truth, 0.02)
        assert abs(result["jackknife_error"] / result["error"] - 1) < 0.4 and abs(result["bootstrap_error"] / result["error"] - 1) < 0.5
    assert not [name for name in results if "vector_x" in name]
    # One factor blinds local and conserved currents, so that Z_V is not blinded.
    block, = analyse([path], Request(Choice(states=(1,)), SETTINGS, blind={"vector_t": "secret"}))
    blinded = numbers_of(block, SETTINGS)["results"]
    name = f"ratio pion conserved vector_t q=0,0,0 {moving} sink_time 6"
    factor = blinded[name]["value"] / results[name]["value"]
    assert 1e-4 < abs(factor - 1) < 0.1 and math.isclose(blinded[f"ratio pion wilson_line z 1 vector_t q=0,0,0 {moving} sink_time 6"][
        "value"] / results[f"ratio pion wilson_line z 1 vector_t q=0,0,0 {moving} sink_time 6"]["value"], factor, rel_tol=1e-9)
    assert math.isclose(blinded["z_vector pion sink_time 6"]["value"], results["z_vector pion sink_time 6"]["value"], rel_tol=1e-9)


check_summation_by_hand()
check_symmetries()
with tempfile.TemporaryDirectory() as name:
    check_files(pathlib.Path(name))
    check_moving_sinks_and_times_of_one_file(pathlib.Path(name))
    check_point_split_operators(pathlib.Path(name))
print("ok")
