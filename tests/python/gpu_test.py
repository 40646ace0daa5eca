"""Fields on a GPU: views through DLPack, arrays, and the bits of jobs. Skipped where there is no GPU, or no cupy."""
import gc
import os
import sys
import unittest

import numpy

import plaq
import support

try:
    import cupy
    cupy.cuda.runtime.getDeviceCount()
except Exception:  # cupy missing, or no GPU
    print("skipped: no GPU, or no cupy")
    sys.exit(77)

EXTENTS = [4, 8, 4, 8]


class Gpu(unittest.TestCase):
    def setUp(self):
        self.lattice = support.lattice(EXTENTS, location="gpu")
        self.on_host = support.lattice(EXTENTS)

    def test_arrays_are_those_of_the_host(self):
        here, there = (plaq.random_gauge(lattice, seed=3) for lattice in (self.lattice, self.on_host))
        for order in ("even-odd", "lexicographic"):
            found = cupy.from_dlpack(here.array(order))
            self.assertTrue(numpy.allclose(found.get(), there.array(order), rtol=0, atol=1e-14))
        self.assertTrue(support.same_bits(numpy.asarray(here), cupy.from_dlpack(here.array()).get()))
        self.assertTrue(support.same_bits(numpy.asarray(here.array()), numpy.asarray(here)))
        self.assertTrue(support.same_bits(numpy.asarray(here.raw()), cupy.from_dlpack(here.raw()).get()))

    def test_set_from_gpu_and_host(self):
        q = plaq.quark_field(self.lattice, columns=3)
        numbers = support.random_complex(plaq.quark_field(self.on_host, columns=3).array().shape, 4)
        for order in ("even-odd", "lexicographic"):
            shape = plaq.quark_field(self.on_host, columns=3).array(order).shape
            numbers = support.random_complex(shape, 4)
            q.set(numbers, order=order)
            self.assertTrue(support.same_bits(cupy.from_dlpack(q.array(order)).get(), numbers))
            q.set(cupy.asarray(2 * numbers), order=order)
            self.assertTrue(support.same_bits(cupy.from_dlpack(q.array(order)).get(), 2 * numbers))
        with self.assertRaises(plaq.UsageError):
            q.set(cupy.zeros((3, 2)))
        with self.assertRaises(plaq.UsageError):
            q.set(cupy.zeros(shape, dtype=cupy.complex64), order="lexicographic")
        with self.assertRaises(plaq.UsageError):
            plaq.quark_field(self.on_host, columns=3).set(cupy.zeros(shape, dtype=complex), order="lexicographic")

    def test_written_in_cupy_seen_in_plaq_and_back(self):
        q = plaq.quark_field(self.lattice, columns=2)
        view = cupy.from_dlpack(q.raw())
        self.assertEqual(view.data.ptr, cupy.from_dlpack(q.raw()).data.ptr)
        view[0] = 2.0
        cupy.cuda.get_current_stream().synchronize()
        q.touch()
        self.assertTrue(numpy.array_equal(q.norm2(), [4.0 * 24 * numpy.prod(EXTENTS), 0.0]))
        q.set(support.random_complex(cupy.from_dlpack(q.array()).shape, 3 + support.RANK))
        self.assertAlmostEqual(float((view[1]**2).sum()), float((abs(cupy.from_dlpack(q.array())[1])**2).sum()), places=8)

    def test_torch(self):
        try:
            import torch
        except ImportError:
            self.skipTest("no torch")
        q = plaq.point_source(self.lattice, (0, 0, 0, 0))
        tensor = torch.from_dlpack(q.array())
        self.assertEqual(tensor.dtype, torch.complex128)
        if support.RANKS == 1:
            self.assertEqual(complex(tensor.sum()), 12)
        q.set(3 * tensor)
        self.assertEqual(q.norm2().sum(), 9 * 12)

    def test_a_view_outlives_its_field(self):
        def make():
            q = plaq.point_source(support.lattice(EXTENTS, location="gpu"), (0, 0, 0, 0))
            return cupy.from_dlpack(q.raw()), cupy.from_dlpack(q.array())

        views = [make() for _ in range(4)]
        gc.collect()
        for raw, array in views:
            self.assertEqual(float(raw.sum()), float(array.sum().real))
            raw += 1

    def test_consumers_on_another_stream(self):
        """What plaq has queued is done before an array is handed over, and it waits for what a producer has queued."""
        q = plaq.quark_field(self.lattice, columns=12)
        stream = cupy.cuda.Stream(non_blocking=True)
        shape = cupy.from_dlpack(q.array()).shape
        with stream:
            for round in range(20):
                slow = cupy.full(shape, 1.0 + 0j)
                for _ in range(20):
                    slow = slow + 1
                q.set(slow + round)
                found = cupy.from_dlpack(q.array())
                self.assertTrue(bool((found == 21 + round).all()))

    def test_the_bits_of_a_job(self):
        directory = support.shared_directory(self)
        file, output = (os.path.join(directory, name) for name in ("field.lime", "pion.h5"))
        gauge = plaq.random_gauge(self.lattice, seed=8)
        gauge.write(file)
        keys = {"kappa": 0.115, "c_sw": 1.1}
        plaq.run({"job": "propagator", "gauge": {"files": [file]}, "action": {"type": "clover", **keys},
                  "solver": {"tolerance": 1e-9}, "correlators": {"channels": ["pion", "proton"]},
                  "run": {"location": "gpu"}, "output": {"file": output}})
        q = plaq.solve(plaq.Clover(plaq.read_gauge(file, self.lattice), **keys),
                       plaq.point_source(self.lattice, (0, 0, 0, 0)), tolerance=1e-9)
        job = plaq.load(output)
        self.assertTrue(support.same_bits(q.report.true_residual, job.dataset("solves/true_residual")[0, 0]))
        for channel, contract in (("pion", plaq.meson), ("proton", plaq.baryon)):
            kept = job.dataset(f"correlators/{channel}/p_0_0_0/point")[0, 0]
            self.assertTrue(support.same_bits(contract(q, channel).view(float).reshape(-1, 2), kept))

    def test_an_operator_in_cupy(self):
        gauge = plaq.random_gauge(self.lattice, seed=8)
        dirac = plaq.Wilson(gauge, mass=0.4)
        twist = 0.3j * cupy.asarray(numpy.diag(plaq.gamma5.matrix))[:, None]

        class Twisted(plaq.LinearOperator):
            def apply(self, out, x):
                out.set(cupy.from_dlpack(dirac(x).array()) + twist * cupy.from_dlpack(x.array()))

        twisted = Twisted(self.lattice)
        b = plaq.point_source(self.lattice, (0, 0, 0, 0)).column(0, 2)
        x = plaq.krylov(twisted, b, tolerance=1e-9)
        self.assertTrue((numpy.sqrt((b - twisted(x)).norm2()) < 1.01e-9).all())

    def test_a_term_of_the_action_in_cupy(self):
        """Arrays of a term may be on the GPU, strided ones too, or on the host."""
        class DoubleTrace:
            name = "double_trace"

            def __init__(self, library, numbers):
                self.library, self.numbers = library, numbers

            def loops(self, links):
                return self.numbers(plaq.path_product(links, [(3, EXTENTS[3])]))[0]

            def action(self, links):
                trace = self.library.trace(self.loops(links), axis1=-2, axis2=-1)
                return (0.1 / EXTENTS[3] * trace * trace.conj()).real

            def force(self, links):
                loops = self.loops(links)
                matrices = self.library.zeros((4, *loops.shape), dtype=complex)
                matrices[3] = -0.1 * self.library.trace(loops, axis1=-2, axis2=-1).conj()[..., None, None] * loops
                return matrices

        reports = []
        for lattice, library, numbers in ((self.lattice, cupy, lambda field: cupy.from_dlpack(field.array())),
                                          (self.lattice, numpy, numpy.asarray), (self.on_host, numpy, numpy.asarray)):
            gauge = plaq.random_gauge(lattice, seed=3).smear("stout", steps=8, rho=0.1)
            chain = plaq.HMC(gauge, seed=2, beta=5.5, terms=[DoubleTrace(library, numbers)], steps=[4], length=0.4)
            self.assertLess(abs(chain.check_force("double_trace")), 1e-8)
            self.assertEqual(chain.force("double_trace").__class__.__name__, "ndarray" if lattice is self.on_host else "DeviceArray")
            reports.append(chain.trajectory().delta_h)
        self.assertLess(max(reports) - min(reports), 1e-7)


if __name__ == "__main__":
    support.main()
