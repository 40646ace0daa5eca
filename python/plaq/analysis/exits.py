"""Exit codes and error messages of the commands, as the program has them."""
import sys

USAGE, INPUT, OUTPUT = 2, 4, 5


def fail(code, error):
    """Prints the message, and returns the exit code."""
    print(f"E {error}", file=sys.stderr)
    return code
