#!/usr/bin/env python3
"""Runs the tutorials of this directory, and other pages whose blocks are programs, and compares what they print with what
they show.

    run.py                       all of them
    run.py spectrum --update     one, and writes what it prints and its pictures into the page
    run.py readme --leave DIR    one, in this directory, which is emptied before and stays
    run.py first-mass --after DIR  one, in a directory that --leave left: results that are there are not computed again
    run.py --notebooks DIR       makes Jupyter notebooks of the tutorials; with --execute runs these, too

The blocks ```python of a page are one program. A block ```text below one of them is what it prints; what is compared is
said in shown.py. A picture that a block saves is shown below it, as figures/NAME, or tutorials/figures/NAME on a page of another
directory. Needs plaq, numpy, h5py and matplotlib; notebooks need nbformat, their execution nbclient and ipykernel. Exit code
77: one of these is missing.
"""
import argparse
import ctypes
import os
import pathlib
import re
import shutil
import sys
import tempfile
import time
import traceback

from shown import blocks, difference, normal

HERE = pathlib.Path(__file__).resolve().parent
# Pages without Python show commands of the shell; tests/program/test_tutorial_hmc.py runs them.
TUTORIALS = {path.stem: path for path in sorted(HERE.glob("*.md")) if "```python" in path.read_text(encoding="utf-8")}
PAGES = {name: HERE.parent / f"{name}.md" for name in ("first-mass", "python", "pyquda")}
PAGES["readme"] = HERE.parent.parent / "README.md"
PICTURE = re.compile(r"!\[[^]]*\]\(((?:tutorials/)?figures/)([^)]+)\)")
LINK = re.compile(r"(?<!!)\[([^]]+)\]\((?!https?:)[^)]+\)")


class Printed:
    """What is printed on standard output in a with statement, by Python and by C++: `lines`."""

    def __enter__(self):
        self.flush()
        self.file = tempfile.TemporaryFile()
        self.kept = os.dup(1)
        os.dup2(self.file.fileno(), 1)
        return self

    def __exit__(self, *_):
        self.flush()
        os.dup2(self.kept, 1)
        os.close(self.kept)
        self.file.seek(0)
        text = self.file.read().decode("utf-8", "replace")
        self.lines = [line.rpartition("\r")[2].rstrip() for line in text.splitlines()]
        self.file.close()

    @staticmethod
    def flush():
        sys.stdout.flush()
        ctypes.CDLL(None).fflush(None)


class Tutorial:
    def __init__(self, path):
        self.path, self.name = path, path.stem
        self.page = path.read_text(encoding="utf-8")
        self.lines = self.page.splitlines()
        found = blocks(self.page)
        self.steps = []  # (block of Python, block of what it shows or None)
        for block, following in zip(found, [*found[1:], None]):
            if block.language == "python":
                shows = following is not None and following.language == "text" and not any(
                    line.strip() for line in self.lines[block.end + 1:following.begin - 1])
                self.steps.append((block, following if shows else None))
        folder = "figures/" if path.parent == HERE else "tutorials/figures/"
        self.pictures = [name for at, name in PICTURE.findall(self.page) if at == folder]

    def run(self, update):
        """What is wrong with it, in an empty directory that is the current one."""
        printed, wrong = [], []
        names = {"__name__": "__main__"}
        for block, shown in self.steps:
            padded = "\n" * block.begin + block.text  # errors name the lines of the page
            with Printed() as output:
                try:
                    exec(compile(padded, str(self.path), "exec"), names)
                    failed = None
                except BaseException:  # whatever a program of a user may end with
                    failed = traceback.format_exc()
            if failed:
                return [f"{self.name}, line {block.begin + 1}:\n" + "\n".join(output.lines[-20:]) + "\n" + failed]
            lines = [line.replace(os.getcwd(), "...") for line in output.lines]
            printed.append(lines)
            at = difference(normal(shown.lines if shown else []), normal(lines))
            if at is not None:
                wrong.append(f"{self.name}, line {block.begin + 1}, shows: {at}\nprinted:\n" + "\n".join(lines))
        wrong += [f"{self.name} has no picture {name}" for name in self.pictures if not pathlib.Path(name).is_file()]
        if not update:
            return wrong + [f"{self.name}: figures/{name} is missing; --update makes it" for name in self.pictures
                            if not (HERE / "figures" / name).is_file()]
        self.write(printed)
        for name in self.pictures:
            shutil.copy(name, HERE / "figures" / name)
        return [text for text in wrong if "has no picture" in text]

    def write(self, printed):
        """Into the page, but where what is shown holds already."""
        for (block, shown), lines in reversed(list(zip(self.steps, printed))):
            if difference(normal(shown.lines if shown else []), normal(lines)) is None:
                continue
            kept = [line for line in lines if normal([line])]
            if shown:
                self.lines[shown.begin:shown.end] = kept
            else:
                self.lines[block.end + 1:block.end + 1] = ["", "```text", *kept, "```"]
        self.path.write_text("\n".join(self.lines) + "\n", encoding="utf-8")

    def notebook(self):
        """Without what is printed and drawn: a notebook has its own."""
        import nbformat
        from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

        cells, at = [], 0

        def text_until(line):
            text = LINK.sub(r"\1", PICTURE.sub("", "\n".join(self.lines[at:line]))).strip()
            if text:
                cells.append(new_markdown_cell(text))

        for block, shown in self.steps:
            text_until(block.begin - 1)
            cells.append(new_code_cell(block.text.rstrip("\n")))
            at = (shown or block).end + 1
        text_until(len(self.lines))
        for number, cell in enumerate(cells):
            cell["id"] = f"cell-{number}"  # the same in every run
        book = new_notebook(cells=cells)
        book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        nbformat.validate(book)
        return book


