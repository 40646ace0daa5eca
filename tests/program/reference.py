"""Slow formulas on whole lattices, written from their definitions; they see nothing of plaq. Sites are in the order x + L_x (y + ...)."""
import itertools
import math

import h5py
import numpy

import lime

# Euclidean and hermitian, {gamma_mu, gamma_nu} = 2 delta_mu,nu; gamma_5 is diag(1, 1, -1, -1).
GAMMA = numpy.array([
    [[0, 0, 0, 1j], [0, 0, 1j, 0], [0, -1j, 0, 0], [-1j, 0, 0, 0]],
    [[0, 0, 0, -1], [0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0]],
    [[0, 0, 1j, 0], [0, 0, 0, -1j], [-1j, 0, 0, 0], [0, 1j, 0, 0]],
    [[0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0]]], dtype=complex)
GAMMA5 = numpy.diag([1, 1, -1, -1]).astype(complex)
UNIT = numpy.eye(4, dtype=complex)


def sites(extents):
    """(x, y, z, t) in the order of the sites."""
    return [coordinates[::-1] for coordinates in itertools.product(*(range(length) for length in reversed(extents)))]


def read_nersc(path):
    """(extents, links [site][mu][3][3]) of a file with whole links in big-endian double precision."""
    head, data = path.read_bytes().split(b"END_HEADER\n", 1)
    header = dict((part.strip() for part in line.split("=", 1)) for line in head.decode().splitlines() if "=" in line)
    assert (header["DATATYPE"], header["FLOATING_POINT"]) == ("4D_SU3_GAUGE_3x3", "IEEE64BIG"), header
    extents = tuple(int(header[f"DIMENSION_{mu}"]) for mu in range(1, 5))
    return extents, numpy.frombuffer(data, ">c16").reshape(-1, 4, 3, 3).astype(complex)


def hops(extents, boundary):
    """(site, direction, site ahead, sign of the boundary on the way)."""
    every = sites(extents)
    number = {coordinates: i for i, coordinates in enumerate(every)}
    for i, coordinates in enumerate(every):
        for mu in range(4):
            ahead = list(coordinates)
            ahead[mu] = (ahead[mu] + 1) % extents[mu]
            yield i, mu, number[tuple(ahead)], boundary[mu] if coordinates[mu] == extents[mu] - 1 else 1


def wilson(extents, links, mass, field, boundary=(1, 1, 1, -1)):
    """(m + 4 - 1/2 sum_mu [(1 - gamma_mu) U_mu(x) + (1 + gamma_mu) U_mu(x - mu)^dagger]) times fields [site][spin, color][field]."""
    here = field.reshape(len(links), 4, 3, -1)
    out = (mass + 4) * here
    steps = list(hops(extents, boundary))
    for mu in range(4):
        ahead = numpy.array([at for _, direction, at, _ in steps if direction == mu])
        weight = 0.5 * numpy.array([sign for _, direction, _, sign in steps if direction == mu])
        link = weight[:, None, None] * links[:, mu]
        out -= numpy.einsum("ab,xcd,xbdn->xacn", UNIT - GAMMA[mu], link, here[ahead], optimize=True)
        out[ahead] -= numpy.einsum("ab,xdc,xbdn->xacn", UNIT + GAMMA[mu], link.conj(), here, optimize=True)
    return out.reshape(field.shape)


def wilson_matrix(extents, links, mass):
    """The same as a matrix: (site, spin, color) in rows and columns."""
    size = 12 * len(links)
    return wilson(extents, links, mass, numpy.eye(size, dtype=complex).reshape(-1, 12, size)).reshape(size, size)


def staggered(extents, links, mass, boundary=(1, 1, 1, -1)):
    """The matrix m + 1/2 sum_mu eta_mu(x) [U_mu(x) - U_mu(x - mu)^dagger], (site, color) in rows and columns, with
    eta_mu = (-1)^(x_1 + ... + x_(mu-1))."""
    volume, every = len(links), sites(extents)
    matrix = numpy.zeros((volume, 3, volume, 3), dtype=complex)
    for x in range(volume):
        matrix[x, :, x, :] = mass * numpy.eye(3)
    for x, mu, ahead, sign in hops(extents, boundary):
        eta = (-1)**sum(every[x][:mu])  # that of the site ahead is the same
        matrix[x, :, ahead, :] += 0.5 * eta * sign * links[x, mu]
        matrix[ahead, :, x, :] -= 0.5 * eta * sign * links[x, mu].conj().T
    return matrix.reshape(3 * volume, 3 * volume)


def momentum(extents, n, boundary):
    """p_mu = 2 pi (n_mu + 1/2 where the boundary is antiperiodic) / L_mu."""
    return numpy.array([2 * numpy.pi * (k + (0.5 if sign < 0 else 0)) / length for k, length, sign in zip(n, extents, boundary)])


