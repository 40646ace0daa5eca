"""The channels of a result, and those that come first: of a picture, of a short list of values."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from .correlators import Choice, Correlator, correlators
from .results import Ensemble, members

# On each line the first channel that exists is shown.
MAIN = (("pion", "pion_ps", "pion_sc"), ("rho", "rho_vt", "rho_x", "rho_pv"), ("proton", "nucleon", "proton_22"))
MOST_MAIN = 3
NO_PARTICLES = ("axial_pseudoscalar", "midpoint_pion")


def channels_of(ensemble: Ensemble) -> dict[str, list[str]]:
    """{channel: its sinks}"""
    made = {}
    for channel, momenta in ensemble.group("correlators").items():
        if not channel.endswith("_matrix"):
            made[channel] = list(dict.fromkeys(sink for sinks in members(momenta).values() for sink in members(sinks)))
    return made


def main_channels(channels: Mapping[str, list[str]]) -> list[str]:
    chosen = [name for names in MAIN for name in [one for one in names if one in channels][:1]]
    others = [name for name in channels if name not in NO_PARTICLES and not name.endswith("_minus")
              and not any(name in names for names in MAIN)]
    return (chosen + others)[:MOST_MAIN] or list(channels)[:MOST_MAIN]


def main_sink(sinks: Sequence[str]) -> str:
    """That of smeared sinks is on its plateau sooner."""
    return "smeared" if "smeared" in sinks else sinks[0]


def read(ensemble: Ensemble, channel: str, sink: str = "", momentum: tuple[int, ...] = ()) -> list[Correlator]:
    """Correlators of a channel as the analysis averages them: a proton with what is from the other side."""
    made = correlators(ensemble, Choice((channel, f"{channel}_minus"), momentum, sink))
    return [one for one in made if one.channel == channel]
