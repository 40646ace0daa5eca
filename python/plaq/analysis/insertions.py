"""Operators on a quark line of three-point functions, and what symmetries leave of them in a hadron.

Three symmetries hold on average over gauge fields:

- Reflections of axes along which nothing moves. A function that changes its sign vanishes.
- Complex conjugation of the links with the reflection of all other axes. A function is real, or imaginary.
- At q = 0 hermiticity: far from source and sink the function is the element of an operator O between equal states, and O^dagger = O or
  -O. If it is real by the one and imaginary by the other, it vanishes.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence

REAL, IMAGINARY = 0, 1
LOCAL, CONSERVED, DERIVATIVE, LINE = "three_point", "conserved", "derivative", "wilson_line"  # groups of result files
GROUPS = (LOCAL, CONSERVED, DERIVATIVE, LINE)
AXES = "xyz"


@dataclasses.dataclass(frozen=True)
class Operator:
    """An operator but for its Gamma."""

    group: str = LOCAL
    directions: str = ""  # of the derivatives, or of a Wilson line
    length: int = 0  # of a Wilson line
    odd: bool = False  # of a Wilson line: half the difference of z = length and z = -length; else half their sum

    def __str__(self) -> str:
        """In front of the name of a Gamma."""
        if self.group == LOCAL:
            return ""
        if self.group == LINE:
            return f"{self.group} {self.directions} {self.length}{' odd' if self.odd else ''} "
        return f"{self.group} {self.directions} " if self.directions else f"{self.group} "

    def path(self, insertion: str, gamma: str) -> str:
        """The group of its momenta in a result file."""
        return "/".join(filter(None, (self.group, insertion, self.directions, gamma)))

    def reach(self) -> tuple[int, int]:
        """Slices that it takes before its own, and behind it."""
        if self.group == CONSERVED:
            return 0, 1
        in_time = self.length if self.group == LINE and self.directions == "t" else self.word().count("t")
        return in_time, in_time

    def is_between_slices(self) -> bool:
        """Whether it is at t + 1/2."""
        return self.group == CONSERVED

    def word(self) -> str:
        """Directions of derivatives with its symmetries."""
        return self.directions * (1 if self.odd else 2) if self.group == LINE else self.directions

    def part(self, gamma: str, polarized: bool, sink: Sequence[int], q: Sequence[int]) -> int | None:
        """REAL or IMAGINARY, of momenta p' of the sink and q of the operator; None: it vanishes. Phases of q count at the place of the
        operator, for conserved currents between two sites."""
        word, moving = self.word(), [i for i in range(3) if sink[i] or q[i]]
        signs = [_reflected(gamma, axis) * (-1)**word.count(axis) * (-1 if polarized and axis != "z" else 1) for axis in AXES]
        if any(signs[i] < 0 for i in range(3) if i not in moving):
            return None
        conjugated = (-1)**(polarized + gamma.startswith("tensor"))
        for i in moving:
            conjugated *= signs[i]
        found = REAL if conjugated > 0 else IMAGINARY
        if not any(q) and word == word[::-1]:
            adjoint = _adjoint(gamma) * (-1)**sum(letter != "t" for letter in word)
            if (adjoint > 0) != (found == REAL):
                return None
        return found


def _reflected(gamma: str, axis: str) -> int:
    """The sign of qbar Gamma q where an axis is reflected."""
    kind, _, directions = gamma.partition("_")
    return (-1)**((axis in directions) + (kind in ("axial", "pseudoscalar")))


def _adjoint(gamma: str) -> int:
    """+1 for a hermitian qbar Gamma q, -1 for an antihermitian one: gamma_t Gamma^dagger gamma_t = +-Gamma."""
    kind, _, directions = gamma.partition("_")
    if kind in ("vector", "axial"):
        return 1 if directions == "t" else -1
    if kind == "tensor":
        return -1 if "t" in directions else 1
    return -1 if kind == "pseudoscalar" else 1


def stored(members: Callable[[str], Iterable[str]]) -> Iterator[tuple[str, Operator, str]]:
    """Insertion, operator and Gamma of all groups of momenta of a result file, where members(path) are the names in a group."""
    for group in GROUPS:
        for insertion in members(group):
            for directions in members(f"{group}/{insertion}") if group in (DERIVATIVE, LINE) else ("",):
                operator = Operator(group, directions)
                yield from ((insertion, operator, gamma) for gamma in members(operator.path(insertion, "")))
