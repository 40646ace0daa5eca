"""Objects as Python expects them: copies, pickles, arrays, spin matrices, and numbers with errors in arithmetic."""
import copy
import pickle
import unittest

import numpy
import uncertainties

import plaq
import support

EXTENTS = [4, 4, 4, 8]


class Copies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lattice = support.lattice(EXTENTS)
        cls.gauge = plaq.random_gauge(cls.lattice, seed=8)
        cls.dirac = plaq.Wilson(cls.gauge, mass=0.6)
        cls.quark = plaq.solve(cls.dirac, plaq.point_source(cls.lattice, (0, 1, 0, 0)), tolerance=1e-6)

    def test_fields_are_copied(self):
        g = self.gauge.fix("landau", theta=1e-3).transformation
        for field in (self.gauge, self.quark, g):
            for made in (copy.copy(field), copy.deepcopy(field), field.copy()):
                self.assertIs(type(made), type(field))
                self.assertIs(made.lattice, field.lattice)
                self.assertTrue(support.same_bits(made.array(), field.array()))
                before = field.array()
                made.set(0 * made.array())
                self.assertTrue(support.same_bits(field.array(), before))
        self.assertEqual(copy.deepcopy(self.quark).note, self.quark.note)
        twice = copy.deepcopy([self.quark, self.quark])
        self.assertIs(twice[0], twice[1])
        fixed, flow = self.gauge.fix("landau", theta=1e-3), self.gauge.flow(0.04)
        for one in (fixed, flow):
            self.assertIsNot(copy.deepcopy(one).gauge, one.gauge)
            self.assertTrue(support.same_bits(copy.copy(one).gauge.array(), one.gauge.array()))
        solver = plaq.Solver(self.dirac)
        for one in (self.lattice, self.dirac, solver, plaq.gamma5, self.quark.report):
            self.assertIs(copy.copy(one), one)
            self.assertIs(copy.deepcopy(one), one)

    def test_pickles(self):
        report = pickle.loads(pickle.dumps(self.quark.report))
        self.assertEqual(repr(report), repr(self.quark.report))
        self.assertTrue(support.same_bits(report.true_residual, self.quark.report.true_residual))
        matrix = 0.5 * (plaq.identity + 1j * plaq.gamma(2)) @ plaq.gamma5
        self.assertEqual(pickle.loads(pickle.dumps(matrix)), matrix)
        numbers = pickle.loads(pickle.dumps(self.quark.array()))
        back = plaq.quark_field(self.lattice)
        back.set(numbers)
        self.assertTrue(support.same_bits(back.array(), numbers))
        fixed = self.gauge.fix("landau", theta=1e-3)
        for one, way in ((self.gauge, "plaq.read_gauge"), (self.quark, "plaq.read_quarks"),
                         (fixed.transformation, "plaq.read_transformation"), (fixed, "write"), (self.lattice, "each process"),
                         (self.dirac, "each process"), (plaq.Solver(self.dirac), "each process"),
                         (self.gauge.flow(0.04), "pickle t"), (plaq.GaussianSmearing(self.gauge, 1, 2), "each process")):
            with self.assertRaisesRegex(TypeError, way):
                pickle.dumps(one)

    def test_arrays_of_numpy(self):
        for field in (self.gauge, self.quark, plaq.quark_field(self.lattice, 2, spins=1)):
            self.assertTrue(support.same_bits(numpy.asarray(field), field.array()))
            self.assertEqual(numpy.asarray(field, dtype=numpy.complex64).dtype, numpy.complex64)
            self.assertTrue(numpy.array_equal(numpy.stack([field])[0], field.array()))
        with self.assertRaises(ValueError):
            self.quark.__array__(copy=False)
        # Products with numbers of numpy are fields.
        for product in (numpy.float64(2) * self.quark, self.quark * numpy.complex128(2), numpy.int64(2) * self.quark):
            self.assertIsInstance(product, plaq.QuarkField)
            self.assertTrue(support.same_bits(product.array(), 2 * self.quark.array()))
        for wrong in (lambda: self.quark + 1, lambda: self.quark * self.quark, lambda: numpy.sqrt(self.quark),
                      lambda: self.quark + self.quark.array(), lambda: self.quark.array() * self.quark,
                      lambda: 1 - self.quark):
            with self.assertRaises(TypeError):
                wrong()


