"""Dirac operators against formulas in numpy, solves against jobs, and operators, sources and contractions in Python."""
import os
import unittest

import numpy

import plaq
import support

EXTENTS = [4, 4, 4, 8]


def gamma_matrices():
    return [plaq.gamma(mu).matrix for mu in range(4)]


def wilson(links, psi, mass, boundary):
    """M psi = (m + 4) psi - 1/2 sum_mu [(1 - gamma_mu) U_mu(x) psi(x+mu) + (1 + gamma_mu) U_mu(x-mu)^dagger psi(x-mu)],
    arrays [mu][t][z][y][x][3][3] and [t][z][y][x][spin][color] of the whole lattice."""
    found = (mass + 4) * psi
    for mu in range(4):
        axis = 3 - mu
        signs = numpy.ones(psi.shape[axis])
        signs[-1] = boundary[mu]
        sign = signs.reshape([-1 if i == axis else 1 for i in range(6)])
        gamma = gamma_matrices()[mu]
        ahead = sign * numpy.roll(psi, -1, axis)
        forward = numpy.einsum("tzyxab,tzyxsb->tzyxsa", links[mu], ahead)
        behind = numpy.einsum("tzyxba,tzyxsb->tzyxsa", links[mu].conj(), sign * psi)
        backward = numpy.roll(behind, 1, axis)
        found -= numpy.einsum("rs,tzyxsa->tzyxra", numpy.eye(4) - gamma, forward) / 2
        found -= numpy.einsum("rs,tzyxsa->tzyxra", numpy.eye(4) + gamma, backward) / 2
    return found


