"""Z and M of a quark propagator S = -i k-slash v + s in momentum space: S^-1 = (i k-slash + M) / Z, of means of s and v.
Tree level is taken out of Z as a factor, and of M as a term."""
from __future__ import annotations

from typing import Any

from .arrays import Array


def z_over_tree(s: Array, v: Array, k_squared: Any, v0: Any, s0: Any) -> Array:
    return (k_squared * v**2 + s**2) / v / ((k_squared * v0**2 + s0**2) / v0)


def mass(s: Array, v: Array) -> Array:
    return s / v


def mass_corrected(s: Array, v: Array, v0: Any, s0: Any, tree_mass: float) -> Array:
    """M - M_tree(p) + M_tree(0)."""
    return s / v - s0 / v0 + tree_mass
