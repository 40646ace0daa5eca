"""Arrays of fields: views of their memory, orders of sites, and how long they live."""
import gc
import unittest

import numpy

import plaq
import support


def coordinates(lattice):
    """x, y, z, t of the whole lattice, of this rank's sites: arrays [t][z][y][x]."""
    local, offset = lattice.local_extents, lattice.offset
    t, z, y, x = numpy.meshgrid(*(numpy.arange(local[mu]) + offset[mu] for mu in (3, 2, 1, 0)), indexing="ij")
    return x, y, z, t


def even_odd(lattice, numbers):
    """[...][parity][t][z][y][x/2] of [...][t][z][y][x], by the parity of the coordinates."""
    parity = sum(coordinates(lattice)) % 2
    axis = numbers.ndim - 4
    lines = numpy.moveaxis(numbers, axis + 3, -1)  # x last
    rows = [numpy.where(parity == p)[3].reshape(*parity.shape[:3], -1) for p in (0, 1)]
    return numpy.stack([numpy.take_along_axis(lines, numpy.broadcast_to(row, lines.shape[:-1] + row.shape[-1:]), -1)
                        for row in rows], axis=axis)


class Arrays(unittest.TestCase):
    def setUp(self):
        self.lattice = support.lattice([4, 8, 4, 8])

    def test_site_of_a_point_source(self):
        at = (3, 2, 1, 5)
        q = plaq.point_source(self.lattice, at)
        array = q.array("lexicographic")
        self.assertEqual(array.shape, (12, *reversed(self.lattice.local_extents), 4, 3))
        x, y, z, t = coordinates(self.lattice)
        expected = numpy.zeros(array.shape, dtype=complex)
        here = (x == at[0]) & (y == at[1]) & (z == at[2]) & (t == at[3])
        for column in range(12):
            expected[column, here, column // 3, column % 3] = 1
        self.assertTrue(numpy.array_equal(array, expected))

    def test_orders_are_those_of_the_coordinates(self):
        x, y, z, t = coordinates(self.lattice)
        q = plaq.quark_field(self.lattice, columns=2)
        numbers = numpy.zeros((2, *x.shape, 4, 3), dtype=complex)
        numbers += (x + 10 * y + 100 * z + 1000 * t)[None, ..., None, None]
        numbers += 1j * numpy.arange(24).reshape(2, 1, 1, 1, 1, 4, 3)
        q.set(numbers, order="lexicographic")
        self.assertTrue(numpy.array_equal(q.array("lexicographic"), numbers))
        site = even_odd(self.lattice, (x + 10 * y + 100 * z + 1000 * t).astype(float))
        found = q.array()
        self.assertEqual(found.shape[:6], (2, 2, *x.shape[:3], x.shape[3] // 2))
        self.assertTrue(numpy.array_equal(found[1, ..., 0, 0].real, site))
        self.assertTrue(numpy.array_equal(found[1, ..., 3, 2].imag, numpy.full(site.shape, 23.0)))

    def test_set_is_the_inverse_of_array(self):
        for spins, columns in ((4, 12), (4, 1), (1, 3)):
            q = plaq.quark_field(self.lattice, columns=columns, spins=spins)
            for order in ("even-odd", "lexicographic"):
                numbers = support.random_complex(q.array(order).shape, 7)
                q.set(numbers, order=order)
                self.assertTrue(support.same_bits(q.array(order), numbers))

    def test_set_takes_what_numpy_makes_complex_numbers_of(self):
        q = plaq.quark_field(self.lattice, columns=1)
        ones = numpy.ones(q.array().shape, dtype=numpy.float32)
        q.set(ones[..., ::-1])
        self.assertTrue(numpy.array_equal(q.array(), ones))

    def test_wrong_shape_is_one_clear_error(self):
        q = plaq.quark_field(self.lattice, columns=1)
        with self.assertRaisesRegex(plaq.UsageError, "expected an array of shape"):
            q.set(numpy.zeros((3, 4)))
        with self.assertRaisesRegex(plaq.UsageError, "even-odd"):
            q.array("odd-even")


class Views(unittest.TestCase):
    def setUp(self):
        self.lattice = support.lattice([4, 4, 4, 8])

    def test_written_in_numpy_seen_in_plaq_and_back(self):
        q = plaq.quark_field(self.lattice, columns=2)
        view = q.raw()
        self.assertFalse(view.flags.owndata)
        self.assertTrue((view == 0).all())
        view[0] = 2.0  # all reals of the first column
        q.touch()
        volume = numpy.prod(self.lattice.extents)
        self.assertTrue(numpy.array_equal(q.norm2(), [4.0 * 24 * volume, 0.0]))
        self.assertTrue((q.array()[0] == 2 + 2j).all())
        q.set(support.random_complex(q.array().shape, 3))
        self.assertAlmostEqual((view[1]**2).sum(), (abs(q.array()[1])**2).sum(), places=8)
        self.assertEqual(sorted(view[0].ravel()), sorted(q.array()[0].view(float).ravel()))

    def test_views_of_gauge_fields(self):
        gauge = plaq.unit_gauge(self.lattice)
        view = gauge.raw()
        self.assertEqual(view.shape[0], 4)
        view[:] = -view
        gauge.touch()
        self.assertEqual(gauge.link_trace, -1.0)

    def test_a_view_outlives_its_field(self):
        def make():
            q = plaq.point_source(support.lattice([4, 4, 4, 8]), (0, 0, 0, 0))
            return q.raw(), q.array()

        views = [make() for _ in range(8)]
        gc.collect()
        for raw, array in views:
            self.assertEqual(array.sum(), raw.sum())
            raw += 1.0

    def test_dlpack_of_the_host(self):
        q = plaq.point_source(self.lattice, (0, 0, 0, 0))
        shared = numpy.from_dlpack(q.raw())
        self.assertEqual(shared.ctypes.data, q.raw().ctypes.data)


class Algebra(unittest.TestCase):
    def test_sums_and_products(self):
        lattice = support.lattice([4, 4, 4, 8])
        a, b = (plaq.quark_field(lattice, columns=3) for _ in range(2))
        one, two = (support.random_complex(a.array().shape, 11 + support.RANK + 100 * k) for k in range(2))
        a.set(one), b.set(two)
        self.assertTrue(numpy.allclose((a + b).array(), one + two, rtol=0, atol=1e-15))
        self.assertTrue(numpy.allclose((a - b).array(), one - two, rtol=0, atol=1e-15))
        self.assertTrue(numpy.allclose(((2 - 1j) * a).array(), (2 - 1j) * one, rtol=0, atol=1e-14))
        self.assertTrue(support.same_bits((-a).array(), -one))
        axes = tuple(range(1, one.ndim))
        dot, norm = (one.conj() * two).sum(axis=axes), (abs(one)**2).sum(axis=axes)
        if support.MPI:
            dot, norm = (support.MPI.COMM_WORLD.allreduce(part) for part in (dot, norm))
        self.assertTrue(numpy.allclose(a.dot(b), dot, rtol=1e-13))
        self.assertTrue(numpy.allclose(a.norm2(), norm, rtol=1e-13))
        self.assertTrue(support.same_bits(a.column(1, 2).array(), one[1:3]))
        b.set_column(0, a.column(2))
        self.assertTrue(support.same_bits(b.array(), numpy.stack([one[2], two[1], two[2]])))

    def test_fields_that_do_not_match(self):
        lattice = support.lattice([4, 4, 4, 8])
        with self.assertRaises(plaq.UsageError):
            plaq.quark_field(lattice, columns=1) + plaq.quark_field(lattice, columns=2)
        with self.assertRaises(plaq.UsageError):
            plaq.quark_field(lattice, columns=0)
        with self.assertRaises(plaq.UsageError):
            plaq.quark_field(lattice).column(12)


if __name__ == "__main__":
    support.main()
