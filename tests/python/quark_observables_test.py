"""Three-point functions, quark loops, residual masses, low modes and the quark propagator in momentum space: the bits of jobs, and
formulas of their own."""
import os
import unittest

import numpy

import plaq
import support
from plaq.analysis.insertions import IMAGINARY, REAL, Operator

EXTENTS = [4, 4, 4, 8]
AT = (1, 2, 1, 5)


def complex_of(dataset):
    return dataset[..., 0] + 1j * dataset[..., 1]


class OnAField(unittest.TestCase):
    def setUp(self):
        self.directory = support.shared_directory(self)
        self.lattice = support.lattice(EXTENTS)
        self.file = self.path("field.lime")
        plaq.random_gauge(self.lattice, seed=8).write(self.file)
        self.gauge = plaq.read_gauge(self.file, self.lattice)

    def path(self, name):
        return os.path.join(self.directory, name)

    def run_job(self, job, **tables):
        output = self.path(f"{job}.h5")
        plaq.run({"job": job, "lattice": {"extents": EXTENTS}, "gauge": {"files": [self.file]},
                  "run": {"location": "host"}, "output": {"file": output, "overwrite": True}, **tables})
        return plaq.load(output)


class ThreePoint(OnAField):
    def propagator(self, mass, tolerance):
        solver = plaq.Solver(plaq.Wilson(self.gauge, mass=mass), tolerance=tolerance)
        return solver, solver(plaq.point_source(self.lattice, AT))

    def test_bits_of_a_job(self):
        solver, q = self.propagator(0.9, 1e-9)
        found = plaq.three_point(solver, q, insertions=["pion", "proton_u"], sink_time=3)
        job = self.run_job("propagator", action={"type": "wilson", "mass": 0.9}, source={"position": list(AT)},
                           solver={"tolerance": 1e-9}, three_point={"insertions": ["pion", "proton_u"], "sink_time": 3})
        self.assertEqual(list(found), ["pion", "proton_u"])
        for insertion, currents in found.items():
            self.assertEqual(len(currents), 15)
            for current, values in currents.items():
                kept = job.dataset(f"three_point/{insertion}/{current}/p_0_0_0")[0, 0]
                self.assertTrue(support.same_bits(values.view(float).reshape(-1, 2), kept), current)

    def test_scalar_currents_are_derivatives_by_the_mass(self):
        step = 1e-4
        smear = plaq.GaussianSmearing(self.gauge, sigma=1.2, steps=3)
        (_, above), (_, below), (solver, q) = [self.propagator(m, 1e-13) for m in (0.9 + step, 0.9 - step, 0.9)]
        for sink in (None, smear):
            slope = [plaq.meson(sink(one) if sink else one)[3] for one in (above, below)]
            slope = (slope[0] - slope[1]) / (2 * step)
            found = plaq.three_point(solver, q, [(0, 0, 0), (1, 0, 0)], sink, insertions=["pion"], sink_time=3)
            scalar = found["pion"]["scalar"]
            self.assertEqual(scalar.shape, (2, 8))
            self.assertLess(abs(slope + 2 * scalar[0].sum().real), 1e-6 * abs(slope))

    def test_sink_times_and_sequential_sources(self):
        solver, q = self.propagator(0.9, 1e-9)
        keys = {"insertions": ["proton_d"], "sink_times": [2, 3], "sink_momentum": [0, 1, -1]}
        sink = plaq.GaussianSmearing(self.gauge, sigma=1.2, steps=3)
        found = plaq.three_point(solver, q, [(0, 0, 0), (1, 0, 0)], sink, **keys)["proton_d"]
        job = self.run_job("propagator", action={"type": "wilson", "mass": 0.9}, source={"position": list(AT)},
                           solver={"tolerance": 1e-9}, correlators={"max_momentum_squared": 1},
                           quark_smearing={"sigma": 1.2, "steps": 3, "source": False}, three_point={**keys, "smeared_sink": True})
        for current, values in found.items():
            self.assertEqual(values.shape, (2, 2, 8))
            for i, momentum in enumerate(("p_0_0_0", "p_1_0_0")):
                kept = job.dataset(f"three_point/proton_d/{current}/{momentum}")[0, 0]
                self.assertTrue(support.same_bits(numpy.ascontiguousarray(values[:, i]).view(float).reshape(2, 8, 2), kept), current)
        one = plaq.three_point(solver, q, (1, 0, 0), sink, **{**keys, "sink_times": [3]})["proton_d"]
        for k, sink_time in enumerate((2, 3)):
            psi = solver(plaq.sequential_source(q, "proton_d", sink_time, (0, 1, -1), sink))
            for current, gamma in (("vector_t", plaq.gamma(3)), ("axial_x", plaq.gamma(0) * plaq.gamma5)):
                values = plaq.meson(q, (gamma, plaq.gamma5), psi, (1, 0, 0))
                self.assertTrue(support.same_bits(values, numpy.ascontiguousarray(found[current][k, 1])), current)
                if sink_time == 3:
                    self.assertTrue(support.same_bits(values, one[current][0]), current)

    def test_derivatives_by_a_sequential_source(self):
        """Summed over space, a derivative acts on one side as minus on the other."""
        solver, q = self.propagator(0.9, 1e-9)
        psi = solver(plaq.sequential_source(q, "pion", 3))
        spins = (plaq.gamma(1), plaq.gamma5)
        right = plaq.meson(plaq.covariant_derivative(self.gauge, q, 1), spins, psi, source=AT)
        left = plaq.meson(q, spins, plaq.covariant_derivative(self.gauge, psi, 1), source=AT)
        self.assertGreater(abs(right).max(), 1e-6)
        self.assertLess(abs(right + left).max(), 1e-12 * abs(right).max())

    def test_point_split_operators(self):
        """The bits of jobs; the conserved charge jumps by 1 at source and sink."""
        solver, q = self.propagator(0.9, 1e-12)
        keys = {"insertions": ["pion", "proton_u"], "sink_times": [2, 3], "conserved": True, "derivatives": ["t", "zx"],
                "line_directions": ["z"], "line_length": 2}
        found = plaq.three_point(solver, q, [(0, 0, 0), (0, 0, 1)], **keys)
        job = self.run_job("propagator", action={"type": "wilson", "mass": 0.9}, source={"position": list(AT)},
                           solver={"tolerance": 1e-12}, correlators={"max_momentum_squared": 1}, three_point=keys)

        def expect_job(values, path, shape):
            self.assertEqual(values.shape, shape)
            for i, momentum in enumerate(("p_0_0_0", "p_0_0_1")):
                kept = job.dataset(f"{path}/{momentum}")[0, 0]
                self.assertTrue(support.same_bits(numpy.ascontiguousarray(values[:, i]).view(float).reshape(kept.shape), kept), path)

        for insertion, charge, two in (("pion", 1, plaq.meson(q)), ("proton_u", 2, plaq.baryon(q))):
            own = found[insertion]
            for current, values in own["conserved"].items():
                expect_job(values, f"conserved/{insertion}/{current}", (2, 2, 8))
            for k, sink_time in enumerate((2, 3)):
                v = own["conserved"]["vector_t"][k, 0] / two[sink_time]
                self.assertLess(abs(v[:sink_time] - v[0]).max(), 1e-9)
                self.assertLess(abs(v[sink_time:] - v[7]).max(), 1e-9)
                self.assertLess(abs(v[0] - v[7] - charge), 1e-9)
            for word, gammas in own["derivative"].items():
                self.assertEqual(len(gammas), 16)
                for gamma, values in gammas.items():
                    expect_job(values, f"derivative/{insertion}/{word}/{gamma}", (2, 2, 8))
            self.assertEqual(list(own["derivative"]), ["t", "zx"])
            for gamma, values in own["wilson_line"]["z"].items():
                expect_job(values, f"wilson_line/{insertion}/z/{gamma}", (2, 2, 5, 8))
                if gamma != "pseudoscalar":
                    self.assertLess(abs(values[:, :, 2] - own[gamma]).max(), 1e-12 * abs(own[gamma]).max(), gamma)
        one = plaq.three_point(solver, q, insertions=["pion"], sink_time=3, derivatives=["t"], links=plaq.unit_gauge(self.lattice))
        values = one["pion"]["derivative"]["t"]["vector_t"]
        self.assertEqual(values.shape, (8,))
        self.assertGreater(abs(values - found["pion"]["derivative"]["t"]["vector_t"][1, 0]).max(), 1e-3 * abs(values).max())

    def test_conserved_currents_of_domain_walls(self):
        """The bits of jobs."""
        action = {"variant": "moebius", "b5": 1.5, "c5": 0.5, "n_s": 2, "mass": 0.9}
        solver = plaq.Solver(plaq.DomainWall(self.gauge, **action), tolerance=1e-10)
        q, current = solver.with_current_field(plaq.point_source(self.lattice, AT))
        self.assertTrue(support.same_bits(q.array(), solver(plaq.point_source(self.lattice, AT)).array()))
        keys = {"insertions": ["pion"], "sink_time": 3, "conserved": True}
        found = plaq.three_point(solver, q, current=current, **keys)["pion"]["conserved"]
        job = self.run_job("propagator", action={"type": "domain_wall", **action}, source={"position": list(AT)},
                           solver={"tolerance": 1e-10}, three_point=keys)
        self.assertEqual(list(found), [f"{kind}_{mu}" for kind in ("vector", "axial") for mu in "xyzt"])
        for name, values in found.items():
            kept = job.dataset(f"conserved/pion/{name}/p_0_0_0")[0, 0]
            self.assertTrue(support.same_bits(values.view(float).reshape(-1, 2), kept), name)
        v = found["vector_t"] / plaq.meson(q)[3]
        self.assertLess(abs(v[:3] - v[3] - 1).max(), 1e-8)

    def test_wrong_calls(self):
        solver, q = self.propagator(0.9, 1e-4)
        with self.assertRaisesRegex(plaq.UsageError, "derivatives.*letters"):
            plaq.three_point(solver, q, insertions=["pion"], sink_time=3, derivatives=["w"])
        with self.assertRaisesRegex(plaq.UsageError, "links"):
            plaq.three_point(solver, q, insertions=["pion"], sink_time=3, derivatives=["t"], operator_links="gauge")
        walls = plaq.Solver(plaq.DomainWall(self.gauge, mass=0.1, n_s=4))
        with self.assertRaisesRegex(plaq.UsageError, "with_current_field"):
            plaq.three_point(walls, q, insertions=["pion"], sink_time=3, conserved=True)
        with self.assertRaisesRegex(plaq.UsageError, "only domain-wall quarks"):
            solver.with_current_field(plaq.point_source(self.lattice, AT))
        for wrong, words in (({"sink_times": [3, 8]}, "1 to 7"), ({"sink_time": 3, "sink_times": [3]}, "both"),
                             ({"sink_time": 3, "sink_momentum": (0, 3, 0)}, "sink_momentum")):
            with self.assertRaisesRegex(plaq.UsageError, words):
                plaq.three_point(solver, q, insertions=["pion"], **wrong)
        with self.assertRaisesRegex(plaq.UsageError, "\"kaon\" is none of pion, proton_u"):
            plaq.sequential_source(q, "kaon", 3)
        with self.assertRaisesRegex(plaq.UsageError, "1 to 7"):
            plaq.sequential_source(q, "pion", 0)
        with self.assertRaisesRegex(plaq.Error, "insertions"):
            plaq.three_point(solver, q, insertions=["kaon"], sink_time=3)
        with self.assertRaisesRegex(plaq.UsageError, "1 to 7"):
            plaq.three_point(solver, q, insertions=["pion"], sink_time=8)
        q.source = None
        with self.assertRaisesRegex(plaq.UsageError, "position"):
            plaq.three_point(solver, q, insertions=["pion"], sink_time=3)


    def test_symmetries_of_an_analysis_on_unit_links(self):
        """All symmetries are exact on unit links: parts that an analysis leaves out are 0, or odd about the middle between source and sink
        where hermiticity alone says that they vanish far from both."""
        solver = plaq.Solver(plaq.Wilson(plaq.unit_gauge(self.lattice), mass=0.3), tolerance=1e-12)
        q = solver(plaq.point_source(self.lattice, (0, 0, 0, 0)))
        momenta, sink_time = [(0, 0, 0), (0, 0, 1), (0, 1, 0)], 4
        for sink in ((0, 0, 0), (0, 0, 1)):
            found = plaq.three_point(solver, q, momenta, insertions=["pion", "proton_u_polarized"], sink_time=sink_time, sink_momentum=sink,
                                     conserved=True, derivatives=["z", "xy"], line_directions=["z"], line_length=1)
            counts = {None: 0, REAL: 0, IMAGINARY: 0}
            for insertion, currents in found.items():
                scale = 1e-9 * max(abs(currents[one]).max() for one in ("vector_t", "axial_z"))
                values = {(Operator("conserved"), mu): one for mu, one in currents["conserved"].items()}
                for k, mu in enumerate("xyz"):  # counts from its own place
                    values[Operator("conserved"), f"vector_{mu}"] *= numpy.exp([[-1j * numpy.pi * n[k] / EXTENTS[k]] for n in momenta])
                local = ("scalar", "vector_t", "axial_z", "tensor_xy", "tensor_zt")
                values.update({(Operator(), gamma): currents[gamma] for gamma in local})
                for directions, gammas in currents["derivative"].items():
                    values.update({(Operator("derivative", directions), gamma): one for gamma, one in gammas.items()})
                for gamma, one in currents["wilson_line"]["z"].items():  # [q][z][t]
                    values[Operator("wilson_line", "z", 1), gamma] = (one[:, 2] + one[:, 0]) / 2
                    values[Operator("wilson_line", "z", 1, odd=True), gamma] = (one[:, 2] - one[:, 0]) / 2
                for (operator, gamma), of_momenta in values.items():
                    for n, value in zip(momenta, of_momenta):
                        part = operator.part(gamma, insertion.endswith("polarized"), sink, n)
                        counts[part] += 1
                        for other, numbers in ((REAL, value.real), (IMAGINARY, value.imag)):
                            if other != part:
                                inner = numbers[1:sink_time]
                                self.assertLess(abs(inner + inner[::-1]).max(), scale, (insertion, str(operator), gamma, n))
                                if any(n):
                                    self.assertLess(abs(numbers).max(), scale, (insertion, str(operator), gamma, n))
            self.assertGreater(min(counts.values()), 20)


