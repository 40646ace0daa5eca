"""Gauge fields: files, observables, smearing, flow and gauge fixing."""
import os
import unittest

import numpy

import plaq
import support

EXTENTS = [4, 4, 4, 8]


def plaquette(links):
    """Average of Re tr P / 3 of [mu][t][z][y][x][3][3], the whole lattice."""
    total, planes = 0.0, 0
    for mu in range(4):
        for nu in range(mu):
            ahead = numpy.roll(links[nu], -1, 3 - mu)
            above = numpy.roll(links[mu], -1, 3 - nu)
            p = links[mu] @ ahead @ above.conj().swapaxes(-1, -2) @ links[nu].conj().swapaxes(-1, -2)
            total += numpy.trace(p, axis1=-2, axis2=-1).real.mean() / 3
            planes += 1
    return total / planes


class Gauge(unittest.TestCase):
    def setUp(self):
        self.directory = support.shared_directory(self)
        self.lattice = support.lattice(EXTENTS)
        self.gauge = plaq.random_gauge(self.lattice, seed=4)

    @support.alone
    def test_plaquette_is_the_formula(self):
        smooth = self.gauge.smear("stout", steps=4, rho=0.1)
        for gauge in (self.gauge, smooth):
            self.assertAlmostEqual(gauge.plaquette, plaquette(gauge.array("lexicographic")), places=13)
            self.assertLess(gauge.unitarity_violation, 1e-13)
        self.assertGreater(smooth.plaquette, 0.2)

    def test_files_come_back(self):
        for form in ("nersc", "ildg", "scidac", "milc", "openqcd"):
            path = os.path.join(self.directory, f"field.{form}")
            self.gauge.write(path, format=form)
            back = plaq.read_gauge(path, self.lattice)
            self.assertEqual(tuple(plaq.gauge_extents(path)), tuple(EXTENTS))
            self.assertEqual(back.file, path)
            atol = 1e-6 if form == "milc" else 0
            self.assertTrue(numpy.allclose(back.array(), self.gauge.array(), rtol=0, atol=atol), form)
        with self.assertRaises(plaq.OutputFileError):
            self.gauge.write(os.path.join(self.directory, "field.nersc"), format="nersc")
        with self.assertRaises(plaq.UsageError):
            self.gauge.write(os.path.join(self.directory, "other"), format="qcd")

    def test_a_damaged_file(self):
        path = os.path.join(self.directory, "field.lime")
        self.gauge.write(path)
        if support.RANK == 0:
            with open(path, "r+b") as stream:
                stream.seek(-1000, os.SEEK_END)
                stream.write(b"\x55")
        if support.MPI:
            support.MPI.COMM_WORLD.Barrier()
        with self.assertRaises(plaq.InputFileError) as caught:
            plaq.read_gauge(path, self.lattice)
        self.assertEqual(caught.exception.code, 4)

    def test_smearing_and_flow_are_those_of_jobs(self):
        path, output = (os.path.join(self.directory, name) for name in ("field.lime", "measured.h5"))
        self.gauge.write(path)
        plaq.run({"job": "measure", "gauge": {"files": [path]}, "measure": {"observables": ["plaquette", "flow"]},
                  "flow": {"t_max": 0.2, "step": 0.02, "measure_every": 5},
                  "link_smearing": {"type": "ape", "alpha": 0.6, "steps": 2}, "run": {"location": "host"},
                  "output": {"file": output}})
        job = plaq.load(output)
        smeared = self.gauge.smear("ape", alpha=0.6, steps=2)
        self.assertEqual(smeared.plaquette, job.dataset("observables/plaquette")[0])
        flow = smeared.flow(0.2, step=0.02, measure_every=5)
        self.assertTrue(support.same_bits(flow.energy, job.dataset("flow/clover_energy")[0]))
        self.assertTrue(support.same_bits(flow.topological_charge, job.dataset("flow/topological_charge")[0]))
        self.assertIsNone(flow.t0)
        self.assertGreater(flow.gauge.plaquette, smeared.plaquette)
        zeuthen = smeared.flow(0.2, step=0.02, measure_every=5, action="zeuthen", tolerance=1e-4)
        self.assertTrue(support.same_bits(zeuthen.t, flow.t))
        self.assertGreater(abs(zeuthen.energy[-1] / flow.energy[-1] - 1), 1e-3)

    def test_gauge_fixing(self):
        for kind in ("landau", "coulomb", "maximally_abelian"):
            fixed = self.gauge.fix(kind, theta=1e-10, copies=2, seed=3)
            self.assertLess(fixed.theta, 1e-10)
            self.assertEqual(fixed.functional, max(fixed.functionals))
            self.assertAlmostEqual(fixed.gauge.plaquette, self.gauge.plaquette, places=12)
            again = self.gauge.transformed(fixed.transformation)
            self.assertTrue(support.same_bits(again.array(), fixed.gauge.array()))
        path = os.path.join(self.directory, "g.lime")
        fixed.transformation.write(path)
        g = plaq.read_transformation(path, self.lattice)
        self.assertTrue(support.same_bits(g.array(), fixed.transformation.array()))
        self.assertEqual([len(self.gauge.fix("landau", theta=1e-4, copies=3, seed=3, at_once=n).functionals)
                          for n in (1, 2)], [3, 3])
        with self.assertRaises(plaq.JobFileError):
            self.gauge.fix("feynman")
        with self.assertRaisesRegex(plaq.JobFileError, "directory"):  # of jobs: nothing is written here
            self.gauge.fix("landau", directory="fixed")
        with self.assertRaises(plaq.NotConverged):
            self.gauge.fix("landau", max_sweeps=1, restarts=0, theta=1e-14)

    @support.needs_mpi4py
    def test_the_bits_of_one_rank(self):
        found = []
        for lattice in (self.lattice, support.lattice_alone(EXTENTS)):
            gauge = plaq.random_gauge(lattice, seed=9)
            smeared = gauge.smear("hyp", steps=1)
            fixed = gauge.fix("landau", theta=1e-8)
            found.append((gauge.plaquettes, gauge.polyakov_loop, smeared.plaquette, smeared.topological_charge,
                          fixed.functional, fixed.theta))
        self.assertEqual(*found)


