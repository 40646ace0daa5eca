#include "quarks/solve/propagator_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/progress.hpp"

namespace plaq {
namespace {

// Settings that store links which `spec` cannot; empty if no setting does.
std::string advice_on_links(const SolverSettings& spec, LinkStorageError::Remedy remedy) {
  using Remedy = LinkStorageError::Remedy;
  if (remedy == Remedy::none) return {};
  const bool mixed = spec.scheme != MixedScheme::none;
  if (remedy == Remedy::precision)
    return mixed ? "; inner_precision = \"single\" of the solver stores them" : "";
  std::vector<std::string> keys;
  if (spec.outer.reconstruction != 18) keys.push_back("links = 18");
  if (mixed && spec.inner.reconstruction != 18) keys.push_back("inner_links = 18");
  return keys.empty() ? "" : fmt::format("; set {} of the solver", fmt::join(keys, " and "));
}

template <class Work>
auto with_advice_on_links(const SolverSettings& spec, const Work& work) {
  try {
    return work();
  } catch (const LinkStorageError& error) {
    throw Error(error.kind(), error.what() + advice_on_links(spec, error.remedy()));
  }
}

// Solves that went on where another one had converged.
int repeated(const FullSolveReport& report) { return report.tightened + report.corrections; }

void add_report(ColumnReport& all, const FullSolveReport& part) {
  all.true_residuals.insert(all.true_residuals.end(), part.relative_residuals.begin(),
                            part.relative_residuals.end());
  for (const SolveResult& result : part.solve.results) {
    all.iterations.push_back(result.iterations);
    all.updates.push_back(result.updates);
  }
  for (const auto& column : part.slice_residuals) add_slices(all.slice_residuals, column);
  all.attempts =
      std::max(all.attempts, static_cast<std::int64_t>(part.solve.attempts.size()) - repeated(part));
}

// Names of all columns: "spin 1 color 2", or "color 2"; of noise with all colors in a column "spin 1".
std::vector<std::string> column_names(int columns) {
  std::vector<std::string> names;
  for (int i = 0; i < columns; ++i) {
    if (columns == 3)
      names.push_back(fmt::format("color {}", i));
    else if (columns % 3 != 0)
      names.push_back(fmt::format("spin {}", i));
    else
      names.push_back(fmt::format("spin {} color {}", i / 3, i % 3));
  }
  return names;
}

// A line for each right-hand side, where they are `few`, and one of what ran. `columns`: what they are.
void log_solve(const FullSolveReport& report, const SolverSettings& spec,
               const std::vector<std::string>& labels, bool few, const std::string& columns) {
  const SolveReport& solve = report.solve;
  int updates = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto& r = solve.results[i];
    updates += r.updates;
    if (!few) continue;
    log::info(fmt::format("{}: {} iterations, true residual {:.17g}, {}", labels[i], r.iterations,
                          report.relative_residuals[i], name_of(r.reason)));
  }
  log::info(fmt::format(
      "{} {} by {}: {} iterations at most, {} residuals recomputed, {:.3f} s, {:.1f} "
      "GFLOPS, at least {:.1f} GB/s, over all ranks",
      labels.size(), columns,
      name_of(spec) + (has_short_halo(spec) ? ", faces between ranks in 16 bits" : ""), solve.iterations,
      updates, solve.seconds, 1e-9 * solve.flops / solve.seconds, 1e-9 * solve.bytes / solve.seconds));
  if (report.tightened > 0)
    log::info(
        fmt::format("the target of the preconditioned system was lowered {} time(s)", report.tightened));
  if (report.corrections > 0)
    log::info(fmt::format("what was left on time slices was solved for {} time(s)", report.corrections));
  if (solve.attempts.size() > static_cast<std::size_t>(1 + repeated(report)))
    log::warning(fmt::format("it took several solvers: {}", describe_attempts(report)));
}

// Why a solve is not within its tolerance when measured in double by the full operator with 18 reals a link.
std::string why_missed(const SolveResult& result, const SolverSettings& spec) {
  std::string why = result.converged() ? "the solver converged, but the full operator does not agree"
                                       : std::string(name_of(result.reason));
  const bool rounding = result.converged() || result.reason == StopReason::stagnation;
  if (rounding && spec.outer.precision == Precision::single_precision)
    why +=
        ": so much is what the rounding of single precision leaves; precision = \"double\" goes on from "
        "there";
  else if (result.converged() && spec.outer.reconstruction < 18)
    why += fmt::format(": are the links SU(3) to this tolerance? links = 18 does not rebuild them from {}",
                       spec.outer.reconstruction);
  else if (result.converged())
    why += ": so much is what the rounding of double precision leaves";
  return why;
}

// "time slices 24 to 40, 43" of the slices whose ratio is above `most`; empty without any.
std::string slices_above(const std::vector<double>& ratios, double most) {
  std::string text;
  for (std::size_t t = 0; t < ratios.size(); ++t) {
    if (!(ratios[t] > most)) continue;
    const std::size_t first = t;
    while (t + 1 < ratios.size() && ratios[t + 1] > most) ++t;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", first);
    if (t > first) text += fmt::format(" to {}", t);
  }
  if (text.empty()) return text;
  return (text.find(' ') == std::string::npos ? "time slice " : "time slices ") + text;
}

// The residual beside the solution on a slice above which the solution has too few digits for most uses.
constexpr double few_digits = 1e-3;

}  // namespace

