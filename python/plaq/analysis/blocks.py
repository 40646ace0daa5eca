"""What is found in an ensemble: named results with errors, facts and notes."""
import dataclasses
import typing

from .quantities import Quantity, Settings
from .windows import Averaged


@dataclasses.dataclass
class Result:
    name: str
    quantity: Quantity
    unit: str = ""
    averaged: typing.Optional[Averaged] = None  # of fits
    other_error: float = 0.0  # of what is taken from elsewhere, such as a scale

    def errors(self, settings=Settings()):
        """The statistical error, then that of the choice of windows and that of a scale where there are such."""
        found = [self.quantity.gamma(settings).error] + ([self.averaged.systematic] if self.averaged else [])
        return found + ([self.other_error] if self.other_error else [])


@dataclasses.dataclass
class Table:
    """Quantities by momentum, by time or the like."""

    name: str
    labels: list  # of each row: {name: number, list or text}
    columns: dict = dataclasses.field(default_factory=dict)  # title: quantities, one a row
    units: dict = dataclasses.field(default_factory=dict)
    plain: dict = dataclasses.field(default_factory=dict)  # title: numbers without errors
    shown: object = None  # of each row whether people see it; None: all

    def add(self, title, found, unit=""):
        self.columns[title], self.units[title] = found, unit


@dataclasses.dataclass
class Block:
    ensemble: object
    chains: object = None
    results: list = dataclasses.field(default_factory=list)
    effective: dict = dataclasses.field(default_factory=dict)  # name of a result: its quantities, [t]
    correlators: list = dataclasses.field(default_factory=list)
    tables: list = dataclasses.field(default_factory=list)
    facts: list = dataclasses.field(default_factory=list)  # (name, text)
    notes: list = dataclasses.field(default_factory=list)

    def add(self, name, quantity, unit="", **more):
        self.results.append(Result(name, quantity, unit, **more))

    def is_empty(self):
        return not (self.results or self.facts or self.correlators or self.tables)
