"""Hybrid Monte Carlo with a term of its own: Polyakov loops P that a double trace keeps small,

    S = h sum_x |tr P(x)|^2,   x in space

(Myers, Ogilvie, Phys. Rev. D 77 (2008) 125030; Unsal, Yaffe, Phys. Rev. D 78 (2008) 065035), beside the Wilson gauge
action where it is deconfined. Run it by `python double_trace.py`, or on several ranks by
`mpirun -np 2 python -m mpi4py double_trace.py`.

It prints

    h = 0.0: 30 of 30 accepted, <|P|> = 0.5244, the force is right: True
    h = 0.2: 30 of 30 accepted, <|P|> = 0.2975, the force is right: True
"""
import numpy as np

import plaq


class DoubleTrace:
    name = "double_trace"

    def __init__(self, h):
        self.h = h

    def loops(self, links):
        """Products of the links around the lattice in time from each site of this rank, [parity][t][z][y][x/2][row][column]."""
        return np.asarray(plaq.path_product(links, [(3, links.lattice.extents[3])]))[0]

    def action(self, links):
        """A number for each site of this rank: plaq adds them up. The loop at x has one of them in each time slice."""
        trace = np.trace(self.loops(links), axis1=-2, axis2=-1)
        return self.h * abs(trace)**2 / links.lattice.extents[3]

    def force(self, links):
        """M = -h (tr P)^* P for links in time: a variation T of a link changes S by 2 h Re (tr P)^* tr(T P) = -2 Re tr(T M)."""
        loops = self.loops(links)
        matrices = np.zeros((4, *loops.shape), complex)
        matrices[3] = -self.h * np.trace(loops, axis1=-2, axis2=-1).conj()[..., None, None] * loops
        return matrices


def main():
    lattice = plaq.Lattice([8, 6, 6, 2], location="host")
    for h in (0.0, 0.2):
        chain = plaq.HMC(plaq.unit_gauge(lattice), seed=1, beta=5.5, terms=[DoubleTrace(h)],
                         time_scales=["gauge double_trace"], steps=[8], integrators=["omelyan4"])
        loops, accepted = [], 0
        for number in range(30):
            report = chain.trajectory(always_accept=number < 5)
            accepted += report.accepted
            if number >= 10:
                loops.append(abs(chain.gauge.polyakov_loop))
        right = h == 0 or abs(chain.check_force("double_trace")) < 1e-8
        if lattice.rank == 0:
            print(f"h = {h}: {accepted} of 30 accepted, <|P|> = {np.mean(loops):.4f}, the force is right: {right}")


if __name__ == "__main__":
    main()
