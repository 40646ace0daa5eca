"""Figures of solvers-*.h5 and error-*.h5: iterations and seconds against kappa, seconds of setup and solves against the number
of solves, and the error of a solution against its residual.

    python3 figures.py solvers-gpu.h5 [error-4.h5 error-6.h5 ...]

Writes iterations.svg, seconds.svg, amortised.svg and, where there are error files, errors.svg.
Needs h5py and matplotlib, as plaq plot does.
"""
import sys

import h5py
import matplotlib.figure


def words(value):
    return value if isinstance(value, str) else value.decode()


def names(file):
    return ["multigrid" if "multigrid" in name else name.split(",")[0]
            for name in map(words, file["study"].attrs["solvers"])]


def mean(file, path):
    """[mass][solver]"""
    return file[path][...].mean(axis=(0, 3))


def save(figure, axes, name):
    axes.grid(True, which="both", alpha=0.3)
    axes.legend()
    figure.savefig(name, bbox_inches="tight")
    print("wrote", name)


def draw_against_kappa(study, what, label):
    figure = matplotlib.figure.Figure(figsize=(6, 4))
    axes = figure.add_subplot(xlabel="kappa", ylabel=label, yscale="log")
    for solver, name in enumerate(names(study)):
        axes.plot(study["action"].attrs["kappas"], mean(study, "solves/" + what)[:, solver], "o-", label=name)
    save(figure, axes, what + ".svg")


def draw_amortised(study):
    """At the two largest kappas."""
    figure = matplotlib.figure.Figure(figsize=(6, 4))
    axes = figure.add_subplot(xlabel="solves", ylabel="seconds, setup included", xscale="log", yscale="log")
    solves = range(1, 121)
    for mass, kappa in list(enumerate(study["action"].attrs["kappas"]))[-2:]:
        for solver, name in enumerate(names(study)):
            setup = study["solves/setup_seconds"][..., mass, solver].mean() if name == "multigrid" else 0
            one = mean(study, "solves/seconds")[mass, solver]
            axes.plot(solves, [setup + one * n for n in solves], label=f"{name}, {kappa:.4f}")
    save(figure, axes, "amortised.svg")


def draw_errors(studies):
    figure = matplotlib.figure.Figure(figsize=(6, 4))
    axes = figure.add_subplot(xlabel="|b - M x| / |b|", ylabel="|x - x0| / |x0|", xscale="log", yscale="log")
    for solver, name in enumerate(names(studies[0])):
        points = sorted((mean(study, "solves/true_residual")[-1, solver], mean(study, "solves/error")[-1, solver])
                        for study in studies)
        axes.plot(*zip(*points), "o-", label=name)
    save(figure, axes, "errors.svg")


if __name__ == "__main__":
    files = [h5py.File(path) for path in sys.argv[1:]]
    draw_against_kappa(files[0], "iterations", "iterations")
    draw_against_kappa(files[0], "seconds", "seconds")
    draw_amortised(files[0])
    if len(files) > 1:
        draw_errors(files[1:])
