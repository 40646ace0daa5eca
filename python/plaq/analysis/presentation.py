"""Blocks as text for a screen, and as numbers for JSON."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy

from .blinding import WIDTH
from .fit import p_value
from .fit_numbers import amplitude, correlation_with_mass, has_amplitudes
from .gamma import GammaError, gamma_error, has_pyerrors, takes_chain
from .notation import per_freedom, with_error
from .shapes import CORNELL
from .windows import CORRELATED, Averaged, Window

if TYPE_CHECKING:
    from .blocks import Block, Result, Table
    from .correlators import Correlator
    from .covariance import Covariance
    from .quantities import Quantity, Settings

SHOWN_WINDOWS = 5
SHOWN_MASSES = 8
LEAST_P = 0.01  # of the best window
SHOWN_BIAS = 1 / 3  # of the error, from which a bias is shown


def text_of(block: Block, settings: Settings, all_windows: bool = False) -> str:
    lines = [_title(block)]
    if block.ensemble.blinded():
        lines.append(f"  {'blinded':24} {block.ensemble.blinded()}: correlators have secret factors within {100 * WIDTH:.0f}%")
    lines += [f"  {name:24} {fact}" for name, fact in [*_chain_facts(block), *block.facts]]
    for result in block.results:
        lines += _result_lines(result, settings, block.effective.get(result.name), all_windows)
    for name, masses in block.effective.items():
        if name not in [result.name for result in block.results]:
            lines.append(f"  {name:40} effective {_effective(masses, settings)}")
    for table in block.tables:
        lines += _table_lines(table, settings)
    lines += [f"  note: {note}" for note in block.notes]
    lines += [f"  warning: {warning}" for warning in block.warnings]
    return "\n".join(lines)


def _title(block: Block) -> str:
    ensemble = block.ensemble
    words = [ensemble.job_type or "result"]
    extents = ensemble.extents()
    if extents:
        words.append("x".join(map(str, extents)))
    action = ensemble.job.get("action", ensemble.job.get("gauge", {}))
    words += [f"{key} {action[key]}" for key in ("type", "action", "kappa", "mass", "beta") if key in action]
    return f"{ensemble.name()}: {', '.join(words)}"


def _chain_facts(block: Block) -> list[tuple[str, str]]:
    chains = block.chains
    if chains is None:
        return []
    count, parts = len(chains), len(chains.parts)
    fact = f"{count} configuration{'s' if count > 1 else ''}" + (f" in {parts} replicas" if parts > 1 else "")
    if count > 1 and chains.spacing() > 1 or chains.has_gaps():
        fact += f", times are in units of {chains.spacing()}" + (", with gaps" if chains.has_gaps() else "")
    facts = [("rows", fact)]
    if block.ensemble.weights is not None:
        facts.append(("weights", f"{block.ensemble.weights.name}, as good as {chains.effective():.5g} configurations of equal weights"))
    if count > 1 and has_pyerrors() and not takes_chain(chains):
        facts.append(("errors", "by numpy: pyerrors does not take chains so short or of such steps"))
    return facts


def _result_lines(result: Result, settings: Settings, effective: list[Quantity] | None, all_windows: bool) -> list[str]:
    gamma, fitted = result.quantity.gamma(settings), result.averaged
    number = with_error(result.quantity.value, *result.errors(settings))
    lines = [f"  {result.name:32} {number:22} {result.unit:5}{_errors(result, gamma, settings)}"]
    if fitted:
        lines += _fit_lines(fitted, all_windows)
        if has_amplitudes(fitted):
            found = amplitude(fitted)
            errors = [found.quantity.gamma(settings).error] + ([found.systematic] if len(fitted.windows) > 1 else [])
            lines.append(f"    amplitude {with_error(found.quantity.value, *errors)}, correlation with the mass "
                         f"{correlation_with_mass(fitted, found, settings):.2f}")
    if effective:
        lines.append(f"    effective {_effective(effective, settings)}")
    return [line.rstrip() for line in lines]


def _errors(result: Result, gamma: GammaError, settings: Settings) -> str:
    if not math.isfinite(gamma.error):
        return "no error"
    if gamma.error == 0:
        return "the same in all configurations"
    bias = result.quantity.jackknife_bias(settings)
    # Below that it is lost in the error, and is itself not known.
    shown = f", bias {bias:+.2g}" if abs(bias) > SHOWN_BIAS * gamma.error else ""
    return (f"tau_int {with_error(gamma.tau, gamma.tau_error)} window {gamma.window}, "
            f"jackknife {result.quantity.jackknife(settings):.2g}, "
            f"bootstrap {result.quantity.bootstrap(settings):.2g}, "
            f"bins of {result.quantity.bin_length(settings)}{shown}")


def _fit_lines(fitted: Averaged, all_windows: bool) -> list[str]:
    shape = fitted.windows[0].model.shape
    why = f" ({fitted.why})" if fitted.why else ""
    shape = ", ".join(fitted.windows[0].model.operators) if shape == "several operators" else shape
    shape = "exp" if shape == "none" else shape
    along, width = ("r", 13) if shape == CORNELL else ("t", 9)
    chosen = ", in the chosen window" if fitted.chosen else ""
    lines = [f"    {shape}, {fitted.kind}{why}{chosen}, condition number {fitted.condition:.2g}",
             f"    {along:{width}} states  value              chi2/dof  expected  dof  p       weight"]
    shown = fitted.windows if all_windows else fitted.windows[:SHOWN_WINDOWS]
    for w in shown:
        ends = "-".join(f"{end:.4g}" for end in w.ends())
        lines.append(f"    {ends:{width}} {w.model.states:<7} {with_error(w.value, w.error):18} "
                     f"{per_freedom(w.fit.chi2, w.freedom):9} {per_freedom(w.expected_chi2, w.freedom):9} {w.freedom:<4} "
                     f"{w.p_value():<7.2g} {w.weight:.3f}")
    rest = fitted.windows[len(shown):]
    if rest:
        lines.append(f"    and {len(rest)} windows with {sum(w.weight for w in rest):.3f} in all (--all-windows)")
    if fitted.kind == CORRELATED and max(w.p_value() for w in fitted.windows) < LEAST_P:
        lines.append("    no window describes the data: the model is wrong there, or states are missing")
    if fitted.left_out:
        lines.append(f"    {fitted.left_out} fits were left out: no minimum, or a state that the data do not determine")
    return lines


def table_cells(table: Table, settings: Settings) -> tuple[str, list[str], list[list[str]]]:
    """Heads and rows as text, and the name, with how many rows are left out."""
    shown = range(len(table.labels)) if table.shown is None or not any(table.shown) else \
        [i for i, one in enumerate(table.shown) if one]
    names = list(table.labels[0]) if table.labels else []
    titles = [f"{title} [{table.units[title]}]" if table.units[title] else title for title in table.columns]
    rows = [[*(_label(table.labels[i][name]) for name in names),
             *(with_error(column[i].value, column[i].gamma(settings).error) for column in table.columns.values()),
             *(f"{numbers[i]:.2g}" for numbers in table.plain.values())] for i in shown]
    left_out = len(rows) < len(table.labels)
    name = table.name + (f", {len(rows)} of {len(table.labels)} momenta that survive both cuts" if left_out else "")
    return name, [*names, *titles, *table.plain], rows


def _table_lines(table: Table, settings: Settings) -> list[str]:
    name, heads, rows = table_cells(table, settings)
    widths = [max(map(len, column)) for column in zip(heads, *rows)]
    return [f"  {name}"] + ["    " + "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths)).rstrip()
                            for row in (heads, *rows)]


def _label(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.5g}"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _effective(masses: list[Quantity], settings: Settings) -> str:
    known = [(t, one) for t, one in enumerate(masses) if math.isfinite(one.value)]
    shown = known[::max(1, math.ceil(len(known) / SHOWN_MASSES))]
    return "  ".join(f"{t + 0.5:g}: {with_error(one.value, one.gamma(settings).error)}" for t, one in shown) or "none"


def numbers_of(block: Block, settings: Settings) -> dict[str, Any]:
    """All of it, for JSON; NaN is null."""
    return _finite({
        "files": [file.path for file in block.ensemble.files],
        "job_type": block.ensemble.job_type,
        "blinded": block.ensemble.blinded() or None,
        "chains": _chain_numbers(block),
        "facts": dict(block.facts),
        "notes": block.notes,
        "warnings": block.warnings,
        "results": {result.name: _result_numbers(result, settings) for result in block.results},
        "covariance": _covariance_numbers(block.covariance(settings)),
        "effective_masses": {name: _masses(masses, settings) for name, masses in block.effective.items()},
        "tables": {table.name: _table_numbers(table, settings) for table in block.tables},
        "correlators": {one.name(): _correlator_numbers(one, settings) for one in block.correlators},
    })


def _chain_numbers(block: Block) -> dict[str, Any] | None:
    chains, weights = block.chains, block.ensemble.weights
    if chains is None:
        return None
    weighed = {} if weights is None else {"weights": weights.name, "effective_configurations": chains.effective()}
    return {"configurations": len(chains), "replicas": len(chains.parts), "spacing": chains.spacing(), "gaps": chains.has_gaps(),
            **weighed}


def _result_numbers(result: Result, settings: Settings) -> dict[str, Any]:
    gamma = result.quantity.gamma(settings)
    found = {"value": result.quantity.value, "unit": result.unit, "error": gamma.error,
             "error_of_error": gamma.error_of_error, "tau_int": gamma.tau, "tau_int_error": gamma.tau_error,
             "window": gamma.window, "library": gamma.library, "jackknife_error": result.quantity.jackknife(settings),
             "bootstrap_error": result.quantity.bootstrap(settings),
             "jackknife_bias": result.quantity.jackknife_bias(settings),
             "bootstrap_bias": result.quantity.bootstrap_bias(settings),
             "bin_length": result.quantity.bin_length(settings)}
    if result.systematic:
        found["systematic_error"] = result.systematic
        found["total_error"] = math.hypot(gamma.error, result.systematic)
    if result.other_error:
        found["error_of_scale"] = result.other_error
    if result.averaged:
        found.update(_fit_numbers(result.averaged, settings))
    return found


def _covariance_numbers(found: Covariance) -> dict[str, Any]:
    return {"labels": found.labels, "configurations": found.configurations, "matrix": found.matrix.tolist()}


def _table_numbers(table: Table, settings: Settings) -> dict[str, Any]:
    found: dict[str, Any] = {name: [labels[name] for labels in table.labels] for name in (table.labels[0] if table.labels else ())}
    if table.shown is not None:
        found["survives_cuts"] = [bool(one) for one in table.shown]
    found.update(table.plain)
    for title, column in table.columns.items():
        gammas = [one.gamma(settings) for one in column]
        found[title] = {"value": [one.value for one in column], "unit": table.units[title],
                        "error": [gamma.error for gamma in gammas], "tau_int": [gamma.tau for gamma in gammas],
                        "jackknife_error": [one.jackknife(settings) for one in column]}
    return found


def _fit_numbers(fitted: Averaged, settings: Settings) -> dict[str, Any]:
    of_amplitude = {"amplitude": _amplitude_numbers(fitted, settings)} if has_amplitudes(fitted) else {}
    return {**of_amplitude, "systematic_error": fitted.systematic, "total_error": fitted.total_error(settings), "fit": fitted.kind,
            "why": fitted.why, "condition_number": fitted.condition, "left_out": fitted.left_out,
            "shape": fitted.windows[0].model.shape, "window_chosen": fitted.chosen, "windows": [_window_numbers(w) for w in fitted.windows]}


def _amplitude_numbers(fitted: Averaged, settings: Settings) -> dict[str, Any]:
    found = amplitude(fitted)
    return {"value": found.quantity.value, "error": found.quantity.gamma(settings).error, "systematic_error": found.systematic,
            "correlation_with_mass": correlation_with_mass(fitted, found, settings)}


def _window_numbers(window: Window) -> dict[str, Any]:
    amplitudes, energies = window.model.split(window.fit.parameters)
    first, last = window.ends()
    return {"first": first, "last": last, "states": window.model.states, "value": window.value,
            "error": window.error, "chi2": window.fit.chi2, "degrees_of_freedom": window.freedom,
            "expected_chi2": window.expected_chi2, "p_value": p_value(window.fit.chi2, window.freedom),
            "aic": window.criterion, "weight": window.weight, "amplitudes": amplitudes.tolist(),
            "energies": energies.tolist()}


def _masses(masses: list[Quantity], settings: Settings) -> dict[str, Any]:
    return {"t": [t + 0.5 for t in range(len(masses))], "value": [one.value for one in masses],
            "error": [one.gamma(settings).error for one in masses]}


def _correlator_numbers(correlator: Correlator, settings: Settings) -> dict[str, Any]:
    samples = correlator.samples
    deviations = correlator.chains.fluctuations(samples)
    return {"symmetry": correlator.symmetry, "momenta_averaged": correlator.averaged,
            "value": correlator.chains.mean(samples).tolist(),
            "error": [gamma_error(d, correlator.chains, settings.gamma).error for d in deviations.T]}


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _finite(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(one) for one in value]
    if isinstance(value, numpy.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
