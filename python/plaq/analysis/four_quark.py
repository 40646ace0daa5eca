"""Renormalisation of four-quark operators by RI/MOM and RI/SMOM, of vertices jobs with four_quark = true.

The parity-even operators of (sbar Gamma d)(sbar Gamma d) are Q_1 to Q_5 = VV+AA, VV-AA, SS-PP, SS+PP, TT (Donini et al., Eur. Phys. J. C10
(1999) 121). With means over configurations and over global color rotations, H = A delta_ij delta_kl + B delta_il delta_kj in the colors of
both bilinears. Amputated with s = (1/3) tr_color S on all four legs, Lambda has both of Wick's contractions,

    Lambda_ab,cd = (A_ab,cd - B_ad,cb) delta_ij delta_kl + (B_ab,cd - A_ad,cb) delta_il delta_kj

    M_ij = P_j[Lambda of Q_i],  P_j the sum of conj(Gamma_ab Gamma_cd) delta_ij delta_kl of Q_j,  F_ij = M_ij on unit links
    Z = Z_q^2 F M^-1                                         of Q_i,R = Z_ij Q_j

by projectors gamma_mu and the like (RI/SMOM: Aoki et al., Phys. Rev. D 84 (2011) 014503; Boyle et al., JHEP 10 (2017) 054). Chiral symmetry
allows only mixing of Q_2 with Q_3 and of Q_4 with Q_5. The error of S enters M to first order.
"""
from __future__ import annotations

import dataclasses

import numpy

from .arrays import Array
from .blocks import Block, Table
from .quantities import Quantity, quantities
from .results import Ensemble
from .vertices import FAMILIES, Vertex, gamma_matrices, unpacked, vertices

NAMES = ("scalar", "pseudoscalar", "vector", "axial", "tensor")  # of datasets
OPERATORS = ("VV+AA", "VV-AA", "SS-PP", "SS+PP", "TT")
OF_NAMES = numpy.array([[0, 0, 1, 1, 0], [0, 0, 1, -1, 0], [1, -1, 0, 0, 0], [1, 1, 0, 0, 0], [0, 0, 0, 0, 1]])
ALLOWED = ((0, 0), (1, 1), (1, 2), (2, 1), (2, 2), (3, 3), (3, 4), (4, 3), (4, 4))  # by chiral symmetry
COLORS = 3


def products() -> Array:
    """sum Gamma_ab Gamma_cd of each operator, [operator][a][b][c][d]."""
    matrices = gamma_matrices()
    families = [[matrix for name, matrix in matrices.items() if name.split("_")[0] == one.rstrip("_")] for one in FAMILIES.values()]
    return numpy.tensordot(OF_NAMES, [sum(numpy.einsum("ab,cd->abcd", g, g) for g in family) for family in families], 1)


def projected(a: Array, b: Array) -> Array:
    """P_j of amputated A and B of operators i, [...][i][spins]: M [...][i][j]."""
    joined = a - b.swapaxes(-3, -1)
    crossed = b - a.swapaxes(-3, -1)
    return numpy.einsum("jabcd,...iabcd->...ij", products().conj(), COLORS**2 * joined + COLORS * crossed).real


def tree() -> Array:
    """F."""
    a = products()
    return projected(a, numpy.zeros_like(a))


def amputated(h: Array, left: Array, right: Array, other_left: Array, other_right: Array) -> Array:
    """H [...][operator][a][b][c][d] times inverses [...][4][4] on its legs a, b, c and d."""
    return numpy.einsum("...ax,...cy,...ixzyw,...zb,...wd->...iabcd", left, other_left, h, right, other_right, optimize=True)


def colors_apart(joined: Array, crossed: Array) -> tuple[Array, Array]:
    """A and B of traces 9 A + 3 B and 3 A + 9 B."""
    return (COLORS * joined - crossed) / 24, (COLORS * crossed - joined) / 24


