"""Renormalisation factors of vertices whose truth is known: schemes, projections, errors, and color that rotates."""
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

import made  # finds the package  # noqa: F401
import sealed
from plaq.analysis import ensembles, vertices
from plaq.analysis.analysis import Request, analyse
from plaq.analysis.presentation import numbers_of, text_of
from plaq.analysis.quantities import Settings
from plaq.analysis.vertices import gamma_matrices

ROWS = 40
LENGTH = 8
PAIRS = (((1, 1, 0, 0), (0, 1, 1, 0)), ((1, 0, 1, 0), (1, 0, 1, 0)), ((1, 0, 0, 0), (0, 0, 0, 2)))
Z_Q = 0.8
TRUTH = {"S": 1.3, "P": 1.6, "A": 1.1, "T": 0.9}  # Lambda of each family
V, V_SLASH = 1.2, 0.4  # Lambda of V is V gamma_mu + V_SLASH q_mu q-slash / q^2
GAMMAS = gamma_matrices()
FAMILY = {"scalar": "S", "pseudoscalar": "P", "axial": "A", "tensor": "T"}


def momentum(n):
    return 2 * numpy.pi * numpy.array(n) / LENGTH


def slash(p):
    return sum(math.sin(p[mu]) * GAMMAS[f"vector_{'xyzt'[mu]}"] for mu in range(4))


def quark(n):
    """s(p) with s^-1 = Z_q (i k-slash + M)."""
    return numpy.linalg.inv(Z_Q * (1j * slash(momentum(n)) + 0.3 * numpy.eye(4)))


def vertex(name, transfer):
    """Lambda, with a part that no projection sees."""
    kind = name.split("_")[0]
    if kind != "vector":
        return TRUTH[FAMILY[kind]] * GAMMAS[name] + (0.2 * GAMMAS["vector_x"] if kind in ("scalar", "pseudoscalar") else 0)
    k = numpy.sin(transfer)
    along = k["xyzt".index(name[-1])] * slash(transfer) / (k @ k) if k.any() else 0
    return V * GAMMAS[name] + V_SLASH * along


def with_color(spin, rotation, noise):
    """[row][column] of 3 * spin + color: the same in each color up to noise, rotated."""
    turned = numpy.einsum("ac,cd,bd->ab", rotation, numpy.eye(3) + noise, rotation.conj())
    return numpy.kron(spin, turned)


def write(path):
    rng = numpy.random.default_rng(8)
    rotations = [numpy.linalg.qr(rng.normal(size=(3, 3)) + 1j * rng.normal(size=(3, 3)))[0] for _ in range(ROWS)]
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["job_type"], file.attrs["extents"] = "test", "vertices", [LENGTH] * 4
        file["configurations/trajectory"] = numpy.arange(ROWS)

        def add(name, of_pair):
            values = numpy.array([[with_color(of_pair(*pair), rotation, 0.02 * rng.normal(size=(3, 3))) for pair in PAIRS]
                                  for rotation in rotations])
            file[name] = numpy.stack([values.real, values.imag], axis=-1)

        add("propagators/in", lambda n_in, n_out: quark(n_in))
        add("propagators/out", lambda n_in, n_out: quark(n_out))
        for name in GAMMAS:
            add(f"vertices/{name}",
                lambda n_in, n_out: quark(n_out) @ vertex(name, momentum(n_in) - momentum(n_out)) @ quark(n_in))
        for which, side in (("in", 0), ("out", 1)):
            file[f"momenta/n_{which}"] = [pair[side] for pair in PAIRS]
            file[f"momenta/p_{which}"] = [momentum(pair[side]) for pair in PAIRS]


def by_hand(file, rows, k, name):
    """Lambda of S or P, as matrices of spin and color inverted together."""
    read = {path: file[path][rows, k] for path in ("propagators/in", "propagators/out", f"vertices/{name}")}
    means = [(values[..., 0] + 1j * values[..., 1]).mean(axis=0) for values in read.values()]
    means = [numpy.einsum("aibi->ab", one.reshape(4, 3, 4, 3)) / 3 for one in means]
    amputated = numpy.linalg.solve(means[1], means[2]) @ numpy.linalg.inv(means[0])
    return (numpy.trace(GAMMAS[name].conj().T @ amputated) / 4).real


def check(directory):
    path = directory / "vertices.h5"
    write(path)
    found = vertices(ensembles([path])[0])
    assert [one.scheme for one in found] == ["RI/SMOM", "RI/MOM", "general"]
    assert [one.n_out for one in found] == [pair[1] for pair in PAIRS]
    for k, one in enumerate(found):
        truth = dict(TRUTH, V=V + (V_SLASH / 4 if k != 1 else 0))
        if k != 1:
            truth |= {"V_q": V + V_SLASH, "A_q": TRUTH["A"]}
        projections, factors, quark_factor = one.projections(), one.factors(), one.quark_factor()
        assert set(projections) == set(factors) == set(truth)
        error = quark_factor.gamma().error
        assert abs(quark_factor.value - Z_Q) < 5 * error and 0 < error < 0.01, (k, quark_factor.value, error)
        for name, value in truth.items():
            error = projections[name].gamma().error
            assert abs(projections[name].value - value) < 5 * error and 0 < error < 0.03, (k, name, projections[name].value, error)
            error = factors[name].gamma().error
            assert abs(factors[name].value - Z_Q / value) < 5 * error and 0 < error < 0.02, (k, name)
            assert math.isclose(factors[name].value, quark_factor.value / projections[name].value, rel_tol=1e-12)
    with h5py.File(path, "r") as file:
        every = numpy.arange(ROWS)
        for k, name, short in ((0, "scalar", "S"), (2, "pseudoscalar", "P")):
            quantity = found[k].projections()[short]
            assert math.isclose(quantity.value, by_hand(file, every, k, name), rel_tol=1e-12)
            values = numpy.array([by_hand(file, every[every != row], k, name) for row in every])
            expected = math.sqrt((ROWS - 1) * numpy.mean((values - values.mean())**2))
            assert math.isclose(quantity.jackknife(Settings(bins=ROWS)), expected, rel_tol=1e-9)
    block, = analyse([path], Request())
    text, tables = text_of(block, Settings()), numbers_of(block, Settings())["tables"]
    assert set(tables) == {"renormalisation factors, RI/MOM", "renormalisation factors, RI/SMOM"}
    smom = tables["renormalisation factors, RI/SMOM"]
    assert smom["kinematics"] == ["RI/SMOM", "general"] and smom["n_in"] == [[1, 1, 0, 0], [1, 0, 0, 0]]
    assert math.isclose(smom["Z_V_q"]["value"][0], found[0].factors()["V_q"].value, rel_tol=1e-12)
    assert "Z_V_q" not in tables["renormalisation factors, RI/MOM"] and "RI/SMOM" in text


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made_here:
        check(pathlib.Path(made_here))
    print("ok")
