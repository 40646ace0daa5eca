"""plaq analyse --extrapolate: a number of several ensembles as a function of others, which formulas make of their results."""
from __future__ import annotations

import dataclasses
import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy

from .arrays import Array
from .blocks import Block, Result
from .covariance import covariance
from .extrapolation import Extrapolation, Point, extrapolate
from .formulas import names_in, read_formula
from .notation import value_and_error
from .quantities import Settings
from .same_fields import sums

Known = tuple[float, float]  # value and error


class AcrossError(ValueError):
    """What was asked for cannot be made of these ensembles."""


@dataclasses.dataclass
class Wanted:
    y: str  # formula
    x: tuple[str, ...]
    at: tuple[tuple[Known, ...], ...] = ()  # points at which the fit is evaluated, a number for each x


@dataclasses.dataclass
class Member:
    """One ensemble: its result files, numbers of it from elsewhere, and other names of its numbers."""

    name: str
    files: list[str]
    given: dict[str, Known]
    renamed: dict[str, str] = dataclasses.field(default_factory=dict)  # {name in formulas: name of a number of the files}
    blocks: list[Block] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Across:
    wanted: Wanted
    names: list[str]  # of the ensembles
    points: list[Point]
    fit: Extrapolation
    correlated: bool  # whether some of the points are of the same gauge fields
    blinded: str = ""  # the names by which correlators of these ensembles are blinded

    def pulls(self) -> list[float]:
        """(y - f(x)) over its error, for each ensemble. In linear fits of independent ensembles the sum of squares is chi^2."""
        found = []
        for point in self.points:
            along = numpy.array([1.0, *(-self.fit.slopes(point.values[1:].tolist()))])
            miss = point.values[0] - self.fit.function(point.values[1:], self.fit.parameters)
            found.append(float(miss / math.sqrt(along @ point.matrix @ along)))
        return found

    def results(self) -> list[tuple[float, float]]:
        """y and its error at each of the points that were asked for."""
        return [self.fit.at(*one) for one in self.wanted.at]


def read_member(written: str) -> Member:
    """Files and numbers of one ensemble, with commas between them: "a.h5,flow.h5,z=0.81(2),pi=pion.m0.05_m0.05". Throws AcrossError."""
    member = Member(written, [], {})
    for part in [written] if os.path.exists(written) else written.split(","):
        found = re.fullmatch(r"([A-Za-z_]\w*)=(.+)", part.strip())
        if found is None or os.path.exists(part):
            member.files.append(part)
            continue
        if re.match("[A-Za-z_]", found[2]):
            member.renamed[found[1]] = found[2]
            continue
        try:
            member.given[found[1]] = value_and_error(found[2], signed=True)
        except ValueError as error:
            raise AcrossError(f"{part} of {written}: expected NAME=VALUE, NAME=VALUE(ERROR) or NAME=OTHER_NAME, for example "
                              "z=0.81(2)") from error
    if not member.files:
        raise AcrossError(f"{written}: no result file is named; write FILE[,FILE...][,NAME=VALUE...]")
    return member


def read_at(written: str) -> tuple[Known, ...]:
    """A point "0,0.018(1)": a value, with its error if it has one, for each x. Throws ValueError."""
    return tuple(value_and_error(one, signed=True) for one in written.split(","))


def fit_across(members: Sequence[Member], wanted: Wanted, settings: Settings = Settings()) -> Across:
    """The fit y = p0 + p1 x1 + p2 x2 + ... Members that have gauge fields in common are correlated. Throws AcrossError and FitError."""
    for place in wanted.at:
        if len(place) != len(wanted.x):
            raise AcrossError(f"--at: {len(place)} numbers for {len(wanted.x)} variables; give one for each --against")
    made = [_Formulas(member, wanted) for member in members]
    points: list[Point | None] = [None] * len(members)
    between: dict[tuple[int, int], Array] = {}
    for group in _groups(members):
        values, matrix = _values([made[i] for i in group], settings)
        ends = numpy.cumsum([0] + [len(made[i].used) for i in group])
        parts = [slice(first, last) for first, last in zip(ends, ends[1:])]
        slopes = [made[i].slopes(values[part], numpy.diag(matrix)[part]) for i, part in zip(group, parts)]
        for k, i in enumerate(group):
            points[i] = Point(made[i].values(values[parts[k]]), slopes[k] @ matrix[parts[k], parts[k]] @ slopes[k].T)
            for n in range(k):
                between[group[n], i] = slopes[n] @ matrix[parts[n], parts[k]] @ slopes[k].T
    found = [point for point in points if point is not None]
    blinded = "; ".join(dict.fromkeys(name for member in members for block in member.blocks if (name := block.ensemble.blinded())))
    return Across(wanted, [member.name for member in members], found, extrapolate(found, between=between), bool(between), blinded)


def _groups(members: Sequence[Member]) -> list[list[int]]:
    """Members with gauge fields in common, by their numbers. Throws AcrossError if such fields have different trajectories."""
    groups: list[list[int]] = []
    fields = [_fields(member) for member in members]
    for i, mine in enumerate(fields):
        related = [group for group in groups if any(set(mine) & set(fields[k]) for k in group)]
        for k in sorted(k for group in related for k in group):
            theirs, at = fields[k], {place: field for field, place in fields[k].items()}
            if any(theirs.get(field, place) != place or at.get(place, field) != field for field, place in mine.items()):
                raise AcrossError(f"{members[k].name} and {members[i].name} have gauge fields in common under different trajectories, so "
                                  "their correlation is not known; set `numbering` in [gauge] of their jobs")
        groups = [group for group in groups if group not in related] + [sorted([i, *(k for group in related for k in group)])]
    return sorted(groups)


