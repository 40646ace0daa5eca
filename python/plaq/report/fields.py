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
from .web_page import figure, figures, heading, paragraph, part, table

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
        body += table(("", ""), [("lattice and format", "; ".join(kinds)),
                                     ("plaquette", f"{min(plaquettes):.10f} to {max(plaquettes):.10f}"),
                                     ("largest violation of unitarity", f"{worst:.1e}")])
    for name in ("bad", "duplicates", "gaps", "outliers"):
        if found[name]:
            more = f" ({SHOWN} of {len(found[name])})" if len(found[name]) > SHOWN else ""
            body += heading(name.capitalize() + more) + table(("",), [(one,) for one in found[name][:SHOWN]])
    return body


def histories(blocks: Blocks) -> str:
    """A mean, tau_int, and a curve for each measured observable."""
    body = ""
    for task, block in blocks:
        if block.ensemble.job_type != "measure" or block.chains is None:
            continue
        rows, drawn = [], []
        for result in block.results:
            samples = result.quantity.samples
            gamma = result.quantity.gamma()
            rows.append((result.name, with_error(result.quantity.value, gamma.error), result.unit,
                         with_error(gamma.tau, gamma.tau_error) if numpy.isfinite(gamma.tau) else "-"))
            if samples.shape[1] == 1 and result.name not in SAME_CURVE:
                values = samples[:, 0]
                marked = [] if "charge" in result.name else outliers(values)  # a charge jumps
                name = result.name.replace("_", " ")
                drawn.append(figure(curves.history(_times(block.chains), values, name, result.unit, marked),
                                    name + (f", {len(marked)} outliers (circles)" if marked else "")))
        if rows:
            body += part(task, table(("quantity", "mean", "unit", "tau_int"), rows, (1, 3)) + figures(drawn)
                         + (paragraph("Dashed lines are the means.", "soft") if drawn else ""))
    return body


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
        body += part(task, table(("", ""), block.facts)
                     + figures([figure(drawn, "theta of each copy" + ("; the line is what was asked for" if asked else ""))]))
    return body


def _times(chains: Chains) -> Array:
    """Trajectories; replicas one behind the other."""
    step = chains.spacing() if len(chains) > 1 else 1
    times, offset = numpy.zeros(len(chains)), 0
    for rows in chains.parts:
        times[rows] = chains.number[rows] - (chains.number[rows][0] if len(chains.parts) > 1 else 0) + offset
        offset = times[rows][-1] + step
    return times
