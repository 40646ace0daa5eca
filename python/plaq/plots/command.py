"""The command line of plaq plot."""
from __future__ import annotations

import argparse
import functools
import itertools
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..analysis import exits, output
from ..analysis.blinding import BlindingError, read_blinding
from ..analysis.channels import channels_of
from ..analysis.chosen_window import WindowError, demand_names, read_windows
from ..analysis.correlators import Choice
from ..analysis.results import NotAResult, open_result
from ..analysis.weights import WeightsError, file_of
from . import drawing, figures
from .correlator_data import Wanted

if TYPE_CHECKING:
    from .drawing import Figure
    from .page import Figures, Numbers

# What is there is replaced only where it is of the same kind.
BEGINNINGS = {".pdf": b"%PDF", ".png": b"\x89PNG", ".svg": b"<", ".json": b"{"}
FILE, WEIGHTS = "the result that is drawn (FILE)", "the file of weights (--weights)"
PLOTS, NUMBERS = "the plots (--output)", "their numbers (--json)"


def same_file(one: str, other: str) -> bool:
    if os.path.exists(one) and os.path.exists(other):
        return os.path.samefile(one, other)
    return os.path.realpath(one) == os.path.realpath(other)


def refused(uses: list[tuple[str, str]]) -> tuple[int, str] | None:
    """Why these outputs, each with its use, cannot be written; inputs come first. None: they can."""
    for i, (path, use) in enumerate(uses):
        for other, its_use in uses[:i]:
            if same_file(path, other):
                return exits.USAGE, (f"plot: {path} is {its_use}, and {use}; every file that is written needs a "
                                    "name of its own")
    for path, use in uses:
        if use not in (FILE, WEIGHTS) and os.path.isfile(path) and os.path.getsize(path) > 0:
            with open(path, "rb") as stream:
                begins = stream.read(64).lstrip()
            if not begins.startswith(BEGINNINGS[os.path.splitext(path)[1].lower() if use == PLOTS else ".json"]):
                return exits.OUTPUT, (f"cannot write {path}: it exists and is no file as {use}; choose another "
                                     "name, or delete it")
    return None


def written(path: str, write: Callable[[str], object]) -> None:
    output.write(path, write)
    print(path)


class Progress:
    """The page that is being drawn, on standard error: in place on a terminal, else a line now and then."""

    SECONDS = 5

    def __init__(self) -> None:
        self.page, self.last, self.terminal = 0, time.monotonic(), sys.stderr.isatty()

    def show(self, name: str) -> None:
        self.page += 1
        text = f"plot: page {self.page}, {name}"
        if self.terminal:
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
        elif time.monotonic() - self.last >= self.SECONDS:
            self.last = time.monotonic()
            print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self.terminal and self.page:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def write_pages(path: str, drawn: Iterable[tuple[str, Figure]]) -> None:
    """A PDF with a page for each figure, which is drawn when its turn has come."""
    from matplotlib.backends.backend_pdf import PdfPages

    def write(temporary: str) -> None:
        with PdfPages(temporary, metadata={"Creator": "plaq", "CreationDate": None}) as pages:
            for _, figure in drawn:
                pages.savefig(figure)

    written(path, write)


def write_pictures(path: str, drawn: Iterable[tuple[str, Figure]]) -> None:
    pictures = list(drawn)
    for name, (_, figure) in zip(names_of_pictures(path, pictures), pictures):
        metadata = {"Date": None} if name.lower().endswith(".svg") else None
        written(name, functools.partial(figure.savefig, dpi=150, metadata=metadata))


def names_of_pictures(path: str, drawn: Sequence[tuple[str, Figure]]) -> list[str]:
    """A file for each figure: out.NAME.png, or out.png where there is but one."""
    stem, extension = os.path.splitext(path)
    return [path] if len(drawn) == 1 else [f"{stem}.{name}{extension}" for name, _ in drawn]


def collected(figures_with_numbers: Figures, progress: Progress, numbers: dict[str, Numbers]) -> Iterator[tuple[str, Figure]]:
    """(name, figure) of each, with its numbers put aside: those of one figure, or of each correlator in it."""
    for name, figure, found in figures_with_numbers:
        progress.show(name)
        drawing.show_foreign_dollars(figure)
        of_each = bool(found) and all(isinstance(value, dict) for value in found.values())
        numbers.update(found if of_each else {name: found})
        yield name, figure


def write_numbers(path: str, found: dict[str, Numbers], blinded: str) -> None:
    numbers: dict[str, Any] = {"blinded": blinded} if blinded else {}
    numbers |= {name: {key: value.tolist() for key, value in of_one.items()} for name, of_one in found.items()}

    def write(temporary: str) -> None:
        with open(temporary, "w", encoding="utf-8") as stream:
            json.dump(numbers, stream, indent=1)

    written(path, write)