void warn_of_slices(const ColumnReport& report, const std::string& file) {
  const std::string slices = slices_above(report.slice_residuals, few_digits);
  if (runs_dry() || slices.empty()) return;
  const auto worst = std::max_element(report.slice_residuals.begin(), report.slice_residuals.end());
  const std::string how_much =
      std::isinf(*worst) ? ", which is still 0 on some of them" : fmt::format(" (up to {:.2g})", *worst);
  log::warning(fmt::format(
      "{}: on {} of the lattice the residual is more than {:g} of the solution{}: the quark is heavy, "
      "and so far from its source the solution is not determined by the tolerance; slice_tolerance "
      "of the solver determines it",
      file, slices, few_digits, how_much));
}

void add_slices(std::vector<double>& to, const std::vector<double>& from) {
  to.resize(from.size());
  for (std::size_t t = 0; t < from.size(); ++t) to[t] = std::max(to[t], from[t]);
}

namespace {

// Throws Error(not_converged), which names the outcomes, unless all have reached the tolerance.
void expect_convergence(const FullSolveReport& report, const SolverSettings& spec, const std::string& file,
                        const std::vector<std::string>& labels) {
  if (report.converged()) return;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (const std::string slices = slices_above(report.slice_residuals[i], report.slice_tolerance);
        reached(report.relative_residuals[i], report.tolerance) && !slices.empty())
      throw Error(
          ErrorKind::not_converged,
          fmt::format(
              "{}: the solve missed slice_tolerance {:g}: the residual of {} is too much of the solution on "
              "{}; tried {}; the result was not written",
              file, report.slice_tolerance, labels[i], slices, describe_attempts(report)));
  const auto worst = std::max_element(report.relative_residuals.begin(), report.relative_residuals.end(),
                                      [](double a, double b) { return std::isnan(b) || a < b; });
  const auto i = static_cast<std::size_t>(worst - report.relative_residuals.begin());
  const SolveResult& result = report.solve.results[i];
  throw Error(ErrorKind::not_converged,
              fmt::format("{}: the solve missed its tolerance {:g}: {} stands at {:.3e} after {} iterations "
                          "({}); tried {}; the result was not written",
                          file, report.tolerance, labels[i], *worst, result.iterations,
                          why_missed(result, spec), describe_attempts(report)));
}

// Throws Error(not_converged) if an approximation is worth nothing, or not the one that was asked for.
void expect_approximation(const FullSolveReport& report, const SolverSettings& spec, const Approximation& how,
                          const std::string& file, const std::vector<std::string>& labels) {
  if (how.tolerance) return expect_convergence(report, spec, file, labels);
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (!std::isfinite(report.relative_residuals[i]))
      throw Error(
          ErrorKind::not_converged,
          fmt::format("{}: the approximate solve of {} has no finite residual after {} iterations ({})", file,
                      labels[i], report.solve.results[i].iterations,
                      name_of(report.solve.results[i].reason)));
  const auto worst = std::max_element(report.relative_residuals.begin(), report.relative_residuals.end());
  log::info(fmt::format("approximate solve: residual {:.2e} at most", *worst));
  if (*worst >= 1 && how.iterations)
    log::warning(fmt::format(
        "{}: {} iterations leave {:.2g} of the residual of {}: the approximation is worth nothing", file,
        *how.iterations, *worst,
        labels[static_cast<std::size_t>(worst - report.relative_residuals.begin())]));
}

}  // namespace

