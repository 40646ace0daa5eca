"""Figures of result files of plaq: plaq plot. Needs h5py, numpy and matplotlib.

    from plaq.plots import Wanted, all_figures, open_result
    with open_result("pion.h5") as ensemble:
        for name, figure, numbers in all_figures(ensemble, Wanted()):
            figure.savefig(f"{name}.pdf")
"""
from ..analysis.results import open_result
from .correlator_data import Wanted
from .figures import all_figures
