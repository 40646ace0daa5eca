"""The figures of quark propagators in momentum space: Z and M against momentum, of means over configurations."""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy

from ..analysis.arrays import Array
from ..analysis.jackknife import jackknife
from ..analysis.notation import with_error
from ..analysis.propagators import survives_cuts
from ..analysis.quark_functions import mass_corrected, z_over_tree
from .drawing import BLUE, GREY, Axes, draw_errors
from .header import title
from .page import Figures, Panel, panel_pages, summary_page

if TYPE_CHECKING:
    from ..analysis.results import Ensemble


def summary(ensemble: Ensemble) -> Figures:
    panels = list(_panels(ensemble))
    if not panels:
        return
    count = len(ensemble.column("quark_propagator/scalar"))
    values = []
    for panel, symbol in zip(panels, ("Z", "M")):
        p, value, error = (panel.numbers[name] for name in ("p", "value", "error"))
        for at in dict.fromkeys((int(numpy.argmin(p)), int(numpy.argmax(p)))):
            written = with_error(value[at], error[at]) if numpy.isfinite(error[at]) else f"{value[at]:.5g}"
            values.append((f"{symbol}, p = {p[at]:.3g}", written, "", ""))
    notes = ["Errors are those over configurations, without autocorrelations." if count > 1 else
             "One configuration: there are no errors."]
    figure, numbers = summary_page(title(ensemble, count), panels, values, notes)
    yield "summary", figure, numbers


def pages(ensemble: Ensemble) -> Figures:
    panels = list(_panels(ensemble))
    if panels:
        yield from panel_pages(title(ensemble, len(ensemble.column("quark_propagator/scalar"))), panels)


def _panels(ensemble: Ensemble) -> Iterator[Panel]:
    if not (ensemble.has("quark_propagator/scalar") and ensemble.has("quark_propagator/vector")):
        return
    first = ensemble.files[0]

    def column(name: str) -> Array:
        return first.array(f"quark_propagator/{name}")

    scalar, chains = ensemble.weighted_column("quark_propagator/scalar")
    vector = ensemble.column("quark_propagator/vector", chains)
    k_squared = column("k_squared")
    away = k_squared > 1e-12
    if not away.any():
        return
    k, v0, s0 = (column(name)[away] for name in ("k", "tree_vector", "tree_scalar"))
    tree_mass, k_squared = float(column("tree_mass")), k_squared[away]
    momentum = numpy.sqrt(column("p_squared")[away])
    survives = survives_cuts(first, "quark_propagator")[away]
    # S = -i k-slash v + s, averaged over sources: [configuration][s, v][momentum]
    s = scalar[..., 0].mean(axis=1)[:, away]
    v = -numpy.einsum("cpd,pd->cp", vector[..., 1].mean(axis=1)[:, away], k) / k_squared
    samples = numpy.stack([s, v], axis=1)

    def z(mean: Array) -> Array:
        return z_over_tree(mean[..., 0, :], mean[..., 1, :], k_squared, v0, s0)

    def m(mean: Array) -> Array:
        return mass_corrected(mean[..., 0, :], mean[..., 1, :], v0, s0, tree_mass)

    for name, estimate, label, headline in (
            ("quark_z", z, "$Z(p)$", "Z, tree level divided out"),
            ("quark_mass", m, r"$a\,M(p)$", "Mass function, tree level taken off")):
        yield _panel(name, momentum, jackknife(samples, estimate, chains), survives, label, headline)


def _panel(name: str, momentum: Array, found: tuple[Array, Array], survives: Array, label: str, headline: str) -> Panel:
    value, error = found

    def draw(axes: Axes) -> None:
        for chosen, of, color in ((~survives, "all", GREY), (survives, "after both cuts", BLUE)):
            if chosen.any():
                draw_errors(axes, momentum[chosen], value[chosen], error[chosen], marker="o", markersize=3.5, color=color, label=of)
        axes.set_xlabel(r"$a\,|p|$")
        axes.set_ylabel(label)
        axes.set_title(headline)
        axes.legend()

    return Panel(draw, name, {"p": momentum, "value": value, "error": error})