class Vertices(OnAField):
    IN, OUT = (1, 0, -1, 1), (0, 1, -1, -2)

    def setUp(self):
        super().setUp()
        fixed = self.gauge.fix("landau", theta=1e-12)
        self.file = self.path("landau.lime")
        fixed.gauge.write(self.file)
        self.gauge = plaq.read_gauge(self.file, self.lattice)

    def quark(self, n, **keys):
        solver = plaq.Solver(plaq.Wilson(self.gauge, mass=0.6, **keys), tolerance=1e-8)
        boundary = keys.get("boundary", (1, 1, 1, -1))
        return solver(plaq.volume_momentum_source(self.lattice, n, boundary))

    def test_bits_of_a_job(self):
        q_in, q_out = self.quark(self.IN), self.quark(self.OUT)
        found = plaq.quark_vertices(q_in, self.IN, q_out, self.OUT)
        text = " -> ".join(",".join(map(str, n)) for n in (self.IN, self.OUT))
        job = self.run_job("vertices", action={"type": "wilson", "mass": 0.6}, solver={"tolerance": 1e-8},
                           vertices={"momenta": [text], "max_theta": 1e-10, "four_quark": True})
        self.assertEqual(len(found), 16)
        for current, values in found.items():
            kept = job.dataset(f"vertices/{current}")[0, 0]
            self.assertTrue(support.same_bits(values.view(float).reshape(12, 12, 2), kept), current)
        four = plaq.four_quark_vertices(q_in, self.IN, q_out, self.OUT)
        self.assertEqual(set(four), {"scalar", "pseudoscalar", "vector", "axial", "tensor"})
        for name, values in four.items():
            kept = job.dataset(f"four_quark/{name}")[0, 0]
            self.assertTrue(support.same_bits(values.view(float).reshape(2, 4, 4, 4, 4, 2), kept), name)
        for which, q, n in (("in", q_in, self.IN), ("out", q_out, self.OUT)):
            kept = job.dataset(f"propagators/{which}")[0, 0]
            self.assertTrue(support.same_bits(plaq.momentum_propagator(q, n).view(float).reshape(12, 12, 2), kept), which)

    def test_quarks_that_do_not_fit(self):
        q = self.quark(self.IN)
        with self.assertRaisesRegex(plaq.UsageError, "Brillouin zone"):
            plaq.momentum_propagator(q, (0, 0, 0, 4))
        with self.assertRaisesRegex(plaq.UsageError, "Brillouin zone"):
            plaq.volume_momentum_source(self.lattice, (3, 0, 0, 0))
        with self.assertRaisesRegex(plaq.UsageError, "boundary"):
            plaq.volume_momentum_source(self.lattice, (0, 0, 0, 0), (1, 1, 1, 0))
        periodic = self.quark(self.OUT, boundary=(1, 1, 1, 1))
        with self.assertRaisesRegex(plaq.UsageError, "sign"):
            plaq.quark_vertices(q, self.IN, periodic, self.OUT)
        point = plaq.Solver(plaq.Wilson(self.gauge, mass=0.6), tolerance=1e-8)(plaq.point_source(self.lattice, AT))
        with self.assertRaisesRegex(plaq.UsageError, "point source"):
            plaq.quark_vertices(q, self.IN, point, self.IN)
        with self.assertRaisesRegex(plaq.UsageError, "four_quark_vertices.*sign"):
            plaq.four_quark_vertices(q, self.IN, periodic, self.OUT)


