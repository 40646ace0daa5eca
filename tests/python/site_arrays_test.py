"""Fourier transforms and halos against numpy, on arrays of the whole lattice."""
import unittest

import numpy

import plaq
import support
from support import MPI, whole

EXTENTS = [6, 4, 10, 12]
SITES = tuple(reversed(EXTENTS))
HALO_EXTENTS = [4, 4, 4, 8]


def mine(lattice, array, axis):
    """This rank's part of an array of the whole lattice."""
    for i, (offset, local) in enumerate(zip(reversed(lattice.offset), reversed(lattice.local_extents))):
        array = array.take(range(offset, offset + local), axis=axis + i)
    return array


def all_of(lattice, array, axis):
    """The array of the whole lattice, of the parts of all ranks."""
    parts = [(lattice.offset, array)]
    if MPI:
        parts = MPI.COMM_WORLD.allgather((list(lattice.offset), array))
    found = numpy.zeros((*array.shape[:axis], *reversed(lattice.extents), *array.shape[axis + 4:]), array.dtype)
    for offset, part in parts:
        at = tuple(slice(first, first + n) for first, n in zip(reversed(list(offset)), part.shape[axis:axis + 4]))
        found[(slice(None),) * axis + at] = part
    return found


class Fourier(unittest.TestCase):
    def setUp(self):
        self.lattice = support.lattice(EXTENTS)

    def test_arrays_are_those_of_numpy(self):
        for shape, axis in ((SITES, 0), ((3, *SITES, 2), 1), ((2, 1, *SITES), 2)):
            numbers = support.random_complex(shape, seed=axis)
            part = mine(self.lattice, numbers, axis)
            for directions in ((0, 1, 2, 3), (0, 1, 2), (2,), ()):
                axes = [axis + 3 - mu for mu in directions]
                found = all_of(self.lattice, plaq.fft(part, self.lattice, directions), axis)
                self.assertLess(abs(found - numpy.fft.fftn(numbers, axes=axes)).max(), 1e-11)
                back = all_of(self.lattice, plaq.fft(part, self.lattice, directions, backward=True), axis)
                self.assertLess(abs(back - numpy.fft.ifftn(numbers, axes=axes)).max(), 1e-14)
            self.assertTrue(support.same_bits(part, mine(self.lattice, numbers, axis)))  # as it was

    def test_types(self):
        numbers = mine(self.lattice, support.random_complex(SITES, seed=1), 0)
        exact = plaq.fft(numbers, self.lattice)
        single = plaq.fft(numbers.astype(numpy.complex64), self.lattice)
        self.assertEqual(single.dtype, numpy.complex64)
        self.assertLess(abs(single - exact).max(), 1e-3)
        for dtype, expected in ((float, complex), (numpy.float32, numpy.complex64), (numpy.int64, complex), (bool, numpy.complex64)):
            real = (10 * numbers.real).astype(dtype)
            found = plaq.fft(real, self.lattice)
            self.assertEqual(found.dtype, expected)
            bound = 1e-2 if expected is not complex else 1e-12
            self.assertLess(abs(found - plaq.fft(real.astype(complex), self.lattice)).max(), bound)
        many = numpy.stack([numbers, 2 * numbers], axis=-1)
        self.assertTrue(support.same_bits(plaq.fft(many[..., ::-1], self.lattice)[..., 1], exact))  # not contiguous
        self.assertEqual(plaq.fft(numpy.zeros((0, *numbers.shape)), self.lattice).shape, (0, *numbers.shape))

    def test_fields_are_transformed_as_their_arrays(self):
        quark = plaq.noise_source(self.lattice, "u1", seed=1)
        w = plaq.path_product(plaq.random_gauge(self.lattice, 3), [(0, 1), (3, 1)])
        for field in (quark, w):
            found = plaq.fft(field, directions=[0, 1, 2])
            self.assertIs(type(found), type(field))
            self.assertTrue(support.same_bits(found.array("lexicographic"),
                                              plaq.fft(field.array("lexicographic"), self.lattice, [0, 1, 2])))
            self.assertLess(abs(plaq.fft(found, directions=[0, 1, 2], backward=True).array() - field.array()).max(), 1e-14)
        self.assertLess(abs(whole(plaq.fft(quark)) - numpy.fft.fftn(whole(quark), axes=(1, 2, 3, 4))).max(), 1e-10)

    def test_wrong_arguments(self):
        t, z, y, x = reversed(self.lattice.local_extents)
        for call, message in ((lambda: plaq.fft(numpy.zeros((t, z, y, x))), "argument 'lattice' is missing"),
                              (lambda: plaq.fft(numpy.zeros((t, z, y, x + 1)), self.lattice), "expected an array with axes t, z, y, x"),
                              (lambda: plaq.fft(numpy.zeros((t, z, y, x, 2)), self.lattice, axis=1), "from axis 1 on"),
                              (lambda: plaq.fft(numpy.array(["a"]), self.lattice), "array of numbers"),
                              (lambda: plaq.fft(numpy.zeros((t, z, y, x)), self.lattice, [4]), "argument 'directions': expected 0 to 3")):
            with self.assertRaisesRegex(plaq.UsageError, message):
                call()


