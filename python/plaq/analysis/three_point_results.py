"""What an analysis shows of three-point functions: ratios, constants fitted to them, Wilson lines by their length, Z_V, and sums."""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from .blocks import Block, Table
from .chosen_window import WindowError
from .fit import FitError
from .insertions import CONSERVED, LINE, LOCAL, Operator
from .notation import quality
from .ratios import constant
from .three_point import RATIO, ThreePoint, summation
from .three_point_data import three_points

if TYPE_CHECKING:
    from .arrays import Array
    from .correlators import Choice
    from .quantities import Quantity, Settings
    from .windows import Averaged

KEY = (("three_point", "sink_time"), ("three_point", "sink_times"))
CHARGE = "vector_t"


def add_three_points(block: Block, choice: Choice, settings: Settings) -> None:
    """R(t) as tables, and constants fitted to it; of Wilson lines tables of these constants by the length."""
    found = three_points(block.ensemble, choice)
    lines: dict[str, dict[int, Quantity]] = {}
    for one in found:
        block.chains = block.chains or one.chains
        if one.operator.group != LINE:
            table = Table(f"{one.name()} sink_time {one.sink_time}", [{"t": t} for t in range(one.sink_time + 1)])
            table.add("R", one.ratios())
            block.tables.append(table)
        name = f"ratio {one.name()} sink_time {one.sink_time}"
        try:
            fit = one.plateau(choice, settings)
        except WindowError:
            raise
        except FitError as error:
            block.notes.append(f"{name}: {error}")
            continue
        block.add(name, fit.quantity, averaged=fit)
        if one.operator.group == LINE:
            lines.setdefault(_line_name(one), {})[one.operator.length] = fit.quantity
    for title, by_length in lines.items():
        table = Table(title, [{"z": z} for z in by_length])
        table.add("R", list(by_length.values()))
        block.tables.append(table)
    _add_vector_factors(block, found, choice, settings)


def _line_name(one: ThreePoint) -> str:
    parity = "odd" if one.operator.odd else "even"
    return f"{one.insertion} {LINE} {one.operator.directions} {parity} {one.current} {one.kinematics()} sink_time {one.sink_time}"


def vector_factor(conserved: ThreePoint, local: ThreePoint, choice: Choice, settings: Settings) -> Averaged:
    """Z_V of the local current: a constant in C3 of the conserved vector_t, between t and t + 1, over the mean of the local ones on t and
    t + 1, both at q = 0. Throws FitError."""
    samples = numpy.concatenate([conserved.samples, local.samples], axis=1)
    extent = conserved.samples.shape[1]

    def ratio(means: Array) -> Array:
        at_links, at_sites = means[..., :extent], means[..., extent:]
        with numpy.errstate(all="ignore"):
            return at_links / ((at_sites + numpy.roll(at_sites, -1, axis=-1)) / 2)

    first, last = conserved.inner()
    if last < first:
        raise FitError("no slice has the conserved current between source and sink")
    return constant(samples, ratio, local.chains, first, last, choice, settings, RATIO)


def _add_vector_factors(block: Block, found: list[ThreePoint], choice: Choice, settings: Settings) -> None:
    charges = [one for one in found if one.current == CHARGE and not any(one.momentum)]
    local = {(one.insertion, one.sink_time): one for one in charges if one.operator == Operator(LOCAL)}
    for one in charges:
        if one.operator.group != CONSERVED or (one.insertion, one.sink_time) not in local:
            continue
        name = f"z_vector {one.insertion} sink_time {one.sink_time}"
        try:
            fit = vector_factor(one, local[one.insertion, one.sink_time], choice, settings)
        except WindowError:
            raise
        except FitError as error:
            block.notes.append(f"{name}: {error}")
            continue
        block.add(name, fit.quantity, averaged=fit)


def add_summation(blocks: list[Block], choice: Choice, settings: Settings) -> None:
    """Of several sink times, in one ensemble or in those that differ in their sink times alone, to the first of them."""
    groups: dict[str, list[Block]] = {}
    for block in blocks:
        if block.ensemble.has(LOCAL):
            groups.setdefault(block.ensemble.files[0].key(KEY) or f"alone {len(groups)}", []).append(block)
    for together in groups.values():
        by_name: dict[str, list[ThreePoint]] = {}
        for block in together:
            for one in three_points(block.ensemble, choice):
                by_name.setdefault(one.name(), []).append(one)
        for name, points in by_name.items():
            if len(together) == 1 and len(points) == 1:
                continue
            try:
                found = summation(points, choice, settings)
            except FitError as error:
                together[0].notes.append(f"summed {name}: {error}")
                continue
            together[0].add(f"summed {name}", found.quantity)
            together[0].facts.append((f"summed {name}", f"sink times {', '.join(map(str, found.sink_times))}, {found.kind}, "
                                      f"{quality(found.chi2, found.freedom, found.p_value())}"))
