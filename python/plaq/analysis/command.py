"""The command line of plaq analyse."""
from __future__ import annotations

import argparse
import dataclasses
import importlib.metadata
import json
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from . import exits, output
from .across import AcrossError, Member, Wanted, fit_across, read_at, read_member
from .across_presentation import numbers_of_fit, text_of_fit
from .analysis import Request, analyse
from .arrays import Path
from .blinding import BlindingError, read_blinding
from .brief import brief
from .chosen_window import WindowError, read_windows
from .correlators import Choice
from .derived import DerivedError
from .export import ExportError, demand, export
from .gamma import GammaSettings, has_pyerrors
from .notation import value_and_error
from .presentation import numbers_of, text_of
from .quantities import Settings
from .results import NotAResult
from .weights import Weights, file_of, read_weights
from .windows import AUTO, CORRELATED, UNCORRELATED


def reader(read: Callable[[str], Any], expected: str) -> Callable[[str], Any]:
    """For argparse: its error says what was expected."""
    def checked(written: str) -> Any:
        try:
            return read(written)
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"expected {expected}, found {written}") from error

    return checked


def integers(count: int, least: int | None = None) -> Callable[[str], Any]:
    def read(written: str) -> Any:
        found = tuple(int(n) for n in written.split(","))
        if len(found) != count or least is not None and min(found) < least:
            raise ValueError
        return found if count > 1 else found[0]

    what = f"{count} integers with commas between them" if count > 1 else "an integer"
    return reader(read, what + (f", from {least} on" if least is not None else ""))


def _times(written: str) -> tuple[int, ...]:
    found = tuple(int(n) for n in written.split(","))
    if len(found) > 2 or min(found) < 0:
        raise ValueError
    return found


one_or_two_times = reader(_times, "T0 or T0,T1, integers from 0 on")


def _positive(written: str) -> float:
    found = float(written)
    if not 0 <= found < 1e6:
        raise ValueError
    return found


positive = reader(_positive, "a number from 0 on, below 1e6")
scale = reader(value_and_error, "a positive number such as 0.1465 or 0.1465(21)")
point = reader(read_at, "numbers with commas between them, such as 0,0.018 or 0,0.018(1)")


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        sys.exit(exits.fail(exits.USAGE, f"analyse: {message}"))


def parser() -> Parser:
    made = Parser(prog="plaq analyse", description="Compute numbers with errors from result files.")
    made.add_argument("files", nargs="+", metavar="FILE", help="result of a job; results of one job are combined")
    option = made.add_argument
    option("--json", default="", metavar="FILE", help="also write all numbers to this file")
    option("--brief", action="store_true", help=argparse.SUPPRESS)  # for plaq info
    option("--export", nargs=2, action="append", default=[], metavar=("FORMAT", "FILE"),
           help="also write them for pyerrors, gvar, hdf5, hadrons or csv; may be repeated")
    option("--channel", action="append", default=[], metavar="NAME", help="only correlators of this channel; may be repeated")
    option("--momentum", type=integers(3), default=(), metavar="X,Y,Z",
           help="only correlators of this momentum and of momenta that are equal by symmetry")
    option("--sink", default="", help="only correlators of this sink: point or smeared")
    option("--fit", choices=(AUTO, CORRELATED, UNCORRELATED), default=AUTO,
           help="auto: correlated where there are enough configurations")
    option("--states", type=int, choices=(1, 2), help="number of states in fits; default: an average over both")
    option("--window", action="append", default=[], metavar="[NAME=]FIRST:LAST",
           help="fit only these time slices, of all channels or of one; may be repeated")
    option("--all-windows", action="store_true", help="print whole tables of fit windows")
    option("--derived", action="append", default=[], metavar="FORMULA",
           help="print a function of masses, for example pion/rho; usual: the usual ones; may be repeated")
    option("--extrapolate", default="", metavar="FORMULA",
           help="fit this number of several ensembles; each FILE is then one ensemble: FILE[,FILE...][,NAME=VALUE...]")
    option("--against", action="append", default=[], metavar="FORMULA",
           help="variable x of the fit y = p0 + p1 x1 + ..., for example 1/t0; may be repeated")
    option("--at", action="append", type=point, default=[], metavar="X1,X2,...", help="print the fit at this point; may be repeated")
    option("--gevp", type=one_or_two_times, metavar="T0[,T1]",
           help="generalised eigenvalue problem of all operators from T0 on; with T1: its vectors are fixed at T1; "
                "default: 2,4, of point and smeared alone")
    option("--blind", action="append", default=[], metavar="[CHANNEL=]NAME",
           help="multiply correlators and three-point functions, or those of one channel or current, by secret factors that follow from "
                "NAME; may be repeated")
    option("--weights", action="append", default=[], metavar="FILE[:/DATASET]",
           help="reweighting factors: lines of trajectory and weight, or a dataset of HDF5; all means are <w O>/<w>; with --extrapolate "
                "one for all, or one for each FILE in their order, none for no weights")
    option("--skip", type=integers(1, 0), metavar="ROWS", help="leave out these rows of histories; default: the thermalisation")
    option("--window-factor", type=positive, default=2.0, metavar="S", help="S of the window of autocorrelations; default: 2")
    option("--tau-exp", type=positive, default=0.0, metavar="TIME",
           help="slowest autocorrelation time in steps between configurations; adds the tail of slow modes")
    option("--bins", type=integers(1, 2), default=0, metavar="NUMBER",
           help="number of bins of jackknife and bootstrap; default: by the autocorrelation time")
    option("--samples", type=integers(1, 10), default=500, metavar="NUMBER", help="number of bootstrap samples; default: 500")
    option("--seed", type=integers(1, 0), default=1, metavar="NUMBER", help="seed of the bootstrap; default: 1")
    option("--sqrt-t0", type=scale, metavar="FM", help="square root of t0 in fm; default: 0.1465(21)")
    option("--w0", type=scale, metavar="FM", help="w0 in fm; default: 0.1755(18)")
    option("--z-axial", type=scale, default=(1.0, 0.0), metavar="Z",
           help="Z_A of decay constants with its error, for example 0.80(2); default: 1, bare")
    return made


