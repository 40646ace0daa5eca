"""Meson fields of distillation as Hadrons has them, in HDF5 files: those of A2AMatrixIo, which HadronsContractor multiplies and traces, and
those of DistilMatrixIo, with a block for each pair of sources.

The layouts are those of https://github.com/aportelli/Hadrons (Hadrons/A2AMatrix.hpp, DistilMatrix.hpp and DilutedNoise.hpp, the modules
MContraction/A2AMesonField.hpp and MDistil/DistilMesonFieldFixed.hpp, utilities/Contractor.cpp) by the Hdf5Writer of
https://github.com/paboyle/Grid (Grid/serialisation/Hdf5IO.h, Hdf5Type.h, MacroMagic.h):

    /                               attribute _Grid_dataset_threshold
    /NAME                           attributes momentum and gamma; NAME is GAMMA_X_Y_Z, as in the names of files of Hadrons
    /NAME/a2aMatrix                 [t][i][j] of re and im
    /DistilMesonField/Metadata      attributes Nt, Nvec, Momentum, Operator, ..., those of exact distillation with full dilution
    /DistilMesonField/t/T1-T2       [i][j] of re and im on the time slice t; left vectors from the slice T1, right ones from T2

Spins of Grid are in the DeGrand-Rossi basis, as in plaq. Vectors are in the order 4 mode + spin.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import h5py
import numpy

from ..analysis.arrays import Array, Path
from ..distillation import GAMMA_5, gamma
from ..distillation_files import Momentum
from . import files as foreign

Vectors = Array | int  # solutions of a perambulator, or sources on a time slice
ManyVectors = Mapping[int, Array] | Sequence[int]  # the same of several time slices

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
    phi = _elementals(structure, elementals)
    ends = [_vectors(name, one, phi) for name, one in (("left", left), ("right", right))]
    n, kind = tuple(-int(one) for one in momentum), foreign.complex_type(precision)
    name = "_".join([structure, *map(str, n)])

    def make(temporary: str) -> None:
        with h5py.File(temporary, "w") as file:
            group = _group(file, name)
            group.attrs["momentum"] = numpy.array(n, "<f4")
            group.attrs["gamma"] = _text(structure)
            out = _dataset(group, "a2aMatrix", (len(phi), 4 * phi.shape[1], 4 * phi.shape[1]), kind)
            for t in range(len(phi)):
                if (block := _block(structure, phi, ends, t)) is not None:
                    out[t] = _numbers(block, out)

    foreign.write(path, [], overwrite, make)
    return name


def write_distillation_meson_field(path: Path, structure: str, elementals: Array, left: ManyVectors, right: ManyVectors,
                                   momentum: Momentum = (0, 0, 0), pairs: Sequence[tuple[int, int]] | None = None,
                                   precision: str = "single", overwrite: bool = False) -> None:
    """Writes meson fields M(t)_IJ of write_meson_field() for several sources of each side: phi-phi, rho-phi, phi-rho or rho-rho.

    path: the file, in Hadrons STEM/phi-phi.TRAJECTORY/GAMMA_pX_Y_Z.h5. structure, elementals, momentum, precision: as of
    write_meson_field(). left, right: perambulators by the time slices T of their sources, {T: tau}, or such time slices alone, for
    sources rho. Blocks that sources make 0 are not in the file. pairs: which (T1, T2); None: all.
    """
    phi, kind = _elementals(structure, elementals), foreign.complex_type(precision)
    sides = [{int(t): _vectors(name, one[t] if isinstance(one, Mapping) else int(t), phi) for t in one}
             for name, one in (("left", left), ("right", right))]
    chosen = [(a, b) for a in sides[0] for b in sides[1]] if pairs is None else [(int(a), int(b)) for a, b in pairs]
    for a, b in chosen:
        if a not in sides[0] or b not in sides[1]:
            raise ValueError(f"pairs: ({a}, {b}) has no source on the time slices {', '.join(map(str, sides[0]))} on the left and "
                             f"{', '.join(map(str, sides[1]))} on the right")
    names = "-".join("phi" if isinstance(one, Mapping) else "rho" for one in (left, right))

    def make(temporary: str) -> None:
        with h5py.File(temporary, "w") as file:
            root = _group(file, "DistilMesonField")
            _describe(root.create_group("Metadata"), structure, names, phi.shape, momentum)
            for t in range(len(phi)):
                for a, b in chosen:
                    if (block := _block(structure, phi, [sides[0][a], sides[1][b]], t)) is not None:
                        out = _dataset(root, f"{t}/{a}-{b}", block.shape, kind)
                        out[:] = _numbers(block, out)

    foreign.write(path, [], overwrite, make)


def _elementals(structure: str, elementals: Array) -> Array:
    phi = numpy.asarray(elementals)
    if phi.ndim != 3 or phi.shape[1] != phi.shape[2]:
        raise ValueError(f"elementals: expected an array [t][mode][mode], found one of shape {phi.shape}")
    if structure not in GAMMAS:
        raise ValueError(f"structure: expected {', '.join(GAMMAS)}, not {structure!r}")
    return phi


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


def _block(structure: str, phi: Array, ends: Sequence[Vectors], t: int) -> Array | None:
    """[I][J] on a time slice; None: 0."""
    modes = phi.shape[1]
    w, v = (_at(one, t, modes) for one in ends)
    if w is None or v is None:
        return None
    middle = numpy.einsum("ab,ij->aibj", GAMMAS[structure], phi[t]).reshape(4 * modes, 4 * modes)
    return w.conj().T @ middle @ v


def _at(vectors: Vectors, t: int, modes: int) -> Array | None:
    """[spin, mode][mode, spin of the source] on a time slice; None: 0."""
    if isinstance(vectors, int):
        unit = numpy.eye(4 * modes).reshape(modes, 4, 4 * modes)
        return unit.swapaxes(0, 1).reshape(4 * modes, 4 * modes) if t == vectors else None
    return vectors[t].transpose(0, 2, 3, 1).reshape(4 * modes, 4 * modes)


def _group(file: Any, name: str) -> Any:
    file.attrs["_Grid_dataset_threshold"] = numpy.array([THRESHOLD], "<u4")
    return file.create_group(name)


def _text(text: str) -> Array:
    return numpy.array([text.encode()])


def _dataset(group: Any, name: str, shape: tuple[int, ...], kind: str) -> Any:
    """Of matrices of complex numbers, in chunks of one matrix."""
    real = numpy.dtype({"<c8": "<f4", "<c16": "<f8"}[kind])
    return group.create_dataset(name, shape, numpy.dtype([("re", real), ("im", real)]), chunks=(*[1] * (len(shape) - 2), *shape[-2:]),
                                fletcher32=True)


def _numbers(block: Array, out: Any) -> Array:
    return numpy.ascontiguousarray(block, f"<c{out.dtype.itemsize}").view(out.dtype)


def _describe(group: Any, structure: str, names: str, shape: tuple[int, ...], momentum: Momentum) -> None:
    slices, modes = shape[:2]
    for name, value in (("Nt", [slices]), ("Nvec", [modes]), ("NoisePair", [0, 0])):
        group.attrs[name] = numpy.array(value, "<u4")
    group.attrs["Momentum"] = numpy.array([-one for one in momentum], "<f4")
    for name, text in (("Operator", structure), ("MesonFieldType", names), ("NoiseHashLeft", "0"), ("NoiseHashRight", "0"),
                       ("RelativeSide", "none")):
        group.attrs[name] = _text(text)
    for side in ("Left", "Right"):
        for name, count in (("Time", slices), ("Lap", modes), ("Spin", 4)):
            parts = numpy.arange(count, dtype="<u4")[:, None]
            if count > THRESHOLD:
                group.create_dataset(f"{name}Dilution{side}", data=parts, chunks=parts.shape, fletcher32=True)
            else:
                group.attrs[f"{name}Dilution{side}"] = parts