class Tastes(OnAField):
    def test_bits_of_a_job(self):
        names = ["pion_i5", "G1-GXT", "rho_i"]
        solver = plaq.Solver(plaq.Staggered(self.gauge, mass=0.4), tolerance=1e-9)
        source = plaq.point_source(self.lattice, AT, spins=1)
        found = plaq.taste_mesons(solver, self.gauge, source, names, [(0, 0, 0), (1, 0, 0)])
        job = self.run_job("propagator", action={"type": "staggered", "mass": 0.4}, source={"position": list(AT)},
                           solver={"tolerance": 1e-9}, correlators={"spin_tastes": names, "max_momentum_squared": 1})
        self.assertEqual(sorted(found), sorted(names))
        for name, values in found.items():
            self.assertEqual(values.shape, (2, 8))
            for p, momentum in enumerate(("p_0_0_0", "p_1_0_0")):
                kept = job.dataset(f"correlators/{name}/{momentum}/point")[0, 0]
                self.assertTrue(support.same_bits(values[p].copy().view(float).reshape(-1, 2), kept), name)
        alone = plaq.taste_mesons(solver, self.gauge, source, names[1:2])[names[1]]
        self.assertTrue(support.same_bits(alone, found[names[1]][0].copy()))

    def test_antiquarks_of_another_mass(self):
        names = ["G1-GXT", "rho_i"]
        source = plaq.point_source(self.lattice, AT, spins=1)
        solver, other = [plaq.Solver(plaq.Staggered(self.gauge, mass=mass), tolerance=1e-9) for mass in (0.4, 0.6)]
        found = plaq.taste_mesons(solver, self.gauge, source, names, antiquark=other(source))
        job = self.run_job("propagator", action={"type": "staggered", "masses": [0.4, 0.6]}, source={"position": list(AT)},
                           solver={"tolerance": 1e-9}, correlators={"spin_tastes": names, "pairs": "all"})
        for name, values in found.items():
            kept = complex_of(job.dataset(f"correlators/{name}.m0.4_m0.6/p_0_0_0/point")[0, 0])
            self.assertLess(abs(values - kept).max(), 1e-7 * abs(kept).max(), name)
        equal, alone = [plaq.taste_mesons(solver, self.gauge, source, names[:1], antiquark=one)[names[0]] for one in (solver(source), None)]
        self.assertTrue(support.same_bits(equal, alone))

    def test_what_is_refused(self):
        solver = plaq.Solver(plaq.Staggered(self.gauge, mass=0.4))
        source = plaq.point_source(self.lattice, AT, spins=1)
        with self.assertRaisesRegex(plaq.UsageError, "not a propagator of the source"):
            plaq.taste_mesons(solver, self.gauge, source, ["G5-G5"], antiquark=plaq.point_source(self.lattice, (0, 0, 0, 0), spins=1))
        for wrong, names, word in ((source, ["G5-G6"], "SPIN-TASTE"), (source, [], "empty"),
                                   (plaq.noise_source(self.lattice, "z2", seed=1, spins=1), ["G5-G5"], "noise"),
                                   (plaq.point_source(self.lattice, AT), ["G5-G5"], "color vectors")):
            with self.assertRaisesRegex(plaq.UsageError, word):
                plaq.taste_mesons(solver, self.gauge, wrong, names)
        with self.assertRaisesRegex(plaq.UsageError, "spin"):
            plaq.taste_mesons(plaq.Solver(plaq.Wilson(self.gauge, mass=0.9)), self.gauge, source, ["G5-G5"])