def _fields(member: Member) -> dict[tuple[Any, ...], tuple[int, int]]:
    """{gauge field: replica and trajectory}; a field is its checksum, plaquette and link trace."""
    found: dict[tuple[Any, ...], tuple[int, int]] = {}
    for block in member.blocks:
        every = [sums(attributes) for file in block.ensemble.files for attributes in file.fields()]
        if block.chains is not None and len(every) == len(block.chains):
            for row, *place in zip(block.chains.order, block.chains.replica.tolist(), block.chains.number.tolist()):
                if every[row]["checksum"]:
                    found[every[row]["checksum"], every[row]["plaquette"], every[row]["link_trace"]] = (place[0], place[1])
    return found


class _Formulas:
    """y and x of one ensemble as functions of the numbers that they use."""

    def __init__(self, member: Member, wanted: Wanted) -> None:
        self.member, self.formulas = member, (wanted.y, *wanted.x)
        self.known = _numbers(member)
        options = ["--extrapolate", *("--against" for _ in wanted.x)]
        self.read = [_read(formula, option, member, self.known) for option, formula in zip(options, self.formulas)]
        self.used = list(dict.fromkeys(name for _, names in self.read for name in names))

    def numbers(self) -> list[Result | Known]:
        return [self.known[name][0] for name in self.used]

    def values(self, at: Array) -> Array:
        found = self._made(at)
        for formula, value in zip(self.formulas, found):
            if not math.isfinite(value):
                raise AcrossError(f"{formula} of {self.member.name}: it has no finite value for these numbers")
        return found

    def slopes(self, at: Array, variances: Array) -> Array:
        """[formula][number], by differences that are small against the errors."""
        steps = numpy.where(variances > 0, 1e-3 * numpy.sqrt(variances), 1e-6 * numpy.maximum(abs(at), 1e-6))
        return numpy.array([(self._made(at + step) - self._made(at - step)) / (2 * step.sum()) for step in numpy.diag(steps)]).T

    def _made(self, at: Array) -> Array:
        of = dict(zip(self.used, at.tolist()))
        return numpy.array([_evaluated(function, [of[name] for name in names]) for function, names in self.read])


def _numbers(member: Member) -> dict[str, list[Result | Known]]:
    """{name in formulas: all numbers of that name}. Numbers that the user gives come first, and alone."""
    found: dict[str, list[Result | Known]] = {}
    for block in member.blocks:
        for name, result in names_in(block).items():
            found.setdefault(name, []).append(result)
        for name, number in _parameters(block).items():
            if (number, 0.0) not in found.setdefault(name, []):
                found[name].append((number, 0.0))
    for name, other in member.renamed.items():
        if other not in found:
            raise AcrossError(f"{name}={other} of {member.name}: there is no number {other}; there are {', '.join(found) or 'none'}")
        found[name] = found[other]
    return {**found, **{name: [number] for name, number in member.given.items()}}


def _parameters(block: Block) -> dict[str, float]:
    """kappa and mass of the job, and the extents L and T."""
    action = block.ensemble.job.get("action", {})
    found = {name: float(action[name]) for name in ("kappa", "mass") if isinstance(action.get(name), (int, float))}
    extents = block.ensemble.extents()
    if extents and len(set(extents[:3])) == 1:
        found.update(L=float(extents[0]), T=float(extents[3]))
    return found


def _read(formula: str, option: str, member: Member, known: Mapping[str, Any]) -> tuple[Callable[..., float], list[str]]:
    function, used = read_formula(formula, known, option)
    if function is None:
        raise AcrossError(f"{option} {formula}: {member.name} does not have all of its numbers; it has {', '.join(known) or 'none'}")
    for name in used:
        if len(known[name]) > 1:
            raise AcrossError(f"{option} {formula}: several files of {member.name} have {name}; leave one out, or write "
                              f"{name}=VALUE(ERROR) beside them")
    return function, used


def _values(group: Sequence[_Formulas], settings: Settings) -> tuple[Array, Array]:
    """Values and covariance matrix of all numbers of members with the same gauge fields. The spread of fits between windows counts as an
    independent error."""
    numbers = [one for formulas in group for one in formulas.numbers()]
    names = [f"{name} of {formulas.member.name}" for formulas in group for name in formulas.used]
    values, matrix = numpy.zeros(len(numbers)), numpy.zeros((len(numbers), len(numbers)))
    results = {i: one for i, one in enumerate(numbers) if isinstance(one, Result)}
    if results:
        found, at = covariance({str(i): one.quantity for i, one in results.items()}, settings), list(results)
        values[at], matrix[numpy.ix_(at, at)] = found.values, found.matrix
    for i, one in enumerate(numbers):
        if isinstance(one, Result):
            matrix[i, i] += one.systematic_error()**2
        else:
            values[i], matrix[i, i] = one[0], one[1]**2
        if not math.isfinite(matrix[i, i]):
            raise AcrossError(f"{names[i]} has no error: the fit needs two configurations or more")
    return values, matrix


def _evaluated(function: Callable[..., float], values: list[float]) -> float:
    try:
        return float(function(*values))
    except (ValueError, ZeroDivisionError, OverflowError):
        return math.nan
