"""Functions that flows and gauge fixing call, gauge fields that make their lattice, and Markov chains."""
import os
import unittest

import numpy

import plaq
import support
from support import whole

EXTENTS = [4, 4, 4, 8]


class Stop(Exception):
    pass


class Callbacks(unittest.TestCase):
    def setUp(self):
        self.lattice = support.lattice(EXTENTS)
        self.gauge = plaq.random_gauge(self.lattice, seed=4).smear("stout", steps=4, rho=0.1)

    def test_flow(self):
        seen = []
        flow = self.gauge.flow(0.3, step=0.05, measure_every=2,
                               at_point=lambda u, point: seen.append((point.t, point.energy, u.energy, u)))
        self.assertTrue(support.same_bits(numpy.array([one[0] for one in seen]), flow.t))
        self.assertTrue(support.same_bits(numpy.array([one[1] for one in seen]), flow.energy))
        self.assertTrue(numpy.allclose([one[2] for one in seen], flow.energy, rtol=1e-13))
        # 2 sum Re tr(1 - P) of plaquettes that numpy makes of the links.
        for (_, _, _, u), energy in zip(seen, flow.plaquette_energy):
            links = whole(u)
            total = 0.0
            for mu in range(4):
                for nu in range(mu):
                    ahead, above = numpy.roll(links[nu], -1, 3 - mu), numpy.roll(links[mu], -1, 3 - nu)
                    p = links[mu] @ ahead @ above.conj().swapaxes(-1, -2) @ links[nu].conj().swapaxes(-1, -2)
                    total += 2 * (3 - numpy.trace(p, axis1=-2, axis2=-1).real.mean())
            self.assertAlmostEqual(total, energy, places=11)
        self.assertTrue(support.same_bits(seen[-1][3].array(), flow.gauge.array()))
        self.assertTrue(support.same_bits(self.gauge.flow(0.3, step=0.05, measure_every=2).gauge.array(),
                                          flow.gauge.array()))
        with self.assertRaisesRegex(plaq.UsageError, "'at_point': expected a function"):
            self.gauge.flow(0.1, at_point=3)

    def test_fix(self):
        checks = []
        fixed = self.gauge.fix("landau", theta=1e-10, copies=2, measure_every=10, at_check=checks.append)
        self.assertEqual({one.copy for one in checks}, {0, 1})
        for copy in (0, 1):
            mine = [one for one in checks if one.copy == copy]
            self.assertEqual({one.stage for one in mine}, {"overrelaxation"})
            self.assertEqual([one.sweeps for one in mine], list(range(10, 10 * len(mine) + 1, 10)))
            self.assertLess(mine[-1].theta, mine[0].theta)
            self.assertAlmostEqual(mine[-1].functional, fixed.functionals[copy], places=6)
        # The functional of Landau gauge by its formula.
        trace = numpy.trace(whole(fixed.gauge), axis1=-2, axis2=-1).real.mean() / 3
        self.assertAlmostEqual(fixed.functional, trace, places=12)
        alone = self.gauge.fix("landau", theta=1e-10, copies=2, measure_every=10)
        self.assertTrue(support.same_bits(alone.gauge.array(), fixed.gauge.array()))

    def test_exceptions_arrive_on_all_ranks(self):
        def stop(*_):
            raise Stop()

        for call in (lambda: self.gauge.flow(1.0, at_point=stop), lambda: self.gauge.fix("coulomb", at_check=stop)):
            with self.assertRaises(Stop):
                call()
        self.assertLess(self.gauge.unitarity_violation, 1e-12)  # plaq goes on

    def test_a_file_makes_its_lattice(self):
        directory = support.shared_directory(self)
        path = os.path.join(directory, "field.lime")
        self.gauge.write(path)
        comm = support.MPI.COMM_WORLD if support.MPI else None
        u = plaq.read_gauge(path, comm=comm, location="host", process_grid=list(self.lattice.process_grid))
        self.assertEqual(list(u.lattice.extents), EXTENTS)
        self.assertEqual(u.lattice.size, support.RANKS)
        self.assertEqual(u.file, path)
        self.assertTrue(support.same_bits(u.array(), self.gauge.array()))
        self.assertIs(u.lattice, u.copy().lattice)
        self.assertIsNot(u.lattice, self.lattice)
        with self.assertRaisesRegex(plaq.UsageError, "a lattice is given"):
            plaq.read_gauge(path, self.lattice, location="host")
        with self.assertRaisesRegex(plaq.JobFileError, "transport"):
            plaq.read_gauge(path, comm=comm, transprot="host")
        with self.assertRaises(plaq.InputFileError):
            plaq.read_gauge(os.path.join(directory, "none"), comm=comm)

    def test_chain(self):
        directory = support.shared_directory(self)
        prefix = os.path.join(directory, "field")
        plaq.run({"job": "generate", "lattice": {"extents": EXTENTS}, "gauge": {"beta": 5.8, "start": "cold"},
                  "update": {"seed": 11, "thermalization": 7, "configurations": 1, "reunitarize_every": 3,
                             "overrelaxation": 2},
                  "output": {"prefix": prefix, "format": "ildg"}, "run": {"location": "host"}},
                 comm=support.MPI.COMM_WORLD if support.MPI else None)
        chain = plaq.HeatbathChain(plaq.unit_gauge(self.lattice), beta=5.8, seed=11, overrelaxation=2,
                                   reunitarize_every=3)
        chain.update(3)
        half = chain.gauge
        chain.update(4)
        self.assertEqual(chain.sweeps, 7)
        job = plaq.read_gauge(f"{prefix}.000007.ildg", self.lattice)
        self.assertTrue(support.same_bits(chain.gauge.array(), job.array()))
        onwards = plaq.HeatbathChain(half, beta=5.8, seed=11, overrelaxation=2, reunitarize_every=3, sweeps=3)
        onwards.update(4)
        self.assertTrue(support.same_bits(onwards.gauge.array(), job.array()))
        with self.assertRaisesRegex(plaq.UsageError, "beta"):
            plaq.HeatbathChain(half, beta=-1.0, seed=1)

    def test_chain_of_an_improved_action(self):
        wilson, symanzik = (plaq.HeatbathChain(plaq.unit_gauge(self.lattice), beta=4.2, seed=11, action=action)
                            for action in ("wilson", "symanzik"))
        for chain in (wilson, symanzik):
            chain.update(5)
        # The Symanzik action has 5/3 of the plaquettes' weight.
        self.assertGreater(symanzik.gauge.plaquette, wilson.gauge.plaquette + 0.05)
        with self.assertRaisesRegex(plaq.UsageError, "u0"):
            plaq.HeatbathChain(wilson.gauge, beta=4.2, seed=1, u0=0.9)


if __name__ == "__main__":
    support.main()