class SpinMatrices(unittest.TestCase):
    def test_algebra_is_that_of_the_matrices(self):
        names = {name: getattr(plaq, name) for name in ("gamma", "gamma5", "identity")}
        drawn = numpy.random.default_rng(3)
        every = [plaq.identity, *(plaq.gamma(mu) for mu in range(4)), plaq.gamma5,
                 *(plaq.gamma(mu) @ plaq.gamma(nu) for mu in range(4) for nu in range(mu)),
                 *(plaq.gamma(mu) @ plaq.gamma5 for mu in range(4))]

        def draw():
            return sum((complex(*drawn.normal(size=2)) * g for g in every[1:]), 0.5 * every[0])

        for _ in range(5):
            a, b = draw(), draw()
            for found, expected in ((a + b, a.matrix + b.matrix), (a - b, a.matrix - b.matrix), (a @ b, a.matrix @ b.matrix),
                                    (a * b, a.matrix @ b.matrix), (2j * a, 2j * a.matrix), (a * 3, 3 * a.matrix),
                                    (a / 4, a.matrix / 4), (-a, -a.matrix), (numpy.float64(2) * a, 2 * a.matrix)):
                self.assertIsInstance(found, plaq.GammaMatrix)
                self.assertTrue(numpy.allclose(found.matrix, expected, rtol=0, atol=1e-13))
            self.assertTrue(support.same_bits(numpy.asarray(a), a.matrix))
            self.assertTrue(numpy.allclose(eval(repr(a), names).matrix, a.matrix, rtol=0, atol=1e-13))
        for g in every:
            self.assertEqual(eval(repr(g), names), g)
        self.assertEqual(plaq.gamma(1) @ plaq.gamma(0), -plaq.gamma(0) @ plaq.gamma(1))
        self.assertEqual(len({plaq.gamma(0), plaq.gamma(0) @ plaq.identity, plaq.gamma(1)}), 2)
        for matrix, text in ((plaq.gamma(0), "gamma(0)"), (0.5 * (plaq.identity + plaq.gamma(3)), "0.5 * identity + 0.5 * gamma(3)"),
                             (plaq.gamma(3) @ plaq.gamma5, "gamma(3) @ gamma5"), (-plaq.gamma5, "-gamma5"),
                             (plaq.gamma5 - plaq.gamma5, "0 * identity"), (1j * plaq.gamma(1) @ plaq.gamma(2), "1j * gamma(1) @ gamma(2)"),
                             (plaq.identity - (1 + 2j) * plaq.gamma5, "identity - (1+2j) * gamma5")):
            self.assertEqual(repr(matrix), text)
        for wrong in (lambda: plaq.gamma5 + 1, lambda: plaq.gamma5 @ numpy.eye(4), lambda: "a" * plaq.gamma5):
            with self.assertRaises(TypeError):
                wrong()
        with self.assertRaises(plaq.UsageError):
            plaq.gamma5 / 0

    def test_mesons_of_sums_are_sums_of_mesons(self):
        lattice = support.lattice(EXTENTS)
        dirac = plaq.Wilson(plaq.random_gauge(lattice, seed=8), mass=0.6)
        q = plaq.solve(dirac, plaq.point_source(lattice, (0, 0, 0, 0)), tolerance=1e-8)
        projector = 0.5 * (plaq.identity + plaq.gamma(3))
        found = plaq.meson(q, (projector @ plaq.gamma5, 1j * plaq.gamma5))
        parts = [plaq.meson(q, (sink, plaq.gamma5)) for sink in (plaq.gamma5, plaq.gamma(3) @ plaq.gamma5)]
        self.assertTrue(numpy.allclose(found, 0.5j * sum(parts), rtol=1e-12, atol=1e-14 * abs(parts[0]).max()))
        self.assertEqual(abs(plaq.meson(q, (0 * plaq.gamma5, plaq.gamma5))).max(), 0)
        self.assertTrue(support.same_bits(plaq.meson(q, (-plaq.gamma5, plaq.gamma5)), -plaq.meson(q, (plaq.gamma5, plaq.gamma5))))


