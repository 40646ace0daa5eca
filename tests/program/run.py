"""A test file, by pytest: run.py FILE. Exit code 77: skipped, where pytest or h5py is missing."""
import sys

try:
    import h5py  # noqa: F401
    import numpy  # noqa: F401
    import pytest
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

# Directories of tests that passed go away at once: results are large.
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--tb=short", *sys.argv[1:]]))
