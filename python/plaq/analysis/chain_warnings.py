"""Sentences that say what is wrong with a chain of hmc, and what to do."""
from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy

from .arrays import Array
from .chains import Chains
from .notation import with_error
from .quantities import mean_of

if TYPE_CHECKING:
    from .quantities import Quantity
    from .trajectories import Trajectories

FEWEST = 20  # trajectories from which on their acceptance is judged
FEWEST_WEIGHTS = 100  # trajectories from which on <exp(-dH)> is judged
FEWEST_HALVES = 40  # rows from which on their halves are compared
SIGMAS, SIGMAS_OF_DRIFT = 4.0, 5.0
LOW, GOOD_LOW = 0.6, 0.8  # an acceptance that is too low, and the one that steps are proposed for
HIGH, GOOD_HIGH = 0.98, 0.9
MOST_FACTOR = 4.0  # by which a proposal changes the steps
REVERSIBLE, OF_TOLERANCE = 1e-8, 10.0  # |U(back) - U(start)| of a link, at least, and in units of the tolerance of forces
FORCE_TOLERANCE = 1e-8  # of jobs that do not say it
TIMES = 50.0  # autocorrelation times that a chain has at least
DRIFT = 0.05  # of iterations, relative
SPIKE, DEVIATIONS = 3.0, 8.0  # |dH| of a spike at least, and its distance in standard deviations of the others
OF_MAD = 1.4826  # standard deviation of a normal distribution by its median absolute deviation
UNLIKELY = 1e-3
SHORTEST_STAY = 5
ORDERS = {"leapfrog": 2, "omelyan2": 2, "omelyan4": 4, "force_gradient": 4}


def warnings_of(found: Trajectories, plaquette: Quantity | None) -> list[str]:
    """`plaquette`: its mean over the history of the same chains."""
    return [*_lost(found), *_steps(found), *_weight(found), *_spikes(found), *_stays(found), *_reversibility(found),
            *_drifts(found, plaquette), *_length(found, plaquette)]


def _lost(found: Trajectories) -> Iterator[str]:
    count, failed, unstable = len(found.chains), int(found.failed().sum()), int(found.unstable().sum())
    if failed:
        yield (f"{failed} of {count} trajectories failed, and their links were rejected: a solve did not converge, or links left SU(3). "
               "The log of the job has the reason of each. A larger max_iterations in [solver] or more steps may help")
    if unstable:
        yield (f"{unstable} of {count} trajectories were unstable, and their links were rejected: the integrator diverges. Take more "
               "steps in [hmc], or a smaller length")


def _steps(found: Trajectories) -> Iterator[str]:
    """Says how many steps the slowest time scale wants: <dH> is proportional to the step size to the power 2 order."""
    if "acceptance" not in found.columns or len(found.chains) < FEWEST:
        return
    acceptance = float(found.columns["acceptance"].mean())
    if LOW <= acceptance <= HIGH:
        return
    low = acceptance < LOW
    steps, order = _slowest_scale(found.job)
    if "steps_1" in found.columns:  # which the job chose
        steps = int(found.columns["steps_1"][-1])
    change = (_delta_h(acceptance) / _delta_h(GOOD_LOW if low else GOOD_HIGH))**(0.5 / order)
    wanted = math.ceil(steps * min(max(change, 1 / MOST_FACTOR), MOST_FACTOR))
    if low:
        more = f"{wanted} steps in place of {steps} on the slowest time scale" if steps else "more steps"
        yield (f"the acceptance is {100 * acceptance:.0f}%, which is low: take {more} ([hmc] steps) for about {100 * GOOD_LOW:.0f}%, or "
               "the key acceptance")
    elif wanted < steps:
        yield (f"the acceptance is {100 * acceptance:.1f}%, which is more than a chain needs: {wanted} steps in place of {steps} on "
               f"the slowest time scale ([hmc] steps) take less time and give about {100 * GOOD_HIGH:.0f}%")


def _slowest_scale(job: dict[str, Any]) -> tuple[int, int]:
    """Steps of the slowest time scale, 0 if the job does not say, and the order of its integrator."""
    keys = job.get("hmc", {})
    steps, integrators = keys.get("steps", []), keys.get("integrators", [])
    return (int(steps[0]) if steps else 0), ORDERS.get(str(integrators[0]), 2) if integrators else 2


def _delta_h(acceptance: float) -> float:
    """<dH> of this acceptance, erfc(sqrt(<dH>)/2)."""
    low, high = 0.0, 30.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if math.erfc(middle / 2) > acceptance else (low, middle)
    return low**2


def _weight(found: Trajectories) -> Iterator[str]:
    """Rare trajectories with a large exp(-dH) may be missing in a sample: the error is at least that of a normal dH."""
    stable = found.stable()
    count = int(stable.sum())
    if count < FEWEST_WEIGHTS:
        return
    delta_h = found.columns["delta_h"][stable]
    weight = mean_of(numpy.exp(-numpy.clip(delta_h, -100, None)), found.of(stable))
    error = max(weight.gamma().error, math.sqrt(math.expm1(min(float(delta_h.var()), 100.0)) / count))
    if abs(weight.value - 1) > SIGMAS * error:
        yield (f"<exp(-dH)> = {with_error(weight.value, error)} is {abs(weight.value - 1) / error:.1f} errors from 1: a force is not "
               "that of its action, solves are not exact enough, or the chain is not thermalised. Run plaq selftest hmc, take "
               "smaller tolerances in [solver], and set reversibility_every in [hmc]")


