"""Builds the site of the documentation, where any warning is an error: links, anchors, pages that no one finds. Usage:
site_test.py SOURCES; 77: skipped, without mkdocs."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCES = pathlib.Path(sys.argv[1]).resolve()


def main():
    try:
        import latex2mathml  # noqa: F401
        import material  # noqa: F401
        import mkdocs  # noqa: F401
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    import plaq

    with tempfile.TemporaryDirectory() as site:
        done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", site], cwd=SOURCES,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            print(done.stdout)
            return 1
        reference = pathlib.Path(site, "python-reference", "index.html").read_text(encoding="utf-8")
        missing = [name for name in plaq.__all__ if not isinstance(getattr(plaq, name), type(plaq))
                   and not re.search(rf'<h3 id="[^"]*">{name}\b', reference)]
        if missing:
            print(f"the reference lacks {', '.join(missing)}")
            return 1
        if shutil.which("doxygen") and shutil.which("cmake"):
            pages = [pathlib.Path(site, "cpp-reference", name) for name in ("index.html", "settings/index.html")]
            reference = "".join(page.read_text(encoding="utf-8") for page in pages)
            rows = re.findall(r"(?m)^\| (`.*?) \|", (SOURCES / "docs/cpp.md").read_text(encoding="utf-8"))
            named = re.findall(r"`(\w+)", " ".join(rows))
            missing = [name for name in named if not re.search(rf'<h3 id="[^"]*">{name}\b', reference)]
            if missing or len(named) < 30:
                print(f"the C++ reference lacks {', '.join(missing)} of the {len(named)} names of docs/cpp.md")
                return 1
    print("the site is right")
    return 0


sys.exit(main())
