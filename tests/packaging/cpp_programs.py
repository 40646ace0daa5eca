"""The programs of examples/cpp against an installed tree: built by its CMake package and pkg-config, run under 1 and 2 ranks, and
compared with what docs/cpp.md shows."""
import os
import pathlib
import re
import shutil
import subprocess
import time

LONGEST_LINK = 10  # seconds
NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")


def output(*command, **environment):
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


def shown(page):
    """Programs of the page and what they print: {source: text}."""
    blocks = re.findall(r"```cpp\n(.*?)```\n\n```text\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    return dict(blocks)


def same(found, expected):
    """Lines alike, numbers to 6 digits; numbers that are rounding (below 1e-9) need be small alone."""
    numbers = [[float(x) for x in NUMBER.findall(text)] for text in (found, expected)]
    return (NUMBER.sub("#", found) == NUMBER.sub("#", expected) and
            all(abs(a - b) <= 1e-6 * abs(b) or max(abs(a), abs(b)) < 1e-9 for a, b in zip(*numbers)))


def check(cmake, tree, folder):
    tree, folder = pathlib.Path(tree), pathlib.Path(folder)
    sources = tree / "share/plaq/examples/cpp"
    page = shown(tree / "share/doc/plaq/docs/cpp.md")
    programs = sorted(path.stem for path in sources.glob("*.cpp"))
    assert len(programs) == 6 and len(page) == 6, (programs, list(page))
    output(cmake, "-S", str(sources), "-B", str(folder), f"-DCMAKE_PREFIX_PATH={tree}", "-DCMAKE_BUILD_TYPE=Release")
    output(cmake, "--build", str(folder), "--parallel", "2")  # tests/CMakeLists.txt has two processors for it
    began = time.monotonic()
    (folder / "pion").unlink()
    output(cmake, "--build", str(folder), "--target", "pion")
    linked = time.monotonic() - began
    print(f"linking pion took {linked:.1f} s")
    assert linked < LONGEST_LINK, linked
    names = programs + (["pion_static"] if (tree / "lib/libplaq.a").exists() else [])
    mpirun = os.environ["PLAQ_TEST_MPIRUN"].split()  # with its options
    for name in names:
        source = (sources / f"{name.removesuffix('_static')}.cpp").read_text(encoding="utf-8")
        assert source in page, f"docs/cpp.md does not show {name}.cpp as it is"
        for ranks in (1, 2):
            launcher = [*mpirun, "-np", str(ranks)] if ranks > 1 else []
            found = output(*launcher, str(folder / name), OMP_NUM_THREADS="1", PLAQ_TUNING_FILE=str(folder / "tuning"))
            assert same(found, page[source]), f"{name} on {ranks} ranks printed\n{found}\nand the page shows\n{page[source]}"
    if shutil.which("pkg-config"):
        flags = output("pkg-config", "--cflags", "--libs", "plaq", PKG_CONFIG_PATH=str(tree / "lib/pkgconfig")).split()
        output(os.environ.get("CXX", "c++"), str(sources / "pion.cpp"), *flags, "-o", str(folder / "by_pkg_config"))
        assert same(output(str(folder / "by_pkg_config"), OMP_NUM_THREADS="1"), page[(sources / "pion.cpp").read_text()])
    # Links where a spinor is wanted do not compile.
    (folder / "wrong.cpp").write_text("#include <plaq/plaq.hpp>\n"
                                      "double f(const plaq::GaugeField& U) { return plaq::norm2(U)[0]; }\n")
    refused = subprocess.run([os.environ.get("CXX", "c++"), "-std=c++20", f"-I{tree}/include", "-c", str(folder / "wrong.cpp"),
                              "-o", os.devnull], stderr=subprocess.PIPE, text=True)
    assert refused.returncode != 0 and "norm2" in refused.stderr, refused.stderr
