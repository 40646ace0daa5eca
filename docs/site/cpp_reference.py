"""The reference of the C++ interface: the names that Doxygen finds in the headers that plaq installs, with their comments.

A comment belongs to the declaration beside it, to all variables of this declaration, to the values of an enumeration, and to
overloads that follow without a comment. .ci/headers checks that each name has one.
"""
import itertools
import pathlib
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field

SOURCES = pathlib.Path(__file__).resolve().parents[2]
SETTINGS = """
INPUT = {folder}/plaq
OUTPUT_DIRECTORY = {folder}
STRIP_FROM_PATH = {folder}
RECURSIVE = YES
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
EXTRACT_ALL = YES
EXCLUDE_SYMBOLS = plaq::detail
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = PLAQ_HD=
QUIET = YES
"""
# File, title, headers and first lines of each page; a header is on the first page that takes it.
PAGES = [
    ("cpp-reference/index.md", "C++ reference", r"plaq/\w+\.hpp",
     "Classes and functions of `#include <plaq/plaq.hpp>`, by the comments of its headers. The [guide](../cpp.md) shows their use, "
     "[stability](../stability.md) what is promised of them. They take and return [settings and results](settings.md)."),
    ("cpp-reference/settings.md", "C++ reference: settings and results", r"plaq/(?!core/)",
     "Sources, and structs that functions of the [C++ interface](index.md) take and return."),
    ("cpp-reference/fields.md", "C++ reference: fields and errors", r"plaq/core/",
     "Below the [C++ interface](index.md). Most programs need only `Error`, `Extents` and `Precision`."),
]


@dataclass
class Name:
    """A class, or a member of a class or of the namespace. code: its declaration, or the type of a member variable."""
    kind: str
    name: str
    header: str
    line: int
    code: str
    text: str  # comment, without its signs
    parameters: list = field(default_factory=list)
    value: str = ""
    members: list = field(default_factory=list)


def missing_tool():
    """A program that is needed and not installed, or None."""
    return next((tool for tool in ("doxygen", "cmake") if not shutil.which(tool)), None)


def _protect(text):
    """A header whose comments are verbatim, so that Doxygen takes nothing in them for markup. Lines keep their numbers."""
    text = re.sub(r"(?m)///< ?(.*)$", r"///< @verbatim \1 @endverbatim", text)
    return re.sub(r"(?m)^( *///)(?!<)((?:.*\n *///(?!<))*.*)$", r"\1 @verbatim\2 @endverbatim", text)


def _inner(element, tag):
    return "".join(part for found in element.findall(tag) for part in found.itertext()).strip()


def _comment(element):
    parts = element.find("briefdescription"), element.find("detaileddescription")
    return "\n".join(re.sub(r"(?m)^ *///( |$)", "", text.text.strip()) for part in parts for text in part.iter("verbatim"))


def _declaration(lines, line, ends=";{"):
    """The declaration at a line of a header as it stands there, without a body."""
    first = line - 2 if lines[line - 2].lstrip().startswith("template") else line - 1
    text, depth, end = "\n".join(lines[first:]), 0, 0
    while depth or not (text[end] in ends or "{" in ends and re.match(r"\s: \w+[({]", text[end:])):
        depth += (text[end] == "(") - (text[end] == ")")
        end += 1
    indent = len(text) - len(text.lstrip())
    return re.sub(rf"(?m)^ {{{indent}}}|PLAQ_HD ", "", text[:end].rstrip()) + ";"


def _members(compound, scope, headers):
    """Members that are not private, but for copies, moves, destructors, and what is defaulted or deleted."""
    cls = scope.split("::")[-1]
    special = rf"~.*|(?:{cls}|operator=)\((const )?{cls} ?&&?( ?\w+)?\).*|.*= ?(default|delete)"
    for member in compound.iter("memberdef"):
        name, kind, place = member.findtext("name"), member.get("kind"), member.find("location")
        if member.get("prot") == "private" or re.fullmatch(special, name + _inner(member, "argsstring")):
            continue
        header, line = place.get("file"), int(place.get("declline") or place.get("line"))
        code = _declaration(headers[header], line, ";" if kind == "variable" else ";{")
        made = Name(kind, name, header, line, code, _comment(member),
                    [_inner(parameter, "declname") for parameter in member.findall("param")])
        if kind == "enum":
            values = [(value.findtext("name"), _comment(value)) for value in member.iter("enumvalue")]
            made.code = f"enum class {name} {{ {', '.join(value for value, _ in values)} }};"
            made.members = [Name("value", value, header, line, "", text) for value, text in values]
        elif kind == "variable" and scope:
            made.code = re.sub("< | (?=>)", lambda found: found[0].strip(), _inner(member, "type"))
            made.value = re.sub(r"^= *", "", _inner(member, "initializer"))
        yield made