def _spikes(found: Trajectories) -> Iterator[str]:
    stable = found.stable()
    delta_h = found.columns["delta_h"][stable]
    if len(delta_h) < FEWEST:
        return
    distance = abs(delta_h - numpy.median(delta_h))
    usual = OF_MAD * float(numpy.median(distance))
    spikes = (distance > DEVIATIONS * usual) & (distance > SPIKE)
    if not spikes.any():
        return
    largest = delta_h[numpy.argmax(distance)]
    term = _largest_force(found, stable, spikes)
    cause = (f"the largest force of {term[0]} is {term[1]:.1f} times as large there; a further twist in [hmc], or more steps of its time "
             "scale, would tame it") if term else "take more steps of the time scales with the largest forces"
    yield (f"dH has spikes: {spikes.sum()} of {len(delta_h)} trajectories are far off, up to dH = {largest:.3g}, while the others "
           f"vary by {usual:.2g}: {cause}")


def _largest_force(found: Trajectories, stable: Array, spikes: Array) -> tuple[str, float] | None:
    """The term whose force grows most in the spikes, and by how much."""
    growth = []
    for name in found.of_each("force_rms_"):
        force = found.columns.get(f"force_largest_{name}", found.columns[f"force_rms_{name}"])[stable]
        usual = numpy.median(force[~spikes]) if (~spikes).any() else math.nan
        growth.append((float(numpy.max(force[spikes]) / usual) if usual > 0 else 0.0, name))
    factor, name = max(growth, default=(0.0, ""))
    return (name, factor) if factor > 2 else None


def _stays(found: Trajectories) -> Iterator[str]:
    """Rejections in a row that are too many for chance."""
    if "accepted" not in found.columns:
        return
    accepted = found.columns["accepted"] == 1
    share = float(accepted.mean())
    for part in found.chains.parts:
        longest, end = _longest_run(~accepted[part])
        if longest >= SHORTEST_STAY and len(accepted) * (1 - share)**longest < UNLIKELY:
            last = int(found.chains.number[part][end])
            yield (f"the chain stood still for {longest} trajectories, up to trajectory {last}, more than its acceptance of "
                   f"{100 * share:.0f}% explains: these links have large forces. Take more steps in [hmc], or a further twist")


def _longest_run(values: Array) -> tuple[int, int]:
    """(length, index of its last element) of the longest run of true values."""
    best, length, end = 0, 0, -1
    for i, value in enumerate(values):
        length = length + 1 if value else 0
        if length > best:
            best, end = length, i
    return best, end


def _reversibility(found: Trajectories) -> Iterator[str]:
    links = found.columns.get("reversibility_links", numpy.zeros(0))
    worst = float(numpy.nanmax(links)) if numpy.isfinite(links).any() else 0.0
    limit = max(REVERSIBLE, OF_TOLERANCE * float(found.job.get("solver", {}).get("force_tolerance", FORCE_TOLERANCE)))
    if worst > limit:
        yield (f"trajectories do not lead back: links differ by up to {worst:.2g} after a way back, and {limit:.0e} is the limit. "
               "Take a smaller force_tolerance in [solver]. If that does not help, take more steps or a smaller length in [hmc]")


def _drifts(found: Trajectories, plaquette: Quantity | None) -> Iterator[str]:
    stable = found.stable()
    checked = [("the plaquette", plaquette.samples[:, 0], plaquette.chains, 0.0)] if plaquette else []
    if "iterations" in found.columns:
        checked.append(("the number of iterations", found.columns["iterations"][stable], found.of(stable), DRIFT))
    for name, values, chains, least in checked:
        for part in chains.parts:
            found_drift = _drift(values[part], chains.number[part])
            if found_drift and abs(found_drift[1] - found_drift[0]) > least * abs(found_drift[0]):
                yield (f"{name} drifts, from {found_drift[0]:.6g} in the first half to {found_drift[1]:.6g} in the second: the chain is "
                       "not thermalised. Leave out more rows by --skip, and raise thermalization in [update]")


def _drift(values: Array, numbers: Array) -> tuple[float, float] | None:
    """The means of both halves, if they differ by more than chance."""
    if len(values) < FEWEST_HALVES:
        return None
    half = len(values) // 2
    halves = [mean_of(values[rows], Chains(numpy.zeros(len(values[rows])), numbers[rows]))
              for rows in (slice(0, half), slice(half, None))]
    error = math.hypot(*(one.gamma().error for one in halves))
    first, second = (one.value for one in halves)
    return (first, second) if abs(second - first) > SIGMAS_OF_DRIFT * error and error > 0 else None


def _length(found: Trajectories, plaquette: Quantity | None) -> Iterator[str]:
    if len(found.chains) < FEWEST:
        yield (f"{len(found.chains)} trajectories behind the thermalisation are too few to judge a chain: acceptance and <exp(-dH)> need "
               f"{FEWEST} to {FEWEST_WEIGHTS}. Raise configurations in [update]")
        return
    if plaquette is None:
        return
    tau, rows = plaquette.gamma().tau, len(plaquette.samples)
    if math.isfinite(tau) and rows < TIMES * tau:
        yield (f"the history is {rows / tau:.0f} autocorrelation times of the plaquette long, and {TIMES:.0f} are needed for a "
               "reliable tau_int and error. Raise configurations in [update]: the job continues its chain")
