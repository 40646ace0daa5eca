"""Hybrid Monte Carlo from Python: the bits of hmc jobs, terms of the action in Python, their exceptions, and Ctrl-C."""
import copy
import os
import pickle
import signal
import threading
import unittest

import numpy

import plaq
import support

EXTENTS = [4, 4, 4, 4]
QUARKS = {"type": "clover", "kappa": 0.12, "c_sw": 1.2}


def dagger(m):
    return m.conj().swapaxes(-1, -2)


def trace(m):
    return numpy.trace(m, axis1=-2, axis2=-1)


class Around:
    """Links [t][z][y][x][row][column] of this rank at other sites: at(mu, (nu, steps), ...) is U_mu(x + steps nu + ...)."""

    def __init__(self, links):
        self.padded = links.lattice.with_halo(links.array("lexicographic"), 1, axis=1)

    def at(self, mu, *moves):
        first = [1, 1, 1, 1]
        for nu, steps in moves:
            first[3 - nu] += steps
        return self.padded[(mu, *(slice(one, one + size - 2) for one, size in zip(first, self.padded.shape[1:5])))]


class Plaquettes:
    """The Wilson gauge action in numpy: -(beta/3) sum Re tr P, a number for each site or their sum."""

    def __init__(self, lattice, beta, name="mine", summed=False, order="lexicographic"):
        self.name, self.beta, self.summed, self.order = name, beta, summed, order
        self.lattice = lattice
        self.calls = 0

    def action(self, links):
        u = Around(links)
        sites = 0.0
        for mu in range(4):
            for nu in range(mu):
                above = u.at(nu, (mu, 1)) @ dagger(u.at(mu, (nu, 1))) @ dagger(u.at(nu))
                sites = sites - self.beta / 3 * trace(u.at(mu) @ above).real
        return -6 * self.beta * numpy.prod(self.lattice.extents) * links.plaquette if self.summed else sites

    def force(self, links):
        self.calls += 1
        u = Around(links)
        force = []
        for mu in range(4):
            staples = 0.0
            for nu in set(range(4)) - {mu}:
                above = u.at(nu, (mu, 1)) @ dagger(u.at(mu, (nu, 1))) @ dagger(u.at(nu))
                below = dagger(u.at(nu, (mu, 1), (nu, -1))) @ dagger(u.at(mu, (nu, -1))) @ u.at(nu, (nu, -1))
                staples = staples + above + below
            force.append(self.beta / 6 * u.at(mu) @ staples)
        force = numpy.array(force)
        if self.order == "lexicographic":
            return force
        made = links.copy()
        made.set(force, "lexicographic")
        return made if self.order == "field" else made.array()


