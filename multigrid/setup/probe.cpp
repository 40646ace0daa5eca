#include "multigrid/setup/probe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "comms/grid/mpi_check.hpp"
#include "core/system/runs_dry.hpp"
#include "multigrid/cycle/cycle_in_precision.hpp"
#include "multigrid/hierarchy/near_null_vectors.hpp"
#include "solvers/krylov/krylov_solver.hpp"
#include "solvers/krylov/make_method.hpp"

namespace plaq {
namespace {

constexpr int sources = 4, probed = 10, first_judged = 4, judged = probed - first_judged;
// Where earlier iterations leave less they are judged: later ones would be at the end of single precision.
constexpr double fast = 1e-2;
constexpr double least = 1e-8;    // where a lattice is so small that a cycle is a solve
constexpr double assumed = 0.35;  // by dry runs, whose data are good

Work over_ranks(Work work, const ProcessGrid& grid) {
  double both[2] = {work.flops, work.bytes};  // whole numbers
  wait_mpi("MPI_Allreduce",
           [&] { return MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_DOUBLE, MPI_SUM, grid.comm()); });
  return {both[0], both[1]};
}

}  // namespace

double ProbeResult::iterations(double tolerance) const {
  if (!(reduction < 1)) return std::numeric_limits<double>::infinity();
  return std::log(tolerance) / std::log(reduction);
}

ProbeResult probe(Hierarchy& hierarchy, std::uint64_t seed) {
  LevelOperators& level = hierarchy.operators(0);
  const auto s = level.reduced(sources);
  CycleInPrecision k(hierarchy.cycle(0, sources), s->spec(1).precision, sources);
  const Field noise = noise_vectors(level, sources, seed);
  Field b(s->geometry(), s->spec(sources)), x(b.geometry_ptr(), b.spec());
  s->reduce_guess(b, noise);
  MethodSettings settings;
  settings.restart_length = probed;
  settings.preconditioner = &k;
  KrylovSolver solver(make_method("gcr", *s, sources, settings), level.grid(), sources);
  SolverParameters parameters;
  parameters.tolerance = no_tolerance;
  parameters.max_iterations = probed;
  parameters.trust_iterated = true;
  parameters.zero_guess = true;
  ProbeResult result;
  std::vector<double> begin, first, last;
  double coarse = 0;
  parameters.watch = [&](int iteration, const std::vector<double>& norms) {
    if (iteration == 1) begin = norms;
    if (iteration == first_judged) first = norms;
    last = norms;
    coarse += k.cycle().coarse_iterations();
  };
  solver.solve(x, b, parameters);
  double sum = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const bool early = first[i] < fast * begin[i];
    const double left = !(begin[i] > 0) ? 0
                        : early         ? std::pow(first[i] / begin[i], 1.0 / (first_judged - 1))
                                        : std::pow(last[i] / first[i], 1.0 / judged);
    sum += judged * std::log(std::max(left, least));
  }
  result.reduction = runs_dry() ? assumed : std::exp(sum / (sources * judged));
  result.coarse_iterations = coarse / probed;
  result.iteration = (1.0 / sources) * over_ranks(k.work(sources) + s->work(sources), level.grid());
  return result;
}

}  // namespace plaq
