#include "multigrid/setup/probe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "comms/communicator/stop_request.hpp"
#include "core/system/runs_dry.hpp"
#include "core/system/timer.hpp"
#include "multigrid/cycle/cycle_in_precision.hpp"
#include "multigrid/hierarchy/near_null_vectors.hpp"
#include "solvers/krylov/krylov_method.hpp"
#include "solvers/krylov/krylov_solver.hpp"

namespace plaq {
namespace {

constexpr int most_sources = 4, probed = 10, first_counted = 4, counted = probed - first_counted;
// Earlier iterations count if they leave less: later ones would be at the end of single precision.
constexpr double fast = 1e-2;
constexpr double least = 1e-8;    // where a lattice is so small that a cycle is a solve
constexpr double assumed = 0.35;  // by dry runs, whose data are good

// Fewer where a lattice has so many sites that its sources hardly differ: about as many sites in all as half
// of 32^3 x 64 has.
int sources_of(const Geometry& lattice) {
  constexpr std::int64_t most_sites = 1 << 20;
  return static_cast<int>(std::clamp<std::int64_t>(most_sites / lattice.global_volume(), 1, most_sources));
}

// Solves that choices are made by: as those of single precision within ones of double are.
constexpr int restart_of_solves = 16, most_iterations_of_solves = 64;
constexpr double tolerance_of_solves = 1e-4;
constexpr int columns = 12;  // of a source, which are solved together

Work over_ranks(Work work, const ProcessGrid& grid) {
  double both[2] = {work.flops, work.bytes};  // whole numbers
  grid.comm().sum(std::span(both));
  return {both[0], both[1]};
}

// Passes over a vector by so many iterations of GCR from a restart on
// (solvers/krylov/gcr.hpp), beside those of operators.
double gcr_passes(double iterations) {
  return 7 * iterations + 1.5 * iterations * (iterations - 1) + 5.0 / 3 * iterations;
}

// Bytes of one right-hand side on half of a lattice.
double vector_bytes(const Extents& lattice, const FieldSpec& one) {
  return 0.5 * lattice[0] * lattice[1] * lattice[2] * lattice[3] * one.reals() * bytes_of(one.precision);
}

// Flexible GCR with cycles, from noise.
struct Iterations {
  int sources = 0, restart = 0, most = 0;
  int batch = 0;  // whose work counts
  double tolerance = no_tolerance;
};
struct Iterated {
  ProbeResult result;  // but for its reduction
  SolveReport report;
  std::vector<std::vector<double>> norms;  // behind each iteration, of each source
};

Iterated iterate(Hierarchy& hierarchy, std::uint64_t seed, const Iterations& how) {
  const ScopedRange range("probe");
  LevelOperators& level = hierarchy.operators(0);
  const int n = how.sources;
  const auto s = level.reduced(n);
  CycleInPrecision k(level.grid(), hierarchy.cycle(0, n), s->spec(1).precision, n);
  const Field noise = noise_vectors(level, n, seed);
  Field b(s->geometry(), s->spec(n)), x(b.geometry_ptr(), b.spec());
  s->reduce_guess(b, noise);
  MethodSettings settings;
  settings.restart_length = how.restart;
  settings.preconditioner = &k;
  KrylovSolver solver(make_method("gcr", *s, n, settings), level.grid(), n);
  SolverParameters parameters;
  parameters.tolerance = how.tolerance;
  parameters.max_iterations = how.most;
  parameters.trust_iterated = true;
  parameters.zero_guess = true;
  Iterated found;
  double coarse = 0;
  Work cycles;
  parameters.watch = [&](int, const std::vector<double>& norms) {
    found.norms.push_back(norms);
    coarse += k.cycle().coarse_iterations();
    cycles += k.work(how.batch);
    interruption_point(level.grid().comm());
  };
  found.report = solver.solve(x, b, parameters);
  const auto count = static_cast<double>(found.norms.size());
  ProbeResult& result = found.result;
  result.coarse_iterations = coarse / count;
  // Solvers iterate in the precision of cycles: the residual that a cycle has left saves an application.
  const bool knows_residual = k.cycle().residual() != nullptr;
  const Work outer = knows_residual ? Work() : s->work(how.batch);
  result.iteration = (1.0 / how.batch) * over_ranks((1 / count) * cycles + outer, level.grid());
  const Transfer& transfer = hierarchy.transfer(0);
  const FieldSpec fine = k.cycle().spec(1);
  result.iteration.bytes +=
      gcr_passes(how.restart) / how.restart * vector_bytes(s->geometry()->global(), fine) +
      gcr_passes(result.coarse_iterations) *
          vector_bytes(transfer.aggregation().coarse().global(), transfer.coarse_spec(1, fine.precision));
  return found;
}

}  // namespace

double modelled_seconds(const Work& work) { return std::max(work.bytes / 4e12, work.flops / 2e13); }

double ProbeResult::seconds_per_e() const { return seconds() * iterations(std::exp(-1.0)); }

double ProbeResult::iterations(double tolerance) const {
  if (!(reduction < 1)) return std::numeric_limits<double>::infinity();
  return std::log(tolerance) / std::log(reduction);
}

ProbeResult probe(Hierarchy& hierarchy, std::uint64_t seed) {
  LevelOperators& level = hierarchy.operators(0);
  const int sources = level.batch_of(sources_of(*level.full().geometry()));
  auto [result, report, norms] = iterate(hierarchy, seed, {sources, probed, probed, most_sources});
  double sum = 0;
  for (std::size_t i = 0; norms.size() >= first_counted && i < static_cast<std::size_t>(sources); ++i) {
    const double begin = norms.front()[i], first = norms[first_counted - 1][i], last = norms.back()[i];
    const bool early = first < fast * begin;
    const double left = !(begin > 0) ? 0
                        : early      ? std::pow(first / begin, 1.0 / (first_counted - 1))
                                     : std::pow(last / first, 1.0 / counted);
    sum += counted * std::log(std::max(left, least));
  }
  result.reduction = by_data(std::exp(sum / (sources * counted)), assumed);
  return result;
}

ProbeResult probe_solves(Hierarchy& hierarchy, std::uint64_t seed) {
  auto [result, report, norms] =
      iterate(hierarchy, seed,
              {solves_of_probe, restart_of_solves, most_iterations_of_solves, columns, tolerance_of_solves});
  double sum = 0;
  int iterations = 0;
  for (std::size_t i = 0; i < solves_of_probe; ++i) {
    const SolveResult& solve = report.results[i];
    const double left = norms.back()[i] / solve.source_norm;
    sum += std::log(left > 0 ? left : std::pow(least, solve.iterations));
    iterations += solve.iterations;
  }
  result.reduction = by_data(std::exp(sum / iterations), assumed);
  return result;
}

}  // namespace plaq
