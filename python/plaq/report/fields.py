"""Sections about the gauge fields: the inventory, histories with their autocorrelations, and gauge fixing."""
from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy

from ..analysis.arrays import Array
from ..analysis.notation import with_error
from . import curves
from .campaign import Blocks
from .outliers import outliers
from .web_page import figure, figures, heading, paragraph, table

if TYPE_CHECKING:
    from ..analysis.chains import Chains

SHOWN = 20
SAME_CURVE = ("its square", "topological susceptibility")  # as the charge


def inventory(path: str) -> str:
    if not path:
        return paragraph("There is no inventory: plaq campaign check makes one.")
    with open(path, encoding="utf-8") as stream:
        found = json.load(stream)
    fields = found["fields"]
    good = [one for one in fields if "problem" not in one]
    body = paragraph(f"{len(fields)} gauge fields were read, {len(good)} of them are good.")
    if good:
        kinds = sorted({f"{'x'.join(map(str, one['extents']))}, {one['format']}" for one in good})
        plaquettes = [one["plaquette"] for one in good]
        worst = max(one["unitarity_violation"] for one in good)
        body += table(("what", ""), [("lattice and format", "; ".join(kinds)),
                                     ("plaquette", f"{min(plaquettes):.10f} to {max(plaquettes):.10f}"),
                                     ("largest violation of unitarity", f"{worst:.1e}")])
    for name in ("bad", "duplicates", "gaps", "outliers"):
        if found[name]:
            more = f", and {len(found[name]) - SHOWN} more" if len(found[name]) > SHOWN else ""
            body += heading(name + more) + table((name,), [(one,) for one in found[name][:SHOWN]])
    return body


def histories(blocks: Blocks) -> str:
    """Of measured observables: a mean, tau_int, and a curve each."""
    rows, drawn = [], []
    for task, block in blocks:
        if block.ensemble.job_type != "measure" or block.chains is None:
            continue
        for result in block.results:
            samples = result.quantity.samples
            gamma = result.quantity.gamma()
            rows.append((task, result.name, with_error(result.quantity.value, gamma.error), result.unit,
                         with_error(gamma.tau, gamma.tau_error) if numpy.isfinite(gamma.tau) else "-"))
            if samples.shape[1] == 1 and result.name not in SAME_CURVE:
                values = samples[:, 0]
                marked = [] if "charge" in result.name else outliers(values)  # a charge jumps
                drawn.append(figure(curves.history(_times(block.chains), values, result.name, result.unit, marked),
                                    f"{task}: {result.name}" + (f", {len(marked)} outliers" if marked else "")))
    body = table(("task", "quantity", "mean", "unit", "tau_int"), rows) if rows else ""
    return body + figures(drawn)


def fixing(blocks: Blocks) -> str:
    body = ""
    for task, block in blocks:
        ensemble = block.ensemble
        if not ensemble.has("copies/theta"):
            continue
        theta = ensemble.column("copies/theta")
        chains = ensemble.chains("copies/theta")
        asked = ensemble.attribute("theta", None, "fixing")
        times = numpy.repeat(_times(chains), theta.shape[1])
        drawn = curves.logarithmic_points(times, theta[chains.order].ravel(), "theta", float(asked) if asked else None)
        body += heading(task) + table(("what", ""), block.facts)
        body += figures([figure(drawn, "theta of each copy; the line is what was asked for")])
    return body


def _times(chains: Chains) -> Array:
    """Trajectories; replicas one behind the other."""
    step = chains.spacing() if len(chains) > 1 else 1
    times, offset = numpy.zeros(len(chains)), 0
    for part in chains.parts:
        times[part] = chains.number[part] - (chains.number[part][0] if len(chains.parts) > 1 else 0) + offset
        offset = times[part][-1] + step
    return times
