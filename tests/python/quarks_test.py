"""What quark fields know of themselves: kept in files and sums, and asked by contractions."""
import os
import unittest

import numpy

import plaq
import support

EXTENTS = [4, 4, 4, 8]
AT = (1, 2, 1, 5)


class Known(unittest.TestCase):
    def setUp(self):
        self.directory = support.shared_directory(self)
        self.lattice = support.lattice(EXTENTS)
        self.file = os.path.join(self.directory, "field.lime")
        plaq.random_gauge(self.lattice, seed=8).write(self.file)
        self.gauge = plaq.read_gauge(self.file, self.lattice)

    def path(self, name):
        return os.path.join(self.directory, name)

    def quark(self, boundary=1, kappa=0.11, at=AT, gauge=None, source=None):
        dirac = plaq.Wilson(gauge or self.gauge, kappa=kappa, boundary=[1, 1, 1, boundary])
        return plaq.solve(dirac, source or plaq.point_source(self.lattice, at), method="bicgstab", tolerance=1e-9)

    def test_a_propagator_of_a_job_says_its_source_and_boundary(self):
        for boundary in (1, -1):
            output = self.path(f"proton{boundary}.h5")
            plaq.run({"job": "propagator", "lattice": {"extents": EXTENTS}, "gauge": {"files": [self.file]},
                      "action": {"type": "wilson", "kappa": 0.11, "boundary": [1, 1, 1, boundary]},
                      "source": {"position": list(AT)}, "solver": {"method": "bicgstab", "tolerance": 1e-9},
                      "correlators": {"channels": ["proton"]}, "run": {"location": "host"},
                      "output": {"file": output, "propagators": "scidac", "propagator_directory": self.directory,
                                 "overwrite": True}})
            q = plaq.read_quarks(self.path("field.lime.s0.prop.lime"), self.lattice)
            self.assertEqual((tuple(q.source), q.time_boundary), (AT, boundary))
            kept = plaq.load(output).dataset("correlators/proton/p_0_0_0/point")[0, 0]
            self.assertTrue(support.same_bits(plaq.baryon(q).view(float).reshape(-1, 2), kept))
            solved = self.quark(boundary)
            self.assertEqual(q.note, {**solved.note, "source": 0})  # a job numbers its sources
            self.assertTrue(support.same_bits(plaq.meson(solved, "pion", q), plaq.meson(q)))

    def test_random_sites_are_those_of_jobs(self):
        """tests/program/test_source_positions.py has these of jobs, and by random numbers of its own."""
        sites = plaq.source_positions(self.lattice, 3, seed=5, trajectory=2)
        self.assertEqual([tuple(site) for site in sites], [(1, 1, 1, 6), (3, 0, 0, 0), (3, 1, 0, 6)])
        self.assertNotEqual(plaq.source_positions(self.lattice, 3, seed=5, trajectory=2, replica=1), sites)
        self.assertNotEqual(plaq.source_positions(self.lattice, 3, seed=5), sites)
        plaq.point_source(self.lattice, sites[0])
        for wrong in ({"count": 0}, {"seed": -1}, {"trajectory": 1 << 48}, {"replica": 1 << 32}):
            with self.assertRaisesRegex(plaq.UsageError, next(iter(wrong))):
                plaq.source_positions(self.lattice, **({"count": 1, "seed": 1} | wrong))

    def test_noise_seeds_are_those_of_jobs(self):
        """tests/program/test_source_kinds.py has this one by random numbers of its own."""
        self.assertEqual(plaq.noise_seed(5, 2), 584914441384393217)
        self.assertNotEqual(plaq.noise_seed(5, 2, replica=1), plaq.noise_seed(5, 2))
        for wrong in ({"seed": -1}, {"trajectory": 1 << 48}, {"replica": 1 << 32}):
            with self.assertRaisesRegex(plaq.UsageError, next(iter(wrong))):
                plaq.noise_seed(**({"seed": 1, "trajectory": 1} | wrong))

    def test_sources_on_a_slice(self):
        lattice = self.lattice
        even, both = (plaq.even_wall_source(lattice, AT, minus_odd=minus) for minus in (False, True))
        wall = plaq.wall_source(lattice, AT[3], spins=1)
        self.assertTrue(support.same_bits((wall + both).array(), (2 * even).array()))
        self.assertEqual(even.note["source_type"], "even_wall")
        corner, grid = plaq.corner_wall_source(lattice, AT), plaq.grid_source(lattice, AT, (2, 2, 2), spins=1)
        self.assertTrue(support.same_bits(corner.array(), grid.array()))
        grid = plaq.grid_source(lattice, AT, (1, 2, 4))
        for kind in ("z2", "z3", "z4", "u1", "normal"):
            everywhere = plaq.noise_source(lattice, kind, seed=3, t=AT[3])
            sparse = plaq.noise_source(lattice, kind, seed=3, position=AT, spacing=(1, 2, 4))
            self.assertTrue(numpy.array_equal(sparse.array(), grid.array() * everywhere.array()), kind)
            self.assertEqual((sparse.note["source_type"], tuple(sparse.source)), (kind, AT))
            apart = plaq.noise_source(lattice, kind, seed=3, t=AT[3], dilution="spin").array()
            first = apart[0, ..., 0, :]  # of the three colors
            here = everywhere.array().any()  # a rank may have no part of the slice
            self.assertEqual(((abs(first) > 0).any(), (first[..., 0] != first[..., 1]).any()), (here, here))
            for spin in range(4):
                self.assertTrue((apart[3 * spin, ..., spin, :] == first).all() and not apart[3 * spin + 1:3 * spin + 3].any(), kind)
                self.assertEqual((abs(apart[3 * spin]) > 0).sum(), (abs(first) > 0).sum())
        for call, wrong in ((lambda: plaq.noise_source(lattice, "z2", seed=1, dilution="spin"), "time slice"),
                            (lambda: plaq.noise_source(lattice, "z2", seed=1, t=0, spins=1, dilution="spin"), "with spin"),
                            (lambda: plaq.noise_source(lattice, "z2", seed=1, dilution="color"), '"spin_color" or "spin"'),
                            (lambda: plaq.noise_source(lattice, "gauss", seed=1), '"z2" or "z4" or "u1" or "z3" or "normal"'),
                            (lambda: plaq.noise_source(lattice, "z2", seed=1, spacing=(2, 2, 2)), "position"),
                            (lambda: plaq.noise_source(lattice, "z2", seed=1, t=2, position=AT), "time slice"),
                            (lambda: plaq.noise_source(lattice, "z2", seed=1, position=AT, spacing=(3, 1, 1)), "does not divide"),
                            (lambda: plaq.grid_source(lattice, AT, (0, 1, 1)), "does not divide"),
                            (lambda: plaq.even_wall_source(lattice, (0, 0, 0, 8)), "outside the lattice")):
            with self.assertRaisesRegex(plaq.UsageError, wrong):
                call()

    def test_momentum_smearing_keeps_its_wave(self):
        unit = plaq.unit_gauge(self.lattice)
        wave = plaq.wall_source(self.lattice, 2, momentum=(1, -1, 0))
        kept = plaq.GaussianSmearing(unit, 1.2, 4, momentum=(1, -1, 0))(wave)
        self.assertLess((kept - wave).norm2().max(), 1e-24)
        self.assertGreater((plaq.GaussianSmearing(unit, 1.2, 4)(wave) - wave).norm2().max(), 1e-2)
        with self.assertRaisesRegex(plaq.JobFileError, "'momentum': found 2 numbers"):
            plaq.GaussianSmearing(unit, 1.2, 4, momentum=(1, 0))

    def test_files_keep_what_is_known(self):
        q = self.quark()
        for form in ("hdf5", "scidac"):
            for text in ("", "made by hand: [sic"):
                plaq.write_quarks(q, self.path(form), format=form, metadata=text, overwrite=True)
                back = plaq.read_quarks(self.path(form), self.lattice)
                self.assertEqual(back.note, q.note)
                self.assertEqual(back.note["mass"], 1 / 0.22 - 4)
        plaq.write_quarks(q.column(3), self.path("column"), format="scidac")
        self.assertEqual(plaq.read_quarks(self.path("column"), self.lattice).note, q.note)
        with self.assertRaisesRegex(plaq.UsageError, "stored_propagator"):
            plaq.write_quarks(q, self.path("again"), metadata="[stored_propagator]\nboundary = -1")

    def test_an_argument_that_contradicts_the_file(self):
        path = self.path("q.h5")
        plaq.write_quarks(self.quark(), path)
        plaq.read_quarks(path, self.lattice, source=AT, time_boundary=1)
        for wrong in ({"source": (0, 0, 0, 0)}, {"time_boundary": -1}):
            with self.assertRaisesRegex(plaq.InputFileError, f"{next(iter(wrong))} = .*, the call {next(iter(wrong))}"):
                plaq.read_quarks(path, self.lattice, **wrong)
        plaq.write_quarks(self.quark(), self.path("q.milc"), format="milc", precision="single")
        back = plaq.read_quarks(self.path("q.milc"), self.lattice, source=AT, time_boundary=1)
        self.assertEqual((tuple(back.source), back.time_boundary), (AT, 1))
        unknown = plaq.read_quarks(self.path("q.milc"), self.lattice)
        self.assertEqual((unknown.source, unknown.time_boundary), (None, None))
        with self.assertRaisesRegex(plaq.UsageError, "source"):
            plaq.meson(unknown)
        with self.assertRaisesRegex(plaq.UsageError, "time_boundary"):
            plaq.baryon(unknown, source=AT)
        for wrong in ({"source": (0, 0, 0, 8)}, {"time_boundary": 2}):
            with self.assertRaises(plaq.UsageError):
                plaq.read_quarks(self.path("q.milc"), self.lattice, **wrong)

    def test_quarks_that_do_not_belong_together(self):
        q = self.quark()
        moved, antiperiodic = self.quark(at=(0, 0, 0, 0)), self.quark(-1)
        other = self.path("other.lime")
        plaq.random_gauge(self.lattice, seed=9).write(other)
        elsewhere = self.quark(gauge=plaq.read_gauge(other, self.lattice))
        for wrong, what in ((moved, "its source is at"), (antiperiodic, "sign -1"), (elsewhere, "gauge field other.lime")):
            with self.assertRaisesRegex(plaq.UsageError, f"antiquark.*{what}"):
                plaq.meson(q, "pion", wrong)
            with self.assertRaisesRegex(plaq.UsageError, f"strange.*{what}"):
                plaq.baryon(q, "sigma", strange=wrong)
        with self.assertRaisesRegex(plaq.UsageError, "another site"):
            plaq.meson(q, source=(0, 0, 0, 0))
        with self.assertRaisesRegex(plaq.UsageError, "another site"):
            self.quark(source=plaq.point_source(self.lattice, AT)) and plaq.solve(
                plaq.Wilson(self.gauge, kappa=0.11), plaq.point_source(self.lattice, AT), position=(0, 0, 0, 0))

    def test_smearing_is_of_the_links_as_they_are(self):
        for point in (plaq.point_source(self.lattice, AT), plaq.point_source(self.lattice, AT, spins=1)):
            gauge = plaq.read_gauge(self.file, self.lattice)
            smear = plaq.GaussianSmearing(gauge, sigma=1.2, steps=4)
            before = smear(point)
            other = gauge.smear("stout", rho=0.1)
            gauge.set(other.array())
            self.assertGreater((smear(point) - before).norm2()[0], 0)
            same = plaq.GaussianSmearing(other, sigma=1.2, steps=4)(point)
            self.assertTrue(support.same_bits(smear(point).array(), same.array()))
            raw = gauge.raw()
            raw *= -1
            gauge.touch()
            minus = plaq.GaussianSmearing(gauge, sigma=1.2, steps=4)(point)
            self.assertTrue(support.same_bits(smear(point).array(), minus.array()))

    def test_a_dirac_operator_has_its_own_links(self):
        gauge = plaq.read_gauge(self.file, self.lattice)
        dirac = plaq.Clover(gauge, kappa=0.11, c_sw=1.0)
        solver = plaq.Solver(dirac, method="bicgstab", tolerance=1e-9)
        x = plaq.point_source(self.lattice, AT)
        expected, q = dirac(x).array(), solver(x).array()
        gauge.set(gauge.smear("stout", rho=0.1).array())
        self.assertTrue(support.same_bits(dirac(x).array(), expected))
        self.assertTrue(support.same_bits(solver(x).array(), q))
        other = plaq.Clover(gauge, kappa=0.11, c_sw=1.0)
        self.assertGreater((other(x) - dirac(x)).norm2()[0], 0)  # on all ranks: one alone has the source

    def test_signs_in_space(self):
        point = plaq.point_source(self.lattice, AT)
        dirac = plaq.Wilson(self.gauge, kappa=0.11, boundary=[-1, 1, 1, 1])
        smear = plaq.GaussianSmearing(self.gauge, sigma=1.2, steps=4, space_boundary=(-1, 1, 1))
        periodic = plaq.GaussianSmearing(self.gauge, sigma=1.2, steps=4)
        source = smear(point)
        q = plaq.solve(dirac, source, method="bicgstab", tolerance=1e-9)
        self.assertEqual(q.note["space_boundary"], [-1, 1, 1])
        self.assertGreater((source - periodic(point)).norm2()[0], 0)  # on all ranks: one alone has the source
        self.assertTrue(numpy.isfinite(plaq.meson(smear(q))).all())
        for wrong, what in ((lambda: periodic(q), "space_boundary = "), (lambda: plaq.baryon(q), "antiperiodic in space"),
                            (lambda: plaq.solve(dirac, periodic(point)), "smeared with space_boundary"),
                            (lambda: plaq.solve(dirac, plaq.wall_source(self.lattice, 2)), "a wall source"),
                            (lambda: smear(plaq.wall_source(self.lattice, 2)), "a wall source"),
                            (lambda: plaq.meson(q, "pion", self.quark()), "x, y, z"),
                            (lambda: plaq.GaussianSmearing(self.gauge, 1.2, 4, (0, 1, 1)), "1 or -1")):
            with self.assertRaisesRegex(plaq.UsageError, what):
                wrong()
        path = self.path("in_space.h5")
        plaq.write_quarks(q, path)
        self.assertEqual(plaq.read_quarks(path, self.lattice).note, q.note)

    def test_momenta_beyond_half_the_lattice(self):
        q = self.quark()
        for momentum in ((3, 0, 0), [(0, 0, 0), (0, 0, -3)]):
            with self.assertRaisesRegex(plaq.UsageError, "is at most 2"):
                plaq.meson(q, momentum=momentum)
        with self.assertRaisesRegex(plaq.UsageError, "n_y = 1"):
            plaq.wall_source(self.lattice, 2, momentum=(0, -3, 0))

    def test_noise(self):
        one, two = (self.quark(source=plaq.noise_source(self.lattice, "z2", seed=seed, t=2)) for seed in (3, 4))
        self.assertEqual((one.note["source_type"], one.note["seed"]), ("z2", 3))
        self.assertGreater(plaq.meson(one)[1].real, 0)
        with self.assertRaisesRegex(plaq.UsageError, "other noise"):
            plaq.meson(one, "pion", two)
        with self.assertRaisesRegex(plaq.UsageError, "momentum 0"):
            plaq.meson(one, momentum=(1, 0, 0))
        with self.assertRaisesRegex(plaq.UsageError, "three quarks"):
            plaq.baryon(one)
        one.set(one.array())  # numbers of the user's own, as with phases
        self.assertNotIn("seed", one.note)
        self.assertTrue(numpy.isfinite(plaq.meson(one, momentum=(1, 0, 0))).all())

    def test_sums_keep_what_both_say(self):
        q, antiperiodic = self.quark(), self.quark(-1)
        for same in (2 * q, q.copy(), q.column(0, 12), q + q, q - plaq.quark_field(self.lattice)):
            self.assertEqual((tuple(same.source), same.time_boundary), (AT, 1))
        both = q + antiperiodic
        self.assertEqual((tuple(both.source), both.time_boundary), (AT, None))
        with self.assertRaisesRegex(plaq.UsageError, "time_boundary"):
            plaq.baryon(both)
        self.assertEqual((q + self.quark(at=(0, 0, 0, 0))).source, None)
        q.set_column(0, antiperiodic.column(0))
        self.assertEqual((tuple(q.source), q.time_boundary), (AT, None))
        built = plaq.quark_field(self.lattice)
        for column in range(12):
            built.set_column(column, antiperiodic.column(column))
        self.assertEqual(built.note, antiperiodic.note)

    def test_links_that_were_changed_are_no_longer_those_of_the_file(self):
        self.assertIn("gauge_checksum", self.quark().note)
        self.assertEqual(self.quark(gauge=self.gauge.copy()).note, self.quark().note)
        self.gauge.set(self.gauge.array())
        self.assertNotIn("gauge_checksum", self.quark().note)


if __name__ == "__main__":
    support.main()
