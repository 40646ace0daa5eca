"""Numbers with errors, whose arithmetic is that of the package uncertainties: linear propagation with correlations.

A number that was measured on gauge fields depends on one variable for each field, which all numbers of that field share.
So a ratio of two masses of one ensemble has the error of the ratio.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy
from uncertainties import UFloat, ufloat
from uncertainties.core import LinearCombination

from . import analysis as _analysis
from .analysis.arrays import Array
from .analysis.notation import with_error

if TYPE_CHECKING:
    from .analysis.chains import Chains
    from .analysis.quantities import Quantity, Settings
    from .analysis.results import Ensemble
    from .analysis.windows import Averaged

Field = str | tuple[str, int, int]  # names a gauge field

_variables: dict[Field, Any] = {}  # of a gauge field: mean 0 and error 1


def _variable(field: Field) -> Any:
    if field not in _variables:
        _variables[field] = ufloat(0.0, 1.0)
    return _variables[field]


class Value(UFloat):
    """A number with its error, written as 0.5966(18): an UFloat of the package uncertainties.

    Sums, products and powers are Values, too; functions are those of uncertainties.umath. float() of it is a TypeError:
    `value` and `error` are numbers (`nominal_value` and `std_dev` of uncertainties). Values are ordered by `value`.
    """

    fit: Averaged | None = None  # where the number came from a fit: its windows, chi2_per_freedom() and p_value()

    def __init__(self, value: Any, error: float | None = None) -> None:
        """Independent of all others; without an error the number `value` of uncertainties itself."""
        if error is None and not isinstance(value, UFloat):
            raise TypeError(f"Value: expected value and error, or a number of uncertainties, found {value!r}")
        parts = dict(value.derivatives) if error is None else {ufloat(0.0, 1.0): float(error)} if error != 0 else {}
        super().__init__(getattr(value, "nominal_value", value), LinearCombination(parts))

    @classmethod
    def of(cls, quantity: Quantity, settings: Settings | None = None, fields: Sequence[Field] | None = None) -> Value:
        """A quantity of plaq.analysis with the error of the gamma method. Its correlations are those of the fluctuations on
        `fields`, a name for each configuration."""
        error = quantity.gamma(settings or _analysis.Settings()).error if len(quantity.samples) > 1 else math.nan
        made = cls(quantity.value, error)
        if fields is None or not math.isfinite(error) or error == 0:
            return made
        moved: dict[Field, float] = {}
        for field, fluctuation in zip(fields, quantity.fluctuations):
            moved[field] = moved.get(field, 0.0) + float(fluctuation)
        scale = error / math.sqrt(math.fsum(one * one for one in moved.values()))
        parts = {_variable(field): scale * one for field, one in moved.items() if one != 0}
        UFloat.__init__(made, quantity.value, LinearCombination(parts))
        return made

    @property
    def value(self) -> float:
        """The number, a float."""
        return self.nominal_value

    @property
    def error(self) -> float:
        """One standard deviation."""
        return float(self.std_dev)

    def __abs__(self) -> Value:
        return self if self.value >= 0 else -self

    def __copy__(self) -> Value:
        return self  # nothing changes it, and a copy depends on the same variables

    def __deepcopy__(self, memo: Any) -> Value:
        return self

    def __str__(self) -> str:
        return with_error(self.value, self.error)

    def __repr__(self) -> str:
        return str(self)

    def __format__(self, spec: str) -> str:
        return super().__format__(spec) if spec else str(self)


def _as_value(name: str) -> Callable[..., Any]:
    of_uncertainties = getattr(UFloat, name)

    def operation(*operands: Any) -> Any:
        found = of_uncertainties(*operands)
        return Value(found) if isinstance(found, UFloat) else found

    operation.__name__, operation.__doc__ = name, of_uncertainties.__doc__
    return operation


def _by_value(name: str) -> Callable[..., bool]:
    of_floats = getattr(float, name)

    def comparison(self: Value, other: Any) -> bool:
        return of_floats(self.value, float(getattr(other, "nominal_value", other)))

    comparison.__name__, comparison.__doc__ = name, of_floats.__doc__
    return comparison


for _operation in ("__lt__", "__le__", "__gt__", "__ge__"):
    setattr(Value, _operation, _by_value(_operation))
for _name in ("add", "sub", "mul", "truediv", "pow"):
    for _operation in (f"__{_name}__", f"__r{_name}__"):
        setattr(Value, _operation, _as_value(_operation))
for _operation in ("__neg__", "__pos__"):
    setattr(Value, _operation, _as_value(_operation))


class Values:
    """Numbers with errors at t = 0, 1, ...: `value` and `error` are arrays, elements and iteration give Values."""

    def __init__(self, quantities: Iterable[Quantity], settings: Settings | None = None,
                 fields: Sequence[Field] | None = None) -> None:
        self._quantities, self._settings, self._fields = list(quantities), settings, fields
        self._found: dict[int, Value] = {}
        self.value = numpy.array([one.value for one in self._quantities])
        self.error = numpy.array([self[t].error for t in range(len(self))])

    def __len__(self) -> int:
        return len(self._quantities)

    def __getitem__(self, t: Any) -> Any:
        if isinstance(t, slice):
            return [self[i] for i in range(*t.indices(len(self)))]
        quantity = self._quantities[t]
        if id(quantity) not in self._found:
            self._found[id(quantity)] = Value.of(quantity, self._settings, self._fields)
        return self._found[id(quantity)]

    def __iter__(self) -> Iterator[Value]:
        return (self[t] for t in range(len(self)))

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        numbers = numpy.empty(len(self), dtype=object)
        numbers[:] = list(self)
        return numbers if dtype is None else numbers.astype(dtype)

    def __repr__(self) -> str:
        return "[" + ", ".join(map(str, self)) + "]"


def fields_of(ensemble: Ensemble, chains: Chains) -> list[Field]:
    """A name for the gauge field of each configuration in the order of `chains`: its checksum where results have it."""
    checksums = ensemble.checksums()
    known = checksums if len(checksums) == len(chains) else [""] * len(chains)
    return [known[row] or (ensemble.name(), int(replica), int(number))
            for row, replica, number in zip(chains.order, chains.replica, chains.number)]