class Loops(OnAField):
    def test_bits_of_a_job(self):
        solver = plaq.Solver(plaq.Wilson(self.gauge, kappa=0.11), tolerance=1e-8)
        found = plaq.quark_loops(solver, momentum=[(0, 0, 0)], squared=True, seed=7, vectors=2,
                                 dilution={"time": 2, "even_odd": True})
        job = self.run_job("loops", action={"type": "wilson", "kappa": 0.11}, solver={"tolerance": 1e-8},
                           noise={"seed": 7, "vectors": 2}, dilution={"time": 2, "even_odd": True}, loops={"susceptibility": True})
        squared = found.pop("squared")
        self.assertTrue(support.same_bits(squared.copy().view(float).reshape(2, 8, 2), job.dataset("noise/squared")[0]))
        self.assertEqual(len(found), 16)
        for current, values in found.items():
            self.assertEqual(values.shape, (2, 1, 8))
            kept = job.dataset(f"noise/{current}/p_0_0_0")[0]
            self.assertTrue(support.same_bits(values[:, 0].copy().view(float).reshape(2, 8, 2), kept), current)

    def test_approximate_vectors(self):
        solver = plaq.Solver(plaq.Wilson(self.gauge, kappa=0.11), tolerance=1e-8)
        noise = {"seed": 7, "dilution": {"time": 2}}
        a = plaq.quark_loops(solver, ["scalar"], vectors=4, iterations=3, **noise)["scalar"]
        e = plaq.quark_loops(solver, ["scalar"], vectors=2, **noise)["scalar"]
        job = self.run_job("loops", action={"type": "wilson", "kappa": 0.11}, solver={"tolerance": 1e-8},
                           noise={"seed": 7, "vectors": 4}, dilution={"time": 2}, loops={"currents": ["scalar"]},
                           approximation={"exact": 2, "iterations": 3})
        for block, values in (("approximate", a), ("exact", e)):
            kept = job.dataset(f"{block}/noise/scalar/p_0_0_0")[0]
            self.assertTrue(support.same_bits(values.copy().view(float).reshape(-1, 8, 2), kept), block)
        self.assertGreater(abs(a[:2] - e).max(), 1e-6 * abs(e).max())
        corrected = job.dataset("loops/scalar/p_0_0_0")[0]
        self.assertLess(abs(a.mean(axis=0) + (e - a[:2]).mean(axis=0) - corrected[:, 0] - 1j * corrected[:, 1]).max(), 1e-12 * abs(e).max())
        with self.assertRaisesRegex(plaq.UsageError, "tolerance"):
            plaq.quark_loops(solver, ["scalar"], seed=1, vectors=1, iterations=3, tolerance=0.1)
        with self.assertRaisesRegex(plaq.UsageError, "squared"):
            plaq.quark_loops(solver, ["scalar"], seed=1, vectors=1, iterations=3, squared=True)

    def test_hopping_expansion(self):
        """The bits of a job, and as much noise as is left by it."""
        solver = plaq.Solver(plaq.Wilson(self.gauge, kappa=0.11), tolerance=1e-8)
        keys = {"seed": 7, "vectors": 2, "dilution": {"spin": True, "color": True}}
        found = plaq.quark_loops(solver, ["scalar", "tensor_xy"], hopping=4, **keys)
        job = self.run_job("loops", action={"type": "wilson", "kappa": 0.11}, solver={"tolerance": 1e-8}, dilution=keys["dilution"],
                           noise={"seed": 7, "vectors": 2}, loops={"currents": ["scalar", "tensor_xy"], "hopping": 4})
        for current, values in found.items():
            kept = job.dataset(f"noise/{current}/p_0_0_0")[0]
            self.assertTrue(support.same_bits(values.copy().view(float).reshape(2, 8, 2), kept), current)
        exact = 12 * 64 * 2 * 0.11  # tr 1 / d of a slice
        plain = plaq.quark_loops(solver, ["scalar"], **keys)["scalar"]
        self.assertLess(abs(found["scalar"] - exact).max(), 0.2 * abs(plain - exact).max())

    def test_one_end_trick(self):
        """The bits of a job; phi^dagger phi is real."""
        action = {"kappa": 0.11, "twisted_mass": 0.2}
        solver = plaq.Solver(plaq.Wilson(self.gauge, **action), tolerance=1e-8)
        found = plaq.quark_loops(solver, ["scalar", "pseudoscalar"], one_end=True, seed=7, vectors=2)
        job = self.run_job("loops", action={"type": "wilson", **action}, solver={"tolerance": 1e-8}, noise={"seed": 7, "vectors": 2},
                           loops={"currents": ["scalar", "pseudoscalar"], "one_end": True})
        for current, values in found.items():
            kept = job.dataset(f"noise/{current}/p_0_0_0")[0]
            self.assertTrue(support.same_bits(values.copy().view(float).reshape(2, 8, 2), kept), current)
        self.assertTrue((found["pseudoscalar"].imag < 0).all())
        self.assertLess(abs(found["pseudoscalar"].real).max(), 1e-12 * abs(found["pseudoscalar"]).max())
        with self.assertRaisesRegex(plaq.UsageError, "one_end.*twist"):
            plaq.quark_loops(plaq.Solver(plaq.Wilson(self.gauge, kappa=0.11)), seed=1, one_end=True)
        with self.assertRaisesRegex(plaq.UsageError, "squared"):
            plaq.quark_loops(solver, seed=1, one_end=True, squared=True)

    def test_full_dilution_is_exact(self):
        lattice = support.lattice([2, 2, 4, 4])
        gauge = plaq.random_gauge(lattice, seed=3)
        solver = plaq.Solver(plaq.Staggered(gauge, mass=0.8), tolerance=1e-12)
        expected = numpy.zeros(4, complex)
        for t, z, y, x in numpy.ndindex(4, 4, 2, 2):
            q = support.whole(solver(plaq.point_source(lattice, (x, y, z, t), spins=1)))
            expected[t] += sum(q[c, t, z, y, x].reshape(-1)[c] for c in range(3)) * numpy.exp(-2j * numpy.pi * z / 4)
        found = plaq.quark_loops(solver, ["scalar"], (0, 0, 1), seed=1, vectors=1,
                                 dilution={"time": 4, "space": [2, 2, 4], "color": True})["scalar"]
        self.assertEqual(found.shape, (1, 4))
        self.assertLess(abs(found[0] - expected).max(), 1e-9)
        with self.assertRaisesRegex(plaq.UsageError, "hopping.*Wilson"):
            plaq.quark_loops(solver, seed=1, hopping=2)
        with self.assertRaisesRegex(plaq.UsageError, "staggered"):
            plaq.quark_loops(solver, ["vector_x"], seed=1)
        with self.assertRaisesRegex(plaq.UsageError, "divide"):
            plaq.quark_loops(solver, seed=1, dilution={"time": 3})
        probed = plaq.quark_loops(solver, ["scalar"], (0, 0, 1), seed=1, vectors=1, type="u1",
                                  dilution={"time": 4, "color": True, "probing": 16})["scalar"]
        parted = plaq.quark_loops(solver, ["scalar"], (0, 0, 1), seed=1, vectors=1, type="u1",
                                  dilution={"time": 4, "space": [2, 2, 2], "color": True})["scalar"]
        self.assertLess(abs(probed - parted).max(), 1e-9)  # both part x, y, z modulo 2
        with self.assertRaisesRegex(plaq.UsageError, "power of 2"):
            plaq.quark_loops(solver, seed=1, dilution={"probing": 3})
        with self.assertRaisesRegex(plaq.Error, "seed"):
            plaq.quark_loops(solver)


