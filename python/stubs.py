"""Type stubs of the package with the keys of job files in place of **keys: stubs.py STUB PACKAGE.

PACKAGE/_plaq.pyi is made of STUB, which nanobind has made of the extension, and PACKAGE/operators.pyi of operators.py. The
keys come from the schema of job files, which the extension knows.
"""
import ast
import pathlib
import sys

IMPORTS = """\
from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Literal, TypedDict

import numpy.typing

"""


def with_keys(function, keys):
    """Keyword-only arguments in place of **keys."""
    arguments = function.args
    if arguments.kwarg is None:
        return
    arguments.kwarg = None
    taken = {one.arg for one in arguments.args + arguments.kwonlyargs}
    for name, annotation, default in keys:
        if name not in taken:
            arguments.kwonlyargs.append(ast.arg(name, ast.parse(annotation, mode="eval").body))
            arguments.kw_defaults.append(ast.parse(default, mode="eval").body)


def completed(tree, lists):
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in lists:
            with_keys(node, lists[node.name])
        elif isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, ast.FunctionDef):
                    name = node.name if member.name in ("__init__", "__new__") else f"{node.name}.{member.name}"
                    if name in lists:
                        with_keys(member, lists[name])


def without_bodies(tree):
    """Functions with their docstrings alone."""
    tree.body = [node for node in tree.body if not (isinstance(node, ast.ImportFrom) and node.module == "__future__")]
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            node.body = node.body[:1] + [ast.Expr(ast.Constant(...))]


def typed_dicts(lists):
    text = ""
    for name, keys in lists.items():
        if name.startswith("table "):
            members = "".join(f"    {key}: {annotation}\n" for key, annotation, _ in keys)
            text += f"class {name.removeprefix('table ')}(TypedDict, total=False):\n{members}\n"
    return text


def main():
    stub, package = map(pathlib.Path, sys.argv[1:])
    sys.path.insert(0, str(package))
    import _plaq

    lists = _plaq.keyword_lists()
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    completed(tree, lists)
    text = IMPORTS + typed_dicts(lists) + ast.unparse(tree) + "\n"
    (package / "_plaq.pyi").write_text(text, encoding="utf-8")
    tree = ast.parse((package / "operators.py").read_text(encoding="utf-8"))
    without_bodies(tree)
    completed(tree, lists)
    dicts = ", ".join(name.removeprefix("table ") for name in lists if name.startswith("table "))
    head = IMPORTS.replace(", TypedDict", "").replace("import numpy.typing\n\n", "")
    text = ast.unparse(tree).replace("from ._plaq import ", f"from ._plaq import {dicts}, ", 1)
    (package / "operators.pyi").write_text(head + text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
