"""HTML: a page that needs nothing else, for a screen of any width and for paper."""
from __future__ import annotations

import base64
import html
import io
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib

if TYPE_CHECKING:
    from ..plots.drawing import Figure

# No text of a figure is a formula, so a $ in the name of a node or a quantity is a $.
FIGURE_STYLE = {"svg.hashsalt": "plaq", "svg.fonttype": "none", "font.size": 9, "text.parse_math": False}
STYLE = """
:root { --ink: #1c2733; --soft: #5b6b7b; --line: #d5dde5; --back: #ffffff; --tint: #f3f6f9; --mark: #b3261e; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 78rem; padding: 1.5rem; color: var(--ink); background: var(--back);
       font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .2rem; } h2 { font-size: 1.25rem; margin: 2.2rem 0 .6rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; } p { margin: .3rem 0; } .soft { color: var(--soft); } .bad { color: var(--mark); }
nav a { margin-right: 1rem; } a { color: #1f5fa8; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; margin: .4rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; } td.number, th.number { text-align: right; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); gap: 1rem; }
figure { margin: 0; break-inside: avoid; } figure svg, figure img { width: 100%; height: auto; }
figcaption { color: var(--soft); font-size: .9em; }
pre { background: var(--tint); padding: .7rem; overflow-x: auto; font-size: .85em; }
details > summary { cursor: pointer; color: var(--soft); }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } nav { display: none; } .scroll, pre { overflow: visible; }
  pre { white-space: pre-wrap; } h2 { break-after: avoid; } .figures { grid-template-columns: 1fr 1fr; } tr { break-inside: avoid; } }
"""


def style() -> Any:
    """A context, or a decorator, in which figures of the page are made and written."""
    return matplotlib.rc_context(FIGURE_STYLE)


def escape(text: object) -> str:
    return html.escape(str(text))


def paragraph(text: object, kind: str = "") -> str:
    return f'<p class="{kind}">{escape(text)}</p>' if kind else f"<p>{escape(text)}</p>"


def heading(text: object) -> str:
    """The heading of a part of a section."""
    return f"<h3>{escape(text)}</h3>"


def table(heads: Sequence[object], rows: Iterable[Sequence[object]], numbers: Collection[int] = ()) -> str:
    """`numbers`: columns that are aligned to the right. A cell is text."""
    def cell(kind: str, i: int, content: object) -> str:
        place = ' class="number"' if i in numbers else ""
        return f"<{kind}{place}>{escape(content)}</{kind}>"

    lines = ["<tr>" + "".join(cell("th", i, head) for i, head in enumerate(heads)) + "</tr>"]
    lines += ["<tr>" + "".join(cell("td", i, one) for i, one in enumerate(row)) + "</tr>" for row in rows]
    return f'<div class="scroll"><table>{"".join(lines)}</table></div>'


def listing(title: object, text: object) -> str:
    return f"<details><summary>{escape(title)}</summary><pre>{escape(text)}</pre></details>"


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
        image = text[text.index("<svg"):]
    return f"<figure>{image}<figcaption>{escape(caption)}</figcaption></figure>"


def figures(drawn: Sequence[str]) -> str:
    return f'<div class="figures">{"".join(drawn)}</div>' if drawn else ""


def page(title: object, subtitle: str, sections: Iterable[tuple[str, str]]) -> str:
    """`sections`: (heading, HTML) pairs; those that are empty are left out."""
    kept = [(heading, body) for heading, body in sections if body]
    links = "".join(f'<a href="#s{i}">{escape(heading)}</a>' for i, (heading, _) in enumerate(kept))
    bodies = "".join(f'<h2 id="s{i}">{escape(heading)}</h2>{body}' for i, (heading, body) in enumerate(kept))
    return (f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
            f'content="width=device-width, initial-scale=1"><title>{escape(title)}</title><style>{STYLE}</style></head>'
            f'<body><h1>{escape(title)}</h1><p class="soft">{escape(subtitle)}</p><nav>{links}</nav>{bodies}</body></html>\n')
