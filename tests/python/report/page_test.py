"""The page of the report: parts that fold, tables that scroll, light and dark colors, and what its figures show.

Exit code 77: skipped.
"""
import pathlib
import re
import sys

try:
    import matplotlib.collections
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "python"))
from plaq.report import curves, page_style, quarks
from plaq.report import web_page as page

X = numpy.arange(200, 260, 10)


def all_curves():
    y = numpy.array([3.0, 5, 4, 4, 6, 3])
    return {"history": curves.history(X, y, "iterations", "", [4], True), "unit": curves.history(X, y, "clover energy", "a^-4"),
            "node": curves.by_node(["n1", "n2", "n1"], [1.0, 2, 3], "time", "s"),
            "theta": curves.logarithmic_points(X, 10.0**-numpy.arange(11, 17), "theta", 1e-12),
            "residual": curves.logarithmic_points(X, 1e-10 * numpy.linspace(9.1, 9.9, 6), "true residual"),
            "correlator": curves.correlator(numpy.array([1, 0.1, -0.01, 0.0]), numpy.full(4, 0.02)),
            "mass": curves.effective_masses([0.5, 1.5, 2.5, 3.5], numpy.array([2.0, 1.2, 1.1, 1.1]), numpy.full(4, 0.02), (1.1, 0.01),
                                            (1, 3))}


def test_sections_and_parts_fold():
    made = page.page("title", "", [("One", page.part("task", "<p>body</p>")), ("Two", "<p>two</p>"), ("None", "")], closed=("Two",))
    assert re.search(r'<details class="section" open><summary><h2>One</h2></summary><div id="s0"><details class="part" open>', made), made
    assert '<details class="section"><summary><h2>Two</h2></summary><div id="s1"><p>two</p>' in made, made
    assert "None" not in made and page.part("task", "") == ""
    links = re.findall(r'href="#(\w+)"', made)
    assert links == ["s0", "s1"] and all(made.count(f'id="{link}"') == 1 for link in links), made
    assert made.count("<details") == made.count("</details>") == 3


def test_tables_scroll():
    made = page.table(("name", "value"), [("a", "1.0"), ("b" * 100, "2")], (1,))
    assert made.startswith('<div class="scroll" tabindex="0"><table><tr><th>name</th><th class="number">value</th></tr>'), made
    assert '<td class="long">bbb' in made and '<td class="number">2</td>' in made, made
    assert "<th" not in page.table(("", ""), [("a", "b")])
    assert re.search(r"\.scroll \{ overflow-x: auto;", page_style.STYLE)


def test_colors_are_light_or_dark():
    light, dark = (dict(re.findall(r"--(\w+): ([^;]+);", block)) for block in re.findall(r":root \{(.*?)\}", page_style.STYLE, re.S))
    assert set(light) == set(dark) >= {"ink", "back", "blue"} and all(light[name] != dark[name] for name in light), (light, dark)
    assert re.search(r"@media screen and \(prefers-color-scheme: dark\)", page_style.STYLE)
    used = set(re.findall(r"var\(--(\w+)\)", page_style.STYLE))
    for drawn in all_curves().values():
        made = page.figure(drawn, "caption")
        assert not re.search(r"(?:fill|stroke): #", made), re.findall(r"(?:fill|stroke): #\w+", made)
        used |= set(re.findall(r"var\(--(\w+)\)", made))
    assert {"ink", "grid", "blue", "red"} <= used <= set(light), used - set(light)


def test_axes_say_what_they_are():
    made = {name: drawn.axes[0] for name, drawn in all_curves().items()}
    for name, axes in made.items():
        assert axes.get_xlabel() and axes.get_ylabel(), name
    assert made["unit"].get_ylabel() == "clover energy [a^-4]" and made["node"].get_xlabel() == "time [s]"
    for axis in (made["history"].xaxis, made["history"].yaxis, made["mass"].xaxis, made["correlator"].xaxis):
        assert all(tick == round(tick) for tick in axis.get_majorticklocs()), axis.get_majorticklocs()
    shown = page.figure(all_curves()["theta"], "") + page.figure(all_curves()["residual"], "")
    assert ">10⁻¹²<" in shown and ">9.2e-10<" in shown and "$" not in shown, re.findall(r"<text[^>]*>([^<]*)", shown)


def test_a_band_is_as_wide_as_its_window():
    axes = all_curves()["mass"].axes[0]
    bands = [one for one in axes.collections if isinstance(one, matplotlib.collections.PolyCollection)]
    assert len(bands) == 1 and not axes.patches, (axes.collections, axes.patches)
    corners = bands[0].get_paths()[0].vertices
    assert (corners.min(axis=0) == [1, 1.09]).all() and (corners.max(axis=0) == [3, 1.11]).all(), corners


def test_chi_squared_is_a_number():
    window = {"first": 3, "last": 8, "states": 1, "value": 0.696, "error": 0.011, "chi2": 3.4, "degrees_of_freedom": 5,
              "expected_chi2": 4.5, "p_value": 0.64, "weight": 0.5}
    made = quarks._fits({"results": {"mass": {"windows": [window, {**window, "degrees_of_freedom": 0}]}}})
    assert made.startswith("<h4>Windows of the fit, mass</h4>"), made
    heads, first, second = ([re.sub("<.*?>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)] for row in made.split("<tr>")[1:])
    assert dict(zip(heads, first)) == {"window": "3-8", "states": "1", "value": "0.696(11)", "chi2/dof": "0.68",
                                       "expected chi2/dof": "0.90", "dof": "5", "p": "0.64", "weight": "0.500"}, (heads, first)
    assert dict(zip(heads, second))["chi2/dof"] == "-", second


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
        print(f"{name}: right")
