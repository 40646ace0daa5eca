"""What is found in an ensemble: named results with errors, facts and notes."""
from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

from .arrays import Array
from .chains import Chains
from .covariance import Covariance, covariance
from .quantities import Quantity, Settings
from .windows import Averaged

if TYPE_CHECKING:
    from .correlators import Correlator
    from .results import Ensemble


@dataclasses.dataclass
class Result:
    name: str
    quantity: Quantity
    unit: str = ""
    averaged: Averaged | None = None  # of fits
    systematic: float = 0.0  # of numbers that are made of fits; 0: of others
    other_error: float = 0.0  # of what is taken from elsewhere, such as a scale

    def errors(self, settings: Settings = Settings()) -> list[float]:
        """The statistical error, then that of the choice of windows and that of a scale where there are such."""
        found = [self.quantity.gamma(settings).error]
        if (self.averaged and not (self.averaged.chosen and len(self.averaged.windows) == 1)) or self.systematic:
            found.append(self.systematic_error())
        return found + ([self.other_error] if self.other_error else [])

    def systematic_error(self) -> float:
        """The spread between windows, of the fit or of the fits that the number is made of; 0: of other numbers."""
        return self.averaged.systematic if self.averaged else self.systematic


@dataclasses.dataclass
class Table:
    """Quantities by momentum, by time or the like."""

    name: str
    labels: list[dict[str, Any]]  # of each row: {name: number, list or text}
    columns: dict[str, list[Quantity]] = dataclasses.field(default_factory=dict)  # title: quantities, one a row
    units: dict[str, str] = dataclasses.field(default_factory=dict)
    plain: dict[str, list[float]] = dataclasses.field(default_factory=dict)  # title: numbers without errors
    shown: Array | None = None  # of each row whether users see it; None: all

    def add(self, title: str, found: list[Quantity], unit: str = "") -> None:
        self.columns[title], self.units[title] = found, unit


@dataclasses.dataclass
class Block:
    ensemble: Ensemble
    chains: Chains | None = None
    results: list[Result] = dataclasses.field(default_factory=list)
    effective: dict[str, list[Quantity]] = dataclasses.field(default_factory=dict)  # name of a result: its quantities, [t]
    correlators: list[Correlator] = dataclasses.field(default_factory=list)
    tables: list[Table] = dataclasses.field(default_factory=list)
    facts: list[tuple[str, str]] = dataclasses.field(default_factory=list)  # (name, text)
    notes: list[str] = dataclasses.field(default_factory=list)
    warnings: list[str] = dataclasses.field(default_factory=list)  # what is wrong with the ensemble, and what to do

    def add(self, name: str, quantity: Quantity, unit: str = "", **more: Any) -> None:
        self.results.append(Result(name, quantity, unit, **more))

    def covariance(self, settings: Settings = Settings()) -> Covariance:
        """That of all results that have errors, by their names."""
        return covariance({one.name: one.quantity for one in self.results
                           if math.isfinite(one.quantity.gamma(settings).error)}, settings)

    def is_empty(self) -> bool:
        return not (self.results or self.facts or self.correlators or self.tables)
