"""Distillation: with all modes of a time slice its correlators are those of all point sources; the bits of jobs."""
import itertools
import os
import unittest

import numpy

import plaq
import support

EXTENTS = [2, 2, 2, 8]
ALL = 24  # modes of a time slice
TIME = 5
SIGNS = [1, 1, -1]
MOMENTA = [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]  # up to n.n = 1, in the order of jobs


def largest(array):
    return abs(numpy.asarray(array)).max()


class OnAField(unittest.TestCase):
    def setUp(self):
        self.directory = support.shared_directory(self)
        self.lattice = support.lattice(EXTENTS)
        self.file = self.path("field.lime")
        plaq.random_gauge(self.lattice, seed=8).write(self.file)
        self.gauge = plaq.read_gauge(self.file, self.lattice)

    def path(self, name):
        return os.path.join(self.directory, name)

    def solver(self, mass, signs):
        return plaq.Solver(plaq.Wilson(self.gauge, mass=mass, boundary=[*signs, -1]), tolerance=1e-12)

    def run_job(self, job, **tables):
        output = self.path(f"{job}.h5")
        plaq.run({"job": job, "lattice": {"extents": EXTENTS}, "gauge": {"files": [self.file]},
                  "run": {"location": "host"}, "output": {"file": output, "overwrite": True}, **tables})
        return plaq.load(output)


@support.alone
class AllModes(OnAField):
    def setUp(self):
        super().setUp()
        self.modes = plaq.laplacian_modes(self.gauge, modes=ALL, tolerance=1e-10)
        self.light, self.heavy = self.solver(0.6, [1, 1, 1]), self.solver(0.9, [1, 1, 1])
        self.tau = plaq.perambulator(self.light, self.modes, TIME)
        self.other = plaq.perambulator(self.heavy, self.modes, TIME)
        points = [(*x, TIME) for x in itertools.product(range(2), repeat=3)]
        sources = [plaq.point_source(self.lattice, x) for x in points]
        self.quarks = [(self.light(one), self.heavy(one)) for one in sources]

    def of_points(self, correlator):
        return sum(correlator(light, heavy) for light, heavy in self.quarks)

    def test_correlators_are_those_of_all_points(self):
        self.expect_mesons()
        self.expect_protons()
        self.expect_three_points()

    def expect_mesons(self):
        self.assertEqual(self.tau.shape, (8, 4, 4, ALL, ALL))
        gamma_t, gamma_x = plaq.gamma(3), plaq.gamma(0)
        structures = {"pion": (plaq.gamma5, plaq.gamma5), "a0": (plaq.identity, plaq.identity), "rho_x": (gamma_x, gamma_x),
                      "axial_pseudoscalar": (gamma_t * plaq.gamma5, plaq.gamma5)}
        for n in ((0, 0, 0), (1, 0, 1)):
            phi = plaq.meson_elementals(self.modes, n)
            for channel, (sink, source) in structures.items():
                expected = self.of_points(lambda q, _: plaq.meson(q, channel, momentum=n))
                found = plaq.distillation.meson(self.tau, TIME, (sink, phi), (source, phi))
                self.assertLess(largest(found - expected), 1e-9 * largest(expected), channel)
        phi = plaq.meson_elementals(self.modes)
        kaon = self.of_points(lambda q, s: plaq.meson(q, "pion", s))
        found = plaq.distillation.meson(self.tau, TIME, (plaq.gamma5, phi), antiquark=self.other)
        self.assertLess(largest(found - kaon), 1e-9 * largest(kaon))

    def expect_protons(self):
        for n in ((0, 0, 0), (1, 1, 0)):
            elementals = plaq.baryon_elementals(self.modes, n)
            for parity, channel in ((1, "proton"), (-1, "proton_minus")):
                expected = self.of_points(lambda u, d: plaq.baryon(u, channel, d, momentum=n))
                found = plaq.distillation.nucleon(self.tau, TIME, elementals, down=self.other, parity=parity)
                self.assertLess(largest(found - expected), 1e-9 * largest(expected), (channel, n))


    def expect_three_points(self):
        """Sequential propagators through a sink of momentum p' that is around the lattice, and currents of momentum q."""
        at_sink, q, insertions = (0, 0, 1), (1, 0, 0), ["pion", "proton_u", "proton_d_polarized"]
        tau, lines = plaq.generalised_perambulators(self.light, self.modes, TIME, 3, momenta=[q])
        self.assertTrue(support.same_bits(tau, self.tau))
        self.assertEqual(lines.shape, (1, 1, 4, 4, 4, 4, 4, ALL, ALL))
        exact = [plaq.three_point(self.light, light, q, insertions=insertions, sink_time=3, sink_momentum=at_sink)
                 for light, _ in self.quarks]
        both = at_sink, tuple(numpy.add(at_sink, q))
        pions = [(plaq.gamma5, plaq.meson_elementals(self.modes, n)) for n in both]
        protons = [plaq.baryon_elementals(self.modes, n) for n in both]
        gamma_t, axial_x = plaq.gamma(3), plaq.gamma(0) * plaq.gamma5
        for found, insertion, current in (
                (plaq.distillation.meson_three_point(tau, lines[0, 0], TIME, gamma_t, *pions), "pion", "vector_t"),
                (plaq.distillation.meson_three_point(tau, lines[0, 0], TIME, plaq.identity, *pions), "pion", "scalar"),
                (plaq.distillation.nucleon_three_point(tau, lines[0, 0], TIME, gamma_t, *protons), "proton_u", "vector_t"),
                (plaq.distillation.nucleon_three_point(tau, lines[0, 0], TIME, axial_x, *protons, "d", True),
                 "proton_d_polarized", "axial_x")):
            expected = sum(one[insertion][current] for one in exact)[:4]
            self.assertLess(largest(found - expected), 1e-9 * largest(expected), insertion)