class ResidualMass(OnAField):
    def test_the_ward_identity(self):
        solver = plaq.Solver(plaq.DomainWall(self.gauge, mass=0.3, n_s=4), tolerance=1e-11)
        found = plaq.residual_mass(solver, plaq.point_source(self.lattice, AT), midpoint=True, plateau=(2, 6))
        pion = plaq.meson(found["quark"]).real
        ratio = found["midpoint_pion"].real.sum() / pion.sum()
        self.assertLess(abs(found["summed"] - ratio), 1e-8 * ratio)
        self.assertAlmostEqual(found["midpoint_plateau"], (found["midpoint_pion"].real / pion)[2:7].mean(), 12)
        self.assertEqual(found["pcac"].shape, (8,))
        with self.assertRaisesRegex(plaq.UsageError, "plateau"):
            plaq.residual_mass(solver, plaq.point_source(self.lattice, AT), plateau=(2, 8))


class LowModes(OnAField):
    def setUp(self):
        super().setUp()
        self.dirac = plaq.Staggered(self.gauge, mass=0.1)
        self.modes = plaq.low_modes(self.dirac, modes=4, tolerance=1e-4, filter_degree=10)

    def test_they_are_eigenvectors_and_those_of_a_job(self):
        self.assertEqual(len(self.modes), 4)
        ratios = []
        for i in range(4):
            v = self.modes[i]
            a, psi = support.whole(self.dirac.apply_dagger(self.dirac(v))), support.whole(v)
            value = numpy.vdot(psi, a).real / numpy.vdot(psi, psi).real
            self.assertLess(numpy.linalg.norm(a - value * psi), 3e-4 * value)
            ratios.append(value / self.modes.values[i])
        self.assertLess(max(ratios) / min(ratios) - 1, 1e-6)
        job = self.run_job("eigenvectors", action={"type": "staggered", "mass": 0.1},
                           eigenvectors={"directory": self.directory, "modes": 4, "tolerance": 1e-4, "filter_degree": 10})
        self.assertTrue(support.same_bits(self.modes.values, job.dataset("modes/eigenvalue")[0]))
        back = plaq.read_low_modes(self.path("field.lime.eig.lime"), self.lattice)
        self.assertTrue(support.same_bits(support.whole(back[-1]), support.whole(self.modes[3])))
        with self.assertRaises(IndexError):
            back[4]

    def test_files_deflate(self):
        self.modes.write(self.path("field.lime.eig.lime"))
        with self.assertRaises(plaq.OutputFileError):
            self.modes.write(self.path("field.lime.eig.lime"))
        source = plaq.point_source(self.lattice, AT, spins=1)
        plain = plaq.solve(self.dirac, source, tolerance=1e-9)
        deflated = plaq.solve(self.dirac, source, tolerance=1e-9, deflation=self.directory)
        solver = plaq.Solver(self.dirac, tolerance=1e-9, deflation=self.directory)
        alone = solver.approximate(source, modes=True)
        self.assertTrue((alone.report.iterations == 0).all() and (alone.report.true_residual > 1e-3).all())
        left = solver.approximate(source - self.dirac(alone), modes=True)  # on the even sites nothing, and odd ones are exact
        self.assertLess(left.norm2().max(), 1e-4 * alone.norm2().max())
        with self.assertRaisesRegex(plaq.UsageError, "deflation"):
            plaq.Solver(self.dirac).approximate(source, modes=True)
        self.assertLess(max(deflated.report.iterations), max(plain.report.iterations))
        with self.assertRaisesRegex(plaq.Error, "basis"):
            plaq.low_modes(self.dirac, modes=10, basis=11)
        with self.assertRaisesRegex(plaq.Error, "even-odd-asymmetric"):
            plaq.low_modes(self.dirac, modes=2, preconditioning="even-odd-asymmetric")


