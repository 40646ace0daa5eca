"""Gluon and ghost propagators and Wilson loops against formulas in numpy, and against the jobs that have them."""
import os
import unittest

import h5py
import numpy

import plaq
import support
from support import whole

EXTENTS = [4, 4, 4, 8]
SITES = (8, 4, 4, 4)


def gluon_field(links):
    """A_mu of [mu][t][z][y][x][3][3]."""
    a = (links - links.conj().swapaxes(-1, -2)) / 2j
    return a - numpy.trace(a, axis1=-2, axis2=-1)[..., None, None] / 3 * numpy.eye(3)


def squares(a, directions):
    """sum over mu of 2 tr A_mu A_mu^dagger = sum_a |A_mu^a|^2 at each site."""
    return 2 * (abs(a[list(directions)])**2).sum(axis=(0, -2, -1))


def equivalent(n):
    """Momenta of the class of n, as places in [t][z][y][x]."""
    t, z, y, x = numpy.indices(SITES)
    folded = [numpy.minimum(k, length - k) for k, length in ((x, 4), (y, 4), (z, 4), (t, 8))]
    space = numpy.sort(folded[:3], axis=0)
    same = (space == numpy.sort(numpy.array(n[:3]))[:, None, None, None, None]).all(axis=0)
    return same & (folded[3] == n[3]) if len(n) == 4 else same