@support.alone
class Refusals(OnAField):
    def test_wrong_arguments_are_refused(self):
        modes, turned = plaq.laplacian_modes(self.gauge, modes=3), plaq.laplacian_modes(self.gauge, modes=3, boundary=SIGNS)
        solver = self.solver(0.6, [1, 1, 1])
        tau, phi = plaq.perambulator(solver, modes, -1), plaq.meson_elementals(modes)
        for wrong in ({"tau": phi}, {"source_time": 8}, {"sink": (plaq.gamma5, phi[:, :2])}, {"sink": (numpy.eye(3), phi)},
                      {"antiquark": tau[..., :2, :2]}):
            arguments = {"tau": tau, "source_time": 7, "sink": (plaq.gamma5, phi), **wrong}
            with self.assertRaisesRegex(ValueError, "expected|time slices"):
                plaq.distillation.meson(**arguments)
        lines = numpy.zeros((3, 4, 4, *tau.shape[1:]))
        for wrong in (lines[..., :2, :2], lines[:1], tau):
            with self.assertRaisesRegex(ValueError, "expected a generalised perambulator"):
                plaq.distillation.meson_three_point(tau, wrong, 7, plaq.gamma(3), (plaq.gamma5, phi))
        with self.assertRaisesRegex(ValueError, "quark is"):
            plaq.distillation.nucleon_three_point(tau, lines, 7, plaq.gamma(3), plaq.baryon_elementals(modes), quark="s")
        twisted = plaq.Solver(plaq.Wilson(self.gauge, mass=0.6, twisted_mass=0.1))
        for wrong, text in (({"sink_time": 8}, "1 to 7"), ({"operators": ["t"]}, "operators"), ({"operators": []}, "operators"),
                            ({"momenta": [(2, 0, 0)]}, "momentum|momenta|Brillouin|n_"), ({"momenta": []}, "momenta"),
                            ({"solver": twisted}, "twist"), ({"modes": turned}, "boundary signs")):
            with self.assertRaisesRegex(plaq.UsageError, text):
                plaq.generalised_perambulators(**{"solver": solver, "modes": modes, "t": 7, "sink_time": 2, **wrong})
        with self.assertRaisesRegex(ValueError, "parity"):
            plaq.distillation.nucleon(tau, 7, plaq.baryon_elementals(modes), parity=0)
        with self.assertRaisesRegex(plaq.UsageError, "boundary signs"):
            plaq.perambulator(solver, turned, 7)
        with self.assertRaisesRegex(plaq.UsageError, "antiperiodic in space"):
            plaq.baryon_elementals(turned)
        with self.assertRaisesRegex(plaq.UsageError, "time slices"):
            plaq.perambulator(solver, modes, 8)
        with self.assertRaisesRegex(plaq.UsageError, "staggered"):
            plaq.perambulator(plaq.Solver(plaq.Staggered(self.gauge, mass=0.2)), modes, 0)
        for keys in ({"derivative": "x"}, {"gauge": self.gauge}, {"derivative": "t", "gauge": self.gauge}, {"momentum": (2, 0, 0)}):
            with self.assertRaises(plaq.UsageError):
                plaq.meson_elementals(modes, **keys)


