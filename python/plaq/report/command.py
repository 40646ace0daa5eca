"""The command line behind plaq campaign report: DATA.json OUTPUT.html."""
from __future__ import annotations

import json
import sys

from ..analysis import NotAResult, exits
from ..analysis.output import write_text
from .report import report_of


def main() -> int:
    data_path, path = sys.argv[1:]
    with open(data_path, encoding="utf-8") as stream:
        data = json.load(stream)
    try:
        text = report_of(data)
    except NotAResult as error:
        return exits.fail(exits.INPUT, error)
    try:
        write_text(path, text)
    except OSError as error:
        return exits.fail(exits.OUTPUT, f"cannot write {path}: {error.strerror}")
    print(path)
    return 0
