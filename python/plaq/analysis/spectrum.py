"""What propagator jobs give: masses of all correlators, PCAC and residual masses, and how solves went."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy

from .channels import channels_of
from .chosen_window import WindowError
from .correlators import Choice, Correlator, correlators, split_channel
from .fit import FitError
from .matrix_elements import add_matrix_elements
from .ratios import pcac_mass, residual_mass, summed_residual_mass

if TYPE_CHECKING:
    from .blocks import Block
    from .quantities import Settings
    from .windows import Averaged


def add_spectrum(block: Block, choice: Choice, settings: Settings, z_axial: tuple[float, float] = (1.0, 0.0)) -> None:
    ensemble = block.ensemble
    if "correlators" not in ensemble.files[0].file:
        return
    found = correlators(ensemble, choice)
    if not found:
        known = ", ".join(channels_of(ensemble)) or "none"
        block.notes.append(f"no correlator has the requested channel, momentum and sink; the channels are {known}")
        return
    block.chains = found[0].chains
    _add_solves(block)
    for one in found:
        if one.channel != "midpoint_pion":
            add_mass(block, one, choice, settings)
    _add_ratios(block, found, choice, settings)
    add_matrix_elements(block, [ensemble], [found], choice, settings, z_axial)


def add_mass(block: Block, correlator: Correlator, choice: Choice, settings: Settings) -> None:
    name = f"mass {correlator.name()}"
    block.correlators.append(correlator)
    block.effective[name] = correlator.effective_masses()
    fitted(block, name, lambda: correlator.mass(choice, settings))


def fitted(block: Block, name: str, make: Callable[[], Averaged]) -> None:
    try:
        averaged = make()
        block.add(name, averaged.quantity, averaged=averaged)
    except WindowError:
        raise
    except FitError as error:
        block.notes.append(f"{name}: {error}")


def _add_ratios(block: Block, found: list[Correlator], choice: Choice, settings: Settings) -> None:
    by_name = {(one.channel, one.momentum, one.sink): one for one in found}
    for (channel, momentum, sink), one in by_name.items():
        base, quarks = split_channel(channel)
        of_quarks = f".{quarks}" if quarks else ""
        pion = by_name.get((f"pion{of_quarks}", momentum, sink))
        if momentum != (0, 0, 0) or pion is None:
            continue
        if base == "axial_pseudoscalar":
            fitted(block, f"pcac mass {quarks + ' ' if quarks else ''}{sink}",
                   functools.partial(pcac_mass, one, pion, choice, settings))
        if channel == "midpoint_pion":
            fitted(block, "residual mass midpoint", functools.partial(residual_mass, one, pion, choice, settings))
    if block.ensemble.has("residual_mass/summed"):
        block.add("residual mass summed", summed_residual_mass(block.ensemble, found[0].chains))


def _add_solves(block: Block) -> None:
    if not (block.ensemble.has("solves/iterations") and block.ensemble.has("solves/true_residual")):
        return
    iterations = block.ensemble.column("solves/iterations")
    residual = block.ensemble.column("solves/true_residual")
    block.facts.append(("solves", f"{iterations.size}, iterations {iterations.mean():.5g} on average and "
                        f"{iterations.max()} at most, true residual {numpy.max(residual):.2g} at most"))