class LowModePropagators(OnAField):
    def test_averages_over_all_sources_are_means_over_sites(self):
        extents = (2, 2, 4, 4)
        lattice = support.lattice(list(extents))
        dirac = plaq.Clover(plaq.random_gauge(lattice, seed=3), kappa=0.11, c_sw=1.2)
        modes = plaq.low_modes(dirac, modes=3, tolerance=1e-2)
        low = plaq.LowModePropagators(dirac, modes)
        self.assertEqual(len(low), 3)
        momenta = [(0, 0, 0), (0, 0, 1)]
        found = low.meson("rho", momenta)
        expected = numpy.zeros_like(found)
        for t, z, y, x in numpy.ndindex(*reversed(extents)):
            expected += plaq.meson(low(plaq.point_source(lattice, (x, y, z, t))), "rho", momentum=momenta) / numpy.prod(extents)
        self.assertEqual(found.shape, (2, 4))
        self.assertLess(abs(found - expected).max(), 1e-11 * abs(found).max())
        five = plaq.gamma5
        self.assertTrue(support.same_bits(low.meson((five, five)), low.meson()))
        with self.assertRaisesRegex(plaq.UsageError, "another operator"):
            plaq.LowModePropagators(plaq.Clover(plaq.random_gauge(lattice, seed=4), kappa=0.11, c_sw=1.2), modes)
        with self.assertRaisesRegex(plaq.UsageError, "Wilson and clover"):
            plaq.LowModePropagators(plaq.Staggered(plaq.random_gauge(lattice, seed=3), mass=1), modes)
        with self.assertRaisesRegex(plaq.UsageError, "proton"):
            low.meson("proton")

    def test_jobs_average_mesons(self):
        dirac, path = plaq.Wilson(self.gauge, mass=0.9), self.path("field.lime.eig.lime")
        plaq.low_modes(dirac, modes=3, tolerance=1e-2).write(path)
        low = plaq.LowModePropagators(dirac, plaq.read_low_modes(path, self.lattice))
        part = low(plaq.point_source(self.lattice, AT))
        keys = {"action": {"type": "wilson", "mass": 0.9}, "source": {"position": list(AT)},
                "solver": {"method": "cg", "tolerance": 1e-6, "deflation": self.directory},
                "correlators": {"channels": ["rho", "pion", "proton"], "low_mode_average": True, "max_momentum_squared": 1}}
        job = self.run_job("propagator", **keys)
        for channel in ("pion", "rho"):
            for n in ((0, 0, 0), (1, 0, 0)):
                point, averaged = [complex_of(job.dataset("correlators/{}/p_{}_{}_{}/{}".format(channel, *n, sink))[0, 0])
                                   for sink in ("point", "low_mode_average")]
                expected = point + (low.meson(channel, n) - plaq.meson(part, channel, momentum=n))
                self.assertTrue(support.same_bits(averaged, expected), (channel, n))
                self.assertGreater(abs(averaged - point).max(), 1e-6 * abs(point).max())
        for wrong, text in (({"source": {"type": "wall"}}, "point sources"), ({"solver": {"method": "cg"}}, "'deflation' in .solver."),
                            ({"correlators": {"channels": ["proton"], "low_mode_average": True}}, "mesons"),
                            ({"action": {"type": "wilson", "mass": 0.9, "twisted_mass": 0.1}}, "without a twist"),
                            ({"action": {"type": "wilson", "masses": [0.9, 1.2]}}, "one mass"),
                            ({"action": {"type": "wilson", "mass": 0.9, "boundary": [1, 1, 1, 0]}}, "Dirichlet")):
            with self.assertRaisesRegex(plaq.JobFileError, text):
                self.run_job("propagator", **{**keys, **wrong})


