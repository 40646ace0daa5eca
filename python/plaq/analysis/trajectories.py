"""Trajectories of hmc jobs, /steps of a history: dH, acceptance, iterations of solves, forces and reversibility."""
from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from .arrays import Array
from .blocks import Table
from .chains import ChainError, Chains
from .quantities import mean_of, quantity
from .results import NotAResult
from .trajectory_seconds import seconds_in_words

if TYPE_CHECKING:
    from .blocks import Block
    from .quantities import Quantity
    from .results import ResultFile

UNSTABLE = 1000.0  # dH from which on a trajectory is rejected in any case (dynamics/trajectory/hybrid_monte_carlo.hpp)
LARGEST_EXPONENT = 100.0  # of exp(-dH): squares of larger numbers are no numbers
RMS, LARGEST, ITERATIONS, PREDICTED = "force_rms_", "force_largest_", "iterations_", "predicted_delta_h_"

_erfc = numpy.vectorize(math.erfc, otypes=[float])


@dataclasses.dataclass
class Trajectories:
    """Those of one or more chains, without the thermalisation, in the order of `chains`."""

    chains: Chains
    columns: dict[str, Array]  # name of a dataset in /steps: [trajectory]
    left_out: int
    job: dict[str, Any]

    def failed(self) -> Array:
        """[trajectory]: whether it ended before there was a dH."""
        return numpy.isnan(self.columns["delta_h"])

    def unstable(self) -> Array:
        return ~self.failed() & ~self.stable()

    def stable(self) -> Array:
        delta_h = self.columns["delta_h"]
        return numpy.isfinite(delta_h) & (delta_h < UNSTABLE)

    def of_each(self, begin: str) -> list[str]:
        """Names that stand behind this beginning of the names of columns: terms of the action, or quarks."""
        return [name[len(begin):] for name in self.columns if name.startswith(begin)]

    def of(self, keep: Array) -> Chains:
        """The chains of some trajectories."""
        return Chains(self.chains.replica[keep], self.chains.number[keep])

    def mean(self, name: str, keep: Array | None = None) -> Quantity:
        values = self.columns[name]
        return mean_of(values, self.chains) if keep is None else mean_of(values[keep], self.of(keep))


def read_trajectories(files: Sequence[ResultFile], skip: int | None) -> Trajectories | None:
    """Without those before `skip` rows of the history of each file; None: without its thermalisation. Returns None if nothing is
    left."""
    replicas, numbers, kept, left_out = [], [], [], 0
    names = [name for name in files[0].file["steps"] if all(f"steps/{name}" in file.file for file in files)]
    if "trajectory" not in names or "delta_h" not in names:
        return None
    for i, file in enumerate(files):
        number = file.array("steps/trajectory")
        keep = numpy.arange(len(number)) >= _first(file, number, skip)
        left_out += int((~keep).sum())
        columns = {name: file.array(f"steps/{name}") for name in names}
        for name, column in columns.items():
            if column.shape != number.shape:
                raise NotAResult(f"{file.path}: steps/{name} has extents {column.shape} for {len(number)} trajectories")
        kept.append({name: column[keep] for name, column in columns.items()})
        replicas.append(numpy.full(keep.sum(), i))
        numbers.append(number[keep])
    if not sum(map(len, numbers)):
        return None
    try:
        chains = Chains(numpy.concatenate(replicas), numpy.concatenate(numbers))
    except ChainError as error:
        raise NotAResult(f"{files[0].path}: {error}") from error
    together = {name: numpy.concatenate([part[name] for part in kept])[chains.order] for name in names}
    return Trajectories(chains, together, left_out, files[0].job)


def _first(file: ResultFile, number: Array, skip: int | None) -> int:
    """Number of trajectories that are left out."""
    if skip is None:
        update, hmc = file.job.get("update", {}), file.job.get("hmc", {})
        return int(max(update.get("thermalization", 0), hmc.get("unconditional", 0)))
    rows = file.find("history/trajectory")
    if rows is None:
        return skip
    return int((number <= rows[skip]).sum()) if skip < len(rows) else len(number)


def add_trajectories(block: Block, skip: int | None) -> Trajectories | None:
    """Numbers of a chain of hmc, which are returned; None: nothing is behind the thermalisation."""
    found = read_trajectories(block.ensemble.files, skip)
    if found is None:
        block.notes.append("no trajectory is behind the thermalisation; --skip ROWS leaves out others")
        return None
    block.chains = block.chains or found.chains
    _add_counts(block, found)
    _add_energies(block, found)
    stable = found.stable()
    if "iterations" in found.columns and found.columns["iterations"].any() and stable.sum() > 1:
        block.add("iterations of solves", found.mean("iterations", stable))
        terms = found.of_each(ITERATIONS)
        for name in terms if len(terms) > 1 else ():
            block.add(f"iterations of {name}", found.mean(ITERATIONS + name, stable))
    _add_reversibility(block, found)
    _add_spectra(block, found)
    _add_time_scales(block, found)
    _add_forces(block, found)
    words = seconds_in_words(block.ensemble.files, found.chains.replica, found.chains.number)
    if words is not None:
        block.facts.append(("seconds of a trajectory", words))
    return found


