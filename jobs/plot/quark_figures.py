"""The figures of quark propagators in momentum space: Z and M against momentum, of means over configurations."""
import numpy

import results
from analyse.quark_functions import mass_corrected, z_over_tree
from drawing import draw_errors, new_figure
from jackknife import jackknife


def quark_figures(file):
    scalar, vector = results.column(file, "quark_propagator/scalar"), results.column(file, "quark_propagator/vector")
    if scalar is None or vector is None:
        return
    k_squared = results.column(file, "quark_propagator/k_squared")
    away = k_squared > 1e-12
    k = results.column(file, "quark_propagator/k")[away]
    v0, s0 = (results.column(file, f"quark_propagator/tree_{name}")[away] for name in ("vector", "scalar"))
    tree_mass, k_squared = float(numpy.asarray(file["quark_propagator/tree_mass"])), k_squared[away]
    momentum = numpy.sqrt(results.column(file, "quark_propagator/p_squared")[away])
    survives = (results.column(file, "quark_propagator/in_cylinder") * results.column(file, "quark_propagator/in_cone") == 1)[away]
    # S = -i k-slash v + s, averaged over sources: [configuration][s, v][momentum]
    s = scalar[..., 0].mean(axis=1)[:, away]
    v = -numpy.einsum("cpd,pd->cp", vector[..., 1].mean(axis=1)[:, away], k) / k_squared
    samples = numpy.stack([s, v], axis=1)

    def z(mean):
        return z_over_tree(mean[..., 0, :], mean[..., 1, :], k_squared, v0, s0)

    def m(mean):
        return mass_corrected(mean[..., 0, :], mean[..., 1, :], v0, s0, tree_mass)

    for name, estimate, title in (("quark_z", z, r"$Z(p)$, tree level divided out"),
                                  ("quark_mass", m, r"$a\,M(p)$, tree level taken off")):
        value, error = jackknife(samples, estimate)
        figure, axes = new_figure(1, 1, (6.4, 4.8))
        for chosen, label, color in ((~survives, "all", "C7"), (survives, "after both cuts", "C0")):
            if chosen.any():
                draw_errors(axes, momentum[chosen], value[chosen], error[chosen], fmt=".", color=color, label=label)
        axes.set_xlabel(r"$a\,|p|$")
        axes.set_ylabel(title)
        axes.legend()
        yield name, figure, {"p": momentum, "value": value, "error": error}