@support.alone
class Errors(unittest.TestCase):
    """2 * mass keeps its error; numbers of one ensemble keep their correlations."""

    def setUp(self):
        directory = support.shared_directory(self)
        run = {"location": "host"}
        plaq.run({"job": "generate", "lattice": {"extents": [4, 4, 4, 8]}, "gauge": {"beta": 5.7}, "run": run,
                  "update": {"thermalization": 10, "configurations": 8, "separation": 5, "seed": 5},
                  "output": {"prefix": f"{directory}/field"}})
        self.results = []
        for name, kappa in (("light", 0.12), ("heavy", 0.11)):
            plaq.run({"job": "propagator", "gauge": {"files": [f"{directory}/field.*.nersc"]}, "run": run,
                      "action": {"type": "wilson", "kappa": kappa}, "solver": {"method": "bicgstab", "tolerance": 1e-8},
                      "correlators": {"channels": ["pion", "rho"]}, "output": {"file": f"{directory}/{name}.h5"}})
            self.results.append(plaq.load(f"{directory}/{name}.h5"))

    def test_arithmetic(self):
        pion, rho = (self.results[0].correlator(name) for name in ("pion", "rho"))
        m = pion.effective_mass()[2]
        for found, value, error in ((2 * m, 2 * m.value, 2 * m.error), (m / 2, m.value / 2, m.error / 2),
                                    (m**2, m.value**2, 2 * m.value * m.error), (-m, -m.value, m.error),
                                    (m - m, 0, 0), (numpy.float64(3) * m, 3 * m.value, 3 * m.error), (abs(-m), m.value, m.error)):
            self.assertIsInstance(found, plaq.Value)
            self.assertIsInstance(found, uncertainties.UFloat)
            self.assertAlmostEqual(found.value, value, places=12)
            self.assertAlmostEqual(found.error, error, places=12)
        self.assertRegex(str(2 * m), r"^\d\.\d+\(\d+\)$")
        self.assertTrue(m > 0.1 and m < 10 and 0.1 <= m)
        with self.assertRaisesRegex(TypeError, "nominal_value"):
            float(m)
        self.assertAlmostEqual(uncertainties.umath.exp(m).std_dev, numpy.exp(m.value) * m.error, places=12)
        # Numbers of the same fields are correlated as their fluctuations, also those of two files.
        heavy = self.results[1].correlator("pion")
        one, other = (correlator.found.effective_masses()[2].fluctuations for correlator in (pion, heavy))
        correlation = one @ other / numpy.sqrt(one @ one * (other @ other))
        self.assertGreater(correlation, 0.5)
        n = heavy.effective_mass()[2]
        self.assertAlmostEqual(uncertainties.correlation_matrix([m, n])[0, 1], correlation, places=12)
        self.assertAlmostEqual((n - m).error**2, n.error**2 + m.error**2 - 2 * correlation * n.error * m.error, places=12)
        self.assertAlmostEqual((n / m).error / (n / m).value, numpy.sqrt(
            (n.error / n.value)**2 + (m.error / m.value)**2 - 2 * correlation * n.error / n.value * m.error / m.value))
        again = plaq.load(*self.results[0].paths).correlator("pion").effective_mass()[2]
        self.assertAlmostEqual((again - m).error, 0, places=12)
        self.assertAlmostEqual((plaq.Value(1, 0.3) + plaq.Value(1, 0.4)).error, 0.5)
        self.assertEqual(str(rho.effective_mass()[:1]), str([rho.effective_mass()[0]]))


if __name__ == "__main__":
    import uncertainties.umath

    support.main()