class Operators(unittest.TestCase):
    @support.alone
    def test_wilson_is_the_formula(self):
        lattice = support.lattice(EXTENTS)
        gauge = plaq.random_gauge(lattice, seed=3)
        for boundary in ((1, 1, 1, -1), (1, -1, 1, 0)):  # 0: Dirichlet
            dirac = plaq.Wilson(gauge, mass=0.1, boundary=boundary)
            psi = dirac.vector(1)
            numbers = support.random_complex(psi.array("lexicographic").shape, 5)
            psi.set(numbers, order="lexicographic")
            expected = wilson(gauge.array("lexicographic"), numbers[0], 0.1, boundary)
            self.assertTrue(numpy.allclose(dirac(psi).array("lexicographic")[0], expected, rtol=0, atol=1e-13), boundary)

    def test_dirichlet_boundaries(self):
        """Quark fields know them, and baryons behind the edge have no sign."""
        lattice = support.lattice(EXTENTS)
        gauge = plaq.random_gauge(lattice, seed=3)
        q = plaq.solve(plaq.Clover(gauge, mass=0.8, c_sw=1.0, boundary=[1, 1, 1, 0]), plaq.point_source(lattice, (0, 1, 2, 3)))
        self.assertEqual(q.time_boundary, 0)
        found = plaq.baryon(q, "proton")
        q.time_boundary = 1
        self.assertTrue(support.same_bits(plaq.baryon(q, "proton"), found))
        q.time_boundary = -1
        other = plaq.baryon(q, "proton")
        self.assertTrue((other[5:] == -found[5:]).all() and (other[:5] == found[:5]).all() and (found[5:] != 0).any())
        with self.assertRaisesRegex(plaq.UsageError, "1, -1 or 0"):
            q.time_boundary = 2
        with self.assertRaisesRegex(plaq.Error, "Wilson and clover"):
            plaq.Staggered(gauge, mass=0.3, boundary=[1, 1, 1, 0])

    def test_dagger(self):
        gauge = plaq.random_gauge(support.lattice(EXTENTS), seed=3)
        # Hops of three links need as many slices of a neighbour.
        grid = {1: [1, 1, 1, 1], 2: [1, 1, 1, 2], 4: [1, 1, 2, 2]}[support.RANKS]
        larger = plaq.random_gauge(support.lattice([4, 4, 8, 8], process_grid=grid), seed=3)
        for dirac in (plaq.Wilson(gauge, kappa=0.12), plaq.Clover(gauge, kappa=0.12, c_sw=1.2),
                      plaq.Clover(gauge, kappa=0.12, c_sw=1.2, boundary=[1, 1, 1, 0]), plaq.Staggered(gauge, mass=0.1),
                      plaq.Asqtad(larger, mass=0.1), plaq.Hisq(larger, mass=0.1),
                      plaq.DomainWall(gauge, mass=0.1, n_s=4)):
            a, b = dirac.vector(2), dirac.vector(2)
            a.set(support.random_complex(a.array().shape, 1 + support.RANK))
            b.set(support.random_complex(b.array().shape, 91 + support.RANK))
            self.assertTrue(numpy.allclose(a.dot(dirac(b)), dirac.apply_dagger(a).dot(b), rtol=1e-12), dirac)

    @support.alone
    def test_twisted_mass_is_a_doublet(self):
        gauge = plaq.random_gauge(support.lattice(EXTENTS), seed=3)
        for make, keys in ((plaq.Wilson, {"kappa": 0.12}), (plaq.Clover, {"kappa": 0.12, "c_sw": 1.2})):
            plain, up, down = (make(gauge, twisted_mass=mu, **keys) for mu in (0, 0.3, -0.3))
            psi = plain.vector(1)
            psi.set(support.random_complex(psi.array().shape, 7))
            gamma5 = numpy.diag(plaq.gamma5.matrix)[:, None]
            self.assertTrue(numpy.allclose(up(psi).array(), plain(psi).array() + 0.3j * gamma5 * psi.array(),
                                           rtol=0, atol=1e-13))
            turned = plain.vector(1)
            turned.set(gamma5 * psi.array())
            self.assertTrue(numpy.allclose(up.apply_dagger(psi).array(), gamma5 * down(turned).array(), rtol=0, atol=1e-13))

    @support.alone
    def test_charged_pion_of_twisted_mass(self):
        """sum_t C(t) = -Im tr gamma5 S(x0) / mu, from S(-mu) - S(mu) = 2 i mu S(-mu) gamma5 S(mu)."""
        lattice, at, mu = support.lattice(EXTENTS), (1, 2, 3, 5), 0.2
        dirac = plaq.Clover(plaq.random_gauge(lattice, seed=3), kappa=0.11, c_sw=1.2, twisted_mass=mu)
        source = plaq.point_source(lattice, at)
        quark = plaq.solve(dirac, source, method="bicgstab", tolerance=1e-11)
        self.assertEqual(quark.note["twisted_mass"], mu)
        multigrid = plaq.solve(dirac, source, preconditioner="multigrid", blocks=["2x2x2x2"], vectors=[4], tolerance=1e-11)
        self.assertLess(numpy.abs(multigrid.array() - quark.array()).max(), 1e-10 * numpy.abs(quark.array()).max())
        here = quark.array("lexicographic")[:, at[3], at[2], at[1], at[0]]  # [column][spin][color]
        trace = sum(plaq.gamma5.matrix[s, s] * here[3 * s + c, s, c] for s in range(4) for c in range(3))
        self.assertAlmostEqual(plaq.meson(quark, "pion").real.sum() / (-trace.imag / mu), 1, delta=1e-8)

    def test_every_discretisation_has_a_name(self):
        self.assertEqual(set(plaq.discretisations()), {"wilson", "clover",
                                                       "exponential_clover", "staggered", "asqtad", "hisq", "domain_wall"})

    def test_wrong_keys(self):
        gauge = plaq.unit_gauge(support.lattice(EXTENTS))
        with self.assertRaisesRegex(plaq.JobFileError, "kappa"):
            plaq.Clover(gauge, kapa=0.12)
        with self.assertRaisesRegex(plaq.JobFileError, "mass"):
            plaq.Wilson(gauge)
        dirac = plaq.Wilson(gauge, mass=0.5)
        with self.assertRaisesRegex(plaq.JobFileError, "tolerance"):
            plaq.solve(dirac, plaq.point_source(dirac.lattice, (0, 0, 0, 0)), tolerance=-1)
        with self.assertRaises(plaq.UsageError):
            plaq.solve(dirac, plaq.point_source(dirac.lattice, (0, 0, 0, 0), spins=1))


    def test_links_beyond_su3_name_the_keys_that_store_them(self):
        gauge = plaq.unit_gauge(support.lattice(EXTENTS))
        gauge.set(1.01 * gauge.array())
        source = plaq.point_source(gauge.lattice, (0, 0, 0, 0))
        for keys, advice in (({"mixed": "reliable"}, "set inner_links = 18 of the solver"),
                             ({"mixed": "reliable", "links": 12}, "set links = 18 and inner_links = 18 of the solver"),
                             ({"mixed": "none", "links": 8}, "set links = 18 of the solver")):
            with self.assertRaises(plaq.InputFileError) as caught:
                plaq.solve(plaq.Wilson(gauge, mass=0.5), source, **keys)
            self.assertIn("not SU(3)", str(caught.exception))
            self.assertTrue(str(caught.exception).endswith(advice), str(caught.exception))
        plaq.solve(plaq.Wilson(gauge, mass=0.5), source, links=18, inner_links=18)