def wanted_of(arguments: argparse.Namespace) -> Wanted:
    """Throws WindowError for what is no window, ValueError where the momentum is none."""
    numbers = tuple(int(n) for n in arguments.momentum.split(",")) if arguments.momentum else ()
    if len(numbers) not in (0, 1, 3) or len(numbers) == 1 and numbers[0] < 0:
        raise ValueError
    one = len(numbers) == 1
    window, windows = read_windows(arguments.window)
    return Wanted(tuple(dict.fromkeys(arguments.channel)), () if one else numbers, numbers[0] if one else -1, arguments.all,
                  Choice(window=window, windows=windows), arguments.windows)


def main() -> int:
    parser = argparse.ArgumentParser(prog="plaq plot", description="Draw the contents of a result file.", allow_abbrev=False)
    parser.add_argument("file", metavar="FILE", help="result of a job")
    parser.add_argument("--output", default="", metavar="FILE", help="PDF with all pages, or .png or .svg with one file for each page")
    parser.add_argument("--json", default="", metavar="FILE", help="also write the drawn numbers to this file")
    parser.add_argument("--channel", action="append", default=[], metavar="NAME",
                        help="draw the correlators of this channel in detail, in place of the summary; may be repeated")
    parser.add_argument("--momentum", default="", metavar="X,Y,Z",
                        help="draw in detail the correlators of this momentum and of equivalent ones, or of this p^2")
    parser.add_argument("--window", action="append", default=[], metavar="[NAME=]FIRST:LAST",
                        help="fit only these time slices, of all channels or of one; may be repeated")
    parser.add_argument("--weights", metavar="FILE[:/DATASET]",
                        help="reweighting factors: lines of trajectory and weight, or a dataset of HDF5; all means are <w O>/<w>")
    parser.add_argument("--blind", action="append", default=[], metavar="[CHANNEL=]NAME",
                        help="multiply correlators, or those of one channel, by secret factors that follow from NAME; may be repeated")
    parser.add_argument("--windows", action="store_true",
                        help="draw masses and chi^2/dof of fits against the first time slice of their window")
    parser.add_argument("--all", action="store_true", help="draw everything: the summary and a page for each correlator")
    arguments = parser.parse_args()
    try:
        wanted = wanted_of(arguments)
    except WindowError as error:
        return exits.fail(exits.USAGE, f"plot: {error}")
    except ValueError:
        return exits.fail(exits.USAGE, f"--momentum {arguments.momentum}: expected a momentum such as 0,0,1, or its square")
    with drawing.style():
        return draw(arguments, wanted)


def draw(arguments: argparse.Namespace, wanted: Wanted) -> int:
    """Writes the plots and their numbers. Returns the exit code."""
    stem = os.path.splitext(arguments.file)[0]
    output = arguments.output or stem + ".pdf"
    extension = os.path.splitext(output)[1].lower()
    if extension not in (".pdf", ".png", ".svg"):
        return exits.fail(exits.USAGE, f"--output {output}: expected a name that ends in .pdf, .png or .svg")
    progress = Progress()
    numbers: dict[str, Numbers] = {}
    try:
        with open_result(arguments.file, arguments.weights, read_blinding(arguments.blind)) as ensemble:
            demand_names(wanted.fits.windows, channels_of(ensemble))
            drawn = collected(figures.all_figures(ensemble, wanted), progress, numbers)
            if extension == ".pdf":
                pictures = [output]
            else:  # a file for each figure: their names come first
                every = list(drawn)
                drawn, pictures = iter(every), names_of_pictures(output, every)
            uses = [(arguments.file, FILE)] + [(path, PLOTS) for path in pictures]
            if arguments.json:
                uses.append((arguments.json, NUMBERS))
            if arguments.weights:
                uses.insert(1, (file_of(arguments.weights), WEIGHTS))
            problem = refused(uses)
            if problem:
                progress.clear()
                return exits.fail(*problem)
            first = next(drawn, None)
            if first is None:
                return exits.fail(exits.INPUT, f"{arguments.file}: has nothing that plaq plot draws (correlators, history, "
                                        "observables, flow, gauge fixing, propagators in momentum space, studies)")
            write = write_pages if extension == ".pdf" else write_pictures
            write(output, itertools.chain([first], drawn))
            blinded = ensemble.blinded()
        progress.clear()
        if arguments.json:
            write_numbers(arguments.json, numbers, blinded)
    except (WindowError, BlindingError) as error:
        progress.clear()
        return exits.fail(exits.USAGE, f"plot: {error}")
    except (NotAResult, WeightsError) as error:
        progress.clear()
        return exits.fail(exits.INPUT, str(error))
    except OSError as error:
        progress.clear()
        return exits.fail(exits.OUTPUT, f"cannot write the plots: {error}")
    return 0
