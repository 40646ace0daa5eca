"""Perambulators and elementals of mesons as EasyDistillation reads them: PerambulatorNpy and ElementalNpy of its lattice/preset.py.

The layouts are those that https://github.com/IHEP-LQCD/EasyDistillation makes (lattice/generator/elemental.py and perambulator.py,
lattice/insertion/phase.py and derivative.py) and contracts (lattice/correlator/one_particle.py). Both files are arrays of NumPy. Spins
are in the DeGrand-Rossi basis, as in plaq.
"""
from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy

from ..analysis.arrays import Array, Path
from ..distillation_files import Momentum, demand_one_subject, member, momentum, numbers, opened
from . import files as foreign

DERIVATIVES = ("1", "x", "y", "z")  # operators of jobs, by the number that EasyDistillation gives them


def write_perambulators(path: Path, files: Iterable[Path], precision: str = "double", overwrite: bool = False) -> list[int]:
    """Writes perambulators of one gauge field from several time slices, and returns these.

    The array is [source t][t from the source][sink spin][source spin][sink mode][source mode]. Time slices without a source are nan: give
    twopoint() those with one as its `timeslices`.

    path: the file that PerambulatorNpy reads, PREFIX + KEY + SUFFIX. files: FIELD.sK.peram.h5 of jobs. One time slice of one of them is
    in memory at a time. precision: "double" or "single". Raises ValueError if the files are not of one gauge field, modes and action.
    """
    kind, names = foreign.complex_type(precision), [str(one) for one in files]
    with contextlib.ExitStack() as stack:
        datasets = [member(stack.enter_context(opened(one)), "perambulator", one, "perambulator") for one in names]
        by_time: dict[int, Any] = {}
        for name, one in zip(names, datasets):
            if "noise" in one.file:
                raise ValueError(f"{name}: is of noise; EasyDistillation contracts a perambulator with itself, which noise does not allow")
            if (time := int(one.attrs["source_time"])) in by_time:
                raise ValueError(f"{name}: has its source on time slice {time}, as {by_time[time].file.filename} has")
            by_time[time] = one
        demand_one_subject(names, datasets)
        slices, *rest = datasets[0].shape[:-1]

        def parts() -> Iterator[Array]:
            for source in range(slices):
                for t in range(slices):
                    yield numbers(by_time[source], (source + t) % slices) if source in by_time else numpy.full(rest, numpy.nan)

        foreign.write(path, names, overwrite, lambda temporary: foreign.write_array(temporary, (slices, slices, *rest), kind, parts()))
    return sorted(by_time)


def write_elementals(path: Path, files: Iterable[Path], momenta: Sequence[Momentum] | None = None, precision: str = "double",
                     overwrite: bool = False) -> list[Momentum]:
    """Writes elementals of mesons of one gauge field, and returns their momenta, for the dictionary that an Insertion takes:
    {i: " ".join(map(str, n)) for i, n in enumerate(momenta)}.

    The array is [derivative][momentum][t][mode][mode]. Momenta n are those of EasyDistillation, whose phase is exp(2 pi i n x / L): the
    opposite of elementals of plaq. Derivative 0 is none. Derivatives 1 to 3 are (nabla v)^dagger v - v^dagger nabla v for x, y, z, with
    nabla the forward minus the backward hop: 2 D of plaq.

    path: the file that ElementalNpy reads, PREFIX + KEY + SUFFIX. files: FIELD.1.elem.h5 of jobs, alone or with those of the operators x,
    y and z. momenta: which ones, in this order; None: all that the files allow, in the order of jobs. Derivatives of a momentum take
    the elementals of n and of -n. One momentum is in memory at a time. precision: "double" or "single". Raises ValueError if an operator
    or momentum is missing.
    """
    kind, names = foreign.complex_type(precision), [str(one) for one in files]
    with contextlib.ExitStack() as stack:
        found = _Elementals(names, [stack.enter_context(opened(one)) for one in names])
        chosen = found.momenta() if momenta is None else [(int(x), int(y), int(z)) for x, y, z in momenta]
        for n in chosen:
            if (fault := found.fault(n)) is not None:
                raise ValueError(f"momentum {n}: {fault}")
        shape = (len(found.operators), len(chosen), *found.shape)
        parts = (found.numbers(operator, n) for operator in found.operators for n in chosen)
        foreign.write(path, names, overwrite, lambda temporary: foreign.write_array(temporary, shape, kind, parts))
    return chosen


def _minus(n: Momentum) -> Momentum:
    return -n[0], -n[1], -n[2]


class _Elementals:
    """Elementals of mesons of one gauge field, in files of plaq, by the momenta of EasyDistillation."""

    def __init__(self, names: Sequence[str], files: Sequence[Any]) -> None:
        groups = [list(member(file, "elementals", name, "elementals").values()) for name, file in zip(names, files)]
        demand_one_subject(names, [group[0] for group in groups])
        self.extents = [int(one) for one in files[0].attrs["extents"]]
        self.shape = groups[0][0].shape[:-1]
        self.by_operator: dict[str, dict[Momentum, Any]] = {}
        for name, group in zip(names, groups):
            operator = str(group[0].attrs["operator"])
            if operator in self.by_operator:
                raise ValueError(f"{name}: the files have the operator {operator} twice")
            self.by_operator[operator] = {self.within(momentum(one)): one for one in group}
        self.operators = DERIVATIVES if len(names) > 1 else DERIVATIVES[:1]
        if set(self.by_operator) != set(self.operators):
            there = ", ".join(sorted(self.by_operator))
            raise ValueError(f"the files have the operators {there}: EasyDistillation takes 1 alone, or 1, x, y and z. Its second "
                             "derivatives act to both sides, unlike those of plaq; it has no baryons in this layout")

    def within(self, n: Momentum) -> Momentum:
        """The same for all n that are one momentum of the lattice."""
        x, y, z = (one % extent for one, extent in zip(n, self.extents))
        return x, y, z

    def momenta(self) -> list[Momentum]:
        named = [momentum(one) for one in self.by_operator["1"].values()]
        unique = {self.within(n): n for n in [*map(_minus, named), *named]}
        return sorted((n for n in unique.values() if self.fault(n) is None), key=lambda n: (sum(one * one for one in n), n))

    def fault(self, n: Momentum) -> str | None:
        """Which numbers of plaq this momentum lacks; None: none."""
        for operator in self.operators:
            missing = [one for one in (n, _minus(n)) if self.within(one) not in self.by_operator[operator]]
            if len(missing) > (operator == "1"):
                return f"the elementals of operator {operator} have no momentum {missing[0]}"
        return None

    def numbers(self, operator: str, n: Momentum) -> Array:
        """[t][i][j]"""
        found = self.by_operator[operator]
        here, opposite = found.get(self.within(n)), found.get(self.within(_minus(n)))
        if operator == "1" and opposite is not None:
            return numbers(opposite)
        adjoint = numbers(here).conj().swapaxes(-1, -2)
        return adjoint if operator == "1" else 2 * adjoint - 2 * numbers(opposite)