class Solves(unittest.TestCase):
    KEYS = {"kappa": 0.115, "c_sw": 1.1}

    def setUp(self):
        self.directory = support.shared_directory(self)
        self.lattice = support.lattice(EXTENTS)
        self.gauge = plaq.random_gauge(self.lattice, seed=8)
        self.file = os.path.join(self.directory, "field.lime")
        self.gauge.write(self.file)

    def test_the_bits_of_a_job(self):
        output = os.path.join(self.directory, "pion.h5")
        plaq.run({"job": "propagator", "lattice": {"extents": EXTENTS}, "gauge": {"files": [self.file]},
                  "action": {"type": "clover", **self.KEYS}, "source": {"position": [1, 2, 3, 5]},
                  "solver": {"method": "bicgstab", "tolerance": 1e-9},
                  "correlators": {"channels": ["pion", "rho", "proton"], "max_momentum_squared": 1},
                  "run": {"location": "host"}, "output": {"file": output}})
        gauge = plaq.read_gauge(self.file, self.lattice)
        dirac = plaq.Clover(gauge, **self.KEYS)
        q = plaq.solve(dirac, plaq.point_source(self.lattice, (1, 2, 3, 5)), method="bicgstab", tolerance=1e-9)
        job = plaq.load(output)
        self.assertTrue(support.same_bits(q.report.true_residual, job.dataset("solves/true_residual")[0, 0]))
        self.assertTrue(support.same_bits(q.report.iterations, job.dataset("solves/iterations")[0, 0]))
        for channel, contract in (("pion", plaq.meson), ("rho", plaq.meson), ("proton", plaq.baryon)):
            for momentum in ((0, 0, 0), (0, 1, 0)):
                kept = job.dataset("correlators/{}/p_{}_{}_{}/point".format(channel, *momentum))[0, 0]
                found = contract(q, channel, momentum=momentum)
                self.assertTrue(support.same_bits(found.view(float).reshape(-1, 2), kept), (channel, momentum))

    @support.needs_mpi4py
    def test_the_bits_of_one_rank(self):
        found = []
        for lattice in (self.lattice, support.lattice_alone(EXTENTS)):
            dirac = plaq.Clover(plaq.read_gauge(self.file, lattice), **self.KEYS)
            q = plaq.solve(dirac, plaq.point_source(lattice, (0, 1, 0, 0)), tolerance=1e-8)
            smeared = plaq.GaussianSmearing(plaq.random_gauge(lattice, seed=2), sigma=1.0, steps=3)(q)
            found.append([q.report.true_residual, q.norm2(), plaq.meson(q, "pion", momentum=[(0, 0, 0), (1, 0, 1)]),
                          plaq.baryon(q, "delta"), smeared.norm2()])
        for here, there in zip(*found):
            self.assertTrue(support.same_bits(here, there))

    def test_a_source_in_python(self):
        dirac = plaq.Clover(self.gauge, **self.KEYS)
        filled = []

        def fill(batch, first):
            filled.extend(range(first, first + batch.columns))
            point = plaq.point_source(self.lattice, (0, 0, 0, 0))
            batch.set(point.column(first, batch.columns).array())

        by_function = plaq.solve(dirac, fill, position=(0, 0, 0, 0), tolerance=1e-8)
        by_field = plaq.solve(dirac, plaq.point_source(self.lattice, (0, 0, 0, 0)), tolerance=1e-8)
        self.assertEqual(filled, list(range(12)))
        self.assertTrue(support.same_bits(by_function.array(), by_field.array()))
        self.assertTrue(support.same_bits(plaq.meson(by_function), plaq.meson(by_field)))

    def test_any_number_of_columns(self):
        dirac = plaq.Wilson(self.gauge, mass=0.6)
        b = plaq.quark_field(self.lattice, columns=14)
        b.set(support.random_complex(b.array().shape, 3 + support.RANK))
        solver = plaq.Solver(dirac, tolerance=1e-8)
        x = solver(b)
        r = b - dirac(x)
        self.assertTrue((numpy.sqrt(r.norm2() / b.norm2()) < 1.01e-8).all())
        self.assertEqual(len(x.report.iterations), 14)
        one = solver(b.column(13))
        self.assertTrue(support.same_bits(one.array(), x.column(13).array()))

    def test_approximate(self):
        dirac = plaq.Wilson(self.gauge, mass=0.6)
        b = plaq.quark_field(self.lattice, columns=14)
        b.set(support.random_complex(b.array().shape, 3 + support.RANK))
        solver = plaq.Solver(dirac, tolerance=1e-8)
        exact = solver(b)
        for iterations in (1, 5):
            x = solver.approximate(b, iterations=iterations)
            self.assertTrue((x.report.iterations == iterations).all())
            residual = numpy.sqrt((b - dirac(x)).norm2() / b.norm2())
            self.assertTrue(numpy.allclose(residual, x.report.true_residual, rtol=1e-9))
            self.assertTrue((residual > 1e-4).all() and (residual < 0.5).all(), residual)
            self.assertTrue(support.same_bits(solver.approximate(b.column(13), iterations).array(), x.column(13).array()))
        loose = solver.approximate(b, tolerance=1e-3)
        self.assertTrue((loose.report.true_residual < 1.01e-3).all())
        self.assertTrue(support.same_bits(solver.approximate(b, tolerance=1e-8).array(), exact.array()))
        self.assertTrue(support.same_bits(solver(b).array(), exact.array()))
        point = plaq.point_source(self.lattice, (1, 0, 2, 3))
        self.assertEqual(tuple(solver.approximate(point, iterations=3).source), (1, 0, 2, 3))
        for wrong in ({}, {"iterations": 0}, {"tolerance": 1.0}, {"iterations": 3, "tolerance": 0.1}):
            with self.assertRaisesRegex(plaq.UsageError, "iterations|tolerance"):
                solver.approximate(b, **wrong)
        with self.assertRaises(plaq.NotConverged):
            plaq.Solver(dirac, max_iterations=2, fallback=False).approximate(b, tolerance=1e-6)

    def test_not_converged(self):
        dirac = plaq.Wilson(self.gauge, mass=0.1)
        with self.assertRaises(plaq.NotConverged) as caught:
            plaq.solve(dirac, plaq.point_source(self.lattice, (0, 0, 0, 0)), max_iterations=2, fallback=False)
        self.assertEqual(caught.exception.code, 6)
        self.assertIn("tolerance", caught.exception.meaning)

    def test_an_exception_of_a_source(self):
        def fill(batch, first):
            raise ZeroDivisionError("here")

        with self.assertRaises(ZeroDivisionError):
            plaq.solve(plaq.Wilson(self.gauge, mass=0.1), fill)

    def test_domain_wall_and_staggered(self):
        for dirac in (plaq.DomainWall(self.gauge, mass=0.2, n_s=4), plaq.Staggered(self.gauge, mass=0.5)):
            q = plaq.solve(dirac, plaq.point_source(self.lattice, (0, 0, 0, 0), spins=dirac.spins), tolerance=1e-8)
            channel = "pion_ps" if dirac.spins == 1 else "pion"
            self.assertTrue((plaq.meson(q, channel).real > 0).all())
            self.assertEqual(q.slices, 1)

    def test_files(self):
        dirac = plaq.Wilson(self.gauge, mass=0.6)
        q = plaq.solve(dirac, plaq.point_source(self.lattice, (0, 0, 0, 2)), tolerance=1e-8)
        for form in ("hdf5", "scidac"):
            path = os.path.join(self.directory, f"q.{form}")
            plaq.write_quarks(q, path, format=form)
            back = plaq.read_quarks(path, self.lattice, source=(0, 0, 0, 2))
            self.assertTrue(support.same_bits(back.array(), q.array()))
            self.assertTrue(support.same_bits(plaq.meson(back), plaq.meson(q)))
            with self.assertRaises(plaq.OutputFileError):
                plaq.write_quarks(q, path, format=form)
        with self.assertRaises(plaq.InputFileError):
            plaq.read_quarks(os.path.join(self.directory, "none"), self.lattice)


