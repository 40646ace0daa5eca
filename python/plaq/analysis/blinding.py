"""Blinding: secret factors of correlators, so that nobody aims at an expected number before an analysis is final."""
from __future__ import annotations

import dataclasses
import hashlib
import re
from collections.abc import Iterable, Mapping

WIDTH = 0.1  # factors are within 1 - WIDTH and 1 + WIDTH
EVERY = ""  # stands for all channels and currents that have no name of their own


class BlindingError(ValueError):
    pass


@dataclasses.dataclass(frozen=True)
class Blinding:
    """The names by which correlators are blinded: {channel or current: name}, with EVERY for all others."""

    names: Mapping[str, str]

    def __post_init__(self) -> None:
        for key, name in self.names.items():
            if not name.strip():
                raise BlindingError(f"blind {key + '=' if key else ''}{name}: expected a name")
            if key != family(key):
                raise BlindingError(f"blind {key}={name}: all correlators of {family(key)} have one factor; write {family(key)}={name}")

    def __str__(self) -> str:
        return ", ".join(f"{key}={name}" if key else name for key, name in self.names.items())

    def factor(self, channel: str) -> float:
        """The secret factor of a channel or current: 1 + 0.1 u with u from SHA-256 of the name and of family(channel)."""
        key = family(channel)
        name = self.names.get(key, self.names.get(EVERY))
        if name is None:
            return 1.0
        digest = hashlib.sha256(f"{name}\0{key}".encode()).digest()
        return 1 + WIDTH * (int.from_bytes(digest[:8], "big") / 2**63 - 1)

    def is_of(self, families: Iterable[str]) -> bool:
        """Whether one of these is blinded."""
        return any(EVERY in self.names or one in self.names for one in families)


GivenBlinding = Blinding | str | Mapping[str, str]  # a name for all correlators, or {channel or current: name}


def family(channel: str) -> str:
    """What has one factor: the channel without quarks, directions, numbers of interpolators and parity. "pion" of "pion.light_strange",
    "proton" of "proton_12_minus"."""
    base = channel.split(".")[0]
    return base if base.startswith(("axial_", "tensor_", "vector_")) else re.sub(r"(_[1-9][1-9])?(_[xyz])?(_minus)?$", "", base)


def blinding_of(given: GivenBlinding | None) -> Blinding | None:
    """Throws BlindingError."""
    if given is None or isinstance(given, Blinding):
        return given
    return Blinding({EVERY: given} if isinstance(given, str) else dict(given))


def read_blinding(written: Iterable[str]) -> Blinding | None:
    """From texts such as "NAME" and "pion=NAME"; None: there are none. Throws BlindingError."""
    names = {}
    for one in written:
        key, found, name = one.rpartition("=")
        if found and not key:
            raise BlindingError(f"--blind {one}: expected NAME or CHANNEL=NAME")
        names[key] = name
    return Blinding(names) if names else None


def demand_known(blinding: Blinding | None, families: Iterable[str]) -> None:
    """Throws BlindingError for a channel that is none of the families that are there: what was meant would stay unblinded."""
    if blinding is None:
        return
    known = sorted(set(families))
    for key in blinding.names:
        if key != EVERY and key not in known:
            raise BlindingError(f"blind {key}={blinding.names[key]}: there is no such channel or current; there are "
                                f"{', '.join(known) or 'none'}")
    if not known:
        raise BlindingError(f"blind {blinding}: there are no correlators and no three-point functions to be blinded")