class LaplacianModes(OnAField):
    def setUp(self):
        super().setUp()
        self.modes = plaq.laplacian_modes(self.gauge, modes=5, tolerance=1e-9, boundary=[1, -1, 1])

    def test_they_are_those_of_a_job_and_come_back(self):
        self.assertEqual(len(self.modes), 5)
        slices = self.lattice.extents[3]
        self.assertEqual(self.modes.values.shape, (slices, 5))
        self.assertTrue((numpy.diff(self.modes.values) >= 0).all() and (self.modes.bounds <= 1e-9).all())
        self.assertLess(abs(self.modes[0].norm2() - slices).max(), 1e-12)  # 1 on each slice
        job = self.run_job("laplacian_modes", laplacian_modes={
            "directory": self.directory, "modes": 5, "tolerance": 1e-9, "boundary": [1, -1, 1]})
        self.assertTrue(support.same_bits(self.modes.values, job.dataset("modes/eigenvalue")[0]))
        back = plaq.read_laplacian_modes(self.path("field.lime.lap.lime"), self.lattice)
        self.assertTrue(support.same_bits(back.values, self.modes.values))
        self.assertLess((back[-1] - self.modes[4]).norm2().max(), 1e-12)
        with self.assertRaises(plaq.OutputFileError):
            self.modes.write(self.path("field.lime.lap.lime"))
        with self.assertRaises(IndexError):
            back[5]

    def test_impossible_ones_are_refused(self):
        for keys in ({"modes": 0}, {"modes": 8, "basis": 8}, {"boundary": [1, 0, 1]}):
            with self.assertRaisesRegex(plaq.Error, next(reversed(keys))):
                plaq.laplacian_modes(self.gauge, **keys)
        with self.assertRaisesRegex(plaq.NotConverged, "time slices"):
            plaq.laplacian_modes(self.gauge, modes=5, max_applications=2)