@dataclasses.dataclass
class FourQuarkVertex:
    """The vertices of all four-quark operators between quarks of two momenta."""

    vertex: Vertex  # of bilinears of the same quarks
    samples: Array  # [configuration][number]: those of `vertex`, and M_ij

    def factors(self) -> list[Quantity]:
        """Z_ij, number 5 i + j."""
        return quantities(self.samples, lambda means: self._factors(means).reshape(*means.shape[:-1], -1), self.vertex.chains)

    def of_b_k(self) -> Quantity:
        """Z_11 / Z_A^2, by which the bag parameter B_K of VV+AA is renormalised."""
        at = self.vertex.names().index("A")

        def estimate(means: Array) -> Array:
            bilinears = means[..., :self.vertex.samples.shape[1]]
            of_axial = self.vertex._quark(bilinears) / self.vertex._projected(bilinears)[..., at]
            return (self._factors(means)[..., 0, 0] / of_axial**2)[..., None]

        return quantities(self.samples, estimate, self.vertex.chains)[0]

    def _factors(self, means: Array) -> Array:
        size = self.vertex.samples.shape[1]
        m = means[..., size:].reshape(*means.shape[:-1], len(OPERATORS), len(OPERATORS))
        with numpy.errstate(all="ignore"):
            return self.vertex._quark(means[..., :size])[..., None, None]**2 * (tree() @ numpy.linalg.inv(m))


def projections(vertex: Vertex, joined: Array, crossed: Array) -> Array:
    """M_ij of each configuration, [configuration][5 i + j]: linear in its H [configuration][name][a][b][c][d] and in the deviation of its S
    from the mean, so that the mean is M of the mean."""
    a, b = colors_apart(*(numpy.einsum("in,cn...->ci...", OF_NAMES, one) for one in (joined, crossed)))
    chains, rows = vertex.chains, len(a)
    mean_a, mean_b = (chains.mean(one.reshape(rows, -1).view(float)).view(complex).reshape(one.shape[1:]) for one in (a, b))
    of_all, of_mean = unpacked(vertex.samples), unpacked(chains.mean(vertex.samples))
    right, left = (numpy.linalg.inv(one) for one in of_mean[:2])
    of_right, of_left = (-inverse @ (s - mean) @ inverse for inverse, s, mean in zip((right, left), of_all[:2], of_mean[:2]))

    def of(h_a: Array, h_b: Array, by_left: Array, by_right: Array) -> Array:
        return projected(*(amputated(h, by_left, by_right, left, right) for h in (h_a, h_b)))

    # Both bilinears are alike, so that a deviation on the other's legs changes M by as much.
    m = of(a, b, left, right) + 2 * of(mean_a, mean_b, of_left, right) + 2 * of(mean_a, mean_b, left, of_right)
    return m.reshape(rows, -1)


def has_four_quark_vertices(ensemble: Ensemble) -> bool:
    return ensemble.has("four_quark/vector")


def four_quark_vertices(ensemble: Ensemble) -> list[FourQuarkVertex]:
    """Those of the files of vertices jobs, in the order of the job; none of other files."""
    if not has_four_quark_vertices(ensemble):
        return []
    found = vertices(ensemble)
    rows = [ensemble.column(f"four_quark/{name}", found[0].chains) for name in NAMES]  # [configuration][vertex][colors][spins]...[2]
    whole = numpy.stack([one[..., 0] + 1j * one[..., 1] for one in rows], axis=2)
    return [FourQuarkVertex(vertex, numpy.concatenate(
        [vertex.samples, projections(vertex, whole[:, i, :, 0], whole[:, i, :, 1])], axis=1)) for i, vertex in enumerate(found)]


def add_four_quark_vertices(block: Block) -> None:
    """Tables of Z_ij that chiral symmetry allows, and of Z_11 / Z_A^2: of vertices with a momentum transfer, and of RI/MOM."""
    found = four_quark_vertices(block.ensemble)
    for title, chosen in (("RI/MOM", [one for one in found if one.vertex.scheme == "RI/MOM"]),
                          ("RI/SMOM", [one for one in found if one.vertex.scheme != "RI/MOM"])):
        if not chosen:
            continue
        table = Table(f"four-quark operators, {title}", [
            {"n_in": list(one.vertex.n_in), "n_out": list(one.vertex.n_out), "kinematics": one.vertex.scheme,
             "p_squared": float(one.vertex.p_in @ one.vertex.p_in)} for one in chosen])
        factors = [one.factors() for one in chosen]
        for i, j in ALLOWED:
            table.add(f"Z_{i + 1}{j + 1}", [row[len(OPERATORS) * i + j] for row in factors])
        table.add("Z_11/Z_A^2", [one.of_b_k() for one in chosen])
        block.tables.append(table)
    if found:
        block.notes.append("operators of Z_ij: " + ", ".join(f"{i + 1} {name}" for i, name in enumerate(OPERATORS)))
