"""Shifts, covariant shifts and products of links, by arrays of the whole lattice."""
import unittest

import numpy

import plaq
import support
from support import whole

EXTENTS = [4, 4, 2, 8]


def rolled(array, mu, steps):
    return numpy.roll(array, -steps, axis=4 - mu)


class Neighbours(unittest.TestCase):
    def setUp(self):
        self.lattice = support.lattice(EXTENTS)
        self.gauge = plaq.random_gauge(self.lattice, 3)
        self.quark = plaq.noise_source(self.lattice, "u1", seed=1)
        self.links, self.numbers = whole(self.gauge), whole(self.quark)

    def hop(self, numbers, mu, steps):
        u = self.links[mu] if steps > 0 else numpy.conj(numpy.swapaxes(rolled(self.links, mu, -1)[mu], -1, -2))
        return numpy.einsum("tzyxab,ntzyxsb->ntzyxsa", u, rolled(numbers, mu, steps))

    def test_shift(self):
        for mu in range(4):
            for steps in (1, -1, 3, 0, -9):
                self.assertTrue(numpy.array_equal(whole(plaq.shift(self.quark, mu, steps)), rolled(self.numbers, mu, steps)))
                self.assertTrue(numpy.array_equal(whole(plaq.shift(self.gauge, mu, steps)), rolled(self.links, mu, steps)))

    def test_covariant_shift_and_derivative(self):
        for mu in range(4):
            ahead, behind = self.hop(self.numbers, mu, 1), self.hop(self.numbers, mu, -1)
            for steps, expected in ((1, ahead), (-1, behind), (2, self.hop(ahead, mu, 1))):
                found = whole(plaq.covariant_shift(self.gauge, self.quark, mu, steps))
                self.assertLess(abs(found - expected).max(), 1e-14)
            found = whole(plaq.covariant_derivative(self.gauge, self.quark, mu))
            self.assertLess(abs(found - (ahead - behind) / 2).max(), 1e-14)

    def test_symmetric_shift(self):
        def symmetric(numbers, mu):
            return (self.hop(numbers, mu, 1) + self.hop(numbers, mu, -1)) / 2

        x, z = symmetric(self.numbers, 0), symmetric(self.numbers, 2)
        self.assertLess(abs(whole(plaq.symmetric_shift(self.gauge, self.quark, "z")) - z).max(), 1e-14)
        expected = (symmetric(x, 2) + symmetric(z, 0)) / 2
        self.assertLess(abs(whole(plaq.symmetric_shift(self.gauge, self.quark, "zx")) - expected).max(), 1e-14)
        self.assertTrue(numpy.array_equal(whole(plaq.symmetric_shift(self.gauge, self.quark, "")), self.numbers))
        for wrong in ("xx", "w"):
            with self.assertRaisesRegex(plaq.UsageError, "directions"):
                plaq.symmetric_shift(self.gauge, self.quark, wrong)

    def test_paths(self):
        total = 0
        for mu in range(4):
            for nu in range(mu):
                loops = whole(plaq.path_product(self.gauge, [(mu, 1), (nu, 1), (mu, -1), (nu, -1)]))
                total += numpy.trace(loops, axis1=-2, axis2=-1).real.mean() / 18
        self.assertAlmostEqual(total, self.gauge.plaquette, places=13)
        one = whole(plaq.path_product(self.gauge, []))
        self.assertTrue(numpy.array_equal(one, numpy.broadcast_to(numpy.eye(3), one.shape)))

    def test_a_shifted_field_says_nothing_of_a_source(self):
        source = plaq.point_source(self.lattice, (0, 0, 0, 0))
        self.assertIsNone(plaq.shift(source, 0).source)

    def test_wrong_directions(self):
        for call in (lambda: plaq.shift(self.quark, 4), lambda: plaq.covariant_derivative(self.gauge, self.quark, -1)):
            with self.assertRaisesRegex(plaq.UsageError, "argument 'mu': expected 0 to 3"):
                call()
        other = support.lattice(EXTENTS)
        with self.assertRaises(plaq.UsageError):
            plaq.covariant_shift(self.gauge, plaq.point_source(other, (0, 0, 0, 0)), 0)


if __name__ == "__main__":
    support.main()