PropagatorSolver::PropagatorSolver(const FermionLinks& links, const ActionPtr& action,
                                   const SolverSettings& settings, int together, const SetupPaths& setup,
                                   MadeMultigrid made)
    : grid_(links.grid),
      geometry_(links.gauge.geometry_ptr()),
      queue_(links.queue),
      transport_(links.transport),
      together_(together) {
  solver_ = with_advice_on_links(settings, [&] {
    return std::make_unique<SystemSolver>(links, action, settings, together, nullptr, setup, std::move(made));
  });
}

FieldSpec PropagatorSolver::quark_spec(int columns) const {
  FieldSpec spec = solver_->quark_spec();
  spec.subfields = columns;
  return spec;
}

FieldSpec PropagatorSolver::five_spec(int columns) const {
  FieldSpec spec = solver_->spec_of_fields();
  spec.subfields = columns * spec.Ls;
  return spec;
}

void PropagatorSolver::apply(Field& b, const Field& x) {
  require(solver_->spec_of_fields() == solver_->quark_spec() && x.spec() == solver_->quark_spec() &&
              b.spec() == x.spec(),
          "M is applied to so many columns in four dimensions as are solved together");
  solver_->apply(b, x);
}

ColumnReport PropagatorSolver::solve(Field& quark, const FillSource& fill, const std::string& file,
                                     Field* midpoint, const std::vector<std::string>& names) {
  return solve(quark, WallFields{.midpoint = midpoint}, fill, file, names);
}

ColumnReport PropagatorSolver::solve(Field& quark, const WallFields& walls, const FillSource& fill,
                                     const std::string& file, const std::vector<std::string>& names) {
  const int columns = quark.subfields();
  const auto labels = names.empty() ? column_names(columns) : names;
  return solve_parts({&quark, walls}, {0, columns, fill, file, labels, names.empty()});
}

ColumnReport PropagatorSolver::approximate(Field& quark, const FillSource& fill, const Approximation& how,
                                           const std::string& file, const std::vector<std::string>& names,
                                           const WallFields& walls) {
  const int columns = quark.subfields();
  const auto labels = names.empty() ? column_names(columns) : names;
  return solve_parts({&quark, walls}, {0, columns, fill, file, labels, false, &how});
}

ColumnReport PropagatorSolver::solve_each(int columns, const FillSource& fill, const TakeSolutions& take,
                                          const std::string& file, const std::vector<std::string>& names) {
  return solve_parts({.take = &take}, {0, columns, fill, file, names, false});
}

ColumnReport PropagatorSolver::solve_parts(const Solutions& to, const Part& all) {
  require(all.columns % together_ == 0, "columns that cannot be solved so many at a time");
  ColumnReport report;
  SolveStop stop(grid_->comm());
  for (int first = 0; first < all.columns; first += together_) {
    Part part = all;
    part.first = first;
    solve_part(to, part, stop, report);
  }
  return report;
}

