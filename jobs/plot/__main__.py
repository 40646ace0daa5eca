"""plaq plot: draws what a result file holds. Called by the program; needs h5py and matplotlib."""
import argparse
import json
import os
import sys

import figures
import results

EXIT_USAGE, EXIT_INPUT, EXIT_OUTPUT = 2, 4, 5  # as plaq has them


def fail(code, message):
    print(f"E {message}", file=sys.stderr)
    return code


def written(path, write):
    """Writes to a temporary name, and gives the final one when all is there."""
    stem, extension = os.path.splitext(path)
    temporary = f"{stem}.{os.getpid()}.part{extension}"
    try:
        write(temporary)
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)
    print(path)


def write_pages(path, drawn):
    from matplotlib.backends.backend_pdf import PdfPages

    def write(temporary):
        with PdfPages(temporary, metadata={"Creator": "plaq", "CreationDate": None}) as pages:
            for _, figure, _ in drawn:
                pages.savefig(figure)

    written(path, write)


def write_numbers(path, drawn):
    numbers = {name: {key: value.tolist() for key, value in found.items()} for name, _, found in drawn}

    def write(temporary):
        with open(temporary, "w", encoding="utf-8") as stream:
            json.dump(numbers, stream, indent=1)

    written(path, write)


def main():
    parser = argparse.ArgumentParser(prog="plaq plot")
    parser.add_argument("file")
    parser.add_argument("--output", default="")
    parser.add_argument("--json", default="")
    arguments = parser.parse_args()
    stem = os.path.splitext(arguments.file)[0]
    output = arguments.output or stem + ".pdf"
    extension = os.path.splitext(output)[1].lower()
    if extension not in (".pdf", ".png", ".svg"):
        return fail(EXIT_USAGE, f"--output {output}: expected a name that ends in .pdf, .png or .svg")
    try:
        with results.open_results(arguments.file) as file:
            drawn = list(figures.all_figures(file))
    except results.NotAResult as error:
        return fail(EXIT_INPUT, str(error))
    if not drawn:
        return fail(EXIT_INPUT, f"{arguments.file}: holds nothing that plaq plot draws (correlators, history, "
                                "observables, flow, gauge fixing, rates, accuracy, scaling, solver studies)")
    try:
        if extension == ".pdf":
            write_pages(output, drawn)
        else:
            for name, figure, _ in drawn:
                written(f"{output[:-4]}.{name}{extension}", lambda path, f=figure: f.savefig(path, dpi=150))
        if arguments.json:
            write_numbers(arguments.json, drawn)
    except OSError as error:
        return fail(EXIT_OUTPUT, f"cannot write the plots: {error}")
    return 0


sys.exit(main())
