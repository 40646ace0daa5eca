"""Result files: what jobs have written, as numbers with errors."""
import numpy

from . import analyse as _analyse
from .analyse.notation import with_error


class Value(float):
    """A number with its error, written as 0.5966(18)."""

    def __new__(cls, value, error):
        made = super().__new__(cls, value)
        made.error = float(error)
        return made

    @classmethod
    def of(cls, quantity, settings=None):
        settings = settings or _analyse.Settings()
        return cls(quantity.value, quantity.gamma(settings).error if len(quantity.samples) > 1 else float("nan"))

    @property
    def value(self):
        return float(self)

    def __str__(self):
        return with_error(float(self), self.error)

    def __repr__(self):
        return str(self)


class Values:
    """Numbers with errors at t = 0, 1, ...: `value` and `error` are arrays."""

    def __init__(self, quantities, settings=None):
        found = [Value.of(one, settings) for one in quantities]
        self.value = numpy.array([float(one) for one in found])
        self.error = numpy.array([one.error for one in found])

    def __len__(self):
        return len(self.value)

    def __getitem__(self, t):
        return Value(self.value[t], self.error[t])

    def __iter__(self):
        return (self[t] for t in range(len(self)))

    def __repr__(self):
        return "[" + ", ".join(map(str, self)) + "]"


class Correlator:
    """C(t) on all configurations, averaged over sources and equivalent momenta."""

    def __init__(self, found):
        self.found = found  # of plaq.analyse
        self.channel, self.momentum, self.sink = found.channel, found.momentum, found.sink

    @property
    def samples(self):
        """[configuration][t]"""
        return self.found.samples

    def mean(self):
        """C(t) with errors."""
        return Values(_analyse.quantities(self.samples, lambda c: c, self.found.chains))

    def effective_mass(self):
        """a m(t) of slices t and t + 1, up to the middle of the lattice; NaN where there is none."""
        return Values(self.found.effective_masses())

    def mass(self, **choice):
        """a m of fits, averaged over windows. states = (1, 2), kind = "correlated": as `plaq analyse` has them."""
        return Value.of(self.found.mass(_analyse.Choice(**choice)).quantity)

    def __repr__(self):
        return f"<correlator {self.found.name()}: {len(self.samples)} configurations, T = {self.found.extent()}>"


class Results:
    """One or more result files of a job, taken together."""

    def __init__(self, paths):
        self.paths = [str(path) for path in paths]
        found = _analyse.ensembles(self.paths)
        if len(found) != 1:
            raise ValueError(f"{', '.join(self.paths)}: results of {len(found)} jobs; load them one by one")
        self.ensemble = found[0]
        self.job, self.job_type = self.ensemble.job, self.ensemble.job_type

    def correlators(self):
        """All of them."""
        return [Correlator(one) for one in _analyse.correlators(self.ensemble)]

    def correlator(self, channel, momentum=(0, 0, 0), sink=""):
        """One of them; `sink` need not be said where there is one."""
        # Of all channels: a proton is averaged with its partner of negative parity.
        choice = _analyse.Choice(momentum=tuple(momentum), sink=sink)
        every = _analyse.correlators(self.ensemble, choice)
        found = [one for one in every if one.channel == channel]
        if len(found) != 1:
            known = ", ".join(sorted({one.found.name() for one in self.correlators()})) or "none"
            raise KeyError(f"{channel} p={momentum} {sink}: {len(found)} correlators; there are: {known}")
        return Correlator(found[0])

    def values(self):
        """All numbers that `plaq analyse` finds, by name."""
        return {result.name: Value.of(result.quantity) for block in _analyse.analyse(self.paths)
                for result in block.results}

    def dataset(self, name):
        """[configuration]... of a dataset of the file, as docs/result-files.md has them."""
        return self.ensemble.column(name)

    def __repr__(self):
        return f"<{self.job_type} results: {', '.join(self.paths)}>"


def load(*paths):
    """Result files of one job."""
    return Results(paths)
