"""The command line of plaq analyse."""
from __future__ import annotations

import argparse
import importlib.metadata
import json
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from . import exits, output
from .analysis import Request, analyse, value_and_error
from .arrays import Path
from .brief import brief
from .chosen_window import WindowError, read_windows
from .correlators import Choice
from .derived import DerivedError
from .export import ExportError, demand, export
from .gamma import GammaSettings, has_pyerrors
from .presentation import numbers_of, text_of
from .quantities import Settings
from .results import NotAResult
from .windows import AUTO, CORRELATED, UNCORRELATED


def integers(count: int, least: int | None = None) -> Callable[[str], Any]:
    def read(written: str) -> Any:
        found = tuple(int(n) for n in written.split(","))
        if len(found) != count or least is not None and min(found) < least:
            raise ValueError
        return found if count > 1 else found[0]

    read.__name__ = f"{count} integers with commas" if count > 1 else f"integer from {least} on"
    return read


def positive(written: str) -> float:
    found = float(written)
    if not 0 <= found < 1e6:
        raise ValueError
    return found


def scale(written: str) -> tuple[float, float]:
    return value_and_error(written)


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        sys.exit(exits.fail(exits.USAGE, f"analyse: {message}"))


def parser() -> Parser:
    made = Parser(prog="plaq analyse")
    made.add_argument("files", nargs="+")
    made.add_argument("--json", default="")
    made.add_argument("--brief", action="store_true", help=argparse.SUPPRESS)  # for plaq info
    made.add_argument("--export", nargs=2, action="append", default=[])
    made.add_argument("--channel", action="append", default=[])
    made.add_argument("--momentum", type=integers(3), default=())
    made.add_argument("--sink", default="")
    made.add_argument("--fit", choices=(AUTO, CORRELATED, UNCORRELATED), default=AUTO)
    made.add_argument("--states", type=int, choices=(1, 2))
    made.add_argument("--window", action="append", default=[])
    made.add_argument("--all-windows", action="store_true")
    made.add_argument("--derived", action="append", default=[])
    made.add_argument("--gevp", type=integers(2, 0), default=(2, 4))
    made.add_argument("--skip", type=integers(1, 0))
    made.add_argument("--window-factor", type=positive, default=2.0)
    made.add_argument("--tau-exp", type=positive, default=0.0)
    made.add_argument("--bins", type=integers(1, 2), default=0)
    made.add_argument("--samples", type=integers(1, 10), default=500)
    made.add_argument("--seed", type=integers(1, 0), default=1)
    made.add_argument("--sqrt-t0", type=scale)
    made.add_argument("--w0", type=scale)
    made.add_argument("--z-axial", type=scale, default=(1.0, 0.0))
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
    return request


def libraries() -> str:
    if has_pyerrors():
        return f"errors by the gamma method of pyerrors {importlib.metadata.version('pyerrors')}; fits by numpy"
    return "errors by the gamma method and fits by numpy (pyerrors is not installed for this Python)"


def run(arguments: argparse.Namespace) -> None:
    for kind, path in arguments.export:
        demand(kind, path, arguments.files)
    if arguments.json:
        output.check(arguments.json, arguments.files, b"{")
    request = request_of(arguments)
    blocks = analyse(arguments.files, request)
    print(libraries())
    for block in blocks:
        print("\n" + text_of(block, request.settings, arguments.all_windows))
    if arguments.json:
        numbers = {"libraries": libraries(), "blocks": [numbers_of(block, request.settings) for block in blocks]}
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
    except (WindowError, DerivedError) as error:
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
