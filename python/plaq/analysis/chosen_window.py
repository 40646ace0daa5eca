"""Windows of time slices that the user chooses: how they are written, what they are for, and the fit in one."""
from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import numpy

from .fit import FitError
from .windows import AUTO, Averaged, Data, models_of, scan_models

Slices = tuple[int, int]  # first and last slice


class WindowError(FitError):
    """A chosen window in which nothing can be fitted."""


def is_window(value: object) -> bool:
    """True for a pair of integers."""
    return isinstance(value, (tuple, list)) and len(value) == 2 and all(isinstance(one, (int, numpy.integer)) for one in value)


def read_windows(written: Iterable[str]) -> tuple[Slices | None, dict[str, Slices]]:
    """(window of all fits, {name: window}) of texts such as "4:12" and "pion=4:12". Throws WindowError."""
    of_all, of_names = None, {}
    for one in written:
        found = re.fullmatch(r"(?:(.+)=)?(\d{1,6}):(\d{1,6})", one.strip())
        if found is None:
            raise WindowError(f"--window {one}: expected FIRST:LAST or NAME=FIRST:LAST, for example 4:12 or pion=4:12")
        window = (int(found[2]), int(found[3]))
        if found[1] is None:
            of_all = window
        else:
            of_names[found[1]] = window
    return of_all, of_names


def window_of(name: str, of_all: Slices | None, of_names: Mapping[str, Slices]) -> Slices | None:
    """The window of a channel: its own, that of the channel with any quarks and in its lowest state, or that of all. An excited
    state has no window but its own: its signal is shorter."""
    if re.search(r" state [1-9]\d*$", name):
        return of_names.get(name)
    for known in (name, re.sub(r" state \d+$", "", name), base_name(name)):
        if known in of_names:
            return of_names[known]
    return of_all


def base_name(name: str) -> str:
    """The channel alone: "pion" for "pion.light_strange state 0"."""
    return re.split(r"\.| state ", name)[0]


def demand_names(of_names: Mapping[str, Slices], known: Iterable[str]) -> None:
    """Throws WindowError where a window is for a channel that is not there."""
    names = list(dict.fromkeys(known))
    there = {one for name in names for one in (name, re.sub(r" state \d+$", "", name), base_name(name))}
    for name, (first, last) in of_names.items():
        if name not in there:
            raise WindowError(f"window {name}={first}:{last}: nothing that is fitted is called {name}; there are "
                              f"{', '.join(names) or 'none'}")


def fit_chosen(data: Data, shape: str, extent: int, window: Slices, end: int, name: str, states: tuple[int, ...] = (1,),
               kind: str = AUTO, signal: bool = True, empty: int = -1) -> Averaged:
    """The fit in one window, averaged over the numbers of states. Slices of the data are 0 .. end. A window may end at `empty`,
    a slice behind `end` without information, and ends before it then. With `signal` the slices whose mean is larger than its
    error must be more than the parameters. Throws WindowError."""
    first, last = window = (window[0], end if window[1] == empty else window[1])
    models = models_of(shape, extent, states)
    check(data, window, end, max(model.parameters() for model in models), name, signal)
    try:
        return scan_models(data, models, first, last, kind, chosen=True)
    except FitError as error:
        raise WindowError(f"window {first}:{last} of {name}: {error}") from error


def check(data: Data, window: Slices, end: int, parameters: int, name: str, signal: bool) -> None:
    """Throws WindowError unless the window is on the lattice, is longer than the parameters, and has a signal."""
    first, last = window
    where = f"window {first}:{last} of {name}"
    if not 0 <= first <= last <= end:
        raise WindowError(f"{where}: the time slices that can be fitted are 0 to {end}; choose FIRST:LAST among them, FIRST not "
                          "behind LAST")
    if last - first + 1 <= parameters:
        raise WindowError(f"{where}: {last - first + 1} slices do not determine {parameters} parameters; choose "
                          f"{parameters + 1} slices or more" + (", or one state" if parameters > 2 else ""))
    blind = [t for t in range(first, last + 1) if not (numpy.isfinite(data.means[t]) and data.errors[t] > 0)]
    if blind:
        raise WindowError(f"{where}: slice {blind[0]} has no error, or no number; choose a window without it")
    count = data.last_signal(first, last) - first + 1
    if signal and count <= parameters:
        raise WindowError(f"{where}: the mean is larger than its error in {count} of its slices, then noise begins; {parameters} "
                          f"parameters need {parameters + 1} slices with a signal: choose an earlier window")