def request_of(arguments: argparse.Namespace) -> Request:
    choice = Choice(tuple(arguments.channel), arguments.momentum, arguments.sink,
                    (arguments.states,) if arguments.states else (), arguments.fit, *read_windows(arguments.window))
    settings = Settings(GammaSettings(arguments.window_factor, arguments.tau_exp), arguments.bins, arguments.samples,
                        arguments.seed)
    request = Request(choice, settings, arguments.skip, arguments.gevp, derived=tuple(arguments.derived))
    request.sqrt_t0 = arguments.sqrt_t0 or request.sqrt_t0
    request.w0 = arguments.w0 or request.w0
    request.z_axial = arguments.z_axial
    request.blind = read_blinding(arguments.blind)
    return request


def libraries() -> str:
    if has_pyerrors():
        return f"errors by the gamma method of pyerrors {importlib.metadata.version('pyerrors')}; fits by numpy"
    return "errors by the gamma method and fits by numpy (pyerrors is not installed for this Python)"


def wanted_of(arguments: argparse.Namespace) -> Wanted | None:
    """The fit across ensembles, or None. Throws AcrossError."""
    if not arguments.extrapolate:
        if arguments.against or arguments.at:
            raise AcrossError("--against and --at belong to a fit across ensembles; name its number by --extrapolate FORMULA")
        return None
    if not arguments.against:
        raise AcrossError("--extrapolate needs a variable: --against FORMULA, for example --against 1/t0")
    return Wanted(arguments.extrapolate, tuple(arguments.against), tuple(arguments.at))


def weights_for(written: list[str], members: int) -> list[Weights | None]:
    """Those of each ensemble. Throws AcrossError and WeightsError."""
    if len(written) not in (0, 1, members):
        raise AcrossError(f"--weights: {len(written)} are given; give one, or with --extrapolate one for each FILE, of which there are "
                          f"{members}")
    found = [None if one == "none" else read_weights(one) for one in written or ["none"]]
    return found * members if len(found) < members else found


def run(arguments: argparse.Namespace) -> None:
    wanted = wanted_of(arguments)
    members = [read_member(one) for one in arguments.files] if wanted else [Member("", arguments.files, {})]
    weights = weights_for(arguments.weights, len(members))
    files = [path for member in members for path in member.files] + [file_of(one) for one in arguments.weights]
    for kind, path in arguments.export:
        demand(kind, path, files)
    if arguments.json:
        output.check(arguments.json, files, b"{")
    request = request_of(arguments)
    for member, its_weights in zip(members, weights):
        member.blocks = analyse(member.files, dataclasses.replace(request, weights=its_weights))
    blocks = [block for member in members for block in member.blocks]
    across = fit_across(members, wanted, request.settings) if wanted else None
    print(libraries())
    for block in blocks:
        print("\n" + text_of(block, request.settings, arguments.all_windows))
    if across:
        print("\n" + text_of_fit(across))
    if arguments.json:
        numbers: dict[str, Any] = {"libraries": libraries(), "blocks": [numbers_of(block, request.settings) for block in blocks]}
        if across:
            numbers["extrapolation"] = numbers_of_fit(across)
        output.write(arguments.json, lambda temporary: _dump(temporary, numbers))
        print(arguments.json)
    for kind, path in arguments.export:
        written = export(kind, path, blocks, request.settings)
        print(written[0] if len(written) == 1 else f"{written[0]} and {len(written) - 1} more")


def _dump(path: Path, numbers: dict[str, Any]) -> None:
    with open(path, "w", encoding="utf-8") as stream:
        json.dump(numbers, stream, indent=1, allow_nan=False)


def main() -> int:
    try:
        arguments = parser().parse_args()
        if arguments.brief:
            print(brief(arguments.files[0]))
        else:
            run(arguments)
    except ExportError as error:
        return exits.fail(exits.USAGE, error)
    except (WindowError, DerivedError, AcrossError, BlindingError) as error:
        return exits.fail(exits.USAGE, f"analyse: {error}")
    except NotAResult as error:
        return exits.fail(exits.INPUT, error)
    except BrokenPipeError:
        return 0
    except OSError as error:
        return exits.fail(exits.OUTPUT, f"cannot write: {error}")
    except ValueError as error:
        return exits.fail(exits.INPUT, f"analyse: {error}")
    return 0
