"""Runs the command of a part of this package: python start.py analysis|plots|report MODULES ARGUMENTS.

The program plaq calls this file by its path, with any Python. The package is found beside this file, whatever else is named
plaq, and no module is imported from this folder by its bare name, nor from the current directory. MODULES is a list with commas
of what the part needs: a Python that cannot import one of them ends at once with MODULES_ARE_MISSING, and the program tries
another one.
"""
import os
import sys

MODULES_ARE_MISSING = 111  # as in jobs/python/python_package.cpp
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [path for path in sys.path if path and os.path.realpath(path) != os.path.realpath(HERE)]

import importlib  # noqa: E402
import importlib.util  # noqa: E402
import types  # noqa: E402


def package() -> types.ModuleType:
    """The package plaq around this file. Its own folder need not be searched for other packages."""
    spec = importlib.util.spec_from_file_location("plaq", os.path.join(HERE, "__init__.py"), submodule_search_locations=[HERE])
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules["plaq"] = made
    spec.loader.exec_module(made)
    return made


def can_import(modules: str) -> bool:
    try:
        for module in modules.split(","):
            importlib.import_module(module)
    except Exception:  # a broken installation raises more than ImportError
        return False
    return True


def main() -> int:
    part, modules = sys.argv.pop(1), sys.argv.pop(1)
    if not can_import(modules):
        return MODULES_ARE_MISSING
    package()
    return int(importlib.import_module(f"plaq.{part}.command").main())


if __name__ == "__main__":
    sys.exit(main())
