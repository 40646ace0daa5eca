"""Numbers with errors of result files of plaq (docs/analysis.md).

    from plaq.analysis import analyse
    for block in analyse(["pion.h5"]):
        for result in block.results:
            print(result.name, result.quantity.value, result.quantity.gamma().error)
"""
from .all_mode import all_mode_average, all_mode_blocks, best_weight
from .analysis import Request, analyse
from .blinding import Blinding, BlindingError
from .blocks import Block, Result
from .chains import ChainError, Chains
from .chosen_window import WindowError
from .correlators import Choice, Correlator, correlators
from .covariance import Covariance, covariance, covariance_of_correlator
from .derived import Derived, DerivedError, derived
from .effective_mass import effective_mass
from .export import ExportError, export
from .extrapolation import Extrapolation, LibraryMissing, ensemble_point, extrapolate
from .fit import FitError
from .fit_numbers import Number, amplitude, correlation_with_mass, number_of
from .four_quark import FourQuarkVertex, four_quark_vertices
from .gamma import GammaError, GammaSettings, gamma_error
from .gevp import EigenvalueProblem, principal_correlators
from .jackknife import jackknife
from .matrix_elements import MatrixElements, matrix_elements
from .potential import lattice_coulomb, wilson_loops
from .quantities import Quantity, Settings, mean_of, quantities, quantity
from .results import Ensemble, NotAResult, ensembles, open_result
from .three_point import ThreePoint, summation
from .three_point_data import three_points
from .vertices import Vertex, vertices
from .weights import Weights, WeightsError, read_weights
from .windows import Averaged, Data, Window, scan
