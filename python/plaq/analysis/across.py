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
from .notation import quality, value_and_error, with_error
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
    """One ensemble: its result files, and numbers of it from elsewhere."""

    name: str
    files: list[str]
    given: dict[str, Known]
    blocks: list[Block] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Across:
    wanted: Wanted
    names: list[str]  # of the ensembles
    points: list[Point]
    fit: Extrapolation

    def pulls(self) -> list[float]:
        """(y - f(x)) over its error, for each ensemble. In linear fits the sum of squares is chi^2."""
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
    """Files and numbers of one ensemble, with commas between them: "a.h5,flow.h5,z=0.81(2)". Throws AcrossError."""
    member = Member(written, [], {})
    for part in [written] if os.path.exists(written) else written.split(","):
        found = re.fullmatch(r"([A-Za-z_]\w*)=(.+)", part.strip())
        if found is None or os.path.exists(part):
            member.files.append(part)
            continue
        try:
            member.given[found[1]] = value_and_error(found[2], signed=True)
        except ValueError as error:
            raise AcrossError(f"{part} of {written}: expected NAME=VALUE or NAME=VALUE(ERROR), for example z=0.81(2)") from error
    if not member.files:
        raise AcrossError(f"{written}: no result file is named; write FILE[,FILE...][,NAME=VALUE...]")
    return member


def read_at(written: str) -> tuple[Known, ...]:
    """A point "0,0.018(1)": a value, with its error if it has one, for each x. Throws ValueError."""
    return tuple(value_and_error(one, signed=True) for one in written.split(","))


def fit_across(members: Sequence[Member], wanted: Wanted, settings: Settings = Settings()) -> Across:
    """The fit y = p0 + p1 x1 + p2 x2 + ... Throws AcrossError and FitError."""
    for point in wanted.at:
        if len(point) != len(wanted.x):
            raise AcrossError(f"--at: {len(point)} numbers for {len(wanted.x)} variables; give one for each --against")
    _demand_independence(members)
    points = [_point(member, wanted, settings) for member in members]
    return Across(wanted, [member.name for member in members], points, extrapolate(points))


def _demand_independence(members: Sequence[Member]) -> None:
    known: dict[tuple[Any, ...], str] = {}
    for member in members:
        for field in {key for block in member.blocks for key in _fields(block)}:
            if known.setdefault(field, member.name) != member.name:
                raise AcrossError(f"{known[field]} and {member.name} have gauge fields in common, and the fit takes ensembles as "
                                  "independent; join files of one ensemble by commas, as in pion.h5,flow.h5")


def _fields(block: Block) -> list[tuple[Any, ...]]:
    """The gauge fields of a block, by checksum, plaquette and link trace."""
    every = [sums(attributes) for file in block.ensemble.files for attributes in file.fields()]
    return [(one["checksum"], one["plaquette"], one["link_trace"]) for one in every if one["checksum"]]


def _point(member: Member, wanted: Wanted, settings: Settings) -> Point:
    """y and x of an ensemble with their covariance matrix, by the derivatives of the formulas."""
    known = _numbers(member)
    read = [_read(formula, option, member, known) for option, formula in
            (("--extrapolate", wanted.y), *(("--against", one) for one in wanted.x))]
    used = list(dict.fromkeys(name for _, names in read for name in names))
    values, matrix = _values(member, used, known, settings)

    def made(at: Array) -> Array:
        of = dict(zip(used, at.tolist()))
        return numpy.array([_evaluated(function, [of[name] for name in names]) for function, names in read])

    found = made(values)
    for formula, value in zip((wanted.y, *wanted.x), found):
        if not math.isfinite(value):
            raise AcrossError(f"{formula} of {member.name}: it has no finite value for these numbers")
    steps = numpy.where(numpy.diag(matrix) > 0, 1e-3 * numpy.sqrt(numpy.diag(matrix)), 1e-6 * numpy.maximum(abs(values), 1e-6))
    slopes = numpy.array([(made(values + step) - made(values - step)) / (2 * step.sum()) for step in numpy.diag(steps)]).T
    return Point(found, slopes @ matrix @ slopes.T)


