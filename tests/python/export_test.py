"""Files for other programs: each is read as its program reads it, and its formulas find what plaq finds."""
import os
import pathlib
import shutil
import struct
import sys
import tempfile
import unittest
import xml.etree.ElementTree
import zlib

import h5py
import numpy

import plaq
import support

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import sealed

EXTENTS = [4, 2, 2, 4]
MODES, SOURCES = 3, (3, 1)
SMEARING = {"type": "stout", "steps": 2, "spatial": True}
MOMENTA = [(0, 0, 0), (1, 0, 0), (-1, 0, 0), (0, 0, 1)]


def largest(array):
    return abs(numpy.asarray(array)).max()


def adjoint(elementals):
    return elementals.conj().swapaxes(1, 2)


def gamma_easy(n):
    """lattice/insertion/gamma.py of EasyDistillation: products of gamma_1 to gamma_4 by the bits of n."""
    four = numpy.zeros((4, 4, 4), complex)
    four[0][range(4), [3, 2, 1, 0]] = 1j, 1j, -1j, -1j
    four[1][range(4), [3, 2, 1, 0]] = -1, 1, 1, -1
    four[2][range(4), [2, 3, 0, 1]] = 1j, -1j, -1j, 1j
    four[3][range(4), [2, 3, 0, 1]] = 1
    product = numpy.eye(4)
    for bit in range(4):
        if n >> bit & 1:
            product = product @ four[bit]
    return product


def elemental_easy(vectors, links, derivative, n):
    """ElementalGenerator.calc() of EasyDistillation for no and one derivative, of [t][e][z][y][x][c] and [mu][t][z][y][x][c][c]."""
    found = []
    for t, V in enumerate(vectors):
        z, y, x = numpy.indices(V.shape[1:4])
        phase = numpy.exp(2j * numpy.pi * (n[0] * x / EXTENTS[0] + n[1] * y / EXTENTS[1] + n[2] * z / EXTENTS[2]))

        def between(left, right):
            return numpy.einsum("zyx,ezyxc,fzyxc->ef", phase, left.conj(), right)

        if derivative == 0:
            found.append(between(V, V))
            continue
        d = derivative - 1
        U = links[d, t]
        forward = numpy.einsum("zyxab,ezyxb->ezyxa", U, numpy.roll(V, -1, 3 - d))
        backward = numpy.roll(numpy.einsum("zyxba,ezyxb->ezyxa", U.conj(), V), 1, 3 - d)
        D = forward - backward
        found.append(between(D, V) - between(V, D))
    return numpy.array(found)


def twopoint_easy(sink, source, perambulators, times):
    """twopoint_matrix() of EasyDistillation for one insertion at each end: pairs (gamma, [t][e][e])."""
    found = numpy.zeros(EXTENTS[3], complex)
    five, four = gamma_easy(15), gamma_easy(8)
    for t in times:
        tau = perambulators[t]
        backward = numpy.einsum("ii,tjiba,jj->tijab", five, tau.conj(), five)
        at_source = numpy.einsum("ij,kj,kl->il", four, source[0].conj(), four)
        found += numpy.einsum("tijab,jk,tbc,tklcd,li,ad->t", backward, sink[0], numpy.roll(sink[1], -t, 0), tau, at_source,
                              source[1][t].conj(), optimize=True)
    return -found / len(times)