class Chains(unittest.TestCase):
    def setUp(self):
        self.lattice = support.lattice(EXTENTS)
        self.gauge = plaq.random_gauge(self.lattice, seed=4).smear("stout", steps=8, rho=0.1)

    def test_bits_are_those_of_jobs(self):
        directory = support.shared_directory(self)
        for name, quarks, ladder, more in (
                ("two", QUARKS, {"twists": [0.5]}, {}),
                ("masses", QUARKS, {"heavier_kappas": [0.1], "even_odd": "symmetric"}, {}),
                ("three", {"type": "clover", "kappas": [0.12, 0.11], "c_sw": 1.2, "flavours": [2, 1]}, {"twists": [0.5]},
                 {"rational": {"tolerance": 1e-5, "range": [0.5, 100.0]},
                  "smearing": {"type": "stout", "steps": 1, "rho": 0.1}})):
            keys = {"length": 0.4, **ladder, "steps": [2, 2], "integrators": ["omelyan2", "leapfrog"]}
            if support.RANKS > 2 and "rational" in more:  # the spectrum takes long on many ranks
                continue
            prefix = os.path.join(directory, name)
            action = {key: value for key, value in quarks.items() if key != "flavours"}
            flavours = {"flavours": quarks["flavours"]} if "flavours" in quarks else {}
            tables = {"action_smearing" if key == "smearing" else key: value for key, value in more.items()}
            plaq.run({"job": "hmc", "lattice": {"extents": EXTENTS}, "gauge": {"beta": 5.5, "start": "cold"}, "action": action,
                      "update": {"seed": 7, "thermalization": 2, "separation": 1, "configurations": 2},
                      "hmc": {**keys, **flavours, "unconditional": 1}, **tables,
                      "output": {"prefix": prefix}, "run": {"location": "host"}},
                     comm=support.MPI.COMM_WORLD if support.MPI else None)
            chain = plaq.HMC(plaq.unit_gauge(self.lattice), seed=7, beta=5.5, quarks=quarks, **keys, **more)
            reports = [chain.trajectory(always_accept=True), *(chain.trajectory() for _ in range(2))]
            job = plaq.read_gauge(f"{prefix}.000003.nersc", self.lattice)
            self.assertTrue(support.same_bits(chain.gauge.array(), job.array()))
            if support.RANK == 0:
                import h5py
                with h5py.File(f"{prefix}.history.h5") as file:
                    steps = {key: values[()] for key, values in file["steps"].items()}
                self.assertEqual([one.delta_h for one in reports], list(steps["delta_h"]))
                self.assertEqual([one.accepted for one in reports], list(steps["accepted"]))
                for term in chain.terms:
                    self.assertEqual([one.forces[term]["rms"] for one in reports], list(steps[f"force_rms_{term}"]))
                self.assertEqual([sum(one.iterations.values()) for one in reports], list(steps["iterations"]))
            self.assertEqual([one.trajectory for one in reports], [1, 2, 3])
            self.assertEqual(chain.trajectories, 3)

    def test_a_chain_goes_on(self):
        """Measurements of terms between its trajectories change no bits, of multigrid neither."""
        for more in ({"steps": [3]},
                     {"steps": [2, 2], "quarks": QUARKS, "solver": {"preconditioner": "multigrid"},
                      "multigrid": {"blocks": ["2x2x2x2"], "vectors": [4]}}):
            if support.RANKS > 2 and "quarks" in more:  # 64 sites of a rank
                continue
            keys = {"seed": 3, "beta": 5.5, "length": 0.3, **more}
            first = plaq.HMC(self.gauge, **keys)
            first.trajectory()
            second = plaq.HMC(first.gauge, trajectories=1, **keys)
            for term in first.terms:
                first.action(term)
                first.force(term)
                self.assertLess(abs(first.check_force(term)), 1e-5, term)
            a, b = first.trajectory(), second.trajectory()
            self.assertEqual((a.delta_h, a.iterations, a.forces), (b.delta_h, b.iterations, b.forces))
            self.assertTrue(support.same_bits(first.gauge.array(), second.gauge.array()))

    def test_several_pseudofermions(self):
        chain = plaq.HMC(self.gauge, seed=3, beta=5.5, quarks={**QUARKS, "pseudofermions": [2]}, rational={"tolerance": 1e-5}, steps=[2, 2],
                         length=0.3)
        self.assertEqual(chain.terms, ["quarks_rational_1", "quarks_determinant", "gauge"])
        self.assertLess(abs(chain.check_force("quarks_rational_1")), 1e-5)
        report = chain.trajectory()
        self.assertLess(abs(report.delta_h), 1)
        self.assertGreater(report.iterations["quarks_rational_1"], 0)
        with self.assertRaisesRegex(ValueError, "one pseudofermion"):
            plaq.HMC(self.gauge, seed=3, beta=5.5, quarks={**QUARKS, "pseudofermions": [2]}, steps=[2, 2], twists=[0.3])

    def test_staggered_quarks(self):
        """Joint masses with a heavy one, and HISQ quarks where a rank has enough slices."""
        quarks = {"type": "staggered", "masses": [0.2, 0.5], "flavours": [2, 1]}
        keys = {"seed": 3, "beta": 5.5, "rational": {"tolerance": 1e-5}, "steps": [2, 2], "length": 0.2, "heavier_masses": [1.2]}
        chain = plaq.HMC(self.gauge, quarks=quarks, joint_masses=True, **keys)
        self.assertEqual(chain.terms, ["quarks_rational_1", "quarks_ratio_1", "gauge"])
        self.assertLess(abs(chain.check_force("quarks_ratio_1")), 1e-5)
        self.assertLess(abs(chain.trajectory().delta_h), 1)
        with self.assertRaisesRegex(ValueError, "'epsilons' of quarks: needs type"):
            plaq.HMC(self.gauge, quarks={**quarks, "epsilons": [0, 0.1]}, **keys)
        if support.RANKS > 1:
            return
        quarks = {**quarks, "type": "hisq", "epsilons": [0.0, -0.1]}
        chain = plaq.HMC(self.gauge, quarks=quarks, force_filter=1e-6, **keys)
        for term in chain.terms:
            self.assertLess(abs(chain.check_force(term)), 1e-5, term)

    def test_domain_wall_quarks(self):
        quarks = {"type": "domain_wall", "variant": "moebius", "n_s": 2, "b5": 1.5, "c5": 0.5, "masses": [0.2, 0.4], "flavours": [2, 1]}
        chain = plaq.HMC(self.gauge, quarks=quarks, one_flavour="exact", heavier_masses=[0.6], seed=3, beta=5.5, steps=[2, 2], length=0.2)
        self.assertEqual(chain.terms, ["quarks_1", "quarks_1_ratio_1", "quarks_2_exact", "gauge"])
        self.assertLess(abs(chain.check_force("quarks_2_exact")), 1e-5)
        self.assertLess(abs(chain.trajectory().delta_h), 1)

    def test_a_report(self):
        chain = plaq.HMC(self.gauge, seed=3, beta=5.5, quarks=QUARKS, twists=[0.3], steps=[2, 2], length=0.3)
        self.assertEqual(chain.terms, ["quarks", "quarks_ratio_1", "quarks_determinant", "gauge"])
        report = chain.trajectory(check_reversibility=True)
        self.assertEqual(list(report.energies), ["kinetic", *chain.terms])
        self.assertAlmostEqual(sum(end - start for start, end in report.energies.values()), report.delta_h, places=8)
        self.assertEqual(list(report.iterations), chain.terms)
        self.assertGreater(report.iterations["quarks"], 0)
        self.assertEqual(report.iterations["gauge"], 0)
        self.assertGreater(report.seconds["force_gauge"], 0)
        self.assertGreater(report.seconds["solves_quarks"], 0)
        self.assertEqual(report.seconds["setups"], 0)
        self.assertLess(report.reversibility["links"], 1e-10)
        self.assertLess(report.reversibility["energy"], 1e-6)
        self.assertGreater(report.forces["gauge"]["count"], report.forces["quarks"]["count"])
        self.assertGreater(report.forces["gauge"]["largest"], report.forces["gauge"]["rms"])
        self.assertIsNone(report.failure)
        back = pickle.loads(pickle.dumps(report))
        for name in ("trajectory", "delta_h", "acceptance", "accepted", "energies", "forces", "iterations", "seconds", "reversibility",
                     "failure"):
            self.assertEqual(getattr(back, name), getattr(report, name), name)
        self.assertIs(copy.deepcopy(report), report)
        with self.assertRaisesRegex(TypeError, "write its gauge"):
            pickle.dumps(chain)
        failed = plaq.HMC(self.gauge, seed=3, beta=5.5, quarks=QUARKS, steps=[2, 2], solver={"max_iterations": 1})
        report = failed.trajectory()
        self.assertFalse(report.accepted)
        self.assertIn("iterations", report.failure)
        self.assertTrue(support.same_bits(failed.gauge.array(), self.gauge.array()))
        with self.assertRaisesRegex(plaq.NotConverged, "iterations"):
            failed.force("quarks")

    def test_forces_and_actions(self):
        chain = plaq.HMC(self.gauge, seed=3, beta=5.5, quarks={**QUARKS, "flavours": [3 if support.RANKS < 3 else 2]}, steps=[1, 1],
                         rational={"tolerance": 1e-5} if support.RANKS < 3 else None)
        mine = Plaquettes(self.lattice, 5.5)
        self.assertAlmostEqual(chain.action("gauge"), plaq.HMC(self.gauge, seed=1, beta=0.0, steps=[1], terms=[mine])
                               .action("mine"), places=8)
        m = mine.force(self.gauge)
        a = (m - dagger(m)) / 2
        a -= trace(a)[..., None, None] / 3 * numpy.eye(3)
        force = chain.force("gauge", "lexicographic")
        self.assertLess(abs(force - a).max(), 1e-12)
        even_odd = self.gauge.copy()
        even_odd.set(chain.force("gauge"))
        self.assertTrue(support.same_bits(even_odd.array("lexicographic"), force))
        for term in chain.terms:
            self.assertLess(abs(chain.check_force(term)), 1e-6, term)
        with self.assertRaisesRegex(plaq.UsageError, "no term quark; the terms are quarks, quarks_"):
            chain.action("quark")


