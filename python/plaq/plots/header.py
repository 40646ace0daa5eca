"""What a figure is of, in a line: action, beta, kappa or mass, lattice, number of configurations."""
from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..analysis.arrays import Array
from ..analysis.attributes import text

if TYPE_CHECKING:
    from ..analysis.results import Ensemble

QUARKS = {"wilson": "Wilson quarks", "clover": "Clover quarks", "exponential_clover": "Exponential clover quarks",
          "staggered": "Staggered quarks",
          "asqtad": "Asqtad quarks", "hisq": "HISQ quarks", "domain_wall": "Domain-wall quarks"}
JOBS = {"generate": "Pure gauge theory", "measure": "Gauge fields", "gaugefix": "Gauge fixing", "gluon": "Gluon propagator"}
MASSES = ("mass", "masses", "kappa", "kappas")
HEADER_BYTES = 4096


def title(ensemble: Ensemble, count: int | None = None) -> str:
    """`count`: configurations; None: not said."""
    words = [f"Blinded {ensemble.blinded()}"] if ensemble.blinded() else []
    words += [_what(ensemble), *couplings(ensemble)]
    extents = ensemble.extents()
    if extents:
        words.append(lattice(extents))
    if count:
        words.append(f"{count} configuration{'s' if count > 1 else ''}")
    if ensemble.weights is not None:
        words.append(f"weights {os.path.basename(ensemble.weights.name)}")
    return ",  ".join(word for word in words if word)


def couplings(ensemble: Ensemble) -> list[str]:
    found = beta(ensemble)
    words = [f"β = {found:.6g}"] if found is not None else []
    for name, symbol in (("kappa", "κ"), ("mass", "m")):
        value = ensemble.job.get("action", {}).get(name, ensemble.attribute(name, None, "action"))
        if isinstance(value, float) and not (name == "mass" and words and words[-1].startswith("κ")):
            words.append(f"{symbol} = {value:.6g}")
    return words


def lattice(extents: Sequence[int] | Array) -> str:
    space, time = [int(n) for n in extents[:3]], int(extents[3])
    return f"{space[0]}³×{time}" if len(set(space)) == 1 else "×".join(map(str, (*space, time)))


def beta(ensemble: Ensemble) -> float | None:
    """As the file, its job or the header of its first gauge field has it; None: nobody says."""
    for found in (ensemble.attribute("beta"), ensemble.job.get("gauge", {}).get("beta"),
                  ensemble.job.get("gluon", {}).get("beta")):
        if found is not None:
            return float(found)
    for field in ensemble.group("gauge").values():
        return _beta_of_field(ensemble, text(field.attrs.get("file", "")))
    return None


def _beta_of_field(ensemble: Ensemble, name: str) -> float | None:
    """Of a gauge field that is where it was, beside the result, or where a campaign has it."""
    folder = os.path.dirname(os.path.abspath(ensemble.files[0].path))
    for path in (name, *(os.path.join(folder, one) for one in (name, os.path.basename(name), os.path.join("..", name)))):
        if not name or not os.path.isfile(path):
            continue
        with open(path, "rb") as stream:
            found = re.search(rb"\bBETA\s*=\s*(\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)", stream.read(HEADER_BYTES))
        return float(found[1]) if found else None
    return None


def _what(ensemble: Ensemble) -> str:
    action = ensemble.job.get("action", {}).get("type") or ensemble.attribute("type", None, "action")
    if action is not None and not isinstance(action, str):
        action = text(action)
    if ensemble.job_type == "hmc" and not any(name in ensemble.job.get("action", {}) for name in MASSES):
        return JOBS["generate"]
    if ensemble.job_type in JOBS or not action:
        return JOBS.get(ensemble.job_type, ensemble.job_type.replace("_", " ").capitalize())
    return QUARKS.get(action, f"{action.replace('_', ' ')} quarks")
