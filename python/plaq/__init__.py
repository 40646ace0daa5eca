"""plaq: lattice QCD on many GPUs, and on machines without one.

    import plaq
    lattice = plaq.Lattice([8, 8, 8, 16])
    U = plaq.read_gauge("field.lime", lattice)
    D = plaq.Clover(U, kappa=0.1345, c_sw=1.769)
    q = plaq.solve(D, plaq.point_source(lattice, (0, 0, 0, 0)), tolerance=1e-10)
    C = plaq.meson(q, "pion")

Under mpirun pass comm=MPI.COMM_WORLD of mpi4py to Lattice. What works on fields is collective: all ranks call it. Start
such programs by `mpirun -np N python -m mpi4py program.py`: an exception of one rank then ends all of them.
"""
import os as _os

# The folder share/plaq of this installation, where the program has its Python: analyse is a part of this package, too.
__path__.extend(path for path in (_os.path.normpath(_os.path.join(__path__[0], up, "share/plaq"))
                                  for up in (".", "../..", "../../..")) if _os.path.isdir(path))

from . import analyse
from ._plaq import (DeviceArray, Dirac, Field, FixedGauge, FixingCheck, Flow, FlowPoint, GammaMatrix, GaugeField,
                    GaugeTransformation, GaussianSmearing, HeatbathChain, Lattice, LinearOperator, LowModes,
                    QuarkField, SolveReport, Solver, baryon, corner_wall_source, covariant_derivative,
                    covariant_shift, discretisations, fft, gamma, gamma5, gauge_extents, gaussian_source,
                    ghost_propagator, gluon_propagator, identity, job_types, krylov, low_modes, meson, momentum_sums,
                    noise_source, path_product, plan, point_source, quark_field, quark_loops, quark_propagator,
                    random_gauge, read_gauge, read_low_modes, read_quarks, read_transformation, residual_mass, run,
                    schema, set_log, shift, three_point, unit_gauge, version, wall_source, wilson_loops, write_quarks)
from .errors import (CommunicationError, DeviceError, Error, Incomplete, InputFileError, InternalError, JobFileError,
                     NotConverged, OutputFileError, Stopped, UsageError)
from .operators import Asqtad, Clover, DomainWall, Hisq, Staggered, Wilson, matrix, solve
from .results import Correlator, Results, load
from .values import Value, Values
from . import signatures as _signatures

_signatures.expose(globals())
__version__ = version()
__all__ = [name for name in dir() if not name.startswith("_")]
