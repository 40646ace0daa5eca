"""What is worth knowing of a result at a glance, within two seconds: plaq info."""
from __future__ import annotations

import functools
import json
import math
from typing import Any

from .arrays import Path
from .blocks import Block, Result
from .channels import channels_of, main_channels, main_sink, read
from .correlators import Choice, Correlator
from .gamma import NUMPY, GammaSettings
from .gauge import add_fixing, add_history, add_measurements
from .notation import with_error
from .potential import add_potential, wilson_loops
from .quantities import Settings
from .results import ensembles
from .spectrum import fitted

SETTINGS = Settings(GammaSettings(library=NUMPY))  # pyerrors takes seconds to import, and gives the same numbers
MOST_SLICES = 40  # of fits of masses, in all: windows are many, and fits take time
MOST_LOOPS = 60   # of fits of potentials: slices in all


def brief(path: Path) -> str:
    """JSON: values, facts and notes."""
    ensemble = ensembles([path])[0]
    block = Block(ensemble)
    add_history(block, None)
    add_measurements(block)
    add_fixing(block)
    _add_masses(block)
    _add_potential(block)
    if block.chains is not None and len(block.chains) == 1:
        block.notes.append("one configuration: there are no errors")
    values = [_value(result) for result in block.results if math.isfinite(result.quantity.value)]
    return json.dumps({"values": values, "facts": block.facts, "notes": ensemble.notes + block.notes + block.warnings})


def _add_masses(block: Block) -> None:
    channels, slices, left = channels_of(block.ensemble), 0, []
    for channel in main_channels(channels) if channels else ():
        found = read(block.ensemble, channel, main_sink(channels[channel]), (0, 0, 0))
        for one in found[:1]:
            block.chains = block.chains or one.chains
            if len(one.samples) == 1:
                _add_effective(block, one)
                continue
            slices += one.extent() // 2
            if slices > MOST_SLICES:
                left.append(channel)
                continue
            fitted(block, f"mass {one.name()}", functools.partial(one.mass, Choice(), SETTINGS))
    if left:
        block.notes.append(f"mass of {', '.join(left)}: these fits take longer; plaq analyse does them")


def _add_effective(block: Block, one: Correlator) -> None:
    """Of one configuration, which has no errors and is not fitted."""
    at = one.extent() // 4
    block.add(f"effective mass {one.name()}, t = {at + 0.5:g}", one.effective_masses()[at])


def _add_potential(block: Block) -> None:
    loops = wilson_loops(block.ensemble)
    if not loops:
        return
    if sum(one.samples.shape[1] for one in loops) > MOST_LOOPS:
        block.notes.append("static potential: these fits take longer; plaq analyse does them")
        return
    made = Block(block.ensemble)
    add_potential(made, Choice(), SETTINGS)
    block.results += [one for one in made.results if not one.name.startswith(("potential r=", "creutz"))]


def _value(result: Result) -> dict[str, Any]:
    gamma = result.quantity.gamma(SETTINGS)
    errors = result.errors(SETTINGS)
    alone = not math.isfinite(gamma.error)
    known = math.isfinite(gamma.tau) and gamma.error > 0
    written = f"{result.quantity.value:.10g}" if alone else with_error(result.quantity.value, *errors)
    total = math.sqrt(sum(error**2 for error in errors))
    return {"name": result.name, "value": result.quantity.value, "error": None if alone else total, "written": written,
            "unit": result.unit, "tau_int": with_error(gamma.tau, gamma.tau_error) if known else ""}