def _numbers(member: Member) -> dict[str, list[Result | Known]]:
    """{name in formulas: all numbers of that name}. Numbers that the user gives come first, and alone."""
    found: dict[str, list[Result | Known]] = {}
    for block in member.blocks:
        for name, result in names_in(block).items():
            found.setdefault(name, []).append(result)
        for name, number in _parameters(block).items():
            if (number, 0.0) not in found.setdefault(name, []):
                found[name].append((number, 0.0))
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


def _values(member: Member, used: Sequence[str], known: Mapping[str, list[Result | Known]], settings: Settings) -> tuple[Array, Array]:
    """Values and covariance matrix of numbers. The spread of fits between windows counts as an independent error."""
    values, matrix = numpy.zeros(len(used)), numpy.zeros((len(used), len(used)))
    results = {name: one for name in used if isinstance(one := known[name][0], Result)}
    if results:
        found = covariance({name: one.quantity for name, one in results.items()}, settings)
        at = [used.index(name) for name in results]
        values[at], matrix[numpy.ix_(at, at)] = found.values, found.matrix
    for i, name in enumerate(used):
        one = known[name][0]
        if isinstance(one, Result):
            matrix[i, i] += one.systematic_error()**2
        else:
            values[i], matrix[i, i] = one[0], one[1]**2
        if not math.isfinite(matrix[i, i]):
            raise AcrossError(f"{name} of {member.name} has no error: the fit needs two configurations or more")
    return values, matrix


def _evaluated(function: Callable[..., float], values: list[float]) -> float:
    try:
        return float(function(*values))
    except (ValueError, ZeroDivisionError, OverflowError):
        return math.nan


def text_of_fit(found: Across) -> str:
    wanted, fit = found.wanted, found.fit
    terms = " + ".join(["p0", *(f"p{i} x{i}" for i in range(1, len(wanted.x) + 1))])
    lines = [f"extrapolation of {len(found.points)} ensembles: y = {terms}"]
    lines += [f"  {name:4} {formula}" for name, formula in zip(["y", *_names(wanted)], [wanted.y, *wanted.x])]
    rows = [["ensemble", "y", *_names(wanted), "pull"]]
    for name, point, pull in zip(found.names, found.points, found.pulls()):
        errors = numpy.sqrt(numpy.diag(point.matrix))
        rows.append([name, *(_written(one) for one in zip(point.values, errors)), f"{pull:+.2f}"])
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines += ["  " + "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths)).rstrip() for row in rows]
    lines += [f"  p{i:<3} {with_error(value, error)}" for i, (value, error) in enumerate(zip(fit.parameters, fit.errors()))]
    lines.append(f"  {quality(fit.chi2, fit.freedom, fit.p_value())}")
    for place, result in zip(wanted.at, found.results()):
        where = ", ".join(f"{name} = {_written(one)}" for name, one in zip(_names(wanted), place))
        lines.append(f"  at {where}: y = {with_error(*result)}")
    return "\n".join(lines)


def numbers_of_fit(found: Across) -> dict[str, Any]:
    """All of it, for JSON."""
    fit = found.fit
    return {"y": found.wanted.y, "x": list(found.wanted.x),
            "ensembles": [{"name": name, "values": point.values.tolist(), "covariance": point.matrix.tolist(), "pull": pull}
                          for name, point, pull in zip(found.names, found.points, found.pulls())],
            "parameters": fit.parameters.tolist(), "errors": fit.errors().tolist(), "covariance": fit.matrix.tolist(), "chi2": fit.chi2,
            "degrees_of_freedom": fit.freedom, "p_value": fit.p_value() if fit.freedom > 0 else None,
            "at": [{"x": [list(one) for one in place], "value": value, "error": error}
                   for place, (value, error) in zip(found.wanted.at, found.results())]}


def _names(wanted: Wanted) -> list[str]:
    return [f"x{i}" for i in range(1, len(wanted.x) + 1)]


def _written(known: Known) -> str:
    return with_error(*known) if known[1] else f"{known[0]:g}"