class Lattices(unittest.TestCase):
    def test_extents(self):
        lattice = support.lattice(EXTENTS)
        self.assertEqual(list(lattice.extents), EXTENTS)
        self.assertEqual(numpy.prod(lattice.process_grid), support.RANKS)
        self.assertEqual([ranks * local for ranks, local in zip(lattice.process_grid, lattice.local_extents)], EXTENTS)
        self.assertEqual(lattice.size, support.RANKS)
        self.assertEqual(lattice.location, "host")

    def test_impossible_lattices(self):
        for extents in ([4, 4, 4], [4, 4, 4, 3], [4, 4, 4, -2], "4444"):
            with self.assertRaises(plaq.JobFileError):
                support.lattice(extents)
        with self.assertRaisesRegex(plaq.JobFileError, "transport"):
            support.lattice(EXTENTS, transprot="host")
        with self.assertRaises(plaq.JobFileError):
            support.lattice(EXTENTS, process_grid=[3, 1, 1, 1])
        with self.assertRaisesRegex(plaq.JobFileError, "partition"):  # of batch jobs
            support.lattice(EXTENTS, partition="gpu")
        with self.assertRaises(plaq.UsageError):
            plaq.wall_source(support.lattice(EXTENTS), t=8)

    @support.alone
    def test_forced_exchange(self):
        first = None
        for transport in ("self", "host"):
            keys = {} if transport == "self" else {"force_partition": ["x", "y", "z", "t"], "transport": transport}
            gauge = plaq.random_gauge(support.lattice(EXTENTS, **keys), seed=2)
            found = plaq.solve(plaq.Wilson(gauge, mass=0.6), plaq.point_source(gauge.lattice, (0, 0, 0, 0))).norm2()
            first = found if first is None else first
            self.assertTrue(support.same_bits(found, first))


if __name__ == "__main__":
    support.main()
