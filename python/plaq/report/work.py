"""Sections about the work: what is done, what it costs, what is left out, and how long it took where."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from . import curves
from .campaign import Campaign
from .outliers import outliers
from .web_page import figure, figures, heading, paragraph, part, table

SHOWN = 20  # outliers of a task that are named


def rows_of(data: Campaign, task: int) -> Iterator[tuple[Any, ...]]:
    """(configuration, status, seconds, node, rung) of a task's items."""
    for number, configuration, status, *how in data["items"]:
        if number == task:
            yield (configuration, status, *(how or (None, "", 0)))


def hours(number: float) -> str:
    return f"{number:.3g}"


def summary(data: Campaign) -> str:
    overview = data["overview"]
    rows = [(t["name"], t["job"], t["items"], t["done"], t["left_out"], t["left"],
             f"{t['seconds_each']:.3g} s" if t["seconds_each"] else "-", hours(t["node_hours_each"]))
            for t in overview.get("tasks") or []]
    body = table(("task", "job", "items", "done", "left out", "left", "time each", "node hours each"), rows, range(2, 8))
    cost = overview["node_hours"]
    each = cost["used"] / overview["fields"] if overview["fields"] else 0
    text = (f"{overview['fields']} gauge fields. {hours(cost['used'])} node hours used, {hours(each)} a gauge field; "
            f"{hours(cost['to_come'])} to come")
    if cost["budget"]:
        text += f", {hours(cost['budget'])} granted"
    return body + paragraph(text + ".")


def left_out(data: Campaign, means: Sequence[tuple[str, str, str, str]]) -> str:
    """`means`: (task, quantity, without, with) of tasks that have rows that are left out."""
    if not data["left_out"]:
        return paragraph("Nothing is left out.")
    rows = [(f"{one['task']}.{one['configuration']}", one["reason"], one["message"], one["by"], one["when"])
            for one in data["left_out"]]
    body = table(("item", "reason", "evidence", "by", "when"), rows)
    if means:
        body += heading("Means without and with what is left out")
        body += table(("task", "quantity", "without", "with"), means)
    return body + paragraph("Fields that could not be computed are in no mean.", "soft")


def times(data: Campaign) -> str:
    body = ""
    for number, task in enumerate(data["tasks"]):
        rows = [row for row in rows_of(data, number) if row[2]]
        if len(rows) < 2:
            continue
        seconds = [row[2] for row in rows]
        drawn = figure(curves.by_node([row[3] for row in rows], seconds, "time", "s"), "time of each item, by node")
        found = figures([drawn])
        far = [rows[i] for i in outliers(seconds)]
        if far:
            far.sort(key=lambda row: -row[2])
            found += table(("outlier", "node", "time [s]"), [(row[0], row[3], f"{row[2]:.4g}") for row in far[:SHOWN]], (2,))
        body += part(task["name"], found)
    nodes = [(one["name"], one["done"], one["failures"], f"{one['slowness']:.2f}", "yes" if one["avoided"] else "")
             for one in data["overview"]["nodes"]]
    return body + table(("node", "items done", "failures", "time against all nodes", "avoided"), nodes, (1, 2, 3))