class OwnTerms(unittest.TestCase):
    def setUp(self):
        self.lattice = support.lattice(EXTENTS)
        self.gauge = plaq.random_gauge(self.lattice, seed=4).smear("stout", steps=8, rho=0.1)

    def chain(self, terms, beta=0.0, **keys):
        return plaq.HMC(self.gauge, **{"seed": 5, "beta": beta, "steps": [6], "length": 0.6, "terms": terms, **keys})

    def test_a_share_of_the_gauge_action(self):
        whole = plaq.HMC(self.gauge, seed=5, beta=5.6, steps=[6], length=0.6).trajectory()
        for beta, summed, order in ((2.0, False, "lexicographic"), (5.6, True, "even-odd"), (1.0, False, "field")):
            chain = self.chain([Plaquettes(self.lattice, beta, "mine", summed, order)], 5.6 - beta)
            self.assertEqual(chain.terms, ["gauge", "mine"])
            report = chain.trajectory(check_reversibility=True)
            self.assertLess(abs(report.delta_h - whole.delta_h), 1e-10 * abs(whole.energies["gauge"][0]))
            self.assertLess(report.reversibility["links"], 1e-11)
            self.assertLess(abs(chain.check_force("mine")), 1e-9)

    def test_bits_do_not_depend_on_the_ranks(self):
        term = Plaquettes(self.lattice, 2.0)
        chain = self.chain([term], 3.6)
        alone = support.lattice_alone(EXTENTS)
        gauge = plaq.random_gauge(alone, seed=4).smear("stout", steps=8, rho=0.1)
        other = plaq.HMC(gauge, seed=5, beta=3.6, steps=[6], length=0.6, terms=[Plaquettes(alone, 2.0)])
        for _ in range(2):
            report, found = chain.trajectory(), other.trajectory()
            self.assertEqual(report.energies, found.energies)
            self.assertEqual(report.forces, found.forces)
        self.assertTrue(support.same_bits(support.whole(chain.gauge), other.gauge.array("lexicographic")))

    def test_a_time_scale_of_its_own(self):
        term = Plaquettes(self.lattice, 1.0)
        chain = self.chain([term], 4.6, time_scales=["mine", "gauge"], steps=[2, 3], integrators=["leapfrog", "omelyan4"])
        self.assertEqual(chain.terms, ["mine", "gauge"])
        report = chain.trajectory()
        self.assertEqual(term.calls, 3)
        self.assertEqual(report.forces["mine"]["count"], 3)

    def test_a_wrong_force_is_found(self):
        class Wrong(Plaquettes):
            def force(self, links):
                return 1.01 * super().force(links)

        self.assertAlmostEqual(self.chain([Wrong(self.lattice, 1.0)]).check_force("mine"), 0.01, places=6)

    def test_pseudofermions_are_drawn(self):
        class Noise(Plaquettes):
            drawn = ()

            def draw(self, links, seed, trajectory):
                self.drawn += ((links.plaquette, seed, trajectory),)

        term = Noise(self.lattice, 1.0)
        chain = self.chain([term], 4.6)
        chain.trajectory()
        chain.trajectory()
        self.assertEqual([one[1:] for one in term.drawn], [(5, 0), (5, 1)])
        self.assertEqual(term.drawn[0][0], self.gauge.plaquette)

    def test_exceptions_come_out(self):
        class Stop(Exception):
            pass

        class Failing(Plaquettes):
            last = 3

            def force(self, links):
                if self.calls == self.last:
                    raise Stop("enough")
                return super().force(links)

        term = Failing(self.lattice, 1.0)
        chain = self.chain([term], 4.6)
        with self.assertRaisesRegex(Stop, "enough"):
            chain.trajectory()
        self.assertTrue(support.same_bits(chain.gauge.array(), self.gauge.array()))
        self.assertEqual(chain.trajectories, 0)
        term.last = -1
        again = chain.trajectory()
        self.assertEqual(again.delta_h, self.chain([Plaquettes(self.lattice, 1.0)], 4.6).trajectory().delta_h)

    def test_an_exception_of_one_rank_is_one_of_all(self):
        class Failing(Plaquettes):
            def force(self, links):
                found = super().force(links)
                if support.RANK == support.RANKS - 1:
                    raise KeyError("nothing here")
                return found

        chain = self.chain([Failing(self.lattice, 1.0)])
        with self.assertRaises(KeyError if support.RANK == support.RANKS - 1 else plaq.UsageError) as raised:
            chain.trajectory()
        if support.RANK < support.RANKS - 1:
            self.assertIn(f"force() of the term mine: rank {support.RANKS - 1} raised KeyError: 'nothing here'", str(raised.exception))
        self.assertTrue(support.same_bits(chain.gauge.array(), self.gauge.array()))

    @support.alone
    def test_ctrl_c(self):
        class Slow(Plaquettes):
            def force(self, links):
                if self.calls == 2:
                    os.kill(os.getpid(), signal.SIGINT)
                return super().force(links)

        term = Slow(self.lattice, 1.0)
        chain = self.chain([term], 4.6)
        with self.assertRaisesRegex(plaq.Stopped, "after 0 trajectories"):
            chain.trajectory()
        self.assertLess(term.calls, 6)
        self.assertTrue(support.same_bits(chain.gauge.array(), self.gauge.array()))

    @support.alone
    def test_from_another_thread(self):
        found = []
        chain = self.chain([Plaquettes(self.lattice, 1.0)], 4.6)
        thread = threading.Thread(target=lambda: found.append(chain.trajectory().delta_h))
        thread.start()
        thread.join()
        self.assertEqual(found, [self.chain([Plaquettes(self.lattice, 1.0)], 4.6).trajectory().delta_h])


