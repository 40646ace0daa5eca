"""The program, as pip installs it: `plaq run job.toml`."""
import os
import sys


def program() -> str:
    """Its path: beside this package, or in bin/ of the tree that it is part of."""
    here = os.path.dirname(os.path.abspath(__file__))
    for candidate in ("bin/plaq", "../../bin/plaq", "../../../bin/plaq"):
        path = os.path.normpath(os.path.join(here, candidate))
        if os.access(path, os.X_OK):
            return path
    sys.exit("plaq: this installation has no program plaq; install it by pip install . in the sources (docs/installing.md)")


def main() -> None:
    os.environ.setdefault("PLAQ_PYTHON", sys.executable)  # for plaq plot and plaq analyse
    path = program()
    os.execv(path, [path, *sys.argv[1:]])
