"""What there is to draw in a result file of plaq (layout: docs/result-files.md)."""
import contextlib

import numpy

from ..analysis.results import NotAResult, ensembles, text

__all__ = ["NotAResult", "column", "open_result", "text"]


@contextlib.contextmanager
def open_result(path):
    """The ensemble of one file."""
    ensemble = ensembles([path])[0]
    with ensemble.files[0].file:
        yield ensemble


def column(file, name):
    """A dataset as an array, or None."""
    return numpy.asarray(file[name]) if name in file else None
