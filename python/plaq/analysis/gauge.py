"""What generate, measure and gaugefix jobs give: plaquettes, Polyakov loops, charges, scales, and how fixing went."""
from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy

from .arrays import Array, Estimate
from .attributes import text
from .chain_warnings import warnings_of
from .chains import ChainError, Chains
from .flow import SQRT_T0, W0, scales
from .quantities import mean_of, quantity
from .results import Ensemble, NotAResult
from .trajectories import add_trajectories

if TYPE_CHECKING:
    from .blocks import Block

OBSERVABLES = ("plaquette", "plaquette_spatial", "plaquette_temporal", "link_trace", "polyakov_loop",
               "clover_energy", "topological_charge")


def add_observables(block: Block, group: str, chains: Chains, keep: Any = slice(None)) -> None:
    """Means of the observables in a group of rows; `keep` chooses rows, of which `chains` are."""
    for name in OBSERVABLES:
        path = f"{group}/{name}"
        if not block.ensemble.has(path):
            continue
        rows = block.ensemble.column(path)[keep][chains.order]
        if name == "polyakov_loop":
            block.add(f"{name} real", mean_of(rows[:, 0], chains))
            block.add(f"{name} imaginary", mean_of(rows[:, 1], chains))
            modulus = numpy.hypot(rows[:, 0], rows[:, 1])
            block.add(f"{name} modulus", mean_of(modulus, chains))
            extents = block.ensemble.extents()
            if extents is not None and len(rows) > 1:
                block.add(f"{name} susceptibility", quantity(numpy.stack([modulus**2, modulus], axis=1), functools.partial(
                    _susceptibility, float(numpy.prod(extents[:3]))), chains))
        else:
            block.add(name, mean_of(rows, chains), "a^-4" if name == "clover_energy" else "")


def _susceptibility(volume: float, means: Array) -> Array:
    """V (<x^2> - <x>^2) of means [..., (x^2, x)]."""
    return volume * (means[..., 0] - means[..., 1]**2)


def add_history(block: Block, skip: int | None) -> None:
    """Chains of generate and hmc jobs after the thermalisation; each file is a chain of its own, as another seed makes it."""
    counter = next((name for name in ("sweep", "trajectory") if block.ensemble.has(f"history/{name}")), None)
    if counter is not None:
        _add_rows(block, counter, skip)
    if block.ensemble.has("steps/delta_h"):
        found = add_trajectories(block, skip)
        if found is not None:
            block.warnings += warnings_of(found, next((one.quantity for one in block.results if one.name == "plaquette"), None))


def _add_rows(block: Block, counter: str, skip: int | None) -> None:
    kept, replicas, sweeps = [], [], []
    for i, file in enumerate(block.ensemble.files):
        sweep = file.array(f"history/{counter}")  # counted on from the number of the start, which is measured first
        first = file.job.get("update", {}).get("thermalization", 0)
        keep = numpy.arange(len(sweep)) >= skip if skip is not None else sweep - sweep[:1] >= first
        kept.append(keep)
        replicas.append(numpy.full(keep.sum(), i))
        sweeps.append(sweep[keep])
    keep = numpy.concatenate(kept)
    if not keep.any():
        block.notes.append("no row of the history is behind the thermalisation; --skip ROWS leaves out others")
        return
    try:
        block.chains = block.ensemble.weighed(Chains(numpy.concatenate(replicas), numpy.concatenate(sweeps)))
    except ChainError as error:
        raise NotAResult(f"{block.ensemble.name()}: {error}") from error
    block.facts.append(("history", f"{keep.sum()} rows, {(~keep).sum()} left out as thermalisation"))
    add_observables(block, "history", block.chains, keep)


