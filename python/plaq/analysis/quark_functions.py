"""Z and M of a quark propagator S = -i k-slash v + s in momentum space: S^-1 = (i k-slash + M) / Z, of means of s and v.
Tree level is taken out of Z as a factor, and of M as a term."""


def z_over_tree(s, v, k_squared, v0, s0):
    return (k_squared * v**2 + s**2) / v / ((k_squared * v0**2 + s0**2) / v0)


def mass(s, v):
    return s / v


def mass_corrected(s, v, v0, s0, tree_mass):
    """M - M_tree(p) + M_tree(0)."""
    return s / v - s0 / v0 + tree_mass