def read():
    """All classes and members of the namespace in the order of the headers, and what Doxygen warns of."""
    listed = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cmake", f"-Dsource={SOURCES}", f"-Ddestination={folder}", "-P", SOURCES / "cmake/InstallHeaders.cmake"],
                       check=True, capture_output=True)
        headers = {}
        for path in pathlib.Path(folder).rglob("*.hpp"):
            text = path.read_text(encoding="utf-8")
            headers[str(path.relative_to(folder))] = text.split("\n")
            path.write_text(_protect(text), encoding="utf-8")
        ran = subprocess.run(["doxygen", "-"], input=SETTINGS.format(folder=folder), text=True, capture_output=True, check=True)
        for path in pathlib.Path(folder, "xml").glob("*plaq*.xml"):
            for compound in ElementTree.parse(path).getroot().iter("compounddef"):
                scope, kind = compound.findtext("compoundname").removeprefix("plaq").removeprefix("::"), compound.get("kind")
                if kind == "namespace" and not scope:
                    listed += _members(compound, "", headers)
                elif kind in ("class", "struct") and compound.get("prot") == "public":
                    header, line = compound.find("location").get("file"), int(compound.find("location").get("line"))
                    members = sorted(_members(compound, scope, headers), key=lambda name: name.line)
                    listed.append(Name(kind, scope, header, line, _declaration(headers[header], line), _comment(compound),
                                       members=members))
    return sorted(listed, key=lambda name: (name.header, name.line)), ran.stderr.replace(f"{folder}/", ""), headers


def groups(listed):
    """Names that share a comment."""
    groups = []
    for name in listed:
        last = groups[-1][-1] if groups else None
        if last and name.kind == last.kind and (name.line == last.line if name.kind == "variable" else
                                                name.name == last.name and not name.text):
            groups[-1].append(name)
        else:
            groups.append([name])
    return groups


def _markdown(text):
    """A comment as Markdown: nothing in it is markup but `code`. Indented lines are formulas, @param makes a list."""
    lines = []
    for line in text.splitlines():
        parts = re.split(r"(`[^`]*`)", re.sub(r"^@param (\w+) +", r"- `\1`: ", line.rstrip()))
        parts[::2] = [re.sub(r"([\\*_<>\[\]])", r"\\\1", part) for part in parts[::2]]
        kind = "-" if line.startswith("@param") else "    " if line.startswith("  ") else ""
        before = lines[-1] if lines else ""
        if kind != ("-" if before.startswith("- ") else "    " if before.startswith("    ") else ""):
            lines.append("")
        lines.append("  " + line if kind.isspace() else "".join(parts))
    return "\n".join(lines).strip()


def _described(group):
    """Declarations of names that share a comment, the comment, and the members."""
    first, rows, members = group[0], [], []
    for inner in groups(first.members):
        if inner[0].kind in ("variable", "value"):
            cells = [", ".join(f"`{name.name}`" for name in inner), f"`{inner[0].code}`" if inner[0].code else "",
                     ", ".join(f"`{name.value}`" for name in inner if name.value not in ("", "{}")),
                     _markdown(" ".join(name.text.replace("\n", " ") for name in inner if name.text))]
            rows.append("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |")
        else:
            members.append(_described(inner))
    table = "\n".join(["| member | type | default | |", "|---|---|---|---|", *rows])
    told = first.kind != "enum" or any(name.text for name in first.members)
    return "\n\n".join(["```cpp\n" + "\n".join(name.code for name in group) + "\n```",
                        _markdown("\n".join(name.text for name in group)), *([table] if rows and told else []), *members])


def _about(lines):
    """The comment at the begin of a header, without its signs."""
    return [line[3:] for line in itertools.takewhile(lambda line: line.startswith("//"), lines)]


def _contents(names, headers):
    """A table of the headers of a page with their subjects, the first sentences of their comments."""
    rows = ["| header | subject |", "|---|---|"]
    for header in names:
        about = " ".join(_about(headers[header]))
        subject = re.split(r"(?<=[.;:])(?<!al\.)(?<!Phys\.)(?<!Rev\.)(?: |$)", about, maxsplit=1)[0].rstrip(".;:")
        anchor = re.sub(r"[^\w-]", "", header.lower())
        rows.append(f"| [{header}](#{anchor}) | {_markdown(subject)} |")
    return "\n".join(rows)


def pages(listed, headers):
    """(file, Markdown) of each page."""
    for file, title, _, begin in PAGES:
        parts = [f"# {title}", begin]
        mine = [name for name in listed if next(page[0] for page in PAGES if re.match(page[2], name.header)) == file]
        parts.append(_contents(dict.fromkeys(name.header for name in mine), headers))
        for header, names in itertools.groupby(mine, lambda name: name.header):
            parts += [f"## {header}", _markdown("\n".join(_about(headers[header])))]
            heading = ""
            for group in groups(names):
                if group[0].name != heading and not group[0].name.startswith("operator"):
                    heading = group[0].name
                    parts.append(f"### {heading}")
                parts.append(_described(group))
        yield file, "\n\n".join(parts) + "\n"
