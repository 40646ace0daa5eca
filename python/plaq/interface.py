"""What the package plaq has by its compiled part, the extension _plaq."""
from ._plaq import (HMC, DeviceArray, Dirac, Field, FixedGauge, FixingCheck, Flow, FlowPoint, GammaMatrix, GaugeField,
                    GaugeTransformation, GaussianSmearing, HeatbathChain, LaplacianModes, Lattice, LinearOperator,
                    LowModePropagators, LowModes, QuarkField, SolveReport, Solver, TrajectoryReport, baryon,
                    baryon_elementals, corner_wall_source, covariant_derivative, covariant_shift, discretisations,
                    even_wall_source, fft, four_quark_vertices, gamma, gamma5, gauge_extents, gaussian_source,
                    generalised_perambulators, ghost_propagator, gluon_propagator, grid_source, identity, job_types,
                    krylov, laplacian_modes, low_modes, meson, meson_elementals, momentum_propagator, momentum_sums,
                    noise_seed, noise_source, path_product, perambulator, plan, point_source, polyakov_correlators,
                    quark_field, quark_loops, quark_propagator, quark_vertices, random_gauge, read_gauge,
                    read_laplacian_modes, read_low_modes, read_quarks, read_transformation, residual_mass, run, schema,
                    sequential_source, set_log, shift, source_positions, stochastic_perambulator, symmetric_shift,
                    taste_mesons, three_point, unit_gauge, version, volume_momentum_source, wall_source, wilson_loops,
                    write_quarks)
from .errors import (CommunicationError, DeviceError, Error, Incomplete, InputFileError, InternalError, JobFileError,
                     NotConverged, OutputFileError, Stopped, UsageError)
from .operators import Asqtad, Clover, DomainWall, Hisq, Staggered, Wilson, matrix, solve
from . import signatures as _signatures

_signatures.expose(globals())
__version__ = version()
__all__ = [name for name in dir() if not name.startswith("_")]