class Written(unittest.TestCase):
    """Operators and contractions in Python."""

    def setUp(self):
        self.lattice = support.lattice(EXTENTS)
        self.gauge = plaq.random_gauge(self.lattice, seed=8)

    def test_an_operator_in_python_is_solved(self):
        dirac = plaq.Wilson(self.gauge, mass=0.4)

        class Twisted(plaq.LinearOperator):
            """M + i mu gamma5"""

            def __init__(self, mu):
                super().__init__(dirac.lattice)
                self.twist = 1j * mu * numpy.diag(plaq.gamma5.matrix)[:, None]
                self.calls = 0

            def apply(self, out, x):
                self.calls += 1
                out.set(dirac(x).array() + self.twist * x.array())

            def apply_dagger(self, out, x):
                out.set(dirac.apply_dagger(x).array() + self.twist.conj() * x.array())

        twisted = Twisted(0.3)
        b = plaq.point_source(self.lattice, (0, 0, 0, 0)).column(0, 2)
        for method in ("bicgstab", "cg", "gcr"):
            x = plaq.krylov(twisted, b, method=method, tolerance=1e-9)
            r = b - twisted(x)
            self.assertTrue((numpy.sqrt(r.norm2() / b.norm2()) < 1.01e-9).all(), method)
        self.assertGreater(twisted.calls, 10)
        with self.assertRaises(plaq.NotConverged):
            plaq.krylov(twisted, b, max_iterations=2)

    def test_tiny_and_huge_sources_are_solved_as_others(self):
        dirac = plaq.Wilson(self.gauge, mass=0.4)
        matrix = plaq.operators.matrix(dirac)
        b = plaq.point_source(self.lattice, (0, 0, 0, 0)).column(0, 2)
        solves = (lambda c: plaq.krylov(matrix, c, tolerance=1e-9),
                  lambda c: plaq.solve(dirac, c, tolerance=1e-9, method="bicgstab"))
        for solve in solves:
            x = solve(b)
            for scale in (2.0**-540, 2.0**-900, 2.0**700):
                y = solve(b * scale)
                self.assertTrue(support.same_bits(y.array(), x.array() * scale), scale)
                self.assertTrue(support.same_bits(y.report.true_residual, x.report.true_residual), scale)
            nothing = solve(b * 0.0)
            self.assertEqual(abs(nothing.array()).max(), 0)

    def test_operators_of_plaq_by_krylov(self):
        dirac = plaq.Wilson(self.gauge, mass=0.6)
        b = plaq.point_source(self.lattice, (0, 0, 0, 0)).column(0, 3)
        x = plaq.krylov(plaq.matrix(dirac), b, tolerance=1e-9)
        self.assertTrue((numpy.sqrt((b - dirac(x)).norm2()) < 1.01e-9).all())
        y = plaq.krylov(plaq.matrix(dirac, normal=True), dirac.apply_dagger(b), method="hermitian-cg", tolerance=1e-10)
        self.assertTrue((numpy.sqrt((x - y).norm2()) < 1e-7).all())

    def test_an_operator_without_its_method(self):
        class Nothing(plaq.LinearOperator):
            pass

        b = plaq.point_source(self.lattice, (0, 0, 0, 0)).column(0)
        with self.assertRaises(RuntimeError):
            plaq.krylov(Nothing(self.lattice), b)

    def test_a_contraction_in_python(self):
        q = plaq.solve(plaq.Wilson(self.gauge, mass=0.6), plaq.point_source(self.lattice, (1, 0, 2, 3)), tolerance=1e-9)
        array = q.array()
        density = (abs(array)**2).sum(axis=(0, 6, 7))[None]
        for momentum in ((0, 0, 0), (1, 0, 0)):
            found = plaq.momentum_sums(self.lattice, density, momentum=momentum, source=(1, 0, 2, 3))[0]
            pion = plaq.meson(q, "pion", momentum=momentum)
            self.assertTrue(numpy.allclose(found, pion, rtol=1e-12, atol=1e-15 * abs(pion).max()))
        matrices = plaq.meson(q, (plaq.gamma(1), plaq.gamma(1)))
        self.assertTrue(support.same_bits(matrices, plaq.meson(q, "rho_y")) or
                        support.same_bits(-matrices, plaq.meson(q, "rho_y")))

    def test_two_quarks(self):
        source = plaq.point_source(self.lattice, (0, 0, 0, 0))
        light, strange = (plaq.solve(plaq.Wilson(self.gauge, mass=m), source, tolerance=1e-9) for m in (0.4, 0.8))
        kaon = plaq.meson(light, "pion", strange)
        density = (light.array() * strange.array().conj()).sum(axis=(0, 6, 7))[None]
        self.assertTrue(numpy.allclose(kaon, plaq.momentum_sums(self.lattice, density)[0], rtol=1e-12))
        self.assertTrue(support.same_bits(plaq.meson(strange, "pion", strange), plaq.meson(strange)))
        same = plaq.baryon(light, "sigma", strange=light.copy())  # (u u s) of three equal quarks is the proton
        self.assertTrue(numpy.allclose(same, plaq.baryon(light, "proton"), rtol=1e-12))
        self.assertGreater(plaq.baryon(light, "sigma", strange=strange)[1].real, 0)
        with self.assertRaisesRegex(plaq.UsageError, "proton"):
            plaq.baryon(light, "neutron")
        with self.assertRaisesRegex(plaq.UsageError, "pion"):
            plaq.meson(light, "proton")
        strange.source = (0, 0, 0, 1)
        with self.assertRaises(plaq.UsageError):
            plaq.meson(light, "pion", strange)


if __name__ == "__main__":
    support.main()
