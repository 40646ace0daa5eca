"""Quark loops by noise: their means, and two-point functions of disconnected diagrams."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy

from .arrays import Array
from .blocks import Block, Table
from .quantities import mean_of, quantities, quantity

if TYPE_CHECKING:
    from .chains import Chains


def add_loops(block: Block) -> None:
    ensemble = block.ensemble
    if ensemble.has("approximate/noise"):
        _add_corrected(block)
        return
    names = [name for name in ensemble.group("noise") if ensemble.has(f"noise/{name}/p_0_0_0")]
    extents = ensemble.extents()
    if not names or extents is None:
        return
    block.chains = chains = ensemble.chains(f"noise/{names[0]}/p_0_0_0")
    means = Table("loops / V", [{"current": name} for name in names])
    real, imaginary, noises = [], [], []
    vectors = 0
    for name in names:
        rows = ensemble.column(f"noise/{name}/p_0_0_0", chains)
        loops = rows[..., 0] + 1j * rows[..., 1]  # [configuration][noise][t]
        vectors = loops.shape[1]
        density = loops.sum(axis=2) / float(numpy.prod(extents))
        real.append(mean_of(density.real.mean(axis=1), chains))
        imaginary.append(mean_of(density.imag.mean(axis=1), chains))
        noises.append(_noise_error(density.real, chains))
        block.tables.append(_two_point(name, loops, chains, extents))
        if name == "scalar" and not ensemble.attribute("one_end", 0, at="noise"):
            _add_susceptibilities(block, density.real, float(numpy.prod(extents)), chains)
    means.add("real", real, "a^-3")
    means.add("imaginary", imaginary, "a^-3")
    means.plain["noise error of real"] = noises
    block.tables.insert(len(block.tables) - len(names), means)
    block.facts.append(("noise", f"{vectors} vectors a configuration"))
    if vectors == 1:
        block.notes.append("one noise vector: its own noise is in two-point functions, unless dilution leaves none")


def _add_corrected(block: Block) -> None:
    """Of the truncated solver method: means that are corrected, without products of two loops."""
    ensemble, extents = block.ensemble, block.ensemble.extents()
    names = [name for name in ensemble.group("approximate/noise") if ensemble.has(f"exact/noise/{name}/p_0_0_0")]
    if not names or extents is None:
        return
    block.chains = chains = ensemble.chains(f"loops/{names[0]}/p_0_0_0")
    means, columns = Table("loops / V", [{"current": name} for name in names]), []
    volume = float(numpy.prod(extents))
    for name in names:
        loops = ensemble.column(f"loops/{name}/p_0_0_0", chains).sum(axis=1) / volume  # [configuration][real, imaginary]
        a, e = (ensemble.column(f"{group}/noise/{name}/p_0_0_0", chains)[..., 0].sum(axis=2) / volume for group in ("approximate", "exact"))
        columns.append((mean_of(loops[:, 0], chains), mean_of(loops[:, 1], chains), _corrected_noise_error(a, e, chains)))
    means.add("real", [one[0] for one in columns], "a^-3")
    means.add("imaginary", [one[1] for one in columns], "a^-3")
    means.plain["noise error of real"] = [one[2] for one in columns]
    block.tables.append(means)
    block.facts.append(("noise", f"{a.shape[1]} vectors a configuration"))
    block.notes.append("two-point functions of loops and susceptibilities are not made of approximate solves")


def _corrected_noise_error(a: Array, e: Array, chains: Chains) -> float:
    """As below. Of A [configuration][vector] and E [configuration][exact], the corrected mean is a sum over vectors: of
    (E - (1 - n/N) A) / n for n exact ones, and of A / N for the others."""
    (configurations, vectors), exact = a.shape, e.shape[1]
    if exact < 2:
        return math.nan
    both = (e - (1 - exact / vectors) * a[:, :exact]).var(axis=1, ddof=1) / exact
    if vectors > exact:
        both = both + (vectors - exact) / vectors**2 * a.var(axis=1, ddof=1)
    return float(math.sqrt(chains.mean(chains.weighted(both)) / chains.sizes([slice(0, configurations)])[0]))


def _noise_error(density: Array, chains: Chains) -> float:
    """Of the mean over configurations: what another choice of noise would change; NaN for one vector."""
    configurations, vectors = density.shape
    if vectors < 2:
        return math.nan
    variance = chains.mean(chains.weighted(density.var(axis=1, ddof=1)))
    return float(math.sqrt(variance / (vectors * chains.sizes([slice(0, configurations)])[0])))


def _add_susceptibilities(block: Block, density: Array, volume: float, chains: Chains) -> None:
    """Parts of d/dm of <tr M^-1> / V, of densities [configuration][noise]: V (<s^2> - <s>^2) by different noise vectors, and
    -<tr M^-2> / V."""
    configurations, vectors = density.shape
    total = density.sum(axis=1)
    if vectors > 1 and configurations > 1:
        squares = (total**2 - (density**2).sum(axis=1)) / (vectors * (vectors - 1))
        samples = numpy.stack([squares, total / vectors], axis=1)
        block.add("disconnected susceptibility",
                  quantity(samples, lambda means: volume * (means[..., 0] - means[..., 1]**2), chains), "a^-2")
    if block.ensemble.has("noise/squared"):
        squared = block.ensemble.column("noise/squared", chains)[..., 0]
        block.add("connected susceptibility", mean_of(-squared.sum(axis=2).mean(axis=1) / volume, chains), "a^-2")


def _two_point(name: str, loops: Array, chains: Chains, extents: Any) -> Table:
    """(1/V) sum_t0 <L(t0 + t) L(t0)^*> - |<L>|^2 at p = 0, of loops by different noise vectors, both sides averaged."""
    slices, half, vectors = extents[3], extents[3] // 2, loops.shape[1]
    total = loops.sum(axis=1)
    products = _correlation(total)
    if vectors > 1:
        products = (products - sum(_correlation(loops[:, i]) for i in range(vectors))) / (vectors * (vectors - 1))
    mean = total.mean(axis=1) / vectors
    samples = numpy.concatenate([products, mean.real[:, None], mean.imag[:, None]], axis=1)
    space = float(numpy.prod(extents[:3]))

    def subtracted(means: Array) -> Array:
        vacuum = means[..., slices]**2 + means[..., slices + 1]**2
        both = means[..., :slices]
        folded = (both + numpy.roll(both[..., ::-1], 1, axis=-1)) / 2
        return (folded[..., :half + 1] - vacuum[..., None]) / space

    table = Table(f"disconnected {name}", [{"t": t} for t in range(half + 1)])
    table.add("D", quantities(samples, subtracted, chains), "a^-6")
    return table


def _correlation(loops: Array) -> Array:
    """[configuration][t] of [configuration][t0]: the real part of the average over t0 of L(t0 + t) L(t0)^*."""
    slices = loops.shape[1]
    return numpy.stack([(numpy.roll(loops, -t, axis=1) * loops.conj()).real.mean(axis=1) for t in range(slices)], axis=1)
