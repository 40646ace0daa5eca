"""Sections about quarks: solves by configuration, correlators, effective masses and fits."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ..analysis.arrays import Array
from ..analysis.notation import per_freedom, with_error
from ..analysis.presentation import numbers_of, table_cells
from . import curves
from .campaign import Blocks
from .outliers import outliers
from .web_page import figure, figures, heading, paragraph, part, table

if TYPE_CHECKING:
    from ..analysis.blocks import Block
    from ..analysis.quantities import Settings

WINDOWS = 5  # of a fit that are shown


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
        drawn = [figure(curves.history(times, most, "iterations", "", marked, True), "most iterations of a solve")]
        if ensemble.has("solves/true_residual"):
            residuals = ensemble.column("solves/true_residual")
            worst = residuals.reshape(len(residuals), -1).max(axis=1)[chains.order]
            drawn.append(figure(curves.logarithmic_points(times, worst, "true residual"), "largest true residual"))
        found = figures(drawn)
        if marked:
            found += paragraph("outliers: " + ", ".join(f"{times[i]} ({most[i]} iterations)" for i in marked[:20]), "bad")
        body += part(task, found)
    return body


def masses(blocks: Blocks, settings: Settings) -> str:
    body = ""
    for task, block in blocks:
        if not block.correlators:
            continue
        found = numbers_of(block, settings)
        body += part(task, _results(block, settings) + figures(_drawn(found)) + _fits(found))
    return body


def tables(blocks: Blocks, settings: Settings) -> str:
    """Propagators in momentum space, and loops."""
    body = ""
    for task, block in blocks:
        found = ""
        for one in block.tables:
            name, heads, rows = table_cells(one, settings)
            found += heading(name) + table(heads, rows, range(len(heads)))
        body += part(task, found)
    return body


def _results(block: Block, settings: Settings) -> str:
    rows = []
    for result in block.results:
        gamma = result.quantity.gamma(settings)
        systematic = [result.averaged.systematic] if result.averaged else []
        rows.append((result.name, with_error(result.quantity.value, gamma.error, *systematic), result.unit,
                     with_error(gamma.tau, gamma.tau_error) if math.isfinite(gamma.tau) else "-"))
    body = table(("quantity", "value", "unit", "tau_int"), rows, (1, 3))
    if any(result.averaged for result in block.results):
        body += paragraph("Errors of fits: statistical, then that of the choice of windows.", "soft")
    return body


def _drawn(found: dict[str, Any]) -> list[str]:
    drawn = []
    for name, one in found["correlators"].items():
        values = _numbers(one["value"])
        negative = "; open: negative" if (values < 0).any() else ""
        drawn.append(figure(curves.correlator(values, _numbers(one["error"])), f"correlator {name}{negative}"))
    for name, one in found["effective_masses"].items():
        result = found["results"].get(name, {})
        mass = (result["value"], result.get("total_error") or result["error"]) if result.get("value") is not None else None
        best = result["windows"][0] if result.get("windows") else None  # they are sorted by weight
        window = (best["first"], best["last"]) if best else None
        about = ""
        if mass and window:
            about = f"; band: the fitted mass, over the window that weighs most, t/a = {window[0]:g} to {window[1]:g}"
        drawn.append(figure(curves.effective_masses(one["t"], _numbers(one["value"]), _numbers(one["error"]), mass, window),
                            f"effective {name}{about}"))
    return drawn


def _fits(found: dict[str, Any]) -> str:
    """A table for each fit; its windows are sorted by weight."""
    body = ""
    heads = ("window", "states", "value", "chi2/dof", "expected chi2/dof", "dof", "p", "weight")
    for name, result in found["results"].items():
        rows = [(f"{w['first']:g}-{w['last']:g}", w["states"], with_error(_number(w["value"]), _number(w["error"])),
                 *_reduced(w), f"{_number(w['p_value']):.2g}", f"{_number(w['weight']):.3f}")
                for w in result.get("windows", [])[:WINDOWS]]
        if rows:
            body += heading(f"Windows of the fit, {name}") + table(heads, rows, range(1, 8))
    return body


def _reduced(window: dict[str, Any]) -> tuple[str, str, str]:
    """chi^2 and its expectation for each degree of freedom, and their number."""
    freedom = window["degrees_of_freedom"]
    return per_freedom(_number(window["chi2"]), freedom), per_freedom(_number(window["expected_chi2"]), freedom), str(freedom)


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _numbers(values: Sequence[float | None]) -> Array:
    return numpy.array([_number(one) for one in values], dtype=float)
