"""Slow formulas of staggered quarks on whole lattices; they see nothing of plaq. Propagators are S[t][z][y][x][color of the
sink][color of the source]."""
import itertools

import h5py
import numpy

import lime
import reference
from lattice import ahead, along, along_axis, coordinates, dagger, flat, on_grid


def read_links(path):
    extents, links = reference.read_nersc(path)
    return on_grid(links, extents)


def scidac_propagator(content, extents):
    """S of a file in SciDAC format with numbers in double precision: [color of the source][color of the sink] at each site."""
    return on_grid(lime.numbers(content).reshape(-1, 3, 3).swapaxes(1, 2), extents)


def hdf5_propagator(path):
    with h5py.File(path, "r") as file:
        values = numpy.array(file["propagator"])
    return (values[..., 0] + 1j * values[..., 1]).swapaxes(-1, -2)


def operator(field, mass, near, far=None, naik=0.0, boundary=(1, 1, 1, -1)):
    """m + 1/2 sum_mu eta_mu(x) (U_mu(x) + naik W_mu(x), each minus its hop back), eta_mu = (-1)^(x_1 + ... + x_(mu-1)); W are links of
    three steps."""
    extents = field.shape[3::-1]
    x, out = coordinates(extents), mass * field
    for mu in range(4):
        eta = (-1.0)**x[:mu].sum(axis=0)
        for links, steps, weight in ((near, 1, 0.5), (far, 3, 0.5 * naik)):
            if weight:
                sign = float(boundary[mu])**((x[mu] + steps) // extents[mu])
                link = (weight * eta * sign)[..., None, None] * links[..., mu, :, :]
                out = out + link @ ahead(field, *along_axis(mu, steps))
                out -= ahead(dagger(link) @ field, *along_axis(mu, -steps))
    return out


def residual(source, s, *action, **improved):
    """The largest ||b - M s|| / ||b|| of a column, b being the numbers of `source` in the color of the column."""
    b = source[..., None, None] * numpy.eye(3)
    return distance(operator(s, *action, **improved), b)


def distance(field, expected):
    """The largest of a column over the norm of what is expected."""
    norms = (numpy.linalg.norm(one.reshape(-1, 3), axis=0) for one in (field - expected, expected))
    return (next(norms) / next(norms)).max()


def fat_links(links, one, three, five, seven, lepage):
    """The sum of paths from x to x + mu, with k = 0 to 3 different directions to the side, or one twice, of a coefficient each."""
    fat = numpy.zeros_like(links)
    for mu in range(4):
        sides = [sign * (nu + 1) for nu in range(4) if nu != mu for sign in (1, -1)]
        detours = [((), one)] + [((a, a), lepage) for a in sides]
        for count, coefficient in ((1, three), (2, five), (3, seven)):
            detours += [(aside, coefficient) for aside in itertools.permutations(sides, count) if len({abs(a) for a in aside}) == count]
        for aside, coefficient in detours:
            fat[..., mu, :, :] += coefficient * along(links, (*aside, mu + 1, *(-a for a in reversed(aside))))
    return fat


def three_link_products(links):
    return numpy.stack([along(links, (mu + 1,) * 3) for mu in range(4)], axis=-3)


def unitary_factor(matrices):
    """U of M = U P with P hermitian and positive."""
    left, _, right = numpy.linalg.svd(matrices)
    return left @ right


def two_link_smeared(links, field, sigma, steps):
    """(1 + sigma^2 / (16 N) sum_i of the second difference by two links)^N in space."""
    for _ in range(steps):
        change = 0
        for i in range(3):
            two = along(links, (i + 1, i + 1))
            change = change + two @ ahead(field, *along_axis(i, 2)) + ahead(dagger(two) @ field, *along_axis(i, -2)) - 2 * field
        field = field + sigma**2 / (16 * steps) * change
    return field


def displacements(extents, at):
    return numpy.array(reference.sites(extents)) - numpy.array(at)


def meson(s, signs, n, at):
    """C(t) = sum_x exp(-i p (x - at)) phi(x - at) tr S S^dagger, phi(r) = sum over `signs` of (-1)^(signs r)."""
    extents = s.shape[3::-1]
    r = displacements(extents, at)
    phi = sum(1 - 2 * (r[:, :3] @ one % 2) for one in signs)
    return reference.fourier(extents, phi * (abs(flat(s))**2).sum(axis=(1, 2)), n, at)


def nucleon(s, n, at, boundary):
    """C(t) = sum over x with even x - at of exp(-i p (x - at)) eps_abc eps_def S_ad S_be S_cf, which is 6 det S; `boundary` multiplies
    slices before the source, and (-1)^t each odd coordinate of the source in space."""
    extents = s.shape[3::-1]
    r = displacements(extents, at)
    even = (r[:, :3] % 2 == 0).all(axis=1)
    sign = numpy.where(r[:, 3] < 0, boundary, 1) * (1 - 2 * (r[:, 3] % extents[3] * sum(at[:3]) % 2))
    return reference.fourier(extents, even * sign * 6 * numpy.linalg.det(flat(s)), n, at)
