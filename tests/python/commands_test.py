"""Jobs, plans, errors, signals and results."""
import os
import signal
import threading
import time
import unittest

import numpy

import plaq
import support

GENERATE = {"job": "generate", "lattice": {"extents": [4, 4, 4, 4]},
            "gauge": {"beta": 5.7},
            "update": {"thermalization": 10, "configurations": 6, "separation": 10, "seed": 5},
            "run": {"location": "host"}}


class Commands(unittest.TestCase):
    def setUp(self):
        self.directory = support.shared_directory(self)

    def path(self, name):
        return os.path.join(self.directory, name)

    def generate(self, **update):
        job = {**GENERATE, "update": {**GENERATE["update"], **update}, "output": {"prefix": self.path("field")}}
        plaq.run(job)

    def test_a_job_from_its_file_and_its_results(self):
        self.generate()
        if support.RANK == 0:
            with open(self.path("pion.toml"), "w", encoding="utf-8") as stream:
                stream.write(f'job = "propagator"\n[gauge]\nfiles = ["{self.path("field.*.nersc")}"]\n'
                             '[action]\ntype = "wilson"\nkappa = 0.11\n'
                             '[correlators]\nchannels = ["pion", "axial_pseudoscalar"]\nmax_momentum_squared = 1\n'
                             f'[output]\nfile = "{self.path("pion.h5")}"\n[run]\nlocation = "host"\n')
        if support.MPI:
            support.MPI.COMM_WORLD.Barrier()
        plaq.run(self.path("pion.toml"), set={"solver.tolerance": 1e-8, "source.position": [0, 0, 0, 1]})
        if support.RANK == 0:
            results = plaq.load(self.path("pion.h5"))
            self.assertEqual(results.job["source"]["position"], [0, 0, 0, 1])
            self.assertEqual(results.job_type, "propagator")
            self.assertEqual(len(results.correlators()), 4)
            pion = results.correlator("pion")
            self.assertEqual(pion.samples.shape, (6, 4))
            effective = pion.effective_mass()
            self.assertTrue(numpy.allclose(pion.mean().value, pion.samples.mean(axis=0)))
            self.assertGreater(effective.value[0], 0.5)
            self.assertGreater(effective.error[0], 0)
            self.assertRegex(str(effective[0]), r"^\d\.\d+\(\d+\)$")
            history = plaq.load(self.path("field.history.h5")).values()
            self.assertGreater(history["plaquette"], 0.3)
            self.assertGreater(history["plaquette"].error, 0)
            with self.assertRaises(KeyError):
                results.correlator("rho")
            with self.assertRaises(plaq.analysis.NotAResult):
                plaq.load(self.path("pion.toml"))

    def test_wrong_jobs(self):
        with self.assertRaisesRegex(plaq.JobFileError, "beta"):
            plaq.run({**GENERATE, "gauge": {"betta": 6.0}})
        with self.assertRaises(plaq.JobFileError):
            plaq.run({"job": "propagate"})
        with self.assertRaises(plaq.InputFileError):
            plaq.run(self.path("none.toml"))
        with self.assertRaises(plaq.JobFileError):
            plaq.run({**GENERATE, "gauge": {"beta": object()}})

    def test_texts(self):
        self.assertIn("propagator", plaq.job_types())
        self.assertIn("[solver]", plaq.schema("propagator", example=True))
        if support.RANK == 0:
            with open(self.path("job.toml"), "w", encoding="utf-8") as stream:
                stream.write('job = "generate"\n[lattice]\nextents = [16, 16, 16, 32]\n'
                             '[gauge]\nbeta = 6.0\n[update]\nseed = 1\n[output]\nprefix = "field"\n')
        if support.MPI:
            support.MPI.COMM_WORLD.Barrier()
        self.assertIn("16x16x16x32", plaq.plan(self.path("job.toml"), ranks=4, location="host"))
        for error in (plaq.JobFileError, plaq.NotConverged, plaq.Stopped, plaq.Incomplete):
            self.assertTrue(error("x").meaning)
        self.assertTrue(issubclass(plaq.Stopped, KeyboardInterrupt))
        with self.assertRaises(plaq.UsageError):
            plaq.set_log("loud")


@support.alone
class Threads(unittest.TestCase):
    def setUp(self):
        self.lattice = support.lattice([8, 8, 8, 16])
        self.dirac = plaq.Wilson(plaq.unit_gauge(self.lattice), mass=0.01)

    def test_other_threads_run_during_a_solve(self):
        counted = []

        def count():
            while not done.is_set():
                counted.append(time.monotonic())
                time.sleep(0.002)

        done = threading.Event()
        thread = threading.Thread(target=count)
        thread.start()
        try:
            begin = time.monotonic()
            plaq.solve(self.dirac, plaq.point_source(self.lattice, (0, 0, 0, 0)))
            end = time.monotonic()
        finally:
            done.set()
            thread.join()
        gaps = numpy.diff([begin, *(t for t in counted if begin < t < end), end])
        self.assertLess(gaps.max(), 0.8 * (end - begin))

    def test_ctrl_c_reaches_python_when_a_call_is_over(self):
        source = plaq.point_source(self.lattice, (0, 0, 0, 0))
        threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            for _ in range(1000):
                plaq.solve(self.dirac, source, max_iterations=2000, tolerance=1e-11)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def test_ctrl_c_stops_a_job_that_goes_on_later(self):
        directory = support.shared_directory(self)
        job = {**GENERATE, "output": {"prefix": os.path.join(directory, "field"), "checkpoint_minutes": 60}}
        job["update"] = {**GENERATE["update"], "configurations": 2, "separation": 100000}
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        self.addCleanup(timer.cancel)
        timer.start()
        with self.assertRaises(plaq.Stopped) as caught:
            plaq.run(job)
        timer.join()
        self.assertEqual(caught.exception.code, 9)
        self.assertTrue(any("checkpoint" in name or "journal" in name for name in os.listdir(directory)))


if __name__ == "__main__":
    support.main()
