"""Names that anybody chose, in the report of a campaign and in plots: they are text, and no HTML or formula.

Exit code 77: skipped.
"""
import io
import os
import pathlib
import sys
import tempfile

try:
    import matplotlib.text
    import numpy  # noqa: F401
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "python"))
from plaq.analysis import output
from plaq.plots import drawing
from plaq.report import web_page as page
from plaq.report import work

NAME = "<script>alert('a')</script> & $x_$"


def test_no_name_is_html():
    data = {"tasks": [{"name": NAME}], "overview": {"nodes": []},
            "items": [(0, f"{NAME}{i}", "done", 1.0 + i, NAME, 0) for i in range(3)]}
    made = page.page(NAME, NAME, [(NAME, work.times(data) + page.heading(NAME) + page.paragraph(NAME)
                                   + page.table((NAME,), [(NAME,)]) + page.listing(NAME, NAME))])
    assert "<script>" not in made, made
    assert made.count("&lt;script&gt;") >= 12, made.count("&lt;script&gt;")


def test_dollars_of_names_are_drawn():
    figure, axes = drawing.new_figure(1, 1)
    axes.plot([0, 1], [0, 1], label=NAME)
    axes.set_title(NAME)
    axes.set_xlabel("$t/a$")
    axes.set_xticks([0, 1], [NAME, "a"])
    axes.legend()
    drawing.show_foreign_dollars(figure)
    formulas = {text.get_text(): text.get_parse_math() for text in figure.findobj(matplotlib.text.Text)}
    assert formulas["$t/a$"] and not formulas[NAME], formulas
    figure.savefig(io.BytesIO(), format="svg")


def test_files_are_whole_and_theirs_alone():
    with tempfile.TemporaryDirectory() as folder:
        path, seen = pathlib.Path(folder) / "out.svg", []

        def make(temporary):
            seen.append(temporary)
            assert temporary.endswith(".svg") and str(os.getpid()) not in os.path.basename(temporary).split(".")
            assert not path.exists()
            pathlib.Path(temporary).write_text("whole")

        output.write(path, make)
        assert path.read_text() == "whole" and os.listdir(folder) == ["out.svg"]
        mask = os.umask(0)
        os.umask(mask)
        assert path.stat().st_mode & 0o777 == 0o666 & ~mask
        output.write(path, lambda temporary: seen.append(temporary) or pathlib.Path(temporary).touch())
        assert len(set(seen)) == 2 and os.listdir(folder) == ["out.svg"]



for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
        print(f"{name}: right")