// With domain walls, or where not all columns are solved together, through fields of their own.
void PropagatorSolver::solve_part(const Solutions& to, const Part& of, SolveStop& stop,
                                  ColumnReport& report) {
  const int first = of.first;
  const FieldSpec spec = solver_->spec_of_fields(), part_spec = solver_->quark_spec();
  const bool as_they_are = !has_walls();
  const MemoryName name("source and solution");
  Field part(geometry_, part_spec);
  of.fill(part, first);
  Field b, x;
  if (!as_they_are) {
    b = Field(geometry_, spec);
    solver_->make_source(b, part);
  }
  if (!as_they_are || to.quark == nullptr || together_ != of.columns) x = Field(geometry_, spec);
  const double share = static_cast<double>(together_) / of.columns;
  const FullSolveReport solved = solve_fields(x ? x : *to.quark, as_they_are ? part : b, of, share, stop);
  transport_->expect_intact(queue_);
  const std::vector<std::string> names = {of.names.begin() + first, of.names.begin() + first + together_};
  log_solve(solved, settings(), names, of.few,
            of.approximation != nullptr ? "approximate columns" : "columns");
  if (of.approximation != nullptr) {
    expect_approximation(solved, settings(), *of.approximation, of.file, names);
  } else {
    expect_convergence(solved, settings(), of.file, names);
  }
  add_report(report, solved);
  if (!x) return;
  b = Field();
  Field quarks = to.walls.current == nullptr ? part : Field(geometry_, part_spec);  // the source is needed
  if (!as_they_are) solver_->to_4d(quarks, x);
  const Field& solutions = as_they_are ? x : quarks;
  if (to.take != nullptr) return (*to.take)(solutions, first);
  for (int subfield = 0; subfield < together_; ++subfield)
    copy_subfield(*to.quark, first + subfield, solutions, subfield);
  if (to.walls.midpoint != nullptr) {
    solver_->midpoint_to_4d(quarks, x);
    for (int subfield = 0; subfield < together_; ++subfield)
      copy_subfield(*to.walls.midpoint, first + subfield, quarks, subfield);
  }
  if (to.walls.current != nullptr) {
    solver_->make_current_field(x, part);
    for (int column = 0; column < together_; ++column)
      copy_right_hand_side(*to.walls.current, first + column, x, column);
  }
}

// `share`: of these columns, of all.
FullSolveReport PropagatorSolver::solve_fields(Field& x, const Field& b, const Part& part, double share,
                                               SolveStop& stop) {
  const Approximation* how = part.approximation;
  const std::optional<int> iterations = how != nullptr ? how->iterations : std::nullopt;
  const double tolerance = how != nullptr ? how->tolerance.value_or(1) : settings().tolerance;
  const double done = share * part.first / together_;
  // The slowest right-hand side, from where it stood after the first iteration down to the tolerance; or
  // iterations, where their number is given.
  const double decades = iterations ? *iterations : std::max(1e-3, -std::log10(tolerance));
  Progress progress(
      fmt::format("{} solve", solver_method_names[static_cast<std::size_t>(method_of(settings()))]), decades,
      Progress::Settings::standard(grid_->rank()));
  std::vector<double> first;
  const auto watch = [&](int iteration, const std::vector<double>& norms) {
    if (first.empty()) first = norms;
    double slowest = iterations ? std::min<double>(iteration, decades) : decades;
    for (std::size_t i = 0; !iterations && i < norms.size(); ++i)
      if (first[i] > 0 && norms[i] > 0) slowest = std::min(slowest, std::log10(first[i] / norms[i]));
    progress.advance_to(std::max(0.0, slowest), fmt::format("iteration {}", iteration));
    stop.after_iteration(done + share * std::max(0.0, slowest) / decades);
  };
  // The operators of fallbacks are made when they are needed.
  auto report = with_advice_on_links(settings(), [&] {
    return how != nullptr ? solver_->approximate(x, b, *how, watch) : solver_->solve(x, b, watch);
  });
  progress.finish(fmt::format("{} iterations", report.solve.iterations));
  return report;
}

}  // namespace plaq
