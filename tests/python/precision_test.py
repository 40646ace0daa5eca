"""Quark fields in single precision, and products with spin matrices, by formulas in numpy."""
import os
import unittest

import numpy

import plaq
import support

EXTENTS = [4, 4, 2, 8]


class Precision(unittest.TestCase):
    def setUp(self):
        self.lattice = support.lattice(EXTENTS)
        self.double = plaq.noise_source(self.lattice, "u1", seed=3)
        self.single = self.double.with_precision("single")

    def random(self, seed):
        q = plaq.quark_field(self.lattice, columns=2, precision="single")
        q.set(support.random_complex(q.array().shape, seed))
        return q

    def test_numbers_are_rounded_once(self):
        self.assertEqual((self.single.precision, self.single.columns, self.single.note), ("single", 12, self.double.note))
        numbers = self.single.array("lexicographic")
        self.assertEqual(numbers.dtype, numpy.complex64)
        self.assertTrue(support.same_bits(numbers, self.double.array("lexicographic").astype(numpy.complex64)))
        again = self.single.with_precision("double")
        self.assertTrue(support.same_bits(again.array("lexicographic"), numbers.astype(complex)))
        with self.assertRaisesRegex(plaq.UsageError, "'precision': expected"):
            plaq.quark_field(self.lattice, precision="half")

    def test_sums_multiples_and_norms(self):
        a, b = self.random(1), self.random(2)
        x, y = a.array(), b.array()
        for found, expected in ((a + b, x + y), (a - b, x - y), (2j * a, numpy.complex64(2j) * x), (-a, -x)):
            self.assertEqual(found.precision, "single")
            self.assertTrue(numpy.allclose(found.array(), expected, rtol=1e-6, atol=1e-6))
        axes = tuple(range(1, x.ndim))
        norms = (abs(x.astype(complex)) ** 2).sum(axis=axes)
        products = (x.astype(complex).conj() * y).sum(axis=axes)
        if support.MPI:
            norms, products = support.MPI.COMM_WORLD.allreduce(norms), support.MPI.COMM_WORLD.allreduce(products)
        self.assertTrue(numpy.allclose(a.norm2(), norms, rtol=1e-6))
        self.assertTrue(numpy.allclose(a.dot(b), products, rtol=1e-6, atol=1e-3))
        self.assertTrue(support.same_bits(a.column(1).array(), x[1:]))
        with self.assertRaisesRegex(plaq.UsageError, "precision"):
            a + plaq.quark_field(self.lattice, columns=2)

    def test_products_with_spin_matrices(self):
        for q, tolerance in ((self.random(1), 1e-6), (self.random(1).with_precision("double"), 1e-15)):
            for matrix in (plaq.gamma5, plaq.gamma(1), 0.5 * (plaq.identity + plaq.gamma(3)) @ plaq.gamma5,
                           1j * plaq.gamma(0), plaq.identity - plaq.identity):
                expected = numpy.einsum("ij,...jc->...ic", matrix.matrix, q.array())
                for found in (matrix * q, matrix @ q):
                    self.assertEqual(found.precision, q.precision)
                    self.assertLess(abs(found.array() - expected).max(), 4 * tolerance)
        with self.assertRaisesRegex(plaq.UsageError, "color vectors"):
            plaq.gamma5 * plaq.point_source(self.lattice, (0, 0, 0, 0), spins=1)

    def test_shifts_are_those_of_double_precision(self):
        gauge = plaq.random_gauge(self.lattice, 1)
        exact = self.single.with_precision("double")
        for mu, steps in ((0, 1), (3, -1), (2, 3)):
            self.assertTrue(support.same_bits(plaq.shift(self.single, mu, steps).array(),
                                              plaq.shift(exact, mu, steps).array().astype(numpy.complex64)))
            found = plaq.covariant_shift(gauge, self.single, mu, steps).array()
            self.assertEqual(found.dtype, numpy.complex64)
            self.assertLess(abs(found - plaq.covariant_shift(gauge, exact, mu, steps).array()).max(), 1e-5)

    def test_what_is_in_double_precision_alone_says_so(self):
        gauge = plaq.unit_gauge(self.lattice)
        dirac = plaq.Wilson(gauge, mass=0.5)
        for call in (lambda: dirac(self.single), lambda: plaq.solve(dirac, self.single),
                     lambda: plaq.GaussianSmearing(gauge, 1.0, 4)(self.single),
                     lambda: plaq.meson(self.single, source=(0, 0, 0, 0))):
            with self.assertRaisesRegex(plaq.UsageError, "double precision|vector()"):
                call()

    def test_files_take_them(self):
        path = os.path.join(support.shared_directory(self), "q.h5")
        plaq.write_quarks(self.single, path, precision="single")
        back = plaq.read_quarks(path, self.lattice)
        self.assertEqual(back.precision, "double")
        self.assertTrue(support.same_bits(back.array(), self.single.array().astype(complex)))


if __name__ == "__main__":
    support.main()
