"""Hadron correlators by distillation (Peardon et al., Phys. Rev. D 80 (2009) 054506): contractions of perambulators with elementals.

    modes = plaq.laplacian_modes(U, modes=32)
    tau = plaq.perambulator(plaq.Solver(D), modes, t=0)
    phi = plaq.meson_elementals(modes)
    pion = plaq.distillation.meson(tau, 0, (plaq.gamma5, phi))
    B = plaq.baryon_elementals(modes)
    proton = plaq.distillation.nucleon(tau, 0, B)
    tau, G = plaq.generalised_perambulators(solver, modes, t=0, sink_time=8)
    vector = plaq.distillation.meson_three_point(tau, G[0, 0], 0, plaq.gamma(3), (plaq.gamma5, phi))

Perambulators are arrays [t'][s][s'][i][j], elementals of mesons [t][i][j], of baryons [t][i][j][k], t the time slices of the lattice.
A generalised perambulator is a quark line with a current on it, an array [t][a][b][s][s'][i][j], t from the source to the sink.
Files of jobs have them as well: read_perambulator(), read_generalised_perambulators() and read_elementals(). plaq.export writes them for
other programs. Correlators count t from the source. A perambulator needs as many modes as the elementals; the first modes of all are a
smaller set: tau[..., :n, :n], phi[:, :n, :n].

The module needs numpy, and h5py to read files; it does not need the compiled part of plaq.
"""
from __future__ import annotations

import numpy
import numpy.typing

from .analysis.arrays import Array
from .distillation_files import read_elementals, read_generalised_perambulators, read_perambulator

__all__ = ["C_GAMMA_5", "GAMMA_5", "GAMMA_T", "gamma", "meson", "meson_three_point", "nucleon", "nucleon_three_point", "read_elementals",
           "read_generalised_perambulators", "read_perambulator"]

GammaLike = numpy.typing.ArrayLike
Operator = tuple[GammaLike, Array]

# DeGrand-Rossi basis, as plaq.gamma(mu): rows of phases i^n in the columns row ^ flip.
_FLIPS, _PHASES = (3, 3, 2, 2), ((1, 1, 3, 3), (2, 0, 0, 2), (1, 3, 3, 1), (0, 0, 0, 0))


def gamma(mu: int) -> Array:
    """The matrix of plaq.gamma(mu), without the compiled part."""
    matrix = numpy.zeros((4, 4), complex)
    for row in range(4):
        matrix[row, row ^ _FLIPS[mu]] = (1, 1j, -1, -1j)[_PHASES[mu][row]]
    return matrix


GAMMA_T = gamma(3)
GAMMA_5 = gamma(0) @ gamma(1) @ gamma(2) @ gamma(3)
C_GAMMA_5 = gamma(3) @ gamma(1) @ GAMMA_5  # C = gamma_t gamma_y


def _perambulator(tau: Array, name: str = "tau") -> Array:
    tau = numpy.asarray(tau)
    if tau.ndim != 5 or tau.shape[1:3] != (4, 4) or tau.shape[3] != tau.shape[4]:
        raise ValueError(f"{name}: expected a perambulator [t][4][4][mode][mode], found an array of shape {tau.shape}")
    return tau


def _like(tau: Array, other: Array | None, name: str) -> Array:
    """The perambulator of another quark, or tau where there is none."""
    found = tau if other is None else _perambulator(other, name)
    if found.shape != tau.shape:
        raise ValueError(f"{name}: expected a perambulator of shape {tau.shape}, found {found.shape}")
    return found


def _line(generalised: Array, current: GammaLike, tau: Array) -> Array:
    """[t][s][s'][i][j] of the current Gamma, t from the source to the sink."""
    generalised = numpy.asarray(generalised)
    shape = generalised.shape
    if len(shape) != 7 or shape[1:] != (4, 4, *tau.shape[1:]) or not 2 <= shape[0] <= tau.shape[0]:
        raise ValueError(f"expected a generalised perambulator [t][4][4][4][4][mode][mode] for a perambulator of shape {tau.shape}, "
                         f"found an array of shape {shape}")
    return numpy.tensordot(_spins(current), generalised, axes=([0, 1], [1, 2]))


def _elementals(elementals: Array, tau: Array, axes: int) -> Array:
    elementals = numpy.asarray(elementals)
    wanted = (tau.shape[0],) + axes * (tau.shape[3],)
    if elementals.shape != wanted:
        raise ValueError(f"expected elementals of shape {wanted} for a perambulator of shape {tau.shape}, found {elementals.shape}")
    return elementals


