"""The types of the Python package, by mypy, and unused or undefined names, by pyflakes. Usage: types_test.py CACHE; exit code 77:
skipped, where neither is installed for this Python."""
import importlib.util
import pathlib
import subprocess
import sys

SOURCES = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = SOURCES / "python/plaq"


def found_by(module, *arguments):
    """What a checker prints; empty where it is not installed."""
    if importlib.util.find_spec(module) is None:
        print(f"without {module}: it is not installed for {sys.executable}")
        return ""
    done = subprocess.run([sys.executable, "-m", module, *map(str, arguments)], cwd=SOURCES, capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else ""


if all(importlib.util.find_spec(module) is None for module in ("mypy", "pyflakes")):
    print(f"skipped: {sys.executable} has neither mypy nor pyflakes")
    sys.exit(77)
# A package collects names that it does not use itself.
plain = [path for path in sorted(PACKAGE.rglob("*.py")) if path.name not in ("__init__.py", "interface.py")]
problems = found_by("mypy", "--config-file", "python/mypy.ini", "--cache-dir", sys.argv[1]) + found_by("pyflakes", *plain)
print(problems or "ok")
sys.exit(bool(problems))
