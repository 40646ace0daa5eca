"""Blinding: what it changes, what it does not, and that every output says so. 77: skipped."""
import hashlib
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

from made import analysed, noisy, states  # finds the package

import sealed

from plaq.analysis import Blinding, BlindingError, Choice, Request, analyse, correlators, open_result, three_points
from plaq.analysis.blinding import family, read_blinding

EXTENT, ROWS, SINK_TIME = 16, 60, 6
JOB = """job = "propagator"
[action]
type = "wilson"
kappa = 0.12
[source]
type = "point"
"""


def put(file, name, samples, symmetry):
    values = numpy.zeros((ROWS, 1, EXTENT, 2))
    values[:, 0, :, 0] = samples
    file[f"correlators/{name}"] = values
    file[f"correlators/{name}"].attrs["symmetry"] = symmetry


def make_file(path, energy=0.5):
    rng = numpy.random.default_rng(1)
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["job_type"], file.attrs["extents"] = "test", "propagator", [8, 8, 8, EXTENT]
        file.attrs["job"] = JOB
        file["configurations/trajectory"] = numpy.arange(ROWS)
        pion = noisy(states("cosh", EXTENT, (energy,), (1.0,)), ROWS, rng)
        put(file, "pion/p_0_0_0/point", pion, "cosh")
        put(file, "pion/p_0_0_0/smeared", 0.1 * noisy(states("cosh", EXTENT, (energy,), (1.0,)), ROWS, rng), "cosh")
        put(file, "axial_pseudoscalar/p_0_0_0/point", noisy(states("sinh", EXTENT, (energy,), (-0.3,)), ROWS, rng), "sinh")
        forward = noisy(states("none", EXTENT, (0.8,), (1.0,)), ROWS, rng)
        put(file, "proton/p_0_0_0/point", forward, "none")
        back = noisy(states("none", EXTENT, (0.8,), (1.0,)), ROWS, rng)[:, ::-1]
        put(file, "proton_minus/p_0_0_0/point", -numpy.roll(back, 1, axis=1), "none")
        put(file, "proton/p_0_0_1/point", noisy(states("none", EXTENT, (0.9,), (1.0,)), ROWS, rng), "none")
        constant = numpy.full(EXTENT, math.exp(-0.8 * SINK_TIME))
        for insertion, current, part in (("proton_u", "vector_t", 0), ("proton_d", "vector_t", 0), ("proton_u_polarized", "axial_z", 1)):
            for momentum in ("p_0_0_0", "p_0_0_1"):
                values = numpy.zeros((ROWS, 1, EXTENT, 2))
                values[:, 0, :, part] = (0.4 if "_d" in insertion else 1.2) * noisy(constant, ROWS, rng)
                name = f"three_point/{insertion}/{current}/{momentum}"
                file[name] = values
                file[name].attrs["sink_time"] = SINK_TIME
        return pion


def check_factors():
    """The formula, and what has one factor."""
    blinding, values = Blinding({"": "spring"}), []
    for key in ("pion", "axial_z", "proton"):
        digest = hashlib.sha256(f"spring\0{key}".encode()).hexdigest()
        expected = 1 + 0.1 * (2 * int(digest[:16], 16) / 2**64 - 1)
        assert blinding.factor(key) == expected and 0.9 <= expected <= 1.1, key
        values.append(expected)
    assert len({*values, Blinding({"": "autumn"}).factor("pion")}) == 4
    every = numpy.array([Blinding({"": str(i)}).factor("pion") for i in range(2000)])
    assert every.min() < 0.901 and every.max() > 1.099 and abs(every.mean() - 1) < 0.005 and abs(every.std() - 0.1 / math.sqrt(3)) < 0.002
    for one, key in (("pion.light_strange", "pion"), ("rho_x", "rho"), ("proton_12_minus.u_d", "proton"), ("proton_minus", "proton"),
                     ("rho_vt_y", "rho_vt"), ("axial_z", "axial_z"), ("vector_t", "vector_t"), ("axial_pseudoscalar.m0.1_m0.2",
                     "axial_pseudoscalar"), ("delta_half", "delta_half"), ("tensor_xy", "tensor_xy"), ("pion_ps", "pion_ps")):
        assert family(one) == key and blinding.factor(one) == blinding.factor(key), one
    one = read_blinding(["pion=a", "axial_z=b"])
    assert one.factor("pion") == Blinding({"": "a"}).factor("pion") and one.factor("rho") == 1 and str(one) == "pion=a, axial_z=b"
    both = read_blinding(["all", "pion=a"])
    assert both.factor("pion") == one.factor("pion") and both.factor("rho") == Blinding({"": "all"}).factor("rho")
    assert read_blinding([]) is None
    for text in (" ", "pion=", "=a", "pion.light_light=a", "rho_x=a"):
        try:
            read_blinding([text])
        except BlindingError:
            continue
        raise AssertionError(f"no error: {text}")