def wilson_symbol(p, mass, xi=1.0, nu=1.0):
    """The free Wilson matrix at momentum p, with space weighted by nu / xi."""
    weight = numpy.array([nu / xi] * 3 + [1.0])
    return (mass + (weight * (1 - numpy.cos(p))).sum()) * UNIT + 1j * numpy.einsum("m,mab->ab", weight * numpy.sin(p), GAMMA)


def propagator(path):
    """S [site][sink spin, color][source spin, color] of a file in HDF5, whose axes are t, z, y, x, source and sink spin and color, re
    and im."""
    with h5py.File(path, "r") as file:
        values = numpy.array(file["propagator"])
    return (values[..., 0] + 1j * values[..., 1]).reshape(-1, 12, 12).swapaxes(1, 2)


def scidac_propagator(content):
    """The same of a file in SciDAC format with numbers in double precision: [sink spin][source spin][sink color][source color] at each
    site."""
    values = lime.numbers(content).reshape(-1, 4, 4, 3, 3)
    return values.transpose(0, 1, 3, 2, 4).reshape(-1, 12, 12)


def fourier(extents, terms, n, at):
    """sum_x exp(-i p (x - at)) of terms [site]..., by time slices from that of `at` on."""
    x = numpy.array(sites(extents))
    phase = numpy.exp(-2j * numpy.pi * ((x - at)[:, :3] * n / extents[:3]).sum(axis=1))
    slices = (x[:, 3] - at[3]) % extents[3]
    return numpy.array([numpy.tensordot(phase[slices == t], terms[slices == t], 1) for t in range(extents[3])])


def meson(extents, s1, s2, sink, source, n, at):
    """C(t) = sum_x exp(-i p (x - at)) tr[Gamma_sink S1(x) Gamma_source gamma_5 S2(x)^dagger gamma_5], t counted from the source."""
    left, middle, right = (numpy.kron(matrix, numpy.eye(3)) for matrix in (sink, source @ GAMMA5, GAMMA5))
    terms = numpy.einsum("ab,xbc,cd,xed,ea->x", left, s1, middle, s2.conj(), right, optimize=True)
    return fourier(extents, terms, n, at)


EPSILON = numpy.zeros((3, 3, 3))
for _order, _sign in (((0, 1, 2), 1), ((1, 2, 0), 1), ((2, 0, 1), 1), ((0, 2, 1), -1), ((2, 1, 0), -1), ((1, 0, 2), -1)):
    EPSILON[_order] = _sign


def baryon(extents, s, sums, n, at, boundary):
    """[t], matrices of spin: sums of left <chi chibar>, chibar = chi^dagger gamma_t, Fourier transformed; `boundary` multiplies slices
    before the source.

    sums: (left, sink, source); an interpolator is (G, H, flavours of q1, q2, q3): chi = eps_abc H q3_c (q1_a^T G q2_b). Quarks of all
    flavours have the propagator s. Each permutation of quarks of the same flavour has its sign.
    """
    s = s.reshape(-1, 4, 3, 4, 3)  # [site][sink spin][sink color][source spin][source color]
    gt = GAMMA[3]
    total = 0
    for left, (g, h, flavours), (g_source, h_source, source_flavours) in sums:
        # q^dagger = qbar gamma_t.
        gbar, hbar = gt @ g_source.conj() @ gt.T, gt @ h_source.conj().T @ gt
        for order in itertools.permutations(range(3)):
            if any(flavours[i] != source_flavours[order[i]] for i in range(3)):
                continue
            # Sink spins ABG and source spins DEF, for each colors of the sink and of the source.
            spins = ",".join(f"x{'ABG'[i]}{'DEF'[order[i]]}" for i in range(3))
            found = 0
            for colors, of_source in itertools.product(itertools.permutations(range(3)), repeat=2):
                quarks = [s[:, :, colors[i], :, of_source[order[i]]] for i in range(3)]
                found = found + EPSILON[colors] * EPSILON[of_source] * numpy.einsum(
                    f"AB,DE,{spins}->xGF", g, gbar, *quarks, optimize=True)
            total = total + EPSILON[order] * (left @ h @ found @ hbar)
    before = numpy.array(sites(extents))[:, 3] < at[3]
    return fourier(extents, numpy.where(before, boundary, 1)[:, None, None] * total, n, at)


def gaussian_sources(extents, at, width):
    """[site][12][12], times the unit matrix of spin and color: exp(-r^2 / width^2) in the time slice of `at`, r to the nearest image."""
    def squared(i, length):
        return min((i + image * length)**2 for image in (-1, 0, 1))

    weights = [math.exp(-sum(squared(x[i] - at[i], extents[i]) for i in range(3)) / (width * width)) if x[3] == at[3] else 0.0
               for x in sites(extents)]
    return numpy.array(weights)[:, None, None] * numpy.eye(12)
