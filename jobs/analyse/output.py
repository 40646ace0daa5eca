"""Files that appear when they are whole, and never take the place of a file of another kind."""
import os
import pathlib


class OutputError(OSError):
    pass


def check(path, inputs, beginning):
    """Refuses an output that is an input, or that exists and does not begin as this kind of file does."""
    path = pathlib.Path(path)
    if any(os.path.realpath(path) == os.path.realpath(one) for one in inputs):
        raise OutputError(f"{path} is a result that is read; choose another name")
    if path.is_dir():
        raise OutputError(f"{path} is a folder")
    if not path.parent.is_dir():
        raise OutputError(f"{path}: there is no folder {path.parent}")
    if path.is_file() and path.stat().st_size > 0:
        with open(path, "rb") as stream:
            if not stream.read(len(beginning)).startswith(beginning):
                raise OutputError(f"{path} exists and is another kind of file; choose another name, or delete it")


def write(path, make):
    """make(temporary name); the extension stays, which libraries look at."""
    path = pathlib.Path(path)
    temporary = path.with_name(f".{os.getpid()}.{path.name}")
    try:
        make(str(temporary))
        os.replace(temporary, path)
    finally:
        if temporary.exists():
            temporary.unlink()
