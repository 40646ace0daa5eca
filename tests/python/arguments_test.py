"""Arguments of the wrong kind, limits of job files, paths, and messages that speak of arguments."""
import os
import pathlib
import unittest

import numpy

import plaq
import support

EXTENTS = [4, 4, 4, 8]


class Arguments(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lattice = support.lattice(EXTENTS)
        cls.gauge = plaq.random_gauge(cls.lattice, seed=8)
        cls.dirac = plaq.Wilson(cls.gauge, mass=0.6)
        cls.quark = plaq.solve(cls.dirac, plaq.point_source(cls.lattice, (0, 0, 0, 0)), tolerance=1e-6)

    def setUp(self):
        self.directory = pathlib.Path(support.shared_directory(self))

    def test_momenta_are_integers(self):
        for momentum in ((1.5, 0, 0), (1, 0), (1, 0, 0, 0), [(0, 0, 0), (0.5, 0, 0)], "100", 1, [],
                         (2**40, 0, 0), numpy.array([0.5, 0, 0])):
            for wrong in (lambda n: plaq.meson(self.quark, momentum=n), lambda n: plaq.baryon(self.quark, momentum=n),
                          lambda n: plaq.momentum_sums(self.lattice, self.quark.array()[..., 0, 0], momentum=n)):
                with self.assertRaisesRegex(ValueError, "argument 'momentum': expected three integers") as caught:
                    wrong(momentum)
                self.assertIsInstance(caught.exception, plaq.UsageError)
        with self.assertRaisesRegex(plaq.UsageError, "found 1.5"):
            plaq.wall_source(self.lattice, 0, momentum=(1.5, 0, 0))
        same = plaq.meson(self.quark, momentum=(1, 0, 0))
        self.assertTrue(support.same_bits(plaq.meson(self.quark, momentum=numpy.array([1, 0, 0])), same))
        self.assertTrue(support.same_bits(plaq.meson(self.quark, momentum=numpy.array([[1, 0, 0]]))[0], same))

    def test_wrong_kinds_are_errors_that_python_knows(self):
        """Each argument in turn of each function is something else: never RuntimeError, of C++, nor SystemError."""
        path = str(self.directory / "none")
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.directory)  # some of these are names of files
        calls = [
            (plaq.Lattice, [EXTENTS]), (plaq.random_gauge, [self.lattice, 1]), (plaq.unit_gauge, [self.lattice]),
            (plaq.read_gauge, [path, self.lattice]), (plaq.gauge_extents, [path]), (self.gauge.write, [path]),
            (self.gauge.smear, ["stout"]), (self.gauge.flow, [0.1, 0.02, 5]), (self.gauge.fix, ["landau"]),
            (self.gauge.transformed, [None]), (plaq.read_transformation, [path, self.lattice]),
            (plaq.quark_field, [self.lattice, 1, 4]), (plaq.point_source, [self.lattice, (0, 0, 0, 0), 4]),
            (plaq.wall_source, [self.lattice, 0, (0, 0, 0), 4]), (plaq.corner_wall_source, [self.lattice, (0, 0, 0, 0)]),
            (plaq.gaussian_source, [self.lattice, (0, 0, 0, 0), 1.0, 1, 4]), (plaq.source_positions, [self.lattice, 1, 1, 0, 0]),
            (plaq.even_wall_source, [self.lattice, (0, 0, 0, 0), True]), (plaq.grid_source, [self.lattice, (0, 0, 0, 0), (2, 2, 2), 4]),
            (plaq.noise_seed, [1, 2, 3]), (plaq.noise_source, [self.lattice, "z3", 1, 0, None, 4, (0, 0, 0, 0), (2, 2, 2)]),
            (plaq.GaussianSmearing, [self.gauge, 1.0, 3, (1, 1, 1), False, (0.5, 0.0, 0.0)]),
            (plaq.noise_source, [self.lattice, "z2", 1, 0, 0, 4]), (plaq.read_quarks, [path, self.lattice, None, None, []]),
            (plaq.write_quarks, [self.quark, path, "hdf5", "double", ""]), (plaq.GaussianSmearing, [self.gauge, 1.0, 3]),
            (plaq.Wilson, [self.gauge]), (plaq.Dirac, [self.gauge, "wilson"]), (self.dirac, [self.quark]),
            (self.dirac.vector, [1]), (plaq.Solver, [self.dirac]), (plaq.Solver(self.dirac), [self.quark]),
            (plaq.solve, [self.dirac, self.quark]), (plaq.matrix, [self.dirac]), (plaq.LinearOperator, [self.lattice, 4, 1]),
            (plaq.krylov, [plaq.matrix(self.dirac), self.quark, "bicgstab", 1e-3, 100, None]),
            (plaq.meson, [self.quark, "pion", None, (0, 0, 0), None]),
            (plaq.baryon, [self.quark, "proton", None, None, (0, 0, 0), None]), (plaq.gamma, [0]),
            (plaq.momentum_sums, [self.lattice, self.quark.array()[..., 0, 0], (0, 0, 0), (0, 0, 0, 0), "even-odd"]),
            (plaq.run, [path, {}, None]), (plaq.plan, [path]), (plaq.schema, ["measure"]), (plaq.set_log, ["warning"]),
            (self.quark.set, [self.quark.array()]), (self.quark.array, ["even-odd"]), (self.quark.column, [0, 1]),
            (self.quark.set_column, [0, self.quark]), (self.quark.dot, [self.quark]), (plaq.load, [path]),
        ]
        wrong = ["nonsense", 1.5, -1, 2**70, float("nan"), None, object(), {"a": 1}, {1: 2}, [], b"\xff", "\udcff", 1j,
                 numpy.zeros((2, 2))]
        for function, good in calls:
            for place in range(len(good)):
                for value in wrong:
                    arguments = [*good[:place], value, *good[place + 1:]]
                    with self.subTest(function=getattr(function, "__qualname__", function), place=place, value=value):
                        try:
                            function(*arguments)
                        except (plaq.Error, TypeError, ValueError, OSError) as error:
                            self.assertNotIn("bad_cast", str(error))
                            self.assertNotIsInstance(error, plaq.InternalError)

    def test_wrong_keyword_values(self):
        for value in ("nonsense", 1j, object(), {"a": 1}, {1: 2}, [], b"x", "\udcff", 2**70, [[1]], [object()],
                      numpy.array([1j]), float("nan")):
            for call, key in ((lambda **keys: plaq.Clover(self.gauge, c_sw=1.0, **keys), "kappa"),
                              (lambda **keys: plaq.Solver(self.dirac, **keys), "tolerance"),
                              (lambda **keys: plaq.Solver(self.dirac, **keys), "multigrid"),
                              (lambda **keys: plaq.Clover(self.gauge, kappa=0.1, c_sw=1.0, **keys), "smearing"),
                              (lambda **keys: self.gauge.smear("ape", **keys), "alpha"),
                              (lambda **keys: self.gauge.fix("landau", **keys), "theta"),
                              (lambda **keys: support.lattice(EXTENTS, **keys), "process_grid")):
                with self.subTest(key=key, value=value), self.assertRaisesRegex(
                        (plaq.JobFileError, plaq.UsageError), f"'{key}'|of {key}|'keys'"):
                    call(**{key: value})
        # numpy's numbers are numbers.
        dirac = plaq.Clover(self.gauge, kappa=numpy.float32(0.125), c_sw=numpy.int64(1), boundary=numpy.array([1, 1, 1, -1]))
        self.assertEqual(dirac.mass, 0.0)
        plaq.Solver(dirac, fallback=numpy.bool_(False))

    def test_messages_speak_of_arguments(self):
        with self.assertRaises(plaq.JobFileError) as caught:
            plaq.Clover(self.gauge, kapa=0.12)
        self.assertEqual(str(caught.exception), """\
Clover(): 3 mistakes
  unknown argument 'kapa'; did you mean 'kappa'?
  missing argument 'mass' or 'kappa': the quark mass; for example kappa = 0.12
  missing argument 'c_sw': the coefficient of the clover term, or c_r and c_t on anisotropic lattices; for example c_sw = 1.0""")
        for call, message in (
                (lambda: plaq.DomainWall(self.gauge, mass=0.1), "DomainWall(): missing argument 'n_s': the extent of the "
                 "fifth dimension; for example n_s = 12"),
                (lambda: plaq.Solver(self.dirac, fallback="no"), "Solver(): argument 'fallback': found a string, expected "
                 "True or False; for example fallback = True"),
                (lambda: plaq.Solver(self.dirac, kappa=0.1), "Solver(): unknown argument 'kappa'; "),
                (lambda: plaq.Solver(self.dirac, multigrid={"vektors": [8]}), "Solver(): unknown key 'vektors' of "
                 "multigrid; did you mean 'vectors'?"),
                (lambda: plaq.Clover(self.gauge, mass=0.1, c_sw=1.0, smearing={"type": "stout", "rho": 1.0}),
                 "Clover(): 'rho' of smearing: 1 amplifies"),
                (lambda: self.gauge.fix("landau", annealing={"steps": -1}), "GaugeField.fix(): 'steps' of annealing: "
                 "found -1, must be 0 to"),
                (lambda: support.lattice([4, 4, 4, 3]), "Lattice(): argument 'extents': element 4: found 3, must be even"),
                (lambda: plaq.Solver(self.dirac, vectors=[8], multigrid={"vectors": [8]}), "'vectors' of multigrid: given "
                 "twice"),
                (lambda: plaq.Solver(self.dirac, **{"a b": 1}), "Solver(): unknown argument 'a b'; ")):
            with self.assertRaises(plaq.JobFileError) as caught:
                call()
            found = str(caught.exception)
            self.assertTrue(message in found and "[" not in found.replace("[8]", ""), found)
        self.gauge.write(self.directory / "field")
        with self.assertRaisesRegex(plaq.OutputFileError, "it exists; set overwrite = True, or choose another name"):
            self.gauge.write(self.directory / "field")
        self.gauge.write(self.directory / "written")
        with self.assertRaisesRegex(plaq.OutputFileError, r"set overwrite = true in \[output\]"):
            plaq.run({"job": "measure", "gauge": {"files": [self.directory / "field"]},
                      "output": {"file": self.directory / "written"}, "run": {"location": "host"}})
        with self.assertRaisesRegex(plaq.UsageError, "'precision': expected \"single\" or \"double\", found \"half\""):
            self.gauge.write(self.directory / "other", precision="half")

    def test_limits_are_those_of_job_files(self):
        for call, limit in ((lambda: self.gauge.flow(2.0, step=1.0), "less than 0.157"),
                            (lambda: self.gauge.flow(0.1, step=0.0), "greater than 0"),
                            (lambda: self.gauge.flow(1.0, step=0.1, action="symanzik"), "less than 0.0942"),
                            (lambda: self.gauge.flow(1.0, action="seuthen"), "zeuthen"),
                            (lambda: self.gauge.flow(0.01, step=0.02), "nothing would flow"),
                            (lambda: self.gauge.flow(0.1, measure_every=0), "must be 1 to"),
                            (lambda: self.gauge.smear("flow", steps=2, flow_step=0.2), "less than 0.157"),
                            (lambda: self.gauge.smear("stout", rho=0.2), "at most 0.125"),
                            (lambda: self.gauge.smear("ape", alpha=0.8, spatial=True), "at most 0.667"),
                            (lambda: plaq.GaussianSmearing(self.gauge, 6, 53)(self.quark), "at least 54 steps"),
                            (lambda: plaq.GaussianSmearing(self.gauge, 6, 2), "at least 54 steps, or 14 of staggered"),
                            (lambda: plaq.GaussianSmearing(self.gauge, -1, 2), "must be greater than 0"),
                            (lambda: plaq.gaussian_source(self.lattice, (0, 0, 0, 0), -1.0), "must be greater than 0"),
                            (lambda: plaq.gaussian_source(self.lattice, (0, 0, 0, 0), 1.0, stride=0), "must be 1 to 2"),
                            (lambda: plaq.noise_source(self.lattice, "z2", seed=-1), "at least 0"),
                            (lambda: plaq.noise_source(self.lattice, "z2", seed=2**64 - 1), "of at most 64 bits"),
                            (lambda: plaq.krylov(plaq.matrix(self.dirac), self.quark, tolerance=-1), "greater than 0"),
                            (lambda: plaq.krylov(plaq.matrix(self.dirac), self.quark, max_iterations=0), "must be 1 to"),
                            (lambda: plaq.plan("none.toml", ranks=-1), "'ranks': expected at least 1"),
                            (lambda: plaq.plan("none.toml", location="moon"), "expected \"host\" or \"gpu\""),
                            (lambda: self.dirac.vector(0), "1 to 256 columns"),
                            (lambda: plaq.LinearOperator(self.lattice, 2, 1), "spins must be 4, or 1")):
            with self.assertRaisesRegex((plaq.JobFileError, plaq.UsageError), limit):
                call()
        twice = plaq.GaussianSmearing(self.gauge, 6, 2, allow_unstable=True)(self.quark)
        self.assertGreater(twice.norm2().max(), 1e3 * self.quark.norm2().max())

    def test_paths_of_pathlib(self):
        field, quarks, g = (self.directory / name for name in ("u.lime", "q.h5", "g.lime"))
        self.gauge.write(field)
        self.assertEqual(plaq.read_gauge(field, self.lattice).file, str(field))
        self.assertEqual(list(plaq.gauge_extents(os.fsencode(field))), EXTENTS)
        plaq.write_quarks(self.quark, quarks)
        self.assertTrue(support.same_bits(plaq.read_quarks(quarks, self.lattice).array(), self.quark.array()))
        fixed = self.gauge.fix("landau", theta=1e-3)
        fixed.transformation.write(g)
        self.assertTrue(support.same_bits(plaq.read_transformation(g, self.lattice).array(), fixed.transformation.array()))
        output = self.directory / "measured.h5"
        plaq.run({"job": "measure", "gauge": {"files": [field]}, "output": {"file": output}, "run": {"location": "host"}})
        if support.RANK == 0:
            (self.directory / "job.toml").write_text('job = "measure"\n[gauge]\nfiles = ["none"]\n')
        if support.MPI:
            support.MPI.COMM_WORLD.Barrier()
        job = self.directory / "job.toml"
        again = {"gauge.files": [field], "output.file": self.directory / "again.h5", "run.location": "host"}
        plaq.run(job, set=again)
        self.assertIn("plaquette", plaq.plan(job, set={**again, "output.file": self.directory / "more.h5"}, ranks=1,
                                             location="host") + "plaquette")
        plaquette = self.gauge.plaquette
        if support.RANK == 0:
            self.assertEqual(plaq.load(output).values()["plaquette"].value, plaquette)
        support.lattice(EXTENTS, tuning_file=self.directory / "tuned.json")


@support.alone
class CommunicatorsOfOtherLibraries(unittest.TestCase):
    def test_are_refused(self):
        """mpi4py would have started plaq's library if it were its own."""
        said = support.run_without_mpi("""
import plaq
class Communicator:
    def py2f(self): return 0
try:
    plaq.Lattice([4, 4, 4, 8], comm=Communicator())
except plaq.CommunicationError as error:
    print(error)
""")
        self.assertRegex(said, "plaq's MPI library, .*MPI.*, does not run: mpi4py belongs to another MPI library")


if __name__ == "__main__":
    support.main()