class Halo(unittest.TestCase):
    def setUp(self):
        self.lattice = support.lattice(HALO_EXTENTS)

    def test_neighbours_are_those_of_the_whole_array(self):
        sites = tuple(reversed(HALO_EXTENTS))
        drawn = numpy.random.default_rng(1)
        for shape, axis, dtype in ((sites, 0, complex), ((2, *sites, 3), 1, numpy.float32), (sites, 0, bool), (sites, 0, numpy.int16)):
            numbers = (100 * drawn.standard_normal(shape)).astype(dtype)
            numbers.setflags(write=False)
            for depth in range(min(self.lattice.local_extents) + 1):
                found = self.lattice.with_halo(mine(self.lattice, numbers, axis), depth, axis=axis)
                expected = numbers
                for i, (offset, local) in enumerate(zip(reversed(self.lattice.offset), reversed(self.lattice.local_extents))):
                    expected = expected.take(range(offset - depth, offset + local + depth), axis=axis + i, mode="wrap")
                self.assertTrue(support.same_bits(found, expected))

    def test_laplacian_of_links(self):
        """A stencil on arrays is that of shifts."""
        q = plaq.noise_source(self.lattice, "u1", seed=2)
        padded = self.lattice.with_halo(q.array("lexicographic"), 1, axis=1)
        inner = (slice(1, -1),) * 4
        found = 0
        for mu in range(4):
            for step in (slice(2, None), slice(None, -2)):
                at = list(inner)
                at[3 - mu] = step
                found = found + padded[(slice(None), *at)]
        expected = sum(plaq.shift(q, mu, step).array("lexicographic") for mu in range(4) for step in (1, -1))
        self.assertLess(abs(found - expected).max(), 1e-14)

    def test_wrong_arguments(self):
        array = numpy.zeros(tuple(reversed(self.lattice.local_extents)))
        for call, message in ((lambda: self.lattice.with_halo(array, -1), "depth -1: possible are 0 to"),
                              (lambda: self.lattice.with_halo(array, 100), "depth 100: possible are 0 to"),
                              (lambda: self.lattice.with_halo(array[..., :1], 1), "expected an array with axes t, z, y, x")):
            with self.assertRaisesRegex(plaq.UsageError, message):
                call()
        cube = support.lattice_alone([4, 4, 4, 4])
        many = numpy.zeros((4, 4, 4, 4, 4))
        with self.assertRaisesRegex(plaq.UsageError, "argument 'axis'.* at axis 0 or 1: name one"):
            cube.with_halo(many, 1)
        self.assertEqual(cube.with_halo(many, 1, axis=1).shape, (4, 6, 6, 6, 6))
        self.assertEqual(cube.with_halo(many, 1, axis=-5).shape, (6, 6, 6, 6, 4))


if __name__ == "__main__":
    support.main()
