"""plaq plot --windows and --window: fits against the first slice of their window, of a result whose numbers are known. Exit code 77:
skipped."""
import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest.mock

try:
    import h5py  # noqa: F401  the package reads with it
    import matplotlib.figure
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

HERE = pathlib.Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[3] / "python"), str(HERE.parents[1] / "analysis"), str(HERE.parents[2])]
import sealed  # noqa: E402
from made import noisy, states  # noqa: E402
from plaq.analysis import Choice, correlators, open_result  # noqa: E402
from plaq.plots.command import main  # noqa: E402

EXTENT, ROWS, SIZES = 24, 120, {"pion": (0.4, 1.0), "rho": (0.6, 1.1)}
drawn = []  # figures


def run(*arguments):
    """(exit code, errors) of plaq plot."""
    err = io.StringIO()
    savefig = matplotlib.figure.Figure.savefig

    def keep(self, *more, **keywords):
        drawn.append(self)
        return savefig(self, *more, **keywords)

    with unittest.mock.patch("sys.argv", ["plot", *map(str, arguments)]), contextlib.redirect_stderr(err), \
            contextlib.redirect_stdout(io.StringIO()), unittest.mock.patch.object(matplotlib.figure.Figure, "savefig", keep):
        code = main()
    return code, err.getvalue()


def make_result(path):
    rng = numpy.random.default_rng(1)
    with sealed.results(path) as file:
        file.attrs["plaq_version"], file.attrs["extents"] = "test", [8, 8, 8, EXTENT]
        for channel, energies in SIZES.items():
            for momentum in ("p_0_0_0", "p_0_0_1"):
                values = numpy.zeros((ROWS, 1, EXTENT, 2))
                values[:, 0, :, 0] = noisy(states("cosh", EXTENT, energies, (1.0, 0.6)), ROWS, rng)
                file[f"correlators/{channel}/{momentum}/point"] = values
                file[f"correlators/{channel}/{momentum}/point"].attrs["symmetry"] = "cosh"


def check(directory):
    path, numbers = directory / "pion.h5", directory / "numbers.json"
    make_result(path)
    with open_result(path) as ensemble:
        made = {one.channel: one for one in correlators(ensemble, Choice(momentum=(0, 0, 0)))}
        every = {name: one.mass() for name, one in made.items()}
        chosen = made["pion"].mass(Choice(window=(5, 11)))
    code, errors = run(path, "--windows", "--output", directory / "w.svg", "--json", numbers)
    found = json.loads(numbers.read_text())
    assert code == 0 and set(found) == {"windows-pion-p_0_0_0-point", "windows-rho-p_0_0_0-point"}, (code, errors, list(found))
    for name, fit in every.items():
        page = found[f"windows-{name}-p_0_0_0-point"]
        last = max(window.last for window in fit.windows)
        expected = {(w.model.states, w.first): w for w in fit.windows if w.last == last}
        assert len(expected) == len(page["first"]) > 8 and set(page["last"]) == {last}
        for i, key in enumerate(zip(page["states"], page["first"])):
            window = expected[key]
            assert (page["mass"][i], page["mass_error"][i], page["chi2"][i], page["p_value"][i]) == (
                window.value, window.error, window.fit.chi2, window.p_value())
        assert page["band"] == [fit.quantity.value, fit.total_error()] and page["window"] == list(fit.best().ends())
        # One state is wrong where excited states are, two are not.
        assert expected[1, 1].p_value() < 1e-3 < expected[2, 1].p_value()
    assert "average over windows" in (directory / "w.windows-pion-p_0_0_0-point.svg").read_text()
    # A window that is asked for is the band, here and in other figures.
    code, errors = run(path, "--windows", "--channel", "pion", "--momentum", "0,0,0", "--window", "pion=5:11", "--output",
                       directory / "c.png", "--json", numbers)
    page, = json.loads(numbers.read_text()).values()
    assert code == 0 and page["band"] == [chosen.quantity.value, chosen.quantity.gamma().error] and page["window"] == [5, 11], errors
    axes = drawn[-1].axes
    assert any("window 5-11" in text.get_text() for text in axes[0].get_legend().get_texts())
    assert [one.get_ylabel() for one in axes] == ["$a\\,m$", "χ²/dof"] and "t_{\\mathrm{min}}" in axes[1].get_xlabel()
    code, _ = run(path, "--window", "5:11", "--output", directory / "s.pdf", "--json", numbers)
    summary = json.loads(numbers.read_text())["correlator-pion-p_0_0_0-point"]
    assert code == 0 and summary["window"] == [5, 11] and summary["energy"] == chosen.quantity.value
    for arguments, words in ((("--window", "5:40"), "0 to 12"), (("--window", "a"), "expected FIRST:LAST"),
                             (("--window", "sigma=4:9"), "nothing that is fitted is called sigma"),
                             (("--windows", "--window", "pion=11:12"), "2 parameters")):
        code, errors = run(path, *arguments, "--output", directory / "e.pdf")
        assert code == 2 and words in errors and errors.count("E plot") == 1, errors
    assert not (directory / "e.pdf").exists() and not list(directory.glob(".*"))


def check_without_fit(directory):
    """One configuration: a page that says why there is no fit."""
    path = directory / "one.h5"
    with sealed.results(path) as file:
        file.attrs["plaq_version"] = "test"
        values = numpy.zeros((1, 1, EXTENT, 2))
        values[..., 0] = states("cosh", EXTENT, (0.4,), (1.0,))
        file["correlators/pion/p_0_0_0/point"] = values
        file["correlators/pion/p_0_0_0/point"].attrs["symmetry"] = "cosh"
    code, errors = run(path, "--windows", "--output", directory / "one.svg")
    assert code == 0 and "one configuration has no errors" in (directory / "one.svg").read_text(), errors


with tempfile.TemporaryDirectory() as name:
    check(pathlib.Path(name))
    check_without_fit(pathlib.Path(name))
print("ok")
