"""Matrices of correlators of several operators, as result files have them: of smearings, and of interpolators of one hadron."""
from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .correlators import Choice, Correlator, correlators, split_channel

if TYPE_CHECKING:
    from .results import Ensemble

Operator = tuple[int, str]  # number of the interpolator, and how its quarks are smeared
SMEARING = "quark_smearing"


def source_kind(ensemble: Ensemble) -> str:
    smearing = ensemble.job.get(SMEARING, {})
    return "smeared" if smearing.get("source") and smearing.get("steps", 0) else "point"


def pairs(found: list[Ensemble]) -> list[tuple[Ensemble, Ensemble]]:
    """(point, smeared): ensembles of jobs that differ in the smearing of the source alone."""
    made = []
    for i, one in enumerate(found):
        for other in found[i + 1:]:
            keys = [e.files[0].key(((SMEARING, "source"),)) for e in (one, other)]
            if keys[0] is not None and keys[0] == keys[1] and source_kind(one) != source_kind(other):
                made.append((one, other) if source_kind(one) == "point" else (other, one))
    return made


def groups(found: Sequence[Ensemble]) -> list[list[Ensemble]]:
    """Ensembles of jobs that differ in the smearing of quarks alone, those with point sources first."""
    made: dict[object, list[Ensemble]] = {}
    for one in found:
        made.setdefault(one.files[0].key(((SMEARING, None),)) or id(one), []).append(one)
    return [sorted(group, key=source_kind) for group in made.values()]


@dataclasses.dataclass
class OperatorMatrix:
    """The correlators of several operators, [sink][source]; None where only that of sink and source exchanged is there."""

    channel: str
    momentum: tuple[int, ...]
    operators: tuple[str, ...]
    correlators: list[list[Correlator | None]]

    def name(self) -> str:
        return f"{self.channel} p={','.join(map(str, self.momentum))}"


def matrices(group: Sequence[Ensemble], choice: Choice = Choice(), interpolators: bool = True) -> list[OperatorMatrix]:
    """The matrices of two operators or more that ensembles of one group() have, by channel and momentum.

    Operators are the smearings that the channel has at sources and at sinks; with `interpolators` also proton and proton_22, whose
    correlators proton_12 and proton_21 have one at each end. `choice` then chooses operators, by their channel and sink.
    """
    every = Choice(() if interpolators else choice.channels, choice.momentum)
    found: dict[tuple[str, tuple[int, ...]], dict[tuple[Operator, Operator], Correlator]] = {}
    for ensemble in group:
        of_source = _smearing(ensemble, source_kind(ensemble))
        for one in correlators(ensemble, every):
            family, sink, source = _family(one.channel) if interpolators else (one.channel, 1, 1)
            ends = (sink, _smearing(ensemble, one.sink)), (source, of_source)
            found.setdefault((family, one.momentum), {}).setdefault(ends, one)
    made = []
    for (family, momentum), parts in found.items():
        operators = _complete(parts, choice if interpolators else Choice())
        if len(operators) > 1:
            names = tuple(f"{parts[one, one].channel} {parts[one, one].sink}" for one in operators)
            matrix = [[parts.get((sink, source)) for source in operators] for sink in operators]
            made.append(OperatorMatrix(family, momentum, names, matrix))
    return made


def _smearing(ensemble: Ensemble, kind: str) -> str:
    """What tells the smearing of one end from that of others: the same steps are one operator in two jobs."""
    kept = {name: value for name, value in ensemble.job.get(SMEARING, {}).items() if name != "source"}
    return kind if kind == "point" else json.dumps(kept, sort_keys=True)


def _family(channel: str) -> tuple[str, int, int]:
    """("proton.u_d", 1, 2) of "proton_12.u_d": the channel of a matrix, and the interpolators at sink and source."""
    base, quarks = split_channel(channel)
    found = re.fullmatch(r"(.+)_([1-9])([1-9])(_minus)?", base)
    if found is None:
        return channel, 1, 1
    return found[1] + (found[4] or "") + (f".{quarks}" if quarks else ""), int(found[2]), int(found[3])


def _complete(parts: dict[tuple[Operator, Operator], Correlator], choice: Choice) -> list[Operator]:
    """Operators that are chosen and whose correlators with each other are all there, at least one way round."""
    there = [sink for (sink, source), one in parts.items() if sink == source and choice.wants(one.channel, one.sink)]
    operators = sorted(there, key=lambda one: (one[0], one[1] != "point", one[1]))

    def missing(one: Operator) -> int:
        return sum((one, other) not in parts and (other, one) not in parts for other in operators)

    while operators and any(map(missing, operators)):
        operators.remove(max(reversed(operators), key=missing))
    return operators
