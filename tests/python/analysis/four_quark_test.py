"""Renormalisation of four-quark operators whose mixing is known: factors, errors, and colors that rotate."""
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
from plaq.analysis import ensembles, four_quark_vertices
from plaq.analysis.analysis import Request, analyse
from plaq.analysis.four_quark import NAMES, OF_NAMES, colors_apart, tree
from plaq.analysis.presentation import numbers_of
from plaq.analysis.quantities import Settings
from plaq.analysis.vertices import FAMILIES, gamma_matrices

ROWS = 30
LENGTH = 8
PAIRS = (((1, 1, 0, 0), (0, 1, 1, 0)), ((1, 0, 1, 0), (1, 0, 1, 0)))
Z_Q, LAMBDA_A = 0.8, 1.1
# Amputated vertices of Q_i are MIXING_ij times those of Q_j on unit links.
MIXING = numpy.array([[1.3, 0, 0, 0, 0], [0, 1.1, 0.2, 0, 0], [0, -0.1, 1.4, 0, 0], [0, 0, 0, 1.2, 0.1], [0, 0, 0, 0.3, 0.9]])
GAMMAS = gamma_matrices()


def slash(p):
    return sum(math.sin(p[mu]) * GAMMAS[f"vector_{'xyzt'[mu]}"] for mu in range(4))


def quark(n):
    """s(p) with s^-1 = Z_q (i k-slash + M)."""
    return numpy.linalg.inv(Z_Q * (1j * slash(2 * numpy.pi * numpy.array(n) / LENGTH) + 0.3 * numpy.eye(4)))


def products(left, right):
    """sum of (left Gamma right)_ab (left Gamma right)_cd of each name."""
    families = [[g for name, g in GAMMAS.items() if name.split("_")[0] == one.rstrip("_")] for one in FAMILIES.values()]
    return numpy.array([sum(numpy.einsum("ab,cd->abcd", left @ g @ right, left @ g @ right) for g in family) for family in families])


def vertex(n_in, n_out):
    """H of each name without noise: A of quarks with legs."""
    of_names = numpy.linalg.inv(OF_NAMES) @ MIXING @ OF_NAMES
    return numpy.tensordot(of_names, products(quark(n_out), quark(n_in)), 1)


def write(path):
    rng = numpy.random.default_rng(11)
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["job_type"], file.attrs["extents"] = "test", "vertices", [LENGTH] * 4
        file["configurations/trajectory"] = numpy.arange(ROWS)
        scales = 1 + 0.02 * rng.normal(size=(ROWS, 4))  # of both quarks, of bilinears and of four quarks

        def add(name, of_row):
            values = numpy.array([[of_row(pair, row) for pair in PAIRS] for row in range(ROWS)])
            file[name] = numpy.stack([values.real, values.imag], axis=-1)

        color = numpy.eye(3)
        add("propagators/in", lambda pair, row: numpy.kron(quark(pair[0]) * scales[row, 0], color))
        add("propagators/out", lambda pair, row: numpy.kron(quark(pair[1]) * scales[row, 1], color))
        for name, gamma in GAMMAS.items():
            add(f"vertices/{name}", lambda pair, row, gamma=gamma: numpy.kron(
                LAMBDA_A * scales[row, 2] * quark(pair[1]) @ gamma @ quark(pair[0]), color))
        for i, name in enumerate(NAMES):
            # Traces of A alone: 9 A and 3 A.
            add(f"four_quark/{name}", lambda pair, row, i=i: scales[row, 3] * numpy.multiply.outer([9, 3], vertex(*pair)[i]))
        for which, side in (("in", 0), ("out", 1)):
            file[f"momenta/n_{which}"] = [pair[side] for pair in PAIRS]
            file[f"momenta/p_{which}"] = [2 * numpy.pi * numpy.array(pair[side]) / LENGTH for pair in PAIRS]
    return scales


def check_colors():
    """Both structures of color, which rotations leave alone, from their traces."""
    rng = numpy.random.default_rng(3)
    delta, (a, b) = numpy.eye(3), (0.7, -1.3)
    h = a * numpy.einsum("ij,kl->ijkl", delta, delta) + b * numpy.einsum("il,kj->ijkl", delta, delta)
    u = numpy.linalg.qr(rng.normal(size=(3, 3)) + 1j * rng.normal(size=(3, 3)))[0]
    turned = numpy.einsum("im,kn,mpnq,jp,lq->ijkl", u, u, h, u.conj(), u.conj())
    assert abs(turned - h).max() < 1e-14
    found = colors_apart(numpy.einsum("iikk", h), numpy.einsum("ikki", h))
    assert abs(numpy.array(found) - (a, b)).max() < 1e-14


def check_tree():
    """Blocks that chiral symmetry allows, none of them singular."""
    f = tree()
    allowed = numpy.array([[i == j or {i, j} in ({1, 2}, {3, 4}) for j in range(5)] for i in range(5)])
    assert abs(f[~allowed]).max() < 1e-10 * abs(f).max() and numpy.linalg.cond(f) < 10


def exact(scales, rows):
    """Z of the means of some configurations: all depends on the means of their factors."""
    s_in, s_out, _, h = scales[rows].mean(axis=0)
    z_q = Z_Q * (1 / s_in + 1 / s_out) / 2
    return z_q**2 * numpy.linalg.inv(MIXING) * s_in**2 * s_out**2 / h


def check(directory):
    check_colors()
    check_tree()
    path = directory / "vertices.h5"
    scales = write(path)
    every = numpy.arange(ROWS)
    found = four_quark_vertices(ensembles([path])[0])
    assert [one.vertex.scheme for one in found] == ["RI/SMOM", "RI/MOM"]
    for one in found:
        factors = one.factors()
        values = numpy.array([factor.value for factor in factors]).reshape(5, 5)
        assert abs(values - exact(scales, every)).max() < 1e-9
        without = numpy.array([exact(scales, every[every != row]) for row in every])
        expected = numpy.sqrt((ROWS - 1) * numpy.mean((without - without.mean(axis=0))**2, axis=0))
        for i, factor in enumerate(factors):
            error = factor.jackknife(Settings(bins=ROWS))
            assert abs(error - expected.flat[i]) < 0.02 * expected.flat[i] + 1e-9, (i, error, expected.flat[i])
        bilinear = (1 / scales[:, 0].mean() + 1 / scales[:, 1].mean()) / 2 * Z_Q
        z_a = bilinear / (LAMBDA_A * scales[:, 2].mean() / (scales[:, 0].mean() * scales[:, 1].mean()))
        assert math.isclose(one.of_b_k().value, values[0, 0] / z_a**2, rel_tol=1e-9)
    block, = analyse([path], Request())
    tables = numbers_of(block, Settings())["tables"]
    smom = tables["four-quark operators, RI/SMOM"]
    assert smom["kinematics"] == ["RI/SMOM"] and math.isclose(smom["Z_23"]["value"][0], found[0].factors()[7].value, rel_tol=1e-12)
    assert "four-quark operators, RI/MOM" in tables and "Z_12" not in smom


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made_here:
        check(pathlib.Path(made_here))
    print("ok")
