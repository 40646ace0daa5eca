"""Figures of kernel studies, in kind those of Clark et al. 2010: rates (figures 2 to 5), solvers beside their
operator (table 2), accuracy (figure 6)."""
import matplotlib.figure
import numpy

import results

COLOUR = {"18": "C0", "12": "C1", "8": "C2"}
DASHES = ("-", "--", "-.", (0, (1, 1)))
PRECISION_COLOUR = {"double": "C0", "single": "C1", "half": "C2"}
LINKS_DASHES = {"18": "-", "12": "--", "8": ":"}


def kernel_figures(file):
    for make in (rate_figures, solver_figure, accuracy_figure):
        yield from make(file)


def _figure():
    figure = matplotlib.figure.Figure(layout="constrained", figsize=(6.4, 4.8))
    return figure, figure.subplots()


def _names(group, attribute):
    return [results.text(name) for name in group.attrs[attribute]]


def _extents(numbers):
    return "x".join(str(int(n)) for n in numbers)


def rate_figures(file):
    """One figure for each operator and precision: a curve for each form of links and number of right-hand sides,
    and dotted what the bandwidth of the same run allows."""
    if "rates/gflops" not in file:
        return
    group = file["rates"]
    gflops = results.column(file, "rates/gflops")  # right_hand_sides, operator, storage, temporal_extent
    share = results.column(file, "rates/share")
    storages, times = _names(group, "storages"), numpy.asarray(group.attrs["temporal_extents"])
    batches = [int(n) for n in group.attrs["right_hand_sides"]]
    for o, operator in enumerate(_names(group, "operators")):
        for precision in dict.fromkeys(storage.split()[0] for storage in storages):
            figure, axes = _figure()
            numbers = {"temporal_extent": times}
            for s, storage in enumerate(storages):
                if storage.split()[0] != precision:
                    continue
                links = storage.split()[1]
                for r, batch in enumerate(batches):
                    style = {"color": COLOUR[links], "linestyle": DASHES[r % len(DASHES)]}
                    label = f"{links} reals, {batch} rhs"
                    axes.plot(times, gflops[r, o, s], marker="o", markersize=4, label=label, **style)
                    numbers[label] = gflops[r, o, s]
                    if share is not None:
                        limit = gflops[r, o, s] / share[r, o, s]
                        axes.axhline(limit.mean(), color=COLOUR[links], linestyle=":", linewidth=0.8)
                        numbers[f"{label}, limit"] = limit
            axes.set_xlabel(f"T of {_extents(group.attrs['spatial_extents'])}xT")
            axes.set_ylabel("GFLOPS of all ranks" + (" (dotted: bandwidth limit)" if share is not None else ""))
            axes.set_ylim(bottom=0)
            axes.set_title(f"{operator}, {precision} precision")
            axes.legend(fontsize="small")
            yield f"rates-{operator}-{precision}", figure, numbers


def solver_figure(file):
    if "solvers/gflops" not in file:
        return
    group = file["solvers"]
    storages, methods = _names(group, "storages"), _names(group, "methods")
    kernel = results.text(group.attrs["operator"])
    numbers = {"storage": numpy.array(storages), kernel: results.column(file, "solvers/operator_gflops")}
    for m, method in enumerate(methods):
        numbers[method] = results.column(file, "solvers/gflops")[m]  # method, storage
    figure, axes = _figure()
    place, width = numpy.arange(len(storages)), 0.8 / (1 + len(methods))
    for i, name in enumerate([kernel] + methods):
        axes.bar(place + (i - len(methods) / 2) * width, numbers[name], width, label=name)
    axes.set_xticks(place, storages, rotation=30)
    axes.set_ylabel("GFLOPS of all ranks")
    axes.set_title(f"operator and solvers, {_extents(group.attrs['extents'])}")
    axes.legend()
    yield "solvers", figure, numbers


def accuracy_figure(file):
    if "accuracy/proportion" not in file:
        return
    group = file["accuracy"]
    epsilon = results.column(file, "accuracy/epsilon")
    proportion = results.column(file, "accuracy/proportion")  # storage, epsilon
    numbers = {"epsilon": epsilon}
    figure, axes = _figure()
    for storage, curve in zip(_names(group, "storages"), proportion):
        precision, links = storage.split()
        numbers[storage] = curve
        seen = curve > 0
        if seen.any():
            axes.loglog(epsilon[seen], curve[seen], marker=".", markersize=4, label=storage,
                        color=PRECISION_COLOUR[precision], linestyle=LINKS_DASHES[links])
    axes.set_xlabel(r"$\epsilon$")
    axes.set_ylabel(r"$\Delta(\epsilon)$")
    axes.set_title(f"components off double precision by $\\epsilon$ or more, {_extents(group.attrs['extents'])}")
    axes.legend(fontsize="small")
    yield "accuracy", figure, numbers