class QuarkPropagator(OnAField):
    def setUp(self):
        super().setUp()
        plaq.unit_gauge(self.lattice).write(self.file, overwrite=True)
        self.gauge = plaq.read_gauge(self.file, self.lattice)

    def test_free_quarks_and_a_job(self):
        dirac = plaq.Wilson(self.gauge, mass=0.4)
        q = plaq.solve(dirac, plaq.point_source(self.lattice, AT), tolerance=1e-12)
        found = plaq.quark_propagator(dirac, self.gauge, q, max_n=2)
        self.assertLess(abs(found["scalar"] - found["tree_scalar"]).max(), 1e-10)
        expected = -1j * found["k"] * found["tree_vector"][:, None]
        self.assertLess(abs(found["vector"] - expected).max(), 1e-10)
        self.assertTrue(numpy.allclose(found["k"], numpy.sin(found["p"])))
        job = self.run_job("propagator", action={"type": "wilson", "mass": 0.4}, source={"position": list(AT)},
                           solver={"tolerance": 1e-12}, quark_propagator={"max_n": 2})
        for name in ("scalar", "vector"):
            kept = job.dataset(f"quark_propagator/{name}")[0, 0]
            self.assertTrue(support.same_bits(found[name].view(float).reshape(kept.shape), kept), name)
        for name in ("n", "p", "count", "tree_vector"):
            self.assertTrue(numpy.array_equal(found[name], job.dataset(f"quark_propagator/{name}")), name)
        with self.assertRaisesRegex(plaq.UsageError, "theta"):
            plaq.quark_propagator(plaq.Wilson(plaq.random_gauge(self.lattice, seed=8), mass=0.4),
                                  plaq.random_gauge(self.lattice, seed=8), q)


if __name__ == "__main__":
    unittest.main()
