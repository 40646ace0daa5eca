"""The report of a campaign from what the program says of it, DATA.json, and its results."""
from __future__ import annotations

from typing import TYPE_CHECKING

from ..analysis import NotAResult, Request, analyse
from ..analysis.attributes import text
from ..analysis.notation import with_error
from ..analysis.quantities import Settings
from . import fields, quarks, work
from .campaign import Blocks, Campaign
from .web_page import listing, page, paragraph, table

if TYPE_CHECKING:
    from ..analysis.blocks import Block, Result

BOOTSTRAP = 50  # samples: the report shows errors of the gamma method


def report_of(data: Campaign) -> str:
    """The page, HTML, of what the program says of a campaign (jobs/campaign/report_campaign.cpp)."""
    request = Request(settings=Settings(samples=BOOTSTRAP))
    blocks, notes = blocks_of(data, request)
    overview = data["overview"]
    sections = [
        ("Summary", work.summary(data) + "".join(paragraph(note, "bad") for note in notes)),
        ("Left out", work.left_out(data, means_with_left_out(data, request))),
        ("Gauge fields", fields.inventory(data["inventory"])),
        ("Histories", fields.histories(blocks)),
        ("Gauge fixing", fields.fixing(blocks)),
        ("Masses", quarks.masses(blocks, request.settings)),
        ("Momenta and loops", quarks.tables(blocks, request.settings)),
        ("Solves", quarks.solves(blocks)),
        ("Time", work.times(data)),
        ("Provenance", provenance(data, blocks)),
    ]
    return page(data["directory"], f"{overview['fields']} gauge fields, plaq {data['plaq_version']}, {data['made']}", sections,
                closed=("Time", "Provenance"))


def blocks_of(data: Campaign, request: Request) -> tuple[list[tuple[str, Block]], list[str]]:
    """(task, block) of all that plaq analyse reads; notes on the others."""
    blocks, notes = [], []
    for task in data["tasks"]:
        if not task["results"]:
            continue
        try:
            blocks += [(task["name"], block) for block in analyse([task["results"]], request)]
        except NotAResult as error:
            if "nothing that plaq analyse reads" not in str(error):
                notes.append(str(error))
    return blocks, notes


def means_with_left_out(data: Campaign, request: Request) -> list[tuple[str, str, str, str]]:
    rows = []
    for task in data["tasks"]:
        if not task["results"] or not task["with_left_out"]:
            continue
        try:
            without, with_all = ({r.name: r for block in analyse([path], request) for r in block.results}
                                 for path in (task["results"], task["with_left_out"]))
        except NotAResult:
            continue
        rows += [(task["name"], name, _text(one), _text(with_all[name])) for name, one in without.items() if name in with_all]
    return rows


def _text(result: Result) -> str:
    return with_error(result.quantity.value, result.quantity.gamma().error)


def provenance(data: Campaign, blocks: Blocks) -> str:
    rows = []
    for name, block in blocks:
        file = block.ensemble.files[0]
        rows.append((name, file.path, text(file.file.attrs.get("plaq_version", "")), len(file.file.get("gauge", {}))))
    body = table(("task", "file", "plaq", "gauge fields"), rows, (3,))
    body += paragraph("Each result has the checksum of the gauge field of each row in /gauge, and its whole job in the "
                      "attribute job.", "soft")
    body += listing("campaign.toml", data["campaign"])
    seen = set()
    for task in data["tasks"]:
        if task["file"] not in seen:
            body += listing(task["file"], task["job"])
        seen.add(task["file"])
    for name, block in blocks:
        body += listing(f"checksums of the gauge fields of {name}", checksums(block))
    return body


def checksums(block: Block) -> str:
    lines = []
    for field in block.ensemble.files[0].file.get("gauge", {}).values():
        lines.append("  ".join(text(field.attrs.get(key, "")) for key in ("checksum", "file")))
    return "\n".join(lines)