def _spins(matrix: GammaLike) -> Array:
    found = numpy.asarray(matrix, dtype=complex)
    if found.shape != (4, 4):
        raise ValueError(f"expected a spin matrix of 4 x 4 numbers such as plaq.gamma5, found an array of shape {found.shape}")
    return found


def _slice(tau: Array, source_time: int) -> int:
    if not 0 <= source_time < tau.shape[0]:
        raise ValueError(f"source_time: there are time slices 0 to {tau.shape[0] - 1}, not {source_time}")
    return source_time


def meson(tau: Array, source_time: int, sink: Operator, source: Operator | None = None, antiquark: Array | None = None) -> Array:
    """The correlator C(t) = < O_sink(t) O_source^dagger(0) > of mesons O = psibar_2 Gamma D psi_1, connected part, as [t] from the source.

    With phi the elementals of D and the momentum, it is
    -Tr[phi_sink(t) Gamma_sink tau_1(t, 0) phi_source(0)^dagger gamma_t Gamma_source^dagger gamma_t gamma5 tau_2(t, 0)^dagger gamma5].
    Both ends have the momentum of their elementals: it is that of all sources of plaq.meson() together. A list of operators makes a
    matrix of correlators, for plaq.analysis: C = [[meson(tau, 0, a, b) for b in operators] for a in operators].

    tau: the perambulator of quark 1 from the time slice `source_time`. sink, source: pairs (Gamma, phi); source: the same as the sink where
    it is left out. antiquark: the perambulator of quark 2 from the same slice, where it is another quark. M is gamma5-hermitian.
    """
    tau = _perambulator(tau)
    other = _like(tau, antiquark, "antiquark")
    first = _slice(tau, source_time)
    ends = _MesonEnds(tau, sink, source if source is not None else sink, first)
    return numpy.roll([ends.contract(t, tau[t], other[t]) for t in range(tau.shape[0])], -first)


def meson_three_point(tau: Array, generalised: Array, source_time: int, current: GammaLike, sink: Operator,
                      source: Operator | None = None) -> Array:
    """The three-point function C3(t) = < O_sink(t_f) J(t) O_source^dagger(0) > of a current J = psibar_1 Gamma D psi_1 on quark 1 of mesons
    O = psibar_2 Gamma D psi_1, connected part, as [t] from the source to the sink.

    It is meson() with the line of the current, sum_ab Gamma_ab G_ab(t), in the place of tau_1. The source has the momentum of the sink
    and the current together: give it elementals of that momentum.

    tau: the perambulator of quark 2 from the time slice `source_time`. generalised: that of quark 1 from the same slice, of one D and
    momentum, [t][a][b][s][s'][i][j]. current: Gamma. sink, source: as of meson().
    """
    tau = _perambulator(tau)
    first = _slice(tau, source_time)
    line = _line(generalised, current, tau)
    at_sink = (first + line.shape[0] - 1) % tau.shape[0]
    ends = _MesonEnds(tau, sink, source if source is not None else sink, first)
    return numpy.array([ends.contract(at_sink, one, tau[at_sink]) for one in line])


class _MesonEnds:
    """Sink and source of a meson around its quarks."""

    def __init__(self, tau: Array, sink: Operator, source: Operator, first: int) -> None:
        (gamma_a, phi_a), (gamma_b, phi_b) = sink, source
        self.left = GAMMA_5 @ _spins(gamma_a)
        self.right = GAMMA_T @ _spins(gamma_b).conj().T @ GAMMA_T @ GAMMA_5
        self.at_sink, self.at_source = _elementals(phi_a, tau, 2), _elementals(phi_b, tau, 2)[first].conj().T

    def contract(self, sink_time: int, forth: Array, back: Array) -> complex:
        """Of the quark that runs to the time slice of the sink, and the one that runs back, before gamma5."""
        # [b][a][i][l]: phi Gamma tau phi^dagger Gamma' between the spins and modes of the quark that runs back.
        spins = numpy.einsum("bc,cdij,da->baij", self.left, forth, self.right)
        return complex(-numpy.vdot(back, numpy.matmul(numpy.matmul(self.at_sink[sink_time], spins), self.at_source)))