class Mod:
    """A file of MapObjectDisk, read as QDP++ reads it."""

    def __init__(self, path):
        with open(path, "rb") as stream:
            self.content = stream.read()
        magic, at = self.text(0)
        version, = struct.unpack_from(">I", self.content, at)
        self.description, at = self.text(at + 4)
        assert (magic, version) == (b"XXXXQDPLazyDiskMapObjFileXXXX", 1)
        unused, start = struct.unpack_from(">QQ", self.content, at)
        count, = struct.unpack_from(">I", self.content, start)
        at, self.places = start + 4, {}
        for _ in range(count):
            key, at = self.text(at)
            _, self.places[struct.unpack(">ii", key)] = struct.unpack_from(">QQ", self.content, at)
            at += 16
        self.check(start, at)
        assert at + 4 == len(self.content)

    def text(self, at):
        length, = struct.unpack_from(">i", self.content, at)
        return self.content[at + 4:at + 4 + length], at + 4 + length

    def check(self, start, end):
        assert struct.unpack_from(">I", self.content, end) == (zlib.crc32(self.content[start:end]),)

    def color_vector(self, t, mode):
        start, size = self.places[t, mode], 8 * 3 * EXTENTS[0] * EXTENTS[1] * EXTENTS[2]
        self.check(start, start + size)
        return numpy.frombuffer(self.content[start:start + size], ">c8").reshape(*EXTENTS[2::-1], 3)