def results(path, blind=None):
    block, = analyse([path], Request(Choice(states=(1,)), blind=blind))
    return {one.name: one.quantity for one in block.results}


def check_numbers(path, pion):
    """Masses and ratios of equal channels are the same; amplitudes and matrix elements follow their factors."""
    plain, blinded, again, other = (results(path, name) for name in (None, "spring", "spring", "autumn"))
    factor = Blinding({"": "spring"}).factor
    assert {name: one.value for name, one in blinded.items()} == {name: one.value for name, one in again.items()}
    for name in (one for one in plain if one.startswith("mass ")):
        assert math.isclose(blinded[name].value, plain[name].value, rel_tol=1e-6), name
    decay = {"decay constant pion": factor("axial_pseudoscalar") / math.sqrt(factor("pion")),
             "matrix element 0|P|pion": math.sqrt(factor("pion")),
             "pcac mass point": factor("axial_pseudoscalar") / factor("pion"),
             "ratio proton_u vector_t q=0,0,0 sink_time 6": factor("vector_t") / factor("proton"),
             "ratio proton_u-d vector_t q=0,0,0 sink_time 6": factor("vector_t") / factor("proton"),
             "ratio proton_u vector_t q=0,0,1 sink_time 6": factor("vector_t") / factor("proton"),
             "ratio proton_u_polarized axial_z q=0,0,0 sink_time 6": factor("axial_z") / factor("proton")}
    for name, expected in decay.items():
        assert math.isclose(blinded[name].value / plain[name].value, expected, rel_tol=1e-5), (name, blinded[name].value, plain[name].value)
        assert math.isclose(blinded[name].gamma().error / plain[name].gamma().error, expected, rel_tol=1e-3), name
        assert abs(other[name].value / blinded[name].value - 1) > 1e-4, name
    with open_result(path) as ensemble, open_result(path, blind="spring") as hidden:
        bare, made = ({one.name(): one for one in correlators(e)} for e in (ensemble, hidden))
        for name, one in bare.items():
            assert numpy.allclose(made[name].samples, factor(one.channel) * one.samples, rtol=1e-13), name
        ratio = [one["pion p=0,0,0 smeared"].samples.mean(axis=0) / one["pion p=0,0,0 point"].samples.mean(axis=0) for one in (bare, made)]
        assert numpy.allclose(*ratio, rtol=1e-13)
        assert numpy.array_equal(bare["pion p=0,0,0 point"].samples, pion) and ensemble.blinded() == "" and hidden.blinded() == "spring"
        shares = [[p.samples.mean() for p in three_points(e) if p.current == "vector_t"] for e in (ensemble, hidden)]
        assert len(shares[0]) == 6 and numpy.allclose(numpy.array(shares[1]) / shares[0], factor("vector_t"), rtol=1e-12)
    # One channel or one current alone.
    one = results(path, {"axial_z": "spring"})
    name = "ratio proton_u_polarized axial_z q=0,0,0 sink_time 6"
    assert math.isclose(one[name].value / plain[name].value, factor("axial_z"), rel_tol=1e-5)
    assert all(one[name].value == plain[name].value for name in plain if "axial_z" not in name)


