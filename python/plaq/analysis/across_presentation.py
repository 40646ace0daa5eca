"""A fit across ensembles as text for a screen, and as numbers for JSON."""
from __future__ import annotations

from typing import Any

import numpy

from .across import Across, Known, Wanted
from .notation import quality, with_error


def text_of_fit(found: Across) -> str:
    wanted, fit = found.wanted, found.fit
    terms = " + ".join(["p0", *(f"p{i} x{i}" for i in range(1, len(wanted.x) + 1))])
    lines = [f"extrapolation of {len(found.points)} ensembles: y = {terms}"]
    lines += [f"  blinded {found.blinded}: correlators have secret factors"] if found.blinded else []
    lines += ["  ensembles with gauge fields in common are correlated"] if found.correlated else []
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
    return {"y": found.wanted.y, "x": list(found.wanted.x), "blinded": found.blinded or None,
            "ensembles": [{"name": name, "values": point.values.tolist(), "covariance": point.matrix.tolist(), "pull": pull}
                          for name, point, pull in zip(found.names, found.points, found.pulls())],
            "parameters": fit.parameters.tolist(), "errors": fit.errors().tolist(), "covariance": fit.matrix.tolist(), "chi2": fit.chi2,
            "degrees_of_freedom": fit.freedom, "correlated": found.correlated, "p_value": fit.p_value() if fit.freedom > 0 else None,
            "at": [{"x": [list(one) for one in place], "value": value, "error": error}
                   for place, (value, error) in zip(found.wanted.at, found.results())]}


def _names(wanted: Wanted) -> list[str]:
    return [f"x{i}" for i in range(1, len(wanted.x) + 1)]


def _written(known: Known) -> str:
    return with_error(*known) if known[1] else f"{known[0]:g}"