class Mistakes(unittest.TestCase):
    def setUp(self):
        self.lattice = support.lattice(EXTENTS)
        self.gauge = plaq.unit_gauge(self.lattice)

    def test_settings(self):
        def make(**keys):
            return plaq.HMC(self.gauge, **{"seed": 1, "beta": 5.5, "steps": [2], **keys})

        for keys, text in (({"beta": None}, "missing argument 'beta'"),
                           ({"steps": None}, "missing argument 'steps'"),
                           ({"stepz": [3]}, "unknown argument 'stepz'; did you mean 'steps'"),
                           ({"length": -1.0}, "argument 'length'"),
                           ({"steps": [2, 2]}, "argument 'steps': found 2 numbers for 1 time scales"),
                           ({"integrators": ["euler"]}, "argument 'integrators'"),
                           ({"twists": [0.1]}, "argument 'twists': needs quarks: kappa, kappas, mass or masses of quarks"),
                           ({"heavier_kappas": [0.1]}, "argument 'heavier_kappas': needs quarks"),
                           ({"even_odd": "symmetric"}, "argument 'even_odd': needs quarks"),
                           ({"quarks": {"kapa": 0.1}}, "unknown key 'kapa' of quarks; did you mean 'kappa'"),
                           ({"quarks": {"kappa": 0.12, "flavours": [2, 1]}, "steps": [1, 1]},
                            "'flavours' of quarks: found 2 numbers for 1 masses"),
                           ({"quarks": {"kappa": 0.12}, "steps": [1, 1], "rational": {"factors": 2}},
                            "'factors' of rational: needs an odd number of flavours"),
                           ({"quarks": {"kappa": 0.12}, "steps": [1, 1], "solver": {"max_iterations": 0}},
                            "'max_iterations' of solver"),
                           ({"quarks": {"kappa": 0.12}, "steps": [1, 1], "smearing": {"type": "hyp"}},
                            "'type' of smearing: forces of quarks on hyp links are not known"),
                           ({"action": "iwasaki", "c1": 1.0}, "argument 'c1': is read only with action = \"rectangles\""),
                           ({"time_scales": ["gauge quarks"]}, "quarks stands for no term; the terms are gauge")):
            with self.assertRaises(plaq.JobFileError, msg=text) as raised:
                make(**keys)
            self.assertIn(text, str(raised.exception))
        with self.assertRaisesRegex(plaq.UsageError, "argument 'quarks': expected a dict of keys, found 3"):
            make(quarks=3)
        with self.assertRaisesRegex(plaq.UsageError, "trajectories: expected 0 to"):
            make(trajectories=-1)
        with self.assertRaisesRegex(plaq.UsageError, "step: expected above 0"):
            make().check_force("gauge", step=0.0)

    def test_terms(self):
        def make(term, **keys):
            return plaq.HMC(self.gauge, **{"seed": 1, "beta": 5.5, "steps": [2], "terms": [term], **keys})

        for term in (3, object(), Plaquettes):
            with self.assertRaisesRegex(plaq.UsageError, "'terms': expected a list of objects with name, action"):
                make(term)
        with self.assertRaisesRegex(plaq.UsageError, "'terms'"):
            plaq.HMC(self.gauge, seed=1, beta=5.5, steps=[2], terms=Plaquettes(self.lattice, 1.0))
        for name, text in (("gauge", "gauge is a term of plaq"), ("kinetic", "take another name"), ("two words", "no spaces")):
            with self.assertRaisesRegex(plaq.JobFileError, text):
                make(Plaquettes(self.lattice, 1.0, name))
        with self.assertRaisesRegex(plaq.JobFileError, "mine is listed twice"):
            plaq.HMC(self.gauge, seed=1, beta=5.5, steps=[2], terms=2 * [Plaquettes(self.lattice, 1.0)])
        with self.assertRaisesRegex(plaq.JobFileError, "no time scale has the term mine"):
            make(Plaquettes(self.lattice, 1.0), time_scales=["gauge"])

        class Odd(Plaquettes):
            returned = None

            def action(self, links):
                return self.returned

            def force(self, links):
                return self.returned

        term = Odd(self.lattice, 1.0)
        chain = make(term)
        for returned, text in ((None, "real numbers"), ("text", "real numbers"), (1j * numpy.ones(3), "real numbers"),
                               (numpy.complex128(2), "expected a real number, found"), (2j, "real numbers")):
            term.returned = returned
            with self.assertRaisesRegex(plaq.UsageError, r"action\(\) of the term mine: .*" + text):
                chain.action("mine")
        for returned, text in ((None, "expected an array or a GaugeField, found None"), (numpy.ones((4, 3, 3)), "shape"),
                               (plaq.unit_gauge(support.lattice([4, 4, 4, 8])), "different lattices")):
            term.returned = returned
            with self.assertRaisesRegex(plaq.UsageError, r"force\(\) of the term mine: .*" + text):
                chain.force("mine")
        if support.RANKS > 1:
            term.returned = float(support.RANK)
            with self.assertRaisesRegex(plaq.UsageError, "numbers that differ between ranks"):
                chain.action("mine")
            term.returned = 1.0 if support.RANK else numpy.ones(3)
            with self.assertRaisesRegex(plaq.UsageError, "a number on some ranks and an array on others"):
                chain.action("mine")


if __name__ == "__main__":
    support.main()
