"""Fields on whole lattices: [t][z][y][x]...; links are U[..., mu, :, :]. Nothing here sees plaq."""
import numpy

import reference


def on_grid(values, extents):
    """Values in the order of the sites as a field."""
    return values.reshape(*extents[::-1], *values.shape[1:])


def flat(field):
    """In the order of the sites."""
    return field.reshape(-1, *field.shape[4:])


def coordinates(extents):
    """x, y, z and t of each site: [4][t][z][y][x]."""
    return numpy.moveaxis(on_grid(numpy.array(reference.sites(extents)), extents), -1, 0)


def ahead(field, *steps):
    """The field at x + steps, of x, y, z and t."""
    return numpy.roll(field, [-step for step in steps], axis=(3, 2, 1, 0)[:len(steps)])


def along_axis(mu, steps):
    return [steps if nu == mu else 0 for nu in range(4)]


def dagger(matrices):
    return matrices.conj().swapaxes(-1, -2)


def along(links, path):
    """The product of links along a path from each site; a step by +mu is mu + 1, one by -mu is -(mu + 1)."""
    product, at = numpy.eye(3), [0, 0, 0, 0]
    for step in path:
        mu = abs(step) - 1
        if step > 0:
            product = product @ ahead(links[..., mu, :, :], *at)
            at[mu] += 1
        else:
            at[mu] -= 1
            product = product @ dagger(ahead(links[..., mu, :, :], *at))
    return product


def random_su3(shape, seed):
    """Matrices of SU(3)."""
    random = numpy.random.default_rng(seed)
    matrices = numpy.linalg.qr(random.normal(size=(*shape, 3, 3)) + 1j * random.normal(size=(*shape, 3, 3)))[0]
    return matrices / numpy.linalg.det(matrices)[..., None, None]**(1 / 3)


def random_numbers(shape, seed):
    random = numpy.random.default_rng(seed)
    return random.normal(size=shape) + 1j * random.normal(size=shape)


def traces(matrices):
    """1/3 Re tr, averaged."""
    return numpy.trace(matrices, axis1=-2, axis2=-1).real.mean() / 3


def plaquette(links):
    planes = [(mu + 1, nu + 1) for mu in range(4) for nu in range(mu)]
    return float(numpy.mean([traces(along(links, (mu, nu, -mu, -nu))) for mu, nu in planes]))


def link_trace(links):
    return float(traces(links))


def transformed(links, g):
    """g(x) U_mu(x) g(x + mu)^dagger"""
    return numpy.stack([g @ links[..., mu, :, :] @ dagger(ahead(g, *along_axis(mu, 1))) for mu in range(4)], axis=-3)