class Propagators(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lattice = support.lattice(EXTENTS)
        chain_start = plaq.random_gauge(cls.lattice, seed=2).smear("stout", steps=6, rho=0.1)
        cls.landau = chain_start.fix("landau", theta=1e-11, max_sweeps=20000).gauge
        cls.coulomb = chain_start.fix("coulomb", theta=1e-11, max_sweeps=20000).gauge

    def test_landau_gauge(self):
        a = numpy.fft.fftn(gluon_field(whole(self.landau)), axes=(1, 2, 3, 4))
        all_squares = squares(a, range(4))
        found = plaq.gluon_propagator(self.landau, max_n=2, beta=5.0)
        self.assertEqual(set(found), {"n", "p_squared", "count", "in_cylinder", "in_cone", "propagator", "dressing", "divergence"})
        self.assertEqual(found["n"].shape[1], 4)
        for i, n in enumerate(found["n"]):
            members = equivalent(n)
            self.assertEqual(found["count"][i], members.sum())
            expected = 5 / 6 * all_squares[members].mean() / (8 * (3 if n.any() else 4) * 512)
            self.assertAlmostEqual(found["propagator"][i] / expected, 1, places=11)
            p_squared = sum(4 * numpy.sin(numpy.pi * k / length)**2 for k, length in zip(n, EXTENTS))
            self.assertAlmostEqual(found["p_squared"][i], p_squared, places=12)
            self.assertAlmostEqual(found["dressing"][i], p_squared * found["propagator"][i], places=12)
        self.assertLess(found["divergence"].max(), 1e-4)

    def test_coulomb_gauge(self):
        a = numpy.fft.fftn(gluon_field(whole(self.coulomb)), axes=(2, 3, 4))
        found = plaq.gluon_propagator(self.coulomb, "coulomb")
        self.assertEqual(set(found) - {"n", "p_squared", "count", "in_cylinder", "in_cone"}, {"spatial", "temporal", "divergence"})
        for i, n in enumerate(found["n"]):
            members = equivalent(n)
            for name, directions, count in (("spatial", range(3), 2 if n.any() else 3), ("temporal", [3], 1)):
                expected = squares(a, directions)[members].mean() / (8 * count * 64)
                self.assertAlmostEqual(found[name][i] / expected, 1, places=11)

    def test_ghosts_of_unit_links(self):
        found = plaq.ghost_propagator(plaq.unit_gauge(self.lattice), "all", count=6, max_n=2)
        self.assertEqual(len(found["propagator"]), 6)
        self.assertLess(abs(found["dressing"] - 1).max(), 1e-9)
        self.assertTrue((numpy.diff(found["p_squared"]) >= 0).all())
        self.assertTrue(plaq.ghost_propagator(self.landau)["in_cone"].all())

    def test_numbers_are_those_of_a_gluon_job(self):
        directory = support.shared_directory(self)
        path = os.path.join(directory, "landau.nersc")
        self.landau.write(path, format="nersc")
        keys = {"max_n": 2, "cylinder": 1.5}
        plaq.run({"job": "gluon", "gauge": {"files": [path]}, "run": {"location": "host"}, "gluon": {"gauge": "landau", **keys},
                  "ghost": {"momenta": "cylinder", "count": 3}, "output": {"file": os.path.join(directory, "gluon.h5")}})
        support.everywhere(None)
        gauge = plaq.read_gauge(path, self.lattice)
        gluons, ghosts = plaq.gluon_propagator(gauge, **keys), plaq.ghost_propagator(gauge, "cylinder", count=3, **keys)
        with h5py.File(os.path.join(directory, "gluon.h5"), "r") as job:
            for name in ("propagator", "dressing", "divergence"):
                self.assertTrue(support.same_bits(gluons[name], job["gluon"][name][0]), name)
            for name in ("propagator", "dressing", "true_residual"):
                self.assertTrue(support.same_bits(ghosts[name], job["ghost"][name][0]), name)
            for name in ("n", "p_squared", "count"):
                self.assertTrue(numpy.array_equal(gluons[name], job["momenta"][name][()]), name)
                self.assertTrue(numpy.array_equal(ghosts[name], job["momenta"][name][()][job["ghost"]["momentum"][()]]), name)

    def test_wrong_arguments(self):
        one = plaq.unit_gauge(self.lattice)
        for call, message in ((lambda: plaq.gluon_propagator(plaq.random_gauge(self.lattice, 3)), "the field is not fixed to this gauge"),
                              (lambda: plaq.gluon_propagator(one, max_n=-1), "argument 'max_n'"),
                              (lambda: plaq.gluon_propagator(one, "axial"), "argument 'gauge'"),
                              (lambda: plaq.ghost_propagator(one, gauge="coulomb"), "gauge"),
                              (lambda: plaq.ghost_propagator(one, "none"), "cone, cylinder or all"),
                              (lambda: plaq.ghost_propagator(one, tolerance=2), "argument 'tolerance'")):
            with self.assertRaisesRegex(plaq.Error, message):
                call()


class WilsonLoops(unittest.TestCase):
    def setUp(self):
        self.lattice = support.lattice(EXTENTS)
        self.gauge = plaq.random_gauge(self.lattice, seed=5)

    def average(self, way, t):
        """Re tr / 3 of the loop with the hops of `way` in space and t slices."""
        there = [(mu, 1) for mu in way]
        loops = plaq.path_product(self.gauge, there + [(3, t)] + [(mu, -1) for mu in reversed(way)] + [(3, -t)])
        return numpy.trace(whole(loops), axis1=-2, axis2=-1).real.mean() / 3

    def test_loops_are_products_of_links(self):
        found = plaq.wilson_loops(self.gauge, max_r=2, max_t=3, directions=["100", "110"])
        self.assertEqual(list(found), ["100", "110"])
        self.assertEqual(found["100"].shape, (2, 3))
        for n in (1, 2):
            for t in (1, 2, 3):
                expected = numpy.mean([self.average([mu] * n, t) for mu in range(3)])
                self.assertAlmostEqual(found["100"][n - 1, t - 1], expected, places=13)
        ones = plaq.wilson_loops(plaq.unit_gauge(self.lattice))
        self.assertEqual(ones["100"].shape, (2, 4))
        self.assertLess(abs(ones["100"] - 1).max(), 1e-14)

    def test_polyakov_correlators_are_of_pairs(self):
        found = plaq.polyakov_correlators(self.gauge)
        lines = whole(plaq.path_product(self.gauge, [(3, EXTENTS[3])])).reshape(*SITES, 3, 3)[0]
        traces = numpy.trace(lines, axis1=-2, axis2=-1)
        at = found["r_squared"].tolist().index(1)
        self.assertEqual(found["separations"][at], 6)
        average, singlet = [], []
        for axis in range(3):
            average.append((traces * numpy.roll(traces, 1, axis).conj()).real.mean() / 9)
            singlet.append((lines * numpy.roll(lines, 1, axis).conj()).real.sum(axis=(-2, -1)).mean() / 3)
        self.assertAlmostEqual(found["average"][at], numpy.mean(average), places=13)
        self.assertAlmostEqual(found["singlet"][at], numpy.mean(singlet), places=13)

    def test_wrong_arguments(self):
        for keys, message in (({"max_r": 5}, "max_r: 5 is above 4"), ({"max_t": 0}, "argument 'max_t'"),
                              ({"directions": ["up"]}, "argument 'directions'"),
                              ({"max_r": 1, "directions": ["210"]}, "longer than max_r")):
            with self.assertRaisesRegex(plaq.Error, message):
                plaq.wilson_loops(self.gauge, **keys)


if __name__ == "__main__":
    support.main()
