"""HTML: a page that needs nothing else, for a screen of any width and for paper."""
from __future__ import annotations

import base64
import html
import io
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib

from ..plots import drawing
from .page_style import COLORS, STYLE, with_variables

if TYPE_CHECKING:
    from ..plots.drawing import Figure

LONG = 64  # letters of a cell from which on it may have several lines
# No text of a figure is a formula, so a $ in the name of a node or a quantity is a $.
FIGURE_STYLE = {**drawing.STYLE, "svg.fonttype": "none", "font.size": 9, "axes.labelsize": 9, "axes.titlesize": 9, "xtick.labelsize": 8,
                "ytick.labelsize": 8, "legend.fontsize": 8, "text.parse_math": False, "figure.facecolor": "none", "axes.facecolor": "none",
                "savefig.facecolor": "none", "grid.color": COLORS["grid"][0]}


def style() -> Any:
    """A context, or a decorator, in which figures of the page are made and written."""
    return matplotlib.rc_context(FIGURE_STYLE)


def escape(text: object) -> str:
    return html.escape(str(text))


def paragraph(text: object, kind: str = "") -> str:
    return f'<p class="{kind}">{escape(text)}</p>' if kind else f"<p>{escape(text)}</p>"


def heading(text: object) -> str:
    """The heading of a table or a figure in a part."""
    return f"<h4>{escape(text)}</h4>"


def part(title: object, body: str, opened: bool = True) -> str:
    """A part of a section that folds; nothing where it has no body."""
    return _folding("part", f"<h3>{escape(title)}</h3>", f"<div>{body}</div>", opened) if body else ""


def _folding(kind: str, summary: str, body: str, opened: bool) -> str:
    return f'<details class="{kind}"{" open" if opened else ""}><summary>{summary}</summary>{body}</details>'


def table(heads: Sequence[object], rows: Iterable[Sequence[object]], numbers: Collection[int] = ()) -> str:
    """`numbers`: columns that are aligned to the right. A cell is text. Heads that are all empty are left out."""
    def cell(kind: str, i: int, content: object) -> str:
        place = ' class="number"' if i in numbers else ' class="long"' if len(str(content)) > LONG else ""
        return f"<{kind}{place}>{escape(content)}</{kind}>"

    lines = ["<tr>" + "".join(cell("th", i, head) for i, head in enumerate(heads)) + "</tr>"] if any(heads) else []
    lines += ["<tr>" + "".join(cell("td", i, one) for i, one in enumerate(row)) + "</tr>" for row in rows]
    return f'<div class="scroll" tabindex="0"><table>{"".join(lines)}</table></div>'


def listing(title: object, text: object) -> str:
    return _folding("listing", escape(title), f"<pre>{escape(text)}</pre>", False)


@style()
def figure(drawn: Figure, caption: str) -> str:
    """A figure of Matplotlib, as SVG within the page; as an image where it has so many points that SVG is large."""
    stream = io.BytesIO()
    if getattr(drawn, "many_points", False):
        drawn.savefig(stream, format="png", dpi=110)
        image = f'<img alt="{escape(caption)}" src="data:image/png;base64,{base64.b64encode(stream.getvalue()).decode()}">'
    else:
        drawn.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
        text = stream.getvalue().decode()
        image = with_variables(text[text.index("<svg"):])
    return f"<figure>{image}<figcaption>{escape(caption)}</figcaption></figure>"


def figures(drawn: Sequence[str]) -> str:
    return f'<div class="figures">{"".join(drawn)}</div>' if drawn else ""


def page(title: object, subtitle: str, sections: Iterable[tuple[str, str]], closed: Collection[str] = ()) -> str:
    """`sections`: (heading, HTML) pairs; those that are empty are left out. `closed`: headings of those that begin folded."""
    kept = [(heading, body) for heading, body in sections if body]
    links = "".join(f'<a href="#s{i}">{escape(heading)}</a>' for i, (heading, _) in enumerate(kept))
    bodies = "".join(_folding("section", f"<h2>{escape(heading)}</h2>", f'<div id="s{i}">{body}</div>', heading not in closed)
                     for i, (heading, body) in enumerate(kept))
    return (f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
            f'content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">'
            f'<title>{escape(title)}</title><style>{STYLE}</style></head>'
            f'<body><h1>{escape(title)}</h1><p class="soft">{escape(subtitle)}</p><nav>{links}</nav>{bodies}</body></html>\n')