def nucleon(tau: Array, source_time: int, sink: Array, source: Array | None = None, down: Array | None = None, parity: int = 1,
            boundary: int = -1) -> Array:
    """The correlator C(t) = tr[P < chi(t) chibar(0) >] of the proton chi = eps_abc (u_a^T C gamma5 d_b) u_c as [t] from the source, with
    P = (1 + gamma_t)/2, the channel "proton" of plaq.baryon(), or with parity=-1 P = (1 - gamma_t)/2, "proton_minus".

    Both ends have the momentum of their elementals: it is that of all sources of plaq.baryon() together. It takes about 1000 N^4 operations
    a time slice for N modes.

    tau: the perambulator of the up quark from the time slice `source_time`; down: that of the down quark, where it is another one.
    sink, source: elementals of baryons; source: the same as the sink where it is left out. boundary: sign of the quarks around the
    lattice in time, which is taken out of the slices before the source.
    """
    tau = _perambulator(tau)
    down = _like(tau, down, "down")
    if parity not in (1, -1) or boundary not in (1, -1, 0):
        raise ValueError("parity is 1 or -1, and boundary 1, -1 or 0")
    first = _slice(tau, source_time)
    at_sink = _elementals(sink, tau, 3)
    at_source = at_sink[first] if source is None else _elementals(source, tau, 3)[first]
    projector = (numpy.eye(4) + parity * GAMMA_T) / 2
    turned = _turned(down)
    found = numpy.array([_nucleon_at(at_sink[t], at_source.conj(), (tau[t], tau[t]), turned[t], projector) for t in range(tau.shape[0])])
    if boundary:
        found[:first] *= boundary
    return numpy.roll(found, -first)


def nucleon_three_point(tau: Array, generalised: Array, source_time: int, current: GammaLike, sink: Array, source: Array | None = None,
                        quark: str = "u", polarized: bool = False, boundary: int = -1) -> Array:
    """The three-point function C3(t) = tr[P < chi(t_f) J(t) chibar(0) >] of a current J = qbar Gamma D q on the quark q of the proton of
    nucleon(), connected part, as [t] from the source to the sink. P is (1 + gamma_t)/2, or polarized along z P i gamma5 gamma_z.

    It is nucleon() with the line of the current in the place of each up quark in turn, or of the down quark. u and d have one mass. The
    source has the momentum of the sink and the current together: give it elementals of that momentum.

    tau: the perambulator from the time slice `source_time`. generalised: that from the same slice, of one D and momentum,
    [t][a][b][s][s'][i][j]. current: Gamma. sink, source, boundary: as of nucleon(). quark: "u" or "d".
    """
    tau = _perambulator(tau)
    if quark not in ("u", "d") or boundary not in (1, -1, 0):
        raise ValueError('quark is "u" or "d", and boundary 1, -1 or 0')
    first, lines = _slice(tau, source_time), _line(generalised, current, tau)
    behind = first + lines.shape[0] - 1
    plain, at_sink = tau[behind % tau.shape[0]], _elementals(sink, tau, 3)
    ends = at_sink[behind % tau.shape[0]], (at_sink if source is None else _elementals(source, tau, 3))[first].conj()
    projector = (numpy.eye(4) + GAMMA_T) / 2
    if polarized:
        projector = projector @ (1j * GAMMA_5 @ gamma(2))
    if quark == "d":
        found = numpy.array([_nucleon_at(*ends, (plain, plain), line, projector) for line in _turned(lines)])
    else:
        down = _turned(plain[None])[0]
        found = numpy.array([_nucleon_at(*ends, (line, plain), down, projector) + _nucleon_at(*ends, (plain, line), down, projector)
                             for line in lines])
    return found * boundary if boundary and behind >= tau.shape[0] else found


def _turned(down: Array) -> Array:
    """C gamma5 D (C gamma5)^T of the spins of [t][s][s'][i][j]."""
    return numpy.einsum("ab,tbcij,dc->tadij", C_GAMMA_5, down, C_GAMMA_5)


def _over(first: int, matrix: Array, elementals: Array) -> Array:
    """sum_i matrix[i][l] elementals[..i..], index `first` of three replaced by l."""
    return numpy.moveaxis(numpy.tensordot(matrix, elementals, axes=(0, first)), 0, first)


def _nucleon_at(sink: Array, source: Array, ups: tuple[Array, Array], down: Array, projector: Array) -> complex:
    """sum B_ijk B*_lmn (tr[D_jm U_il^T] tr[P V_kn] + tr[P V_kn D_jm^T U_il]), spins within traces: V, U the up quarks, D the down quark
    as of _turned()."""
    projected, up = numpy.einsum("ab,bcij->acij", projector, ups[0]), ups[1]
    total = _over(2, numpy.einsum("aaij->ij", projected), sink)
    found = 0j
    for c in range(4):
        ends = [_over(2, projected[a, c], sink) for a in range(4)]
        for d in range(4):
            through = sum(_over(0, up[d, a], ends[a]) for a in range(4)) + _over(0, up[d, c], total)
            found += complex(numpy.sum(_over(1, down[d, c], through) * source))
    return found
