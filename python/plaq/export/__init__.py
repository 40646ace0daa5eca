"""Modes, perambulators and elementals as other programs read them: a module for each program.

    plaq.export.easy_distillation.write_perambulators("cfg_1000.peram.npy", glob.glob("made/cfg_1000.lime.s*.peram.h5"))
    plaq.export.easy_distillation.write_elementals("cfg_1000.meson.npy", ["made/cfg_1000.lime.1.elem.h5"])
    plaq.export.chroma.write_laplacian_modes("cfg_1000.mod", plaq.read_laplacian_modes("cfg_1000.lime.lap.lime", lattice))
    plaq.export.hadrons.write_meson_field("Gamma5_0_0_0.h5", "Gamma5", phi, tau, tau)

Files appear when they are whole. A file that exists stays, unless overwrite=True. docs/python.md has the layouts.
"""
from . import chroma, easy_distillation, hadrons