@support.alone
class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        cls.lattice = support.lattice(EXTENTS)
        gauge = plaq.random_gauge(cls.lattice, seed=3)
        gauge.write(cls.path("field.lime"))
        cls.links = gauge.smear(**SMEARING).array("lexicographic")
        stored = {"directory": cls.directory}
        cls.run_job("laplacian_modes", laplacian_modes={**stored, "modes": MODES})
        cls.run_job("elementals", laplacian_modes=stored, elementals={
            **stored, "operators": ["1", "x", "y", "z", "xy", "baryon"], "max_momentum_squared": 1})
        cls.quarks = {"laplacian_modes": stored, "solver": {"tolerance": 1e-10}, "perambulators": {
            **stored, "source_time": SOURCES[0], "count": 2, "shift": SOURCES[1] - SOURCES[0] + EXTENTS[3]}}
        cls.run_job("perambulators", action={"type": "wilson", "mass": 0.6}, **cls.quarks)
        cls.modes = plaq.read_laplacian_modes(cls.path("field.lime.lap.lime"), cls.lattice)
        cls.sources = [cls.path(f"field.lime.s{k}.peram.h5") for k in (0, 1)]
        cls.tau = {t: tau for tau, t in map(plaq.distillation.read_perambulator, cls.sources)}
        cls.phi = {name: plaq.distillation.read_elementals(cls.operators(name)[0]) for name in "1xyz"}

    @classmethod
    def path(cls, name):
        return os.path.join(cls.directory, name)

    @classmethod
    def operators(cls, *names):
        return [cls.path(f"field.lime.{name}.elem.h5") for name in names]

    @classmethod
    def run_job(cls, job, **tables):
        plaq.run({"job": job, "lattice": {"extents": EXTENTS}, "gauge": {"files": [cls.path("field.lime")]}, "link_smearing": SMEARING,
                  "run": {"location": "host"}, "output": {"file": cls.path(f"{job}.h5"), "overwrite": True}, **tables})

    def vectors(self):
        return numpy.array([mode.array("lexicographic")[0] for mode in map(self.modes.__getitem__, range(MODES))]).swapaxes(0, 1)

    def test_easy_distillation(self):
        out = self.path("cfg_1.meson.npy")
        momenta = plaq.export.easy_distillation.write_elementals(out, self.operators(*"zyx1"), MOMENTA)
        self.assertEqual(momenta, MOMENTA)
        elementals = numpy.load(out, mmap_mode="r")
        self.assertEqual((elementals.shape, elementals.dtype.str), ((4, 4, EXTENTS[3], MODES, MODES), "<c16"))
        vectors = self.vectors()
        for d in range(4):
            for p, n in enumerate(MOMENTA):
                expected = elemental_easy(vectors, self.links, d, n)
                self.assertLess(largest(elementals[d, p] - expected), 1e-12, (d, n))
                if (d, n) != (3, (0, 0, 1)):  # 0: nabla_z and the phase anticommute on two sites
                    self.assertGreater(largest(expected), 1e-3, (d, n))

        out = self.path("cfg_1.peram.npy")
        self.assertEqual(plaq.export.easy_distillation.write_perambulators(out, self.sources), sorted(SOURCES))
        perambulators = numpy.load(out, mmap_mode="r")
        self.assertEqual((perambulators.shape, perambulators.dtype.str), ((4, 4, 4, 4, MODES, MODES), "<c16"))
        self.assertEqual([t for t in range(4) if numpy.isnan(perambulators[t]).all()], [0, 2])
        gamma_i_4, axial = (plaq.gamma(0) * plaq.gamma(3), 9), (plaq.gamma(3) * plaq.gamma5, 8 ^ 15)
        for sink, source, d, p in (((plaq.gamma5, 15), (plaq.gamma5, 15), 0, 0), (gamma_i_4, gamma_i_4, 0, 1),
                                   ((plaq.gamma(1), 2), gamma_i_4, 2, 2), ((plaq.gamma5, 15), axial, 1, 3)):
            ends = [(numpy.asarray(matrix), elementals[d, p]) for matrix, _ in (sink, source)]
            expected = sum(plaq.distillation.meson(self.tau[t], t, *ends) for t in SOURCES) / len(SOURCES)
            signs = [numpy.vdot(gamma_easy(n), matrix).real / 4 for matrix, n in (sink, source)]  # order of the product
            self.assertEqual([abs(sign) for sign in signs], [1, 1])
            theirs = [(sign * gamma_easy(n), elementals[d, p]) for sign, (_, n) in zip(signs, (sink, source))]
            found = twopoint_easy(*theirs, perambulators, SOURCES)
            self.assertLess(largest(found - expected), 1e-12 * largest(expected))

        single, found = self.path("single.npy"), self.operators("1")
        momenta = plaq.export.easy_distillation.write_elementals(single, found, precision="single")
        self.assertEqual(momenta, [(0, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)])
        stored = numpy.load(single)
        self.assertEqual(stored.dtype.str, "<c8")
        self.assertTrue((stored[0, 1] == self.phi["1"][1, 0, 0].astype("<c8")).all())

    def test_elementals_of_half_of_the_momenta(self):
        """Those without derivatives have the other half by their adjoint; derivatives are refused."""
        for name in "1x":
            shutil.copy(self.operators(name)[0], self.path(f"half.{name}.h5"))
            with sealed.results(self.path(f"half.{name}.h5"), "r+") as file:
                del file["elementals/p_-1_0_0"]
        half = self.path("half.1.h5")
        momenta = plaq.export.easy_distillation.write_elementals(self.path("half.npy"), [half])
        self.assertEqual(sorted(momenta), sorted([*MOMENTA, (0, 1, 0)]))
        found = numpy.load(self.path("half.npy"))
        self.assertLess(largest(found[0, momenta.index((1, 0, 0))] - self.phi["1"][-1, 0, 0]), 1e-14)
        self.assertLess(largest(found[0, momenta.index((-1, 0, 0))] - self.phi["1"][1, 0, 0]), 1e-14)
        files = [*self.operators(*"1yz"), self.path("half.x.h5")]
        self.assertNotIn((1, 0, 0), plaq.export.easy_distillation.write_elementals(self.path("some.npy"), files))
        with self.assertRaisesRegex(ValueError, r"momentum \(1, 0, 0\): .* operator x have no momentum \(-1, 0, 0\)"):
            plaq.export.easy_distillation.write_elementals(self.path("none.npy"), files, [(1, 0, 0)])

    def test_chroma(self):
        out = self.path("cfg_1.mod")
        plaq.export.chroma.write_laplacian_modes(out, self.modes)
        file = Mod(out)
        self.assertEqual(sorted(file.places), [(t, mode) for t in range(EXTENTS[3]) for mode in range(MODES)])
        for (t, mode), expected in zip(sorted(file.places), self.vectors().reshape(-1, *EXTENTS[2::-1], 3)):
            self.assertTrue((file.color_vector(t, mode) == expected.astype("c8")).all(), (t, mode))
        said = xml.etree.ElementTree.fromstring(file.description)
        self.assertEqual([said.find(tag).text for tag in ("id", "lattSize", "decay_dir", "num_vecs")],
                         ["eigenVecsTimeSlice", "4 2 2 4", "3", "3"])
        weights = [[float(one) for one in element.text.split(" ")] for element in said.find("Weights")]
        self.assertTrue((numpy.array(weights).T == self.modes.values).all())

    def test_hadrons(self):
        t0, n = SOURCES[0], (1, 0, 0)
        tau, write = self.tau[t0], plaq.export.hadrons.write_meson_field
        a, b = self.path("a.h5"), self.path("b.h5")

        def field(path, name, kind):
            with h5py.File(path) as file:
                self.assertEqual((list(file), list(file[name])), ([name], ["a2aMatrix"]))
                self.assertEqual(file.attrs["_Grid_dataset_threshold"].tolist(), [6])
                dataset, group = file[name]["a2aMatrix"], file[name].attrs
                self.assertEqual((dataset.shape, dataset.fletcher32), ((EXTENTS[3], 4 * MODES, 4 * MODES), True))
                self.assertEqual(dataset.dtype, numpy.dtype([("re", kind), ("im", kind)]))
                self.assertEqual((group["momentum"].dtype.str, group["gamma"].dtype.str[:2]), ("<f4", "|S"))
                structure = group["gamma"][0].decode()
                self.assertEqual(name, "_".join([structure, *(f"{one:g}" for one in group["momentum"] + 0.0)]))
                return dataset["re"].astype(float) + 1j * dataset["im"]

        def correlator(kind):
            at_source = field(a, names[0], kind)
            self.assertEqual([t for t in range(4) if at_source[t].any()], [t0])
            return numpy.roll(numpy.einsum("ij,tji->t", at_source[t0], field(b, names[1], kind)), -t0)

        phi = self.phi["1"][n]
        names = write(a, "Identity", adjoint(phi), t0, t0, (-1, 0, 0)), write(b, "Identity", phi, tau, tau, n)
        self.assertEqual(names, ("Identity_1_0_0", "Identity_-1_0_0"))
        pion = plaq.distillation.meson(tau, t0, (plaq.gamma5, phi))
        self.assertLess(largest(correlator("<f4") - pion), 1e-5 * largest(pion))
        # O_1 = psibar gamma_x D_y psi, O_2 = psibar gamma_x gamma_t psi: gamma5 gamma_x, gamma_t (gamma_x gamma_t)^dagger gamma_t gamma5.
        slope, sigma = self.phi["y"][0, 0, 0], plaq.gamma(0) * plaq.gamma(3)
        mixed = plaq.distillation.meson(tau, t0, (plaq.gamma(0), slope), (sigma, self.phi["1"][0, 0, 0]))
        more = {"precision": "double", "overwrite": True}
        names = write(a, "SigmaYZ", adjoint(self.phi["1"][0, 0, 0]), t0, t0, **more), write(b, "GammaXGamma5", slope, tau, tau, **more)
        expected = numpy.asarray(plaq.gamma(3)) @ numpy.asarray(sigma).conj().T @ numpy.asarray(plaq.gamma(3) * plaq.gamma5)
        signs = [numpy.vdot(plaq.export.hadrons.GAMMAS[name.partition("_")[0]], matrix).real / 4 for name, matrix in
                 zip(names, (expected, plaq.gamma5 * plaq.gamma(0)))]
        self.assertEqual([abs(sign) for sign in signs], [1, 1])
        self.assertLess(largest(-signs[0] * signs[1] * correlator("<f8") - mixed), 1e-12 * largest(mixed))

    def test_distillation_meson_fields_of_hadrons(self):
        """Quarks from both slices, without the hermiticity of M: tr[rho^dagger G phi rho^dagger G phi]."""
        write, phi = plaq.export.hadrons.write_distillation_meson_field, self.phi["1"][0, 0, 1]
        at_sink, at_source = self.path("sink.h5"), self.path("source.h5")
        a, b = SOURCES
        write(at_sink, "GammaX", phi, [a], self.tau, (0, 0, 1), precision="double")
        write(at_source, "GammaX", adjoint(phi), list(SOURCES), self.tau, (0, 0, -1), pairs=[(b, a)], precision="double")
        with h5py.File(at_sink) as sink, h5py.File(at_source) as source:
            there = [[f"{t}/{name}" for t in group if t != "Metadata" for name in group[t]] for group in (
                sink["DistilMesonField"], source["DistilMesonField"])]
            self.assertEqual(there, [[f"{a}/{a}-{b}", f"{a}/{a}-{a}"], [f"{b}/{b}-{a}"]])
            said, shape = sink["DistilMesonField/Metadata"].attrs, (4 * MODES, 4 * MODES)
            self.assertEqual([said[name].tolist() for name in ("Nt", "Nvec", "Momentum", "Operator", "NoisePair", "MesonFieldType",
                                                               "NoiseHashLeft", "NoiseHashRight", "RelativeSide")],
                             [[4], [MODES], [0, 0, -1], [b"GammaX"], [0, 0], [b"rho-phi"], [b"0"], [b"0"], [b"none"]])
            for side in ("Left", "Right"):
                self.assertEqual([said[f"{name}Dilution{side}"].tolist() for name in ("Time", "Lap", "Spin")],
                                 [[[i] for i in range(count)] for count in (4, MODES, 4)])
            blocks = [file["DistilMesonField"][name] for file, name in ((sink, f"{a}/{a}-{b}"), (source, f"{b}/{b}-{a}"))]
            self.assertEqual([(one.shape, one.fletcher32, one.dtype.itemsize) for one in blocks], 2 * [(shape, True, 16)])
            A, B = (one["re"] + 1j * one["im"] for one in blocks)
        rho = (plaq.gamma(0), phi)
        expected = plaq.distillation.meson(self.tau[b], b, rho)[(a - b) % EXTENTS[3]]
        self.assertLess(abs(numpy.trace(A @ B) - expected), 1e-7 * abs(expected))  # gamma_t gamma_x^dagger gamma_t = -gamma_x
        tall = numpy.zeros((8, 2, 2))
        write(at_sink, "Identity", tall, [0], [0], overwrite=True)
        with h5py.File(at_sink) as file:
            said = file["DistilMesonField/Metadata"]
            self.assertEqual(said["TimeDilutionLeft"][:].tolist(), [[t] for t in range(8)])
            self.assertEqual(file["DistilMesonField/0/0-0"].dtype.itemsize, 8)
        with self.assertRaisesRegex(ValueError, "pairs: .1, 0. has no source on the time slices 0 on the left and 0"):
            write(self.path("never"), "Identity", tall, [0], [0], pairs=[(1, 0)])

    def test_existing_files_stay(self):
        class Broken:
            lattice, values = self.lattice, self.modes.values

            def __len__(self):
                return MODES

            def __getitem__(broken, mode):
                if mode == 1:
                    raise KeyboardInterrupt
                return self.modes[mode]

        out = self.path("kept.mod")
        plaq.export.chroma.write_laplacian_modes(out, self.modes)
        with open(out, "rb") as stream:
            kept = stream.read()
        there = sorted(os.listdir(self.directory))
        with self.assertRaisesRegex(OSError, "kept.mod exists; .* overwrite=True"):
            plaq.export.chroma.write_laplacian_modes(out, self.modes)
        with self.assertRaises(KeyboardInterrupt):
            plaq.export.chroma.write_laplacian_modes(out, Broken(), overwrite=True)
        with self.assertRaisesRegex(OSError, "one of the inputs"):
            plaq.export.easy_distillation.write_perambulators(self.sources[0], self.sources, overwrite=True)
        with self.assertRaisesRegex(OSError, "does not exist"):
            plaq.export.hadrons.write_meson_field(self.path("no/a.h5"), "Gamma5", self.phi["1"][0, 0, 0], 0, 0)
        with open(out, "rb") as stream:
            self.assertEqual(stream.read(), kept)
        self.assertEqual(sorted(os.listdir(self.directory)), there)
        plaq.export.chroma.write_laplacian_modes(out, self.modes, overwrite=True)

    def test_wrong_input_is_refused(self):
        easy, out = plaq.export.easy_distillation, self.path("never")
        self.run_job("perambulators", action={"type": "wilson", "mass": 0.7}, **{**self.quarks, "perambulators": {
            "directory": self.subfolder("heavy"), "source_time": 0}})
        self.run_job("perambulators", action={"type": "wilson", "mass": 0.6}, noise={"type": "z4", "by_trajectory": False}, **{
            **self.quarks, "perambulators": {"directory": self.subfolder("noise"), "source_time": 0}})
        heavy, noise = self.path("heavy/field.lime.s0.peram.h5"), self.path("noise/field.lime.s0.n0.peram.h5")
        other = self.path("other.h5")
        shutil.copy(self.sources[1], other)
        with sealed.results(other, "r+") as file:
            file["gauge/000000"].attrs["modes_checksum"] = "0 0"
        for files, text in (([], "one or more"), ([self.sources[0], heavy], "heavy.* has the action .*mass = 0.7"), ([noise], "of noise"),
                            ([self.sources[0], other], "other.h5: is of other modes"), ([*self.sources, self.sources[1]], "time slice 1"),
                            (self.operators("1"), "no perambulator"), ([self.path("field.lime")], "not an HDF5 file")):
            with self.assertRaisesRegex(ValueError, text):
                easy.write_perambulators(out, files)
        for files, keys, text in ((self.operators("1", "xy"), {}, "operators 1, xy"), (self.operators("x", "y", "z"), {}, "operators x"),
                                  (self.operators("baryon"), {}, "operators baryon"), (self.operators("1", "baryon"), {}, "extents"),
                                  (self.sources, {}, "no elementals"), (self.operators("1"), {"momenta": [(1, 1, 0)]}, "no momentum"),
                                  ([], {}, "one or more"), (self.operators("1", "1"), {}, "twice"),
                                  (self.operators("1"), {"precision": "half"}, "precision")):
            with self.assertRaisesRegex(ValueError, text):
                easy.write_elementals(out, files, **keys)
        phi, tau = self.phi["1"][0, 0, 0], self.tau[1]
        right = {"path": out, "structure": "Gamma5", "elementals": phi, "left": 1, "right": tau}
        for wrong, text in (({"structure": "gamma5"}, "structure"), ({"elementals": tau}, "elementals"), ({"left": 4}, "left.*0 to 3"),
                            ({"right": tau[..., :2, :2]}, "right: expected a time slice"), ({"precision": "half"}, "precision")):
            with self.assertRaisesRegex(ValueError, text):
                plaq.export.hadrons.write_meson_field(**{**right, **wrong})
        self.assertFalse(os.path.exists(out))

    def subfolder(self, name):
        os.makedirs(self.path(name), exist_ok=True)
        return self.path(name)


class SeveralRanks(unittest.TestCase):
    @unittest.skipIf(support.RANKS == 1, "a test of several ranks")
    def test_modes_of_several_ranks_are_refused(self):
        lattice = support.lattice(EXTENTS)
        modes = plaq.laplacian_modes(plaq.random_gauge(lattice, seed=3), modes=1)
        with self.assertRaisesRegex(ValueError, f"over {support.RANKS} ranks"):
            plaq.export.chroma.write_laplacian_modes("never.mod", modes)


if __name__ == "__main__":
    support.main()