def check_outputs(directory, path):
    """Every output says that it is blinded, and none has a factor."""
    secrets = [repr(Blinding({"": "spring"}).factor(one))[:9] for one in ("pion", "proton", "axial_pseudoscalar", "vector_t", "axial_z")]
    files = {kind: directory / f"out.{kind}" for kind in ("csv", "hdf5", "hadrons")}
    exports = [word for kind, name in files.items() for word in ("--export", kind, name)]
    text, numbers = analysed(directory, path, "--states", "1", "--momentum", "0,0,0", "--blind", "spring", *exports)
    assert "blinded                  spring: correlators have secret factors within 10%" in text
    assert json.loads(numbers)["blocks"][0]["blinded"] == "spring"
    table = files["csv"].read_text().splitlines()[1:]
    assert len(table) > 20 and all(",blinded spring: " in line.replace('"', "") for line in table)
    assert any(line.split(",")[-1] for line in table if "mass pion" in line), "systematic errors are there"
    with h5py.File(files["hdf5"]) as file:
        assert file["ensemble_0"].attrs["blinded"] == "spring"
    with h5py.File(directory / "out.hadrons.0.h5") as file:
        assert file["meson/meson_0"].attrs["blinded"][0] == b"spring"
    for written in (text, numbers, files["csv"].read_text()):
        assert not any(secret in written for secret in secrets)
    text, numbers = analysed(directory, path, "--states", "1", "--momentum", "0,0,0", *exports)
    assert "blinded" not in text and json.loads(numbers)["blocks"][0]["blinded"] is None
    assert "blinded" not in files["csv"].read_text()
    with h5py.File(files["hdf5"]) as file, h5py.File(directory / "out.hadrons.0.h5") as hadrons:
        assert "blinded" not in file["ensemble_0"].attrs and "blinded" not in hadrons["meson/meson_0"].attrs
    # A fit across ensembles, whose blocks have one name: its numbers have one factor.
    make_file(directory / "other.h5", 0.6)
    members = (f"{path},a=1", f"{directory / 'other.h5'},a=2", "--extrapolate", "f_pion", "--against", "a", "--states", "1")
    text, hidden = analysed(directory, *members, "--blind", "spring", "--momentum", "0,0,0")
    _, plain = analysed(directory, *members, "--momentum", "0,0,0")
    fits = [json.loads(one)["extrapolation"] for one in (hidden, plain)]
    assert "  blinded spring: correlators have secret factors\n" in text and [one["blinded"] for one in fits] == ["spring", None]
    factor = Blinding({"": "spring"}).factor
    expected = factor("axial_pseudoscalar") / math.sqrt(factor("pion"))
    assert numpy.allclose(fits[0]["parameters"], numpy.multiply(expected, fits[1]["parameters"]), rtol=1e-4)
    # A name that is nowhere would leave unblinded what was meant.
    for wrong, words in (("axial_x=a", "there is no such channel or current; there are axial_pseudoscalar, axial_z"),
                         ("", "expected a name"), ("pion.light=a", "write pion=a")):
        assert words in analysed(directory, path, "--blind", wrong, code=2)[0], wrong
    with sealed.results(directory / "flow.h5") as file:
        file.attrs["plaq_version"], file["observables/plaquette"] = "test", numpy.ones(5)
    assert "no correlators" in analysed(directory, directory / "flow.h5", "--blind", "a", code=2)[0]


check_factors()
with tempfile.TemporaryDirectory() as name:
    directory = pathlib.Path(name)
    pion = make_file(directory / "pion.h5")
    check_numbers(directory / "pion.h5", pion)
    check_outputs(directory, directory / "pion.h5")
print("ok")
