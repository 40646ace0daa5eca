"""Exit codes and error messages of the commands, as the program has them."""
from __future__ import annotations

import sys

USAGE, INPUT, OUTPUT = 2, 4, 5


def fail(code: int, error: object) -> int:
    """Prints the message, and returns the exit code."""
    print(f"E {error}", file=sys.stderr)
    return code
