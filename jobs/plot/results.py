"""What there is to draw in a result file of plaq (layout: docs/result-files.md)."""
import h5py
import numpy


class NotAResult(Exception):
    pass


def open_results(path):
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise NotAResult(f"{path}: cannot be opened as HDF5: {error}") from error
    if "plaq_version" not in file.attrs:
        raise NotAResult(f"{path}: has no attribute plaq_version: not a result of plaq")
    return file


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def correlators(file):
    """(channel, momentum, sink, dataset) of each correlator, in the file's order."""
    found = []
    group = file.get("correlators")
    if group is None:
        return found
    for channel, momenta in group.items():
        for momentum, sinks in momenta.items():
            for sink, dataset in sinks.items():
                found.append((channel, momentum, sink, dataset))
    return found


def real_correlator(dataset):
    """[configuration][t]: the real part, averaged over the sources of a configuration."""
    values = numpy.asarray(dataset)  # configuration, source, t, (real, imaginary)
    if values.ndim != 4 or values.shape[-1] != 2:
        raise NotAResult(f"{dataset.name}: expected axes configuration, source, t, real/imaginary, "
                         f"found {values.ndim} axes")
    return values[..., 0].mean(axis=1)


def column(file, name):
    """A dataset as an array, or None."""
    return numpy.asarray(file[name]) if name in file else None
