"""All of it for files: a block for each ensemble."""
from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable

from .all_mode import add_all_mode_average
from .arrays import Path
from .blinding import GivenBlinding
from .blocks import Block
from .chosen_window import demand_names
from .correlators import Choice
from .flow import SQRT_T0, W0
from .formulas import add_derived
from .four_quark import add_four_quark_vertices
from .gauge import add_fixing, add_history, add_measurements
from .gevp import add_states
from .loops import add_loops
from .matrix_elements import add_matrix_elements
from .operator_matrices import groups, pairs
from .polyakov import add_free_energies
from .potential import add_potential
from .propagators import add_propagators
from .quantities import Settings
from .ratios import PCAC, RESIDUAL
from .results import Ensemble, NotAResult, ensembles
from .spectrum import add_spectrum
from .three_point import RATIO
from .three_point_results import add_summation, add_three_points
from .vertices import add_vertices
from .weights import Given

READ = ("correlators, three-point functions, history, observables, flow, Wilson loops, gauge fixing, propagators in momentum space, loops, "
        "vertices")


@dataclasses.dataclass
class Request:
    choice: Choice = dataclasses.field(default_factory=Choice)
    settings: Settings = dataclasses.field(default_factory=Settings)
    skip: int | None = None  # rows of histories; None: the thermalisation
    gevp: tuple[int, ...] | None = None  # t0, or t0 and the time of fixed vectors; None: 2 and 4, of smearings alone
    sqrt_t0: tuple[float, float] = SQRT_T0  # fm, value and error
    w0: tuple[float, float] = W0
    z_axial: tuple[float, float] = (1.0, 0.0)  # of the local axial current, value and error
    derived: tuple[str, ...] = ()  # formulas of masses, or "usual"
    weights: Given | None = None  # reweighting factors
    blind: GivenBlinding | None = None  # a name for all correlators, or {channel or current: name}


def analyse(paths: Iterable[Path], request: Request | None = None) -> list[Block]:
    """Blocks of result files. Throws NotAResult for files that are none, or hold nothing that is read here."""
    request = Request() if request is None else request
    found = ensembles(paths, request.weights, request.blind)
    blocks = [_analysed(ensemble, request) for ensemble in found]
    for group in groups(found):
        add_states(blocks[found.index(group[-1])], group, request.gevp, request.choice, request.settings)
    for point, smeared in pairs(found):
        block = blocks[found.index(smeared)]
        every = [[one for one in blocks[found.index(side)].correlators if one.sink != "gevp"] for side in (point, smeared)]
        if all(every):
            add_matrix_elements(block, [point, smeared], every, request.choice, request.settings, request.z_axial)
    add_summation(blocks, request.choice, request.settings)
    demand_names(request.choice.windows, [name for block in blocks for name in _fitted_names(block)])
    add_derived(blocks, request.derived)
    return blocks


def _fitted_names(block: Block) -> list[str]:
    """Names by which windows of fits are chosen."""
    others = [name for name, begins in ((PCAC, "pcac mass"), (RESIDUAL, "residual mass midpoint"), (RATIO, "ratio "),
                                            ("potential", "potential r="))
              if any(result.name.startswith(begins) for result in block.results)]
    fitted = [found[1] for result in block.results if (found := re.fullmatch(r"mass (.+) p=\S+ gevp", result.name))]
    return [one.channel for one in block.correlators] + fitted + others


def _analysed(ensemble: Ensemble, request: Request) -> Block:
    block = Block(ensemble)
    add_history(block, request.skip)
    add_measurements(block, request.sqrt_t0, request.w0)
    add_potential(block, request.choice, request.settings)
    add_free_energies(block)
    add_fixing(block)
    add_all_mode_average(block)
    add_spectrum(block, request.choice, request.settings, request.z_axial)
    add_three_points(block, request.choice, request.settings)
    add_propagators(block)
    add_loops(block)
    add_vertices(block)
    add_four_quark_vertices(block)
    block.notes = ensemble.notes + block.notes
    if block.is_empty() and not block.notes:
        raise NotAResult(f"{ensemble.name()}: has nothing that plaq analyse reads ({READ})")
    return block
