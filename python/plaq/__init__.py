"""plaq: lattice QCD on many GPUs, and on machines without one.

    import plaq
    lattice = plaq.Lattice([8, 8, 8, 16])
    U = plaq.read_gauge("field.lime", lattice)
    D = plaq.Clover(U, kappa=0.1345, c_sw=1.769)
    q = plaq.solve(D, plaq.point_source(lattice, (0, 0, 0, 0)), tolerance=1e-10)
    C = plaq.meson(q, "pion")

Under mpirun pass comm=MPI.COMM_WORLD of mpi4py to Lattice. What works on fields is collective: all ranks call it. Start
such programs by `mpirun -np N python -m mpi4py program.py`: an exception of one rank then ends all of them.
"""
import importlib as _importlib
import typing as _typing

if _typing.TYPE_CHECKING:
    from . import analysis, distillation, export, plots, report
    from .interface import *
    from .results import Correlator, Results, load
    from .values import Value, Values

_PARTS = ("analysis", "distillation", "export", "plots", "report")  # packages of their own, which need no compiled part
_PLAIN = {"Correlator": "results", "Results": "results", "load": "results", "Value": "values", "Values": "values"}


def _interface() -> _typing.Any:
    """The module `interface`. Throws an ImportError that says what is missing."""
    try:
        return _importlib.import_module(__name__ + ".interface")
    except ModuleNotFoundError as error:
        if error.name != __name__ + "._plaq":
            raise
        raise ImportError(f"{__path__[0]} has no compiled part of plaq for this Python. Only plaq.analysis, plaq.distillation, "
                          "plaq.export, plaq.plots, plaq.report and plaq.load work without it. docs/installing.md shows how to build "
                          "it", name=error.name) from None


def __getattr__(name: str) -> _typing.Any:
    """Names are looked up when they are used: `import plaq` alone loads neither MPI nor the compiled part."""
    if name in _PARTS:
        return _importlib.import_module(f"{__name__}.{name}")
    if name in _PLAIN:
        found = getattr(_importlib.import_module(f"{__name__}.{_PLAIN[name]}"), name)
    elif name == "__all__":
        found = sorted({*_interface().__all__, *_PLAIN, "analysis"})
    elif name.startswith("__") and name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    else:
        interface = _interface()
        if name in globals():  # a module of this package, which `interface` imports
            return globals()[name]
        if not hasattr(interface, name):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = getattr(interface, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    try:
        return sorted({*globals(), *_PARTS, *_PLAIN, *_interface().__all__})
    except ImportError:
        return sorted({*globals(), *_PARTS, *_PLAIN})
