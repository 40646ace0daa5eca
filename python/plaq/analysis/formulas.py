"""Formulas of masses that a user writes, such as pion/rho or (delta - proton)/rho, and the usual ones."""
from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from .blocks import Block, Result
from .chosen_window import base_name
from .derived import DerivedError, derived

if TYPE_CHECKING:
    from .correlators import Correlator

USUAL = ("pion/rho", "pion/proton", "rho/proton", "delta - proton", "pion^2", "pion^2/pcac", "f_pion/pion", "f_pion/rho",
         "pion_ps/rho_vt", "pion_ps/nucleon", "pion_sc - pion_ps", "w0/sqrt(t0)", "r0*sqrt(sigma)")
FUNCTIONS: dict[str, Callable[[float], float]] = {"sqrt": math.sqrt, "exp": math.exp, "log": math.log, "abs": abs}
OPERATIONS: dict[type, Callable[[float, float], float]] = {
    ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b, ast.Div: lambda a, b: a / b,
    ast.Pow: math.pow}
SINGLE = {"t0": "t0", "w0": "w0", "r0": "r0", "string tension": "sigma", "coulomb e": "e", "residual mass midpoint": "residual"}


def names_in(block: Block) -> dict[str, Result]:
    """{name in formulas: result}: masses at rest by their channel, of smeared sinks where there are both; decay constants as
    f_pion, PCAC masses as pcac; t0, w0, r0, sigma and e."""
    found: dict[str, Result] = {}
    by_name = {f"mass {one.name()}": one for one in block.correlators}
    for result in block.results:
        correlator = by_name.get(result.name)
        if correlator is not None and (name := _name_of(correlator)):
            if name not in found or correlator.sink == "smeared":
                found[name] = result
        elif parts := re.fullmatch(r"mass (\S+) state (\d+) p=0,0,0 gevp", result.name):
            found[f"{parts[1]}_state_{parts[2]}"] = result
        elif parts := re.fullmatch(r"pcac mass (?:(\S+) )?(point|smeared)", result.name):
            # A smeared axial current obeys no Ward identity.
            if parts[2] == "point":
                found["pcac" + (f".{parts[1]}" if parts[1] else "")] = result
        elif parts := re.fullmatch(r"decay constant (\S+)", result.name):
            found[f"f_{parts[1]}"] = result
        elif result.name in SINGLE:
            found[SINGLE[result.name]] = result
    return found


def _name_of(one: Correlator) -> str:
    return one.channel.replace(" ", "_") if not any(one.momentum) and base_name(one.channel) != "axial_pseudoscalar" else ""


def add_derived(blocks: list[Block], formulas: tuple[str, ...]) -> None:
    """The formulas of each ensemble that has all their numbers. Throws DerivedError for one that no ensemble has."""
    for formula in formulas:
        if formula == "usual":
            for one in USUAL:
                for block in blocks:
                    _add(block, one)
        elif not [block for block in blocks if _add(block, formula)]:
            known = ", ".join(dict.fromkeys(name for block in blocks for name in names_in(block)))
            raise DerivedError(f"--derived {formula}: no file has all of its numbers; the names are {known or 'none'}, the "
                               f"functions {', '.join(FUNCTIONS)}")


def _add(block: Block, formula: str) -> bool:
    if any(result.name == formula for result in block.results):  # written twice, or also among the usual ones
        return True
    known = names_in(block)
    function, used = read_formula(formula, known)
    if function is None:
        return False
    made = derived(function, *(known[name] for name in used))
    if not math.isfinite(made.quantity.value):
        block.notes.append(f"{formula}: it has no finite value for these numbers")
        return True
    block.add(formula, made.quantity, systematic=made.systematic)
    return True


def read_formula(formula: str, known: Mapping[str, object], option: str = "--derived") -> tuple[Callable[..., float] | None, list[str]]:
    """(function of the numbers it names, their names); no function where a name is not known. Throws DerivedError for what is no
    formula, which names the `option`. Names may have dots and digits, as "pion.light_m0.5"."""
    used: list[str] = []
    longest_first = sorted(known, key=len, reverse=True)
    pattern = "|".join(re.escape(name) for name in longest_first)

    def placeholder(found: re.Match[str]) -> str:
        if found[0] not in used:
            used.append(found[0])
        return f"_{used.index(found[0])}"

    text = re.sub(rf"(?<![\w.])(?:{pattern})(?![\w.])", placeholder, formula) if pattern else formula
    try:
        tree = ast.parse(text.replace("^", "**").strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        if re.search(r"[A-Za-z]\w*\.\w", text):  # a name with quarks that is not there
            return None, []
        raise DerivedError(f"{option} {formula}: expected a formula such as pion/rho, (delta - proton)/rho or pion^2") from error
    if not _is_allowed(tree, f"{option} {formula}"):
        return None, []
    if not used:
        return None, []
    return (lambda *values: _value(tree, values)), used


def _is_allowed(node: ast.AST, told: str) -> bool:
    """Whether all names are known. Throws DerivedError for anything but numbers, names, + - * / ^ and functions."""
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATIONS:
        return _is_allowed(node.left, told) and _is_allowed(node.right, told)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        return _is_allowed(node.operand, told)
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return True
    if isinstance(node, ast.Name):
        return re.fullmatch(r"_\d+", node.id) is not None
    if isinstance(node, ast.Attribute):
        return False
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS and len(node.args) == 1:
        return _is_allowed(node.args[0], told)
    raise DerivedError(f"{told}: a formula has numbers, names, + - * / ^, parentheses and {', '.join(FUNCTIONS)}")


def _value(node: ast.AST, values: tuple[float, ...]) -> float:
    if isinstance(node, ast.BinOp):
        return OPERATIONS[type(node.op)](_value(node.left, values), _value(node.right, values))
    if isinstance(node, ast.UnaryOp):
        found = _value(node.operand, values)
        return -found if isinstance(node.op, ast.USub) else found
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return FUNCTIONS[node.func.id](_value(node.args[0], values))
    if isinstance(node, ast.Name):
        return values[int(node.id[1:])]
    assert isinstance(node, ast.Constant) and isinstance(node.value, (int, float))
    return float(node.value)
