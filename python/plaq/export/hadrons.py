"""Meson fields of distillation as Hadrons reads them: HDF5 files of A2AMatrixIo, which HadronsContractor multiplies and traces.

The layout is that of https://github.com/aportelli/Hadrons (Hadrons/A2AMatrix.hpp, Hadrons/Modules/MContraction/A2AMesonField.hpp,
utilities/Contractor.cpp) by the Hdf5Writer of https://github.com/paboyle/Grid (Grid/serialisation/Hdf5IO.h, Hdf5Type.h, MacroMagic.h):

    /                      attribute _Grid_dataset_threshold
    /NAME                  attributes momentum and gamma; NAME is GAMMA_X_Y_Z, as in the names of files of Hadrons
    /NAME/a2aMatrix        [t][i][j] of re and im

Spins of Grid are in the DeGrand-Rossi basis, as in plaq.
"""
from __future__ import annotations

import functools

import h5py
import numpy

from ..analysis.arrays import Array, Path
from ..distillation import GAMMA_5, gamma
from ..distillation_files import Momentum
from . import files as foreign

Vectors = Array | int  # solutions of a perambulator, or sources on a time slice

_BY_DIRECTION = {direction: gamma(mu) for mu, direction in enumerate("XYZT")}
GAMMAS = {  # Gamma::Algebra of Grid
    "Identity": numpy.eye(4, dtype=complex), "Gamma5": GAMMA_5,
    **{f"Gamma{a}": matrix for a, matrix in _BY_DIRECTION.items()},
    **{f"Gamma{a}Gamma5": matrix @ GAMMA_5 for a, matrix in _BY_DIRECTION.items()},
    **{f"Sigma{a}{b}": _BY_DIRECTION[a] @ _BY_DIRECTION[b] for a, b in zip("XXXYYZ", "YZTZTT")},
}
THRESHOLD = 6  # attributes of more numbers would be datasets


def write_meson_field(path: Path, structure: str, elementals: Array, left: Vectors, right: Vectors, momentum: Momentum = (0, 0, 0),
                      precision: str = "single", overwrite: bool = False) -> str:
    """Writes the meson field M(t)_IJ = sum_x exp(-i p x) w_I(x, t)^dagger Gamma D v_J(x, t), and returns its name in the file, the
    `dataset` of HadronsContractor.

    w of `left` and v of `right` are, with I = 4 mode + spin of the source:
    - of a perambulator tau from the time slice t0: its solutions phi_I(t) = sum_i v_i(t) tau(t, t0)_{. i, I};
    - of a time slice t0: its sources rho_I = v_i(t0) e_s, which are 0 on all others.

    plaq.distillation.meson() of the operators psibar Gamma_1 D_1 psi at the sink and psibar Gamma_2 D_2 psi at the source is
    -tr(A(t0) B(t)): B = phi^dagger gamma5 Gamma_1 D_1 phi, and A = rho^dagger gamma_t Gamma_2^dagger gamma_t gamma5 D_2^dagger rho, whose
    elementals are the adjoint of those of D_2, of momentum -n. Of pions it is tr(A(t0) B(t)) with "Identity" in both files.

    path: the file. structure: name of Gamma in Grid: "Identity", "Gamma5", "GammaX", "GammaXGamma5", "SigmaXY", ... elementals: those of D
    and p, [t][i][j]. momentum: n of p = 2 pi n / L; the file says -n, since phases of Hadrons are exp(2 pi i n x / L). precision: "single",
    as Hadrons is built by default, or "double", for HADRONS_A2AM_IO_TYPE=ComplexD. One time slice of M is in memory at a time.
    """
    phi = numpy.asarray(elementals)
    if phi.ndim != 3 or phi.shape[1] != phi.shape[2]:
        raise ValueError(f"elementals: expected an array [t][mode][mode], found one of shape {phi.shape}")
    if structure not in GAMMAS:
        raise ValueError(f"structure: expected {', '.join(GAMMAS)}, not {structure!r}")
    ends = [_vectors(name, one, phi) for name, one in (("left", left), ("right", right))]
    n = tuple(-int(one) for one in momentum)
    name = "_".join([structure, *map(str, n)])
    foreign.write(path, [], overwrite, functools.partial(_write, name, structure, phi, ends, n, foreign.complex_type(precision)))
    return name


def _vectors(name: str, vectors: Vectors, phi: Array) -> Vectors:
    slices, modes = phi.shape[:2]
    if isinstance(vectors, (int, numpy.integer)):
        if not 0 <= vectors < slices:
            raise ValueError(f"{name}: there are time slices 0 to {slices - 1}, not {vectors}")
        return int(vectors)
    found = numpy.asarray(vectors)
    if found.shape != (slices, 4, 4, modes, modes):
        raise ValueError(f"{name}: expected a time slice, or a perambulator of shape {(slices, 4, 4, modes, modes)} for elementals of "
                         f"shape {phi.shape}; found an array of shape {found.shape}")
    return found


def _at(vectors: Vectors, t: int, modes: int) -> Array | None:
    """[spin, mode][mode, spin of the source] on a time slice; None: 0."""
    if isinstance(vectors, int):
        unit = numpy.eye(4 * modes).reshape(modes, 4, 4 * modes)
        return unit.swapaxes(0, 1).reshape(4 * modes, 4 * modes) if t == vectors else None
    return vectors[t].transpose(0, 2, 3, 1).reshape(4 * modes, 4 * modes)


def _write(name: str, structure: str, phi: Array, ends: list[Vectors], n: tuple[int, ...], kind: str, path: str) -> None:
    slices, modes = phi.shape[:2]
    size = 4 * modes
    real = numpy.dtype(kind.replace("c16", "f8").replace("c8", "f4"))
    with h5py.File(path, "w") as file:
        file.attrs["_Grid_dataset_threshold"] = numpy.array([THRESHOLD], "<u4")
        group = file.create_group(name)
        group.attrs["momentum"] = numpy.array(n, "<f4")
        group.attrs["gamma"] = numpy.array([structure.encode()])
        out = group.create_dataset("a2aMatrix", (slices, size, size), numpy.dtype([("re", real), ("im", real)]), chunks=(1, size, size),
                                   fletcher32=True)
        for t in range(slices):
            w, v = (_at(one, t, modes) for one in ends)
            if w is not None and v is not None:
                middle = numpy.einsum("ab,ij->aibj", GAMMAS[structure], phi[t]).reshape(size, size)
                found = numpy.ascontiguousarray(w.conj().T @ middle @ v, dtype=kind)
                out[t] = found.view(out.dtype)
