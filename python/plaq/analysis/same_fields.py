"""One gauge field under two names, whose rows count twice: as jobs/results/same_fields.hpp has it."""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import numpy

from .attributes import text

Attributes = Mapping[str, Any]


class Sums(TypedDict):
    """What tells a gauge field from others, and its file."""

    file: str
    checksum: str
    plaquette: float | None
    link_trace: float | None


ROUNDING_OF_LINKS = 3e-7  # over sqrt(sites): what single precision of links changes, with a margin
DIGITS_OF_ONE_SUM = 8     # two of 100,000 fields may share them
MOST_PAIRS = 3            # that notes name


def notes_of_same_fields(fields: Sequence[Attributes], extents: list[int] | None) -> list[str]:
    """fields: [row]: attributes of /gauge/000000."""
    if len(fields) < 2:
        return []
    known = [sums(attributes) for attributes in fields]
    pairs = _pairs(known, ROUNDING_OF_LINKS / math.sqrt(numpy.prod(extents or [1], dtype=float)))
    notes = [f"{known[b]['file']} has {what} {known[a]['file']}: it counts twice" + doubt
             for a, b, what, doubt in pairs[:MOST_PAIRS]]
    if len(pairs) > MOST_PAIRS:
        notes.append(f"{len(pairs) - MOST_PAIRS} more pairs of gauge fields are the same or alike")
    return notes


def sums(attributes: Attributes) -> Sums:
    """Checksum, plaquette and link trace, which tell a gauge field from others, and its file."""
    def number(name: str) -> float | None:
        value = attributes.get(name)
        return float(value) if isinstance(value, (float, numpy.floating)) else None

    checksum = text(attributes.get("checksum", ""))
    return {"file": text(attributes.get("file", "")), "checksum": "" if checksum == "none" else checksum,
            "plaquette": number("plaquette"), "link_trace": number("link_trace")}


def _pairs(known: list[Sums], closeness: float) -> list[tuple[int, int, str, str]]:
    """(row, later row, what they share, doubt)."""
    found = []
    plaquettes = ((one["plaquette"], i) for i, one in enumerate(known))
    ordered = sorted((plaquette, i) for plaquette, i in plaquettes if plaquette is not None)
    for at, (plaquette, i) in enumerate(ordered):
        for larger, j in ordered[at + 1:]:
            if larger - plaquette > closeness:
                break
            found.append((i, j))
    by_sum: dict[str, list[int]] = {}
    for i, one in enumerate(known):
        by_sum.setdefault(one["checksum"], []).append(i)
    for checksum, rows in by_sum.items():
        if checksum:
            found += [(i, j) for n, i in enumerate(rows) for j in rows[n + 1:]
                      if None in (known[i]["plaquette"], known[j]["plaquette"])]
    pairs = []
    for i, j in sorted({(min(pair), max(pair)) for pair in found}, key=lambda pair: pair[::-1]):
        shared = _shared(known[i], known[j], closeness)
        if shared is not None:
            pairs.append((i, j, *shared))
    return pairs


def _shared(one: Sums, other: Sums, closeness: float) -> tuple[str, str] | None:
    known = ((one["plaquette"], other["plaquette"]), (one["link_trace"], other["link_trace"]))
    numbers = [(a, b) for a, b in known if a is not None and b is not None]
    if any(abs(a - b) > closeness for a, b in numbers):
        return None
    if one["checksum"] and one["checksum"] == other["checksum"] and (
            numbers or len(one["checksum"]) > DIGITS_OF_ONE_SUM):
        return "the same links as", ""
    if len(numbers) == 2:
        return "the plaquette and the link trace of", ", if both are one field in another format or moved"
    return None
