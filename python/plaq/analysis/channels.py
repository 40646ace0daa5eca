"""The channels of a result, and those that come first: of a picture, of a short list of values."""
from .correlators import Choice, correlators
from .results import members

# Of each line the first that is there.
MAIN = (("pion", "pion_ps", "pion_sc"), ("rho", "rho_vt", "rho_x", "rho_pv"), ("proton", "nucleon", "proton_22"))
MOST_MAIN = 3
NO_PARTICLES = ("axial_pseudoscalar", "midpoint_pion")


def channels_of(ensemble):
    """{channel: its sinks}"""
    made = {}
    for channel, momenta in ensemble.group("correlators").items():
        if not channel.endswith("_matrix"):
            made[channel] = list(dict.fromkeys(sink for sinks in members(momenta).values() for sink in members(sinks)))
    return made


def main_channels(channels):
    chosen = [next((name for name in names if name in channels), None) for names in MAIN]
    chosen = [name for name in chosen if name]
    others = [name for name in channels if name not in NO_PARTICLES and not name.endswith("_minus")
              and not any(name in names for names in MAIN)]
    return (chosen + others)[:MOST_MAIN] or list(channels)[:MOST_MAIN]


def main_sink(sinks):
    """That of smeared sinks is on its plateau sooner."""
    return "smeared" if "smeared" in sinks else sinks[0]


def read(ensemble, channel, sink="", momentum=()):
    """Correlators of a channel as the analysis averages them: a proton with what is from the other side."""
    made = correlators(ensemble, Choice((channel, f"{channel}_minus"), momentum, sink))
    return [one for one in made if one.channel == channel]
