"""Seconds of the trajectories of hmc, PREFIX.seconds beside PREFIX.history.h5: where the time of a chain went."""
from __future__ import annotations

import pathlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy

from .arrays import Array

if TYPE_CHECKING:
    from .results import ResultFile

HISTORY, SECONDS = ".history.h5", ".seconds"
# Parts of a trajectory as users read them: beginning of the names of columns, words. The first one that fits counts.
PARTS = (("solves_", "solves"), ("setups", "multigrid setups"), ("metropolis", "H and pseudofermions"),
         ("force_gauge", "gauge force"), ("force_", "other forces"), ("links", "links"), ("reversibility", "way back"),
         ("checkpoint", "files"), ("files", "files"), ("observables", "observables"))
LEAST_SHARE = 0.005  # of the time, of a part that is named


def read_seconds(path: str) -> dict[int, dict[str, float]] | None:
    """{trajectory: {column: seconds}} of a history; None: it has no such table. Rows that are not complete are left out."""
    if not path.endswith(HISTORY):
        return None
    try:
        text = pathlib.Path(path[:-len(HISTORY)] + SECONDS).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    lines = text.split("\n")[:-1]  # what stands behind the last end of a line was cut off
    names = lines[1].split()[1:] if len(lines) > 1 and lines[1].startswith("# ") else []
    if names[:2] != ["trajectory", "all"]:
        return None
    rows = {}
    for line in lines[2:]:
        try:
            values = [float(word) for word in line.split()]
        except ValueError:
            continue
        if len(values) == len(names):
            rows[int(values[0])] = dict(zip(names[1:], values[1:]))
    return rows


def seconds_in_words(files: Sequence[ResultFile], replica: Array, number: Array) -> str | None:
    """The mean time of these trajectories, number[i] of files[replica[i]], and the shares of its parts; None: nothing is known."""
    tables = [read_seconds(file.path) or {} for file in files]
    rows = [tables[int(i)][int(n)] for i, n in zip(replica, number) if int(n) in tables[int(i)]]
    total = sum(row["all"] for row in rows)
    if total <= 0:
        return None
    shares: dict[str, float] = {}
    for name in dict.fromkeys(name for row in rows for name in row if name != "all"):
        words = next((words for begin, words in PARTS if name.startswith(begin)), "other")
        shares[words] = shares.get(words, 0.0) + sum(row.get(name, 0.0) for row in rows) / total
    named = sorted(((share, words) for words, share in shares.items() if share >= LEAST_SHARE), reverse=True)
    text = f"{numpy.format_float_positional(total / len(rows), precision=3, fractional=False, trim='-')} s: "
    text += ", ".join(f"{words} {100 * share:.0f}%" for share, words in named)
    return text if len(rows) == len(number) else f"{text}; of {len(rows)} trajectories"
