"""Builds the site of the documentation, where any warning is an error: links, anchors, pages that no one finds. Usage:
site_test.py SOURCES; 77: skipped, without mkdocs."""
import pathlib
import re
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
    print("the site is right")
    return 0


sys.exit(main())
