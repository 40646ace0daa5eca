"""Renormalisation factors of quark bilinears by RI/MOM and RI/SMOM, of vertices jobs.

With means over configurations and over global color rotations, s = (1/3) tr_color S(p) and g = (1/3) tr_color G, the amputated vertex is

    Lambda = s(p_out)^-1 g s(p_in)^-1,                       Gamma on unit links
    Lambda_O = (1/4) tr[P_O Lambda],                         1 on unit links
    Z_q = (1/4) tr[-i k-slash s^-1] / k^2,   k = sin p,      mean of both legs
    Z_O = Z_q / Lambda_O                                     of O_R = Z_O O, q_R = Z_q^(1/2) q

P_O is Gamma^dagger, averaged over directions for V, A and T (RI/MOM: Martinelli et al., Nucl. Phys. B 445 (1995) 81; RI/SMOM with
gamma_mu). V_q and A_q have q-slash q_mu / q^2 and gamma5 q-slash q_mu / q^2 in its place, q = p_in - p_out (RI/SMOM: Sturm et al., Phys.
Rev. D 80 (2009) 014501). The limit of massless quarks is left to the user, as is the conversion to MSbar.
"""
from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING

import numpy

from .arrays import Array
from .blocks import Block, Table
from .chains import Chains
from .quantities import Quantity, quantities
from .results import Ensemble

if TYPE_CHECKING:
    from collections.abc import Sequence

GAMMA = numpy.array([
    [[0, 0, 0, 1j], [0, 0, 1j, 0], [0, -1j, 0, 0], [-1j, 0, 0, 0]],
    [[0, 0, 0, -1], [0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0]],
    [[0, 0, 1j, 0], [0, 0, 0, -1j], [-1j, 0, 0, 0], [0, 1j, 0, 0]],
    [[0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0]]])
GAMMA5 = numpy.diag([1, 1, -1, -1]).astype(complex)
BILINEARS = ("S", "P", "V", "A", "T")
OF_TRANSFER = ("V_q", "A_q")  # need a momentum transfer q
SAME = 1e-9  # relative, of squares of momenta


def gamma_matrices() -> dict[str, Array]:
    """The 16 matrices by the names that results give them."""
    found = {"scalar": numpy.eye(4, dtype=complex), "pseudoscalar": GAMMA5}
    for mu, name in enumerate("xyzt"):
        found[f"vector_{name}"], found[f"axial_{name}"] = GAMMA[mu], GAMMA[mu] @ GAMMA5
        for nu in range(mu + 1, 4):
            found[f"tensor_{name}{'xyzt'[nu]}"] = 0.5j * (GAMMA[mu] @ GAMMA[nu] - GAMMA[nu] @ GAMMA[mu])
    return found


CURRENTS = tuple(gamma_matrices())
FAMILIES = {"S": "scalar", "P": "pseudoscalar", "V": "vector_", "A": "axial_", "T": "tensor_"}


def color_trace(matrices: Array) -> Array:
    """(1/3) tr_color of [...][12][12], rows and columns 3 * spin + color: [...][4][4]."""
    split = matrices.reshape(*matrices.shape[:-2], 4, 3, 4, 3)
    return numpy.einsum("...aibi->...ab", split) / 3


@dataclasses.dataclass
class Vertex:
    """The vertices of all bilinears between quarks of two momenta."""

    n_in: tuple[int, ...]
    n_out: tuple[int, ...]
    p_in: Array  # [direction], in lattice units
    p_out: Array
    samples: Array  # [configuration][number], as packed() has them
    chains: Chains

    @property
    def transfer(self) -> Array:
        return self.p_in - self.p_out

    @property
    def scheme(self) -> str:
        """RI/MOM, RI/SMOM where p_in^2 = p_out^2 = q^2, or "general"."""
        squares = [float(p @ p) for p in (self.p_in, self.p_out, self.transfer)]
        if self.n_in == self.n_out:
            return "RI/MOM"
        return "RI/SMOM" if max(squares) - min(squares) <= SAME * max(squares) else "general"

    def names(self) -> list[str]:
        """Of projections: S, P, V, A, T, and with a momentum transfer V_q and A_q."""
        return [*BILINEARS, *(() if self.scheme == "RI/MOM" else OF_TRANSFER)]

    def amputated(self, means: Array | None = None) -> dict[str, Array]:
        """Lambda by current, [...][4][4], of other means [...][number] than those of all configurations."""
        s_in, s_out, g = unpacked(self.chains.mean(self.samples) if means is None else means)
        with numpy.errstate(all="ignore"):
            left, right = numpy.linalg.inv(s_out), numpy.linalg.inv(s_in)
        return {name: left @ g[..., i, :, :] @ right for i, name in enumerate(CURRENTS)}

    def projections(self) -> dict[str, Quantity]:
        """Lambda_O by name."""
        return dict(zip(self.names(), quantities(self.samples, self._projected, self.chains)))

    def quark_factor(self) -> Quantity:
        """Z_q of RI'/MOM."""
        return quantities(self.samples, lambda means: self._quark(means)[..., None], self.chains)[0]

    def factors(self) -> dict[str, Quantity]:
        """Z_O by name."""
        return dict(zip(self.names(), quantities(self.samples, self._factors, self.chains)))

    def _factors(self, means: Array) -> Array:
        return self._quark(means)[..., None] / self._projected(means)

    def _quark(self, means: Array) -> Array:
        s_in, s_out, _ = unpacked(means)
        return (quark_factor(s_in, self.p_in) + quark_factor(s_out, self.p_out)) / 2

    def _projected(self, means: Array) -> Array:
        amputated = self.amputated(means)
        gammas = gamma_matrices()
        found = []
        for name in BILINEARS:
            members = [one for one in CURRENTS if one == FAMILIES[name] or name in "VAT" and one.startswith(FAMILIES[name])]
            found.append(sum(_trace(gammas[one].conj().T, amputated[one]) for one in members) / len(members))
        if self.scheme != "RI/MOM":
            q = numpy.sin(self.transfer)
            slash = numpy.tensordot(q, GAMMA, 1)
            for kind, projector in (("vector_", slash), ("axial_", GAMMA5 @ slash)):
                found.append(sum(q[mu] * _trace(projector, amputated[kind + "xyzt"[mu]]) for mu in range(4)) / (q @ q))
        return numpy.stack(found, axis=-1)