def add_measurements(block: Block, sqrt_t0: tuple[float, float] = SQRT_T0, w0: tuple[float, float] = W0) -> None:
    ensemble = block.ensemble
    first = next((name for name in ("flow/t", *(f"observables/{n}" for n in OBSERVABLES)) if ensemble.has(name)), None)
    if first is None:
        return
    block.chains = chains = ensemble.chains(first)
    add_observables(block, "observables", chains)
    if ensemble.has("flow/t") and ensemble.has("flow/clover_energy"):
        _add_scales(block, chains, sqrt_t0, w0)
    if ensemble.has("flow/topological_charge"):
        charge = ensemble.column("flow/topological_charge", chains)[:, -1]
        block.add("topological charge, end of flow", mean_of(charge, chains))
        block.add("its square", mean_of(charge**2, chains))
        extents = ensemble.extents()
        if extents is not None:
            block.add("topological susceptibility", mean_of(charge**2 / float(numpy.prod(extents)), chains), "a^-4")


def _add_scales(block: Block, chains: Chains, sqrt_t0: tuple[float, float], w0: tuple[float, float]) -> None:
    found = scales(block.ensemble, chains)
    for name, unit, one, scale, root in (("t0", "a^2", found[0], sqrt_t0, 0.5), ("w0", "a", found[1], w0, 1.0)):
        if not numpy.isfinite(one.value):
            block.notes.append(f"{name}: the mean of the flow does not get there; a larger t_max in [flow] would")
            continue
        block.add(name, one, unit)
        spacing = quantity(one.samples, functools.partial(_spacing, one.estimate, scale[0], root), chains)
        block.add(f"a by {name}", spacing, "fm", other_error=spacing.value * scale[1] / scale[0])


def _spacing(estimate: Estimate, scale: float, root: float, means: Array) -> Array:
    return scale / estimate(means)**root


def add_fixing(block: Block) -> None:
    ensemble = block.ensemble
    if not (ensemble.has("copies/converged") and ensemble.has("copies/functional")):
        return
    converged = ensemble.column("copies/converged") == 1
    functional = ensemble.column("copies/functional")
    gauge = text(ensemble.attribute("gauge", "", "fixing")).replace("_", " ")
    fields, copies = converged.shape
    block.facts.append(("gauge", f"{gauge}, {copies} cop{'ies' if copies > 1 else 'y'} of {fields} field{'s'[:fields != 1]}"))
    block.facts.append(("converged", f"{converged.sum()} of {converged.size} copies, "
                        f"{converged.any(axis=1).sum()} of {len(converged)} fields with one or more"))
    if ensemble.has("copies/theta"):
        block.facts.append(("theta", _theta(ensemble, converged)))
    sweeps = [ensemble.column(f"copies/{name}") for name in ("annealing", "stochastic", "overrelaxation")
              if ensemble.has(f"copies/{name}")]
    if sweeps:
        total = numpy.sum(sweeps, axis=0)
        block.facts.append(("sweeps", f"{total.mean():.5g} a copy on average, {total.min()} to {total.max()}"))
    _add_best(block, converged, functional)


def _theta(ensemble: Ensemble, converged: Array) -> str:
    theta, asked = ensemble.column("copies/theta"), ensemble.attribute("theta", None, "fixing")
    reached = f"{theta[converged].max():.2g} at most where converged" if converged.any() else "nowhere reached"
    missed = f", {theta[~converged].max():.2g} at most elsewhere" if (~converged).any() else ""
    return reached + missed + (f"; {float(asked):.2g} was asked for" if asked is not None else "")


def _add_best(block: Block, converged: Array, functional: Array) -> None:
    """Of each field with a converged copy the largest functional, and how far copies are below it."""
    fields = numpy.asarray(converged.any(axis=1))
    if not fields.any():
        return
    chains = block.ensemble.chains("copies/converged")
    block.chains = chains
    best = numpy.where(converged, functional, -numpy.inf).max(axis=1)
    if fields.all():
        block.add("functional, best copy", mean_of(best[chains.order], chains))
    below = ((best[:, None] - functional) / best[:, None])[converged & fields[:, None]]
    block.facts.append(("copies below the best", f"{100 * below.mean():.2g}% on average"))
