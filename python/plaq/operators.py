"""Dirac operators by their names, and solves."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ._plaq import Dirac, DiracMatrix, GaugeField, QuarkField, Solver


def Wilson(gauge: GaugeField, **keys: Any) -> Dirac:
    """Wilson quarks: mass or kappa, boundary, xi, nu, twisted_mass."""
    return Dirac(gauge, "wilson", **keys)


def Clover(gauge: GaugeField, **keys: Any) -> Dirac:
    """Clover quarks: mass or kappa, c_sw (or c_r and c_t), boundary, xi, nu, twisted_mass; smearing = {"type": "stout"}."""
    return Dirac(gauge, "clover", **keys)


def Staggered(gauge: GaugeField, **keys: Any) -> Dirac:
    """Staggered quarks with one link: mass (MILC's), boundary."""
    return Dirac(gauge, "staggered", **keys)


def Asqtad(gauge: GaugeField, **keys: Any) -> Dirac:
    """Staggered quarks with asqtad links: mass, u0, boundary."""
    return Dirac(gauge, "asqtad", **keys)


def Hisq(gauge: GaugeField, **keys: Any) -> Dirac:
    """Highly improved staggered quarks: mass, epsilon, boundary."""
    return Dirac(gauge, "hisq", **keys)


def DomainWall(gauge: GaugeField, **keys: Any) -> Dirac:
    """Domain-wall quarks: mass, n_s, m0, variant ("shamir", "borici", "moebius", "optimal", ...), b5, c5, boundary."""
    return Dirac(gauge, "domain_wall", **keys)


def solve(dirac: Dirac, source: QuarkField | Callable[[QuarkField, int], None], *, columns: int | None = None,
          position: Sequence[int] | None = None, **keys: Any) -> QuarkField:
    """M^-1 on a source, by the keys of [solver] in job files: method, tolerance, preconditioner = "multigrid", ...

    The source is a QuarkField, or a function fill(batch, first_column). The result has a `report`. Each call sets the
    solver up anew; Solver(dirac, **keys) keeps its setup for many sources. Collective.
    """
    return Solver(dirac, **keys)(source, columns=columns, position=position)


def matrix(dirac: Dirac, normal: bool = False) -> DiracMatrix:
    """The operator for krylov(): M, or M^dagger M."""
    return DiracMatrix(dirac, normal)