def _trace(projector: Array, matrices: Array) -> Array:
    """Real part of (1/4) tr[P M]."""
    return numpy.einsum("ab,...ba->...", projector, matrices).real / 4


def quark_factor(s: Array, p: Array) -> Array:
    """Z_q of means s [...][4][4] at momentum p: (1/4) tr[-i k-slash s^-1] / k^2, k = sin p; not a number at k = 0."""
    k = numpy.sin(p)
    with numpy.errstate(all="ignore"):
        return _trace(-1j * numpy.tensordot(k, GAMMA, 1), numpy.linalg.inv(s)) / (k @ k)


def packed(s_in: Array, s_out: Array, g: Sequence[Array]) -> Array:
    """Numbers [configuration][number] of S(p_in) and S(p_out) [configuration][12][12] and of G of all currents in their order."""
    traced = numpy.stack([color_trace(one) for one in (s_in, s_out, *g)], axis=1)
    return numpy.stack([traced.real, traced.imag], axis=-1).reshape(len(traced), -1)


def unpacked(numbers: Array) -> tuple[Array, Array, Array]:
    """s(p_in), s(p_out) [...][4][4] and g [...][current][4][4] of [...][number]."""
    split = numbers.reshape(*numbers.shape[:-1], 2 + len(CURRENTS), 4, 4, 2)
    matrices = split[..., 0] + 1j * split[..., 1]
    return matrices[..., 0, :, :], matrices[..., 1, :, :], matrices[..., 2:, :, :]


def has_vertices(ensemble: Ensemble) -> bool:
    return ensemble.has("vertices/scalar") and ensemble.has("propagators/in") and ensemble.has("momenta/n_in")


def vertices(ensemble: Ensemble) -> list[Vertex]:
    """Those of the files of vertices jobs, in the order of the job; none of other files."""
    if not has_vertices(ensemble):
        return []
    chains = ensemble.chains("vertices/scalar")

    @functools.cache
    def column(name: str) -> Array:
        rows = ensemble.column(name, chains)  # [configuration][vertex][row][column][real, imaginary]
        return rows[..., 0] + 1j * rows[..., 1]

    first = ensemble.files[0]
    n_in, n_out, p_in, p_out = (first.array(f"momenta/{name}") for name in ("n_in", "n_out", "p_in", "p_out"))
    return [Vertex(tuple(map(int, n_in[i])), tuple(map(int, n_out[i])), p_in[i], p_out[i],
                   packed(column("propagators/in")[:, i], column("propagators/out")[:, i],
                          [column(f"vertices/{name}")[:, i] for name in CURRENTS]), chains) for i in range(len(n_in))]


def add_vertices(block: Block) -> None:
    """Tables of Z_q and Z_O: of vertices with a momentum transfer, and of RI/MOM."""
    found = vertices(block.ensemble)
    if not found:
        return
    block.chains = block.chains or found[0].chains
    for title, chosen in (("RI/MOM", [one for one in found if one.scheme == "RI/MOM"]),
                          ("RI/SMOM", [one for one in found if one.scheme != "RI/MOM"])):
        if not chosen:
            continue
        table = Table(f"renormalisation factors, {title}", [
            {"n_in": list(one.n_in), "n_out": list(one.n_out), "kinematics": one.scheme, "p_squared": float(one.p_in @ one.p_in)}
            for one in chosen])
        table.add("Z_q", [one.quark_factor() for one in chosen])
        factors = [one.factors() for one in chosen]
        for name in chosen[0].names():
            table.add(f"Z_{name}", [row[name] for row in factors])
        block.tables.append(table)
    if any(not numpy.sin(p).any() for one in found for p in (one.p_in, one.p_out)):
        block.notes.append("Z_q is not known at sin p = 0, and no factor is")
