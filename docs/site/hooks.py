"""Hooks of mkdocs: pages that are made when the site is built, and links between pages that name each other as files.

python-reference.md is made of the docstrings of the module plaq, cpp-reference/ of the comments of public headers, and changelog.md
is CHANGELOG.md. Formulas become MathML, which browsers show by themselves.
"""
import html
import inspect
import logging
import os
import pathlib
import posixpath
import re
import textwrap

import cpp_reference
from latex2mathml.converter import convert
from mkdocs.structure.files import File

log = logging.getLogger("mkdocs.hooks.plaq")
WIDTH = 110  # of code
SOURCES = pathlib.Path(__file__).resolve().parents[2]

# What users of the module look for, in the order that they do.
SECTIONS = [
    ("Lattices", ["Lattice"]),
    ("Gauge fields", ["read_gauge", "gauge_extents", "unit_gauge", "random_gauge", "GaugeField", "Flow", "FlowPoint",
                      "FixedGauge", "FixingCheck", "GaugeTransformation", "read_transformation", "HeatbathChain", "HMC",
                       "TrajectoryReport"]),
    ("Quark fields and sources", ["quark_field", "point_source", "wall_source", "corner_wall_source", "even_wall_source",
                                  "grid_source", "gaussian_source", "noise_source", "volume_momentum_source", "noise_seed",
                                  "source_positions", "GaussianSmearing", "QuarkField", "read_quarks", "write_quarks"]),
    ("Numbers of fields", ["Field", "DeviceArray"]),
    ("Neighbours", ["shift", "covariant_shift", "covariant_derivative", "symmetric_shift", "path_product"]),
    ("Fourier transforms", ["fft"]),
    ("Gluons and static quarks", ["gluon_propagator", "ghost_propagator", "wilson_loops", "polyakov_correlators"]),
    ("Dirac operators", ["Wilson", "Clover", "Staggered", "Asqtad", "Hisq", "DomainWall", "Dirac", "discretisations"]),
    ("Solves", ["solve", "Solver", "SolveReport", "LinearOperator", "matrix", "krylov"]),
    ("Two-point functions", ["meson", "baryon", "taste_mesons", "momentum_sums", "GammaMatrix", "gamma", "gamma5", "identity"]),
    ("Three-point functions, loops and low modes", ["three_point", "sequential_source", "quark_loops", "quark_propagator",
                                                    "residual_mass", "low_modes", "read_low_modes", "LowModes",
                                                    "LowModePropagators"]),
    ("Vertices", ["quark_vertices", "four_quark_vertices", "momentum_propagator"]),
    ("Distillation", ["laplacian_modes", "read_laplacian_modes", "LaplacianModes", "perambulator",
                      "generalised_perambulators", "stochastic_perambulator", "meson_elementals", "baryon_elementals"]),
    ("Jobs", ["run", "plan", "schema", "job_types", "set_log", "version"]),
    ("Results", ["load", "Results", "Correlator", "Values", "Value"]),
    ("Errors", ["Error", "InternalError", "UsageError", "JobFileError", "InputFileError", "OutputFileError", "NotConverged",
                "CommunicationError", "DeviceError", "Stopped", "Incomplete"]),
]


def _tidy(signature, defaults=()):
    """As users would write it: defaults in place of their numbers, no names of inner modules, no `object`."""
    signature = re.sub(r"\\(\d+)", lambda number: repr(defaults[int(number[1])]), signature)
    for inner in ("plaq._plaq.", "collections.abc."):
        signature = signature.replace(inner, "")
    return re.sub(r"^def |: object\b(?: \| None)?| -> object$", "", signature)


def _lines(name, signature):
    """A signature of many keys, several to a line; none is broken."""
    whole = name + str(signature)
    if len(whole) <= WIDTH:
        return whole
    parts, marked = [], False
    for parameter in signature.parameters.values():
        if parameter.kind == parameter.KEYWORD_ONLY and not marked:
            parts.append("*")
            marked = True
        parts.append(str(parameter))
    end = ")" if signature.return_annotation is signature.empty else f") -> {signature.return_annotation}"
    unbroken = ", ".join(part.replace(" ", "\0") for part in parts)
    lines = textwrap.wrap(f"{name}({unbroken}{end}", WIDTH, subsequent_indent="    ", break_long_words=False,
                          break_on_hyphens=False)
    return "\n".join(lines).replace("\0", " ")


def _signature_and_text(thing, name):
    """Signature and docstring of a function or class; nanobind keeps both beside it where the package has no signature."""
    bound = getattr(thing, "__nb_signature__", None)
    if bound:
        signatures = [_tidy(one[0], *one[2:]) for one in bound]
        text = "\n\n".join(one[1] for one in bound if one[1])
        return signatures, text
    text = inspect.getdoc(thing) or ""
    lines = text.splitlines()
    if lines and re.match(rf"{re.escape(name)}\(", lines[0]):
        return [lines[0]], "\n".join(lines[1:]).strip()
    try:
        return [_lines(name, inspect.signature(thing))], text
    except (TypeError, ValueError):
        return [], text