class Jobs(OnAField):
    def find_modes(self, signs, modes=6):
        self.smearing = {"type": "stout", "steps": 2, "spatial": True}
        self.run_job("laplacian_modes", link_smearing=self.smearing, laplacian_modes={
            "directory": self.directory, "modes": modes, "tolerance": 1e-9, "boundary": signs})
        self.modes = plaq.read_laplacian_modes(self.path("field.lime.lap.lime"), self.lattice)

    def test_perambulators_have_the_bits_of_the_module(self):
        self.find_modes(SIGNS)
        job = self.run_job("perambulators", link_smearing=self.smearing, laplacian_modes={"directory": self.directory},
                           action={"type": "wilson", "mass": 0.6, "boundary": [1, 1, -1, -1]}, solver={"tolerance": 1e-12},
                           perambulators={"directory": self.directory, "source_time": 6, "count": 2, "shift": 3},
                           currents={"sink_times": [1, 4], "operators": ["1", "zy"]})
        self.assertEqual(job.dataset("sources/time").tolist(), [[6, 1]])
        self.assertEqual(job.dataset("solves/true_residual").shape, (1, 2, 24))
        self.assertEqual(job.dataset("sinks/true_residual").shape, (1, 2, 2, 24))
        for k, t in enumerate((6, 1)):
            tau, time = plaq.distillation.read_perambulator(self.path(f"field.lime.s{k}.peram.h5"))
            self.assertEqual(time, t)
            self.assertTrue(support.same_bits(tau, plaq.perambulator(self.solver(0.6, SIGNS), self.modes, t)))
        found, time = plaq.distillation.read_generalised_perambulators(self.path("field.lime.s1.t4.gperam.h5"))
        _, expected = plaq.generalised_perambulators(self.solver(0.6, SIGNS), self.modes, 1, 4, ["1", "zy"])
        self.assertEqual((time, sorted(found)), (1, [("1", MOMENTA[0]), ("zy", MOMENTA[0])]))
        for word, same in zip(("1", "zy"), expected):
            self.assertTrue(support.same_bits(found[word, MOMENTA[0]], same[0].copy()), word)

    def test_noise_estimates_perambulators(self):
        self.find_modes([1, 1, 1], 2)
        keys = {"action": {"type": "wilson", "mass": 1.5}, "solver": {"tolerance": 1e-11}, "link_smearing": self.smearing,
                "laplacian_modes": {"directory": self.directory}}
        table = {"directory": self.directory, "source_time": 6}
        solver = plaq.Solver(plaq.Wilson(self.gauge, mass=1.5), tolerance=1e-11)
        exact = plaq.perambulator(solver, self.modes, 6)
        noise = {"type": "z4", "by_trajectory": False}
        self.run_job("perambulators", perambulators=table, noise=noise, **keys)
        estimate, time = plaq.distillation.read_perambulator(self.path("field.lime.s0.n0.peram.h5"))
        self.assertEqual((time, estimate.shape), (6, exact.shape))
        self.assertLess(largest(estimate - exact), 1e-9)  # each spin and mode is a part
        job = self.run_job("perambulators", perambulators=table, noise={**noise, "vectors": 2}, dilution={"modes": 1}, **keys)
        self.assertEqual(job.dataset("sources/noise").tolist(), [[0, 1]])
        self.assertEqual(job.dataset("solves/true_residual").shape, (1, 2, 4))
        for v in (0, 1):
            found, _ = plaq.distillation.read_perambulator(self.path(f"field.lime.s0.n{v}.peram.h5"))
            self.assertTrue((found == plaq.stochastic_perambulator(solver, self.modes, 6, v, mode_dilution=1)).all())
            self.assertGreater(largest(found - exact), 0.1 * largest(exact))  # the other mode is noise

    @support.alone
    def test_averages_over_noise_are_perambulators(self):
        modes, solver = plaq.laplacian_modes(self.gauge, modes=2), self.solver(1.5, [1, 1, 1])
        exact = plaq.perambulator(solver, modes, 6)
        found = [plaq.stochastic_perambulator(solver, modes, 6, v, "u1", mode_dilution=1) for v in range(64)]
        error, deviation = numpy.std(found, axis=0) / 8, abs(numpy.mean(found, axis=0) - exact)
        self.assertLess((deviation / (error + 1e-9)).max(), 5)

    def test_elementals_have_the_bits_of_the_module(self):
        self.find_modes([1, 1, 1])
        stored = {"directory": self.directory, "modes": 5}
        job = self.run_job("elementals", link_smearing=self.smearing, laplacian_modes=stored, elementals={
            "directory": self.directory, "operators": ["1", "yx", "baryon"], "max_momentum_squared": 1})
        smeared = self.gauge.smear(**self.smearing)
        norms = job.dataset("elementals/norm")
        self.assertEqual(norms.shape, (1, 3, 4, 8))
        for k, (operator, derivative) in enumerate((("1", {}), ("yx", {"derivative": "yx", "gauge": smeared}), ("baryon", None))):
            found = plaq.distillation.read_elementals(self.path(f"field.lime.{operator}.elem.h5"))
            self.assertEqual(sorted(found), MOMENTA)
            for m, n in enumerate(MOMENTA):
                numbers = found[n]
                self.assertLess(largest(numpy.linalg.norm(numbers.reshape(8, -1), axis=1) - norms[0, k, m]), 1e-12)
                if derivative is None:
                    same = plaq.baryon_elementals(self.modes, n)[:, :5, :5, :5]
                else:
                    same = plaq.meson_elementals(self.modes, n, **derivative)[:, :5, :5]
                self.assertTrue(support.same_bits(numbers, numpy.ascontiguousarray(same)), (operator, n))


if __name__ == "__main__":
    unittest.main()