def _add_counts(block: Block, found: Trajectories) -> None:
    failed, unstable = int(found.failed().sum()), int(found.unstable().sum())
    words = [f"{len(found.chains)} trajectories"]
    if "accepted" in found.columns:
        accepted = int((found.columns["accepted"] == 1).sum())
        others = len(found.chains) - accepted - failed - unstable
        words = [f"{words[0]}: {accepted} accepted, {others} rejected by dH"]
    words += [f"{failed} failed"] if failed else []
    words += [f"{unstable} unstable (dH of {UNSTABLE:.0f} or more)"] if unstable else []
    block.facts.append(("chain", ", ".join(words) + f"; {found.left_out} left out as thermalisation"))
    if "accepted" in found.columns and len(found.chains) > 1:
        block.add("acceptance", found.mean("accepted"))
    if "acceptance" in found.columns and len(found.chains) > 1:
        block.add("<min(1, exp(-dH))>", found.mean("acceptance"))


def _add_energies(block: Block, found: Trajectories) -> None:
    """<exp(-dH)> is 1. For normal dH, Var dH is 2 <dH>, and the acceptance is erfc(sqrt(<dH>)/2)."""
    known, stable = ~found.failed(), found.stable()
    if stable.sum() < 2:
        return
    delta_h = numpy.where(stable, found.columns["delta_h"], 0.0)
    weight = numpy.where(stable, numpy.exp(-numpy.maximum(delta_h, -LARGEST_EXPONENT)), 0.0)
    block.add("<exp(-dH)>", mean_of(weight[known], found.of(known)))
    chains, delta_h = found.of(stable), delta_h[stable]
    mean = mean_of(delta_h, chains)
    block.add("<dH>", mean)
    if mean.value > 0:
        block.add("erfc(sqrt(<dH>)/2)", quantity(delta_h[:, None], lambda means: _erfc(numpy.sqrt(abs(means[..., 0])) / 2), chains))
    count = len(delta_h)
    around = delta_h - delta_h.mean()  # squares of these lose no digits
    powers = numpy.stack([around, around**2], axis=1)

    def variance(means: Array) -> Array:
        found: Array = (means[..., 1] - means[..., 0]**2) * count / (count - 1)
        return found

    block.add("Var dH", quantity(powers, variance, chains))
    if around.any():
        block.add("erfc(sqrt(Var dH / 8))", quantity(powers, lambda means: _erfc(numpy.sqrt(abs(variance(means)) / 8)), chains))


def _add_reversibility(block: Block, found: Trajectories) -> None:
    links = found.columns.get("reversibility_links", numpy.zeros(0))
    measured = numpy.isfinite(links)
    if not measured.any():
        block.facts.append(("reversibility", "not measured ([hmc] reversibility_every)"))
        return
    energy = found.columns.get("reversibility_energy", links)[measured]
    block.facts.append(("reversibility", f"links {links[measured].max():.2g}, H {numpy.nanmax(energy):.2g} at most, "
                        f"in {measured.sum()} trajectories"))


def _add_spectra(block: Block, found: Trajectories) -> None:
    """Eigenvalues of the operator of each rational function, Q^2 or m^2 - D_eo D_oe/4, beside its range."""
    for name in found.of_each("eigenvalue_low_"):
        columns = [found.columns.get(f"{kind}_{name}") for kind in ("eigenvalue_low", "eigenvalue_high", "range_low", "range_high")]
        if all(column is not None and numpy.isfinite(column).any() for column in columns):
            low, high, range_low, range_high = (column for column in columns if column is not None)
            block.facts.append((f"spectrum of {name}", f"eigenvalues from {numpy.nanmin(low):.3g} to {numpy.nanmax(high):.3g}, "
                                f"range of the rational function {range_low[-1]:.3g} to {range_high[-1]:.3g} at last"))


def _add_time_scales(block: Block, found: Trajectories) -> None:
    """Steps that the job chose, and dH of each time scale as its forces predict it."""
    scales = found.of_each(PREDICTED)
    stable = found.stable()
    if not scales or not stable.any() or not all(f"steps_{scale}" in found.columns for scale in scales):
        return
    words = [f"{int(found.columns[f'steps_{scale}'][-1])} steps, {numpy.sqrt(numpy.mean(found.columns[PREDICTED + scale][stable]**2)):.2g}"
             for scale in scales]
    block.facts.append(("time scales", f"{'; '.join(words)} (rms of the predicted dH)"))


def _add_forces(block: Block, found: Trajectories) -> None:
    terms = [name for name in found.of_each(RMS) if numpy.isfinite(found.columns[RMS + name]).sum() > 1]
    if not terms:
        return
    table = Table("forces on a link", [{"term": name} for name in terms])
    known = [numpy.isfinite(found.columns[RMS + name]) for name in terms]
    table.add("rms", [found.mean(RMS + name, keep) for name, keep in zip(terms, known)])
    if all(LARGEST + name in found.columns for name in terms):
        table.plain["largest"] = [float(numpy.nanmax(found.columns[LARGEST + name])) for name in terms]
    block.tables.append(table)