def _code(lines):
    return "```python\n" + "\n".join(lines) + "\n```\n" if lines else ""


def _text(text):
    """A docstring as Markdown: nothing in it is meant as markup but indented code."""
    return re.sub(r"(?m)^(?! {4})(.*)$", lambda line: re.sub(r"([*_<>\[\]])", r"\\\1", line[0]), text).strip()


def _members(cls):
    """Properties as a table, then methods."""
    rows, methods = [], []
    for name, member in vars(cls).items():
        if name in ("__call__", "__init__", "__matmul__") or not name.startswith("_"):
            if isinstance(member, property) or inspect.isdatadescriptor(member):
                text = inspect.getdoc(member) or ""
                if text.startswith("(self)"):  # nothing but a type
                    text = _tidy(text[len("(self)"):]).removeprefix(" -> ")
                cell = _text(text).replace("\n", " ").replace("|", "\\|")
                rows.append(f"| `{name}` | {cell} |")
            elif callable(member):
                signatures, text = _signature_and_text(member, name)
                if name == "__init__" and "__signature__" in vars(cls):
                    signatures = [_lines(cls.__name__, inspect.signature(cls))]
                if name == "__init__" and (not text or text.startswith("Initialize self")):
                    continue
                methods.append(_code(signatures) + "\n" + _text(text))
    table = "| property | |\n|---|---|\n" + "\n".join(rows) + "\n" if rows else ""
    return "\n\n".join(part for part in [table, *methods] if part)


def reference(plaq):
    page = ["# Reference of the Python module\n\nMade of the docstrings of plaq " + plaq.version() + ". The [guide](python.md) "
            "shows how they are used together. Keys that a function passes on are those of [job files](job-files/index.md).\n"]
    listed = set()
    for title, names in SECTIONS:
        page.append(f"## {title}\n")
        for name in names:
            thing = getattr(plaq, name, None)
            if thing is None:
                log.warning(f"the reference lists plaq.{name}, which is not there")
                continue
            listed.add(name)
            page.append(f"### {name}\n")
            if inspect.isclass(thing):
                bases = [base.__name__ for base in thing.__bases__ if base is not object]
                page.append(f"class `plaq.{name}`" + (f", a `{'`, `'.join(bases)}`" if bases else "") + "\n")
                page.append(_text(inspect.getdoc(thing) or "") + "\n")
                page.append(_members(thing) + "\n")
            elif callable(thing):
                signatures, text = _signature_and_text(thing, name)
                page.append(_code(signatures) + "\n" + _text(text) + "\n")
            else:
                page.append(f"A `{type(thing).__name__}`.\n")
    for name in sorted(set(plaq.__all__) - listed):
        if not inspect.ismodule(getattr(plaq, name)):
            log.warning(f"the reference does not list plaq.{name}")
    return "\n".join(page)


def on_files(files, config):
    try:
        import plaq
        text = reference(plaq)
    except ImportError as error:
        log.warning(f"no reference of the Python module: {error}")
        text = "# Reference of the Python module\n\nThis site was built where the module is not installed: `help(plaq)`.\n"
    files.append(File.generated(config, "python-reference.md", content=text))
    tool = cpp_reference.missing_tool()
    if tool:  # CI installs it
        log.log(logging.WARNING if os.environ.get("PLAQ_NEED_TOOLS") == "1" else logging.INFO, f"no reference of C++ without {tool}")
        made = [(page[0], f"# {page[1]}\n\nThis site was built without {tool}. Read the headers in include/plaq.\n")
                for page in cpp_reference.PAGES]
    else:
        listed, _, headers = cpp_reference.read()
        made = cpp_reference.pages(listed, headers)
    for name, text in made:
        files.append(File.generated(config, name, content=text))
    changes = (SOURCES / "CHANGELOG.md").read_text(encoding="utf-8")
    files.append(File.generated(config, "changelog.md", content=changes))
    return files


def on_page_markdown(markdown, page, config, files):
    """docs/NAME.md in running text, as pages have it that are read without the site, becomes a link."""
    here = posixpath.dirname(page.file.src_uri)

    def link(found):
        target = found[1]
        if files.get_file_from_path(target) is None:
            return found[0]
        return f"[{found[0]}]({posixpath.relpath(target, here)})"

    parts = re.split(r"(?ms)(^```.*?^```|`[^`\n]+`)", markdown)
    parts[::2] = [re.sub(r"(?<![\[(/\w])docs/([\w/-]+\.md)", link, part) for part in parts[::2]]
    return "".join(parts)


_FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.DOTALL)


def on_page_content(content, page, **_):
    """TeX, as arithmatex marks it, as MathML."""
    def made(found):
        tex = html.unescape(found[3]).strip()
        try:
            if found[1] == "span":
                return convert(tex)
            return f'<div class="formula">{convert(tex, display="block")}</div>'
        except Exception as error:  # whatever the converter does not know
            log.warning("%s: formula %s: %r", page.file.src_path, tex, error)
            return found[0]

    return _FORMULA.sub(made, content)