def quiet_pictures():
    """No window, and the same bytes in every run."""
    import matplotlib

    os.environ["SOURCE_DATE_EPOCH"] = "0"  # no date in them
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "plaq", "svg.fonttype": "none", "figure.figsize": (6, 3.6),
                                "figure.constrained_layout.use": True, "font.family": "sans-serif"})


def in_directory(directory, function):
    """The result of a function that runs in this directory; None: in an empty one that goes afterwards."""
    if directory is None:
        with tempfile.TemporaryDirectory() as name:
            return in_directory(name, function)
    before = os.getcwd()
    os.chdir(directory)
    try:
        return function()
    finally:
        os.chdir(before)


def make_notebooks(tutorials, directory, execute):
    import nbformat

    directory.mkdir(parents=True, exist_ok=True)
    for tutorial in tutorials:
        book = tutorial.notebook()
        if execute:
            from nbclient import NotebookClient

            print(f"{tutorial.name}: running", flush=True)
            with tempfile.TemporaryDirectory() as name:
                NotebookClient(book, timeout=900, resources={"metadata": {"path": name}}).execute()
        target = directory / f"{tutorial.name}.ipynb"
        nbformat.write(book, target)
        print(target)
    return 0


def main():
    known = {**PAGES, **TUTORIALS}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(known))
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--leave", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--after", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--notebooks", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--execute", action="store_true")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in known]
    if unknown:
        parser.error(f"no tutorial {', '.join(unknown)}; there are {', '.join(known)}")
    if (options.leave or options.after) and len(options.names) != 1:
        parser.error("--leave and --after are for one page")
    tutorials = [Tutorial(known[name]) for name in options.names or (TUTORIALS if options.notebooks else known)]
    needed = ["nbformat", *(["nbclient", "ipykernel"] if options.execute else [])] if options.notebooks else []
    if not options.notebooks or options.execute:
        needed += ["plaq", "h5py", "matplotlib"]
    for module in needed:
        try:
            __import__(module)
        except ImportError as error:
            print(f"skipped: {error}")
            return 77
    if options.notebooks:
        return make_notebooks(tutorials, options.notebooks, options.execute)

    directory = options.leave or options.after
    if options.leave:
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
    elif directory and not directory.is_dir():
        parser.error(f"{directory} is missing; --leave makes it")
    quiet_pictures()
    failed = 0
    for tutorial in tutorials:
        begin = time.monotonic()
        wrong = in_directory(directory, lambda: tutorial.run(options.update))
        for complaint in wrong:
            print(complaint, end="\n\n")
        failed += bool(wrong)
        print(f"{tutorial.name}: {'wrong' if wrong else 'right'}, {time.monotonic() - begin:.0f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
