"""The style sheet of the report: for a screen of any width, light or dark, and for paper."""
from ..plots import drawing

# Colors of figures by the names that the style sheet gives them. Each has a light and a dark variant.
COLORS = {"ink": (drawing.INK, "#e3e8ee"), "grid": ("#e6e6e6", "#323b46"), "grey": (drawing.GREY, "#9aa5b1"),
          "blue": (drawing.BLUE, "#5cb3ee"), "red": (drawing.RED, "#ff8f4d"), "green": (drawing.GREEN, "#35c79d"),
          "orange": (drawing.ORANGE, "#f2bd4a"), "purple": (drawing.PURPLE, "#e3a3c8"), "sky": (drawing.SKY, "#8fd0f5")}


def _variables(variant: int) -> str:
    return " ".join(f"--{name}: {colors[variant]};" for name, colors in COLORS.items())


STYLE = """
:root { color-scheme: light; --soft: #5b6b7b; --line: #d5dde5; --back: #ffffff; --tint: #f3f6f9; --mark: #b3261e; --link: #1f5fa8;
        --shade: rgba(20, 30, 40, .28); LIGHT }
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; --soft: #a3b0bd; --line: #3a4550; --back: #14181d; --tint: #1e242b; --mark: #ff8a80; --link: #7fb8f0;
          --shade: rgba(165, 185, 205, .35); DARK }
  figure img { filter: invert(1) hue-rotate(180deg); } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 78rem; padding: 1.5rem; color: var(--ink); background: var(--back);
       font: 15px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.7rem; margin: 0 0 .2rem; line-height: 1.2; overflow-wrap: anywhere; }
h2 { display: inline; font-size: 1.25rem; } h3 { display: inline; font-size: 1rem; } h4 { font-size: .95rem; margin: 1rem 0 .2rem; }
p { margin: .3rem 0; } .soft { color: var(--soft); } .bad { color: var(--mark); } a { color: var(--link); }
nav { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: .6rem 0 0; }
summary { cursor: pointer; color: var(--ink); }
summary::marker { color: var(--soft); }
.section { margin: 1.8rem 0 0; } .section > summary { border-bottom: 2px solid var(--line); padding-bottom: .2rem; }
.section > div { padding-top: .5rem; scroll-margin-top: 4rem; } .part { margin: .7rem 0 0; }
.part > div { padding-top: .3rem; } .listing > summary { color: var(--soft); }
.scroll { overflow-x: auto; max-width: 100%; width: fit-content; margin: .4rem 0; scrollbar-width: thin; background:
  linear-gradient(to right, var(--back) 40%, transparent) left / 3rem 100% no-repeat local,
  linear-gradient(to left, var(--back) 40%, transparent) right / 3rem 100% no-repeat local,
  linear-gradient(to right, var(--shade), transparent) left / .8rem 100% no-repeat scroll,
  linear-gradient(to left, var(--shade), transparent) right / .8rem 100% no-repeat scroll; }
.scroll:focus-visible { outline: 2px solid var(--link); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: max-content; }
th, td { padding: .2rem 1.2rem .2rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--soft); font-weight: 600; } td.number, th.number { text-align: right; }
td.long { white-space: normal; width: 26rem; min-width: 16rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); gap: 1rem; margin: .5rem 0; }
figure { margin: 0; break-inside: avoid; } figure svg, figure img { display: block; width: 100%; max-width: 40rem; height: auto; }
figure svg text { font-family: system-ui, sans-serif !important; }
figcaption { color: var(--soft); font-size: .9em; }
pre { background: var(--tint); padding: .7rem; overflow-x: auto; font-size: .85em; scrollbar-width: thin; }
@media (max-width: 40rem) { body { padding: 1rem; } th, td { padding-right: .8rem; } h1 { font-size: 1.35rem; } }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } nav { display: none; }
  .scroll, pre { overflow: visible; background: none; } table { width: auto; } th, td { white-space: normal; }
  pre { white-space: pre-wrap; } h2, h3 { break-after: avoid; } .figures { grid-template-columns: 1fr 1fr; }
  tr { break-inside: avoid; } details::details-content { content-visibility: visible; height: auto; } }
""".replace("LIGHT", _variables(0)).replace("DARK", _variables(1))


def with_variables(svg: str) -> str:
    """A figure as SVG whose colors are those of the style sheet."""
    for name, (light, _) in COLORS.items():
        svg = svg.replace(f": {light.lower()}", f": var(--{name})")
    return svg
