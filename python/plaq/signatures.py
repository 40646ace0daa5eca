"""Signatures of the extension's functions for inspect.signature() and help(), with the keys of job files that they take.

nanobind's functions state their signatures as text, and take keys of job files as **keys. The schema of job files knows
these (_plaq.keyword_lists()).
"""
from __future__ import annotations

import ast
import inspect
import re
from typing import Any

from . import _plaq

LISTS = _plaq.keyword_lists()

# The extension asks whether a Python class has its own methods in place of these.
_WITH_OVERRIDES = ("LinearOperator", "DiracMatrix")


class _Text(str):
    """An annotation that prints without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _keyword(name: str, annotation: Any, default: str) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=ast.literal_eval(default),
                             annotation=_Text(annotation))


def with_keys(signature: inspect.Signature, function: str) -> inspect.Signature:
    """`signature` with the keys of `function`, as "GaugeField.smear", in place of **keys."""
    kept = [one for one in signature.parameters.values() if one.kind != inspect.Parameter.VAR_KEYWORD]
    taken = {one.name for one in kept}
    return signature.replace(parameters=kept + [_keyword(*key) for key in LISTS[function] if key[0] not in taken])


def _tidy(annotation: Any) -> Any:
    text = "object" if annotation is None else ast.unparse(annotation)
    if text == "object":
        return inspect.Parameter.empty
    return _Text(re.sub(r"(plaq\._plaq|_plaq|collections\.abc)\.", "", text))


def _parsed(function: Any) -> inspect.Signature:
    """The inspect.Signature of a function of nanobind."""
    text, _, *rest = function.__nb_signature__[0]
    defaults = rest[0] if rest else ()
    node: Any = ast.parse(re.sub(r"\\(\d+)", r"_(\1)", text) + ": ...").body[0]

    def default(value: Any) -> Any:
        if value is None:
            return inspect.Parameter.empty
        return defaults[ast.literal_eval(value.args[0])] if isinstance(value, ast.Call) else ast.literal_eval(value)

    arguments = node.args
    positional: list[tuple[Any, Any]] = [(one, inspect.Parameter.POSITIONAL_ONLY) for one in arguments.posonlyargs]
    positional += [(one, inspect.Parameter.POSITIONAL_OR_KEYWORD) for one in arguments.args]
    values = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    found = [inspect.Parameter(one.arg, kind, default=default(value), annotation=_tidy(one.annotation))
             for (one, kind), value in zip(positional, values)]
    if arguments.vararg is not None:
        found.append(inspect.Parameter(arguments.vararg.arg, inspect.Parameter.VAR_POSITIONAL))
    found += [inspect.Parameter(one.arg, inspect.Parameter.KEYWORD_ONLY, default=default(value),
                                annotation=_tidy(one.annotation))
              for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    if arguments.kwarg is not None:
        found.append(inspect.Parameter(arguments.kwarg.arg, inspect.Parameter.VAR_KEYWORD))
    return inspect.Signature(found, return_annotation=_tidy(node.returns))


def _signature(function: Any, name: str) -> inspect.Signature:
    signature = _parsed(function)
    return with_keys(signature, name) if name in LISTS else signature


def _is_of_nanobind(thing: object) -> bool:
    return callable(thing) and isinstance(getattr(thing, "__nb_signature__", None), tuple)


def _wrapped(function: Any, name: str) -> Any:
    """A Python function that calls one of nanobind, whose type has no place for a signature."""
    def call(*args: Any, **keys: Any) -> Any:
        return function(*args, **keys)

    call.__name__, call.__qualname__, call.__module__ = name.rpartition(".")[2], name, "plaq"
    call.__doc__ = "\n\n".join(one[1] for one in function.__nb_signature__ if one[1]) or None
    setattr(call, "__signature__", _signature(function, name))
    return call


class _OwnSignature:
    """The signature of a class, which classes derived from it do not inherit."""

    def __init__(self, cls: type, signature: inspect.Signature) -> None:
        self.cls, self.signature = cls, signature

    def __get__(self, instance: object, owner: type | None = None) -> inspect.Signature:
        if owner is self.cls and instance is None:
            return self.signature
        raise AttributeError("__signature__")


def _expose_class(cls: type) -> None:
    name = cls.__name__
    constructor = vars(cls).get("__init__")
    if _is_of_nanobind(constructor):
        signature = _signature(constructor, name)
        setattr(cls, "__signature__", _OwnSignature(cls, signature.replace(
            parameters=list(signature.parameters.values())[1:], return_annotation=inspect.Signature.empty)))
    if name in _WITH_OVERRIDES:
        return
    for member, function in list(vars(cls).items()):
        if _is_of_nanobind(function) and (not member.startswith("_") or member == "__call__"):
            setattr(cls, member, _wrapped(function, f"{name}.{member}"))


def _without_quotes(signature: inspect.Signature) -> inspect.Signature:
    """Of a function whose annotations are text, as `from __future__ import annotations` leaves them."""
    parameters = [one.replace(annotation=_as_text(one.annotation)) for one in signature.parameters.values()]
    return signature.replace(parameters=parameters, return_annotation=_as_text(signature.return_annotation))


def _as_text(annotation: Any) -> Any:
    return _Text(annotation) if isinstance(annotation, str) else annotation


def expose(names: dict[str, Any]) -> None:
    """Gives the extension's functions and classes among these names their signatures."""
    for name, thing in list(names.items()):
        if inspect.isclass(thing) and thing.__module__.endswith("_plaq"):
            _expose_class(thing)
        elif _is_of_nanobind(thing):
            names[name] = _wrapped(thing, name)
        elif inspect.isfunction(thing) and name in LISTS:
            setattr(thing, "__signature__", with_keys(_without_quotes(inspect.signature(thing)), name))
