"""Sections about quarks: solves by configuration, correlators, effective masses and fits."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ..analysis.arrays import Array
from ..analysis.notation import with_error
from ..analysis.presentation import numbers_of, table_cells
from . import curves
from .campaign import Blocks
from .outliers import outliers
from .web_page import figure, figures, heading, paragraph, table

if TYPE_CHECKING:
    from ..analysis.blocks import Block
    from ..analysis.quantities import Settings

WINDOWS = 5   # of a fit that are shown
WEIGHT = 0.1  # of windows that are drawn


def solves(blocks: Blocks) -> str:
    body = ""
    for task, block in blocks:
        ensemble = block.ensemble
        if not ensemble.has("solves/iterations"):
            continue
        iterations = ensemble.column("solves/iterations")
        most = iterations.reshape(len(iterations), -1).max(axis=1)
        chains = ensemble.chains("solves/iterations")
        times, most = chains.number, most[chains.order]
        marked = outliers(most)
        drawn = [figure(curves.history(times, most, "iterations", "", marked), f"{task}: most iterations of a solve")]
        if ensemble.has("solves/true_residual"):
            residuals = ensemble.column("solves/true_residual")
            worst = residuals.reshape(len(residuals), -1).max(axis=1)[chains.order]
            drawn.append(figure(curves.logarithmic_points(times, worst, "residual"), f"{task}: largest true residual"))
        body += heading(task) + figures(drawn)
        if marked:
            body += paragraph("outliers: " + ", ".join(f"{times[i]} ({most[i]} iterations)" for i in marked[:20]), "bad")
    return body


def masses(blocks: Blocks, settings: Settings) -> str:
    body = ""
    for task, block in blocks:
        if not block.correlators:
            continue
        found = numbers_of(block, settings)
        body += heading(task) + _results(block, settings) + figures(_drawn(found))
        body += _fits(found)
    return body


def tables(blocks: Blocks, settings: Settings) -> str:
    """Propagators in momentum space, and loops."""
    body = ""
    for task, block in blocks:
        for one in block.tables:
            name, heads, rows = table_cells(one, settings)
            body += heading(f"{task}: {name}") + table(heads, rows)
    return body


def _results(block: Block, settings: Settings) -> str:
    rows = []
    for result in block.results:
        gamma = result.quantity.gamma(settings)
        systematic = [result.averaged.systematic] if result.averaged else []
        rows.append((result.name, with_error(result.quantity.value, gamma.error, *systematic), result.unit,
                     with_error(gamma.tau, gamma.tau_error) if math.isfinite(gamma.tau) else "-"))
    return table(("quantity", "value (error)(of the choice of windows)", "unit", "tau_int"), rows)


def _drawn(found: dict[str, Any]) -> list[str]:
    drawn = []
    for name, one in found["correlators"].items():
        drawn.append(figure(curves.correlator(_numbers(one["value"]), _numbers(one["error"])), f"correlator {name}"))
    for name, one in found["effective_masses"].items():
        result = found["results"].get(name, {})
        mass = (result["value"], result.get("total_error") or result["error"]) if result.get("value") is not None else None
        windows = [(w["first"], w["last"]) for w in result.get("windows", []) if (w["weight"] or 0) > WEIGHT]
        drawn.append(figure(curves.effective_masses(one["t"], _numbers(one["value"]), _numbers(one["error"]), mass, windows),
                            f"effective {name}; band: the fitted mass, shaded: windows of more than {WEIGHT:.0%} weight"))
    return drawn


def _fits(found: dict[str, Any]) -> str:
    rows = []
    for name, result in found["results"].items():
        for w in result.get("windows", [])[:WINDOWS]:
            rows.append((name, f"{w['first']}-{w['last']}", w["states"], with_error(_number(w["value"]), _number(w["error"])),
                         f"{_number(w['chi2']):.3g}/{w['degrees_of_freedom']}", f"{_number(w['p_value']):.2g}",
                         f"{_number(w['weight']):.3f}"))
    return table(("fit", "window", "states", "mass", "chi2/dof", "p", "weight"), rows, (2, 6)) if rows else ""


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _numbers(values: Sequence[float | None]) -> Array:
    return numpy.array([_number(one) for one in values], dtype=float)
