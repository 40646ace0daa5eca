#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"
#include "jobs/bench/targets.hpp"
#include "jobs/rates/field_checks.hpp"
#include "jobs/rates/random_fields.hpp"
#include "jobs/rates/rated_action.hpp"
#include "multigrid/coarse/galerkin.hpp"
#include "multigrid/cycle/polynomial_roots.hpp"
#include "multigrid/cycle/polynomial_smoother.hpp"
#include "multigrid/multigrid.hpp"
#include "quarks/action/wilson_action.hpp"
#include "quarks/multigrid/dirac_multigrid.hpp"
#include "settings/solver/solver_table.hpp"
#include "solvers/krylov/mr.hpp"

namespace plaq::jobs {
namespace {

constexpr int steps = 4, reconstruction = 12, right_hand_sides = 12;

ActionPtr wilson_of(double mass) {
  WilsonParameters parameters;
  parameters.mass = mass;
  return wilson_action(parameters);
}

// Residual of b that the smoother leaves: |b - S x| / |b|.
std::string check_smoother(const ProcessGrid& grid, LinearOperator& s, Smoother& smoother, const Field& b) {
  Field x(b.geometry_ptr(), b.spec()), sx(b.geometry_ptr(), b.spec());
  smoother.apply(x, b);
  s.apply(sx, x);
  FieldSpec spec = b.spec();
  spec.precision = Precision::double_precision;
  Field noise(b.geometry_ptr(), spec);
  s.queue().synchronize();
  copy(noise, b);
  const double left = relative_difference(grid, sx, noise, s.queue());
  if (!(left < 1)) throw Error(ErrorKind::internal, fmt::format("a smoother leaves {:.3g} of noise", left));
  return fmt::format("leaves {:.3f} of noise", left);
}

// From noise, as cycles have it; the copy of the source and the first guess of 0 are counted.
void add_smoother(Bench& bench, const char* name, RatedApplication& rated, Smoother& smoother,
                  const Field& b) {
  const std::string checked = check_smoother(bench.grid(), rated.schur(), smoother, b);
  Field x(b.geometry_ptr(), b.spec());
  Work work = smoother.work(b.batch());
  work.bytes += 3 * static_cast<double>(field_bytes(b.geometry(), b.spec()));
  const Samples samples = bench.time(smoother.queue(), [&](const Queue&) { smoother.apply(x, b); });
  bench.add(name, {b.precision(), reconstruction}, b.batch(), samples, work, checked);
}

}  // namespace

void add_smoothing_steps(Bench& bench) {
  const std::string polynomial = fmt::format("smoothing_polynomial {}", steps),
                    mr = fmt::format("smoothing_mr {}", steps);
  if (!bench.wants(polynomial) && !bench.wants(mr)) return;
  const RateProblem problem = bench.problem(41);
  const auto action = make_rated_action(problem, wilson_of(0.5));
  for (const Precision precision : bench.all_precisions()) {
    if (precision == Precision::double_precision) continue;
    for (const int rhs : bench.batches()) {
      const auto rated = action->schur(false, {precision, reconstruction}, rhs);
      LinearOperator& s = rated->schur();
      const Field b = rated->random(79);
      if (bench.wants(polynomial)) {
        const auto fitted = polynomial_roots(s, bench.grid(), b, steps);
        if (!fitted) throw Error(ErrorKind::internal, "no polynomial smooths the even-odd Wilson operator");
        PolynomialSmoother smoother(s, bench.grid(), rhs, fitted->roots);
        add_smoother(bench, polynomial.c_str(), *rated, smoother, b);
      }
      if (bench.wants(mr)) {
        MethodSettings settings;
        settings.omega = MultigridOptions().omega;
        MrSmoother smoother(s, bench.grid(), rhs, steps, settings);
        add_smoother(bench, mr.c_str(), *rated, smoother, b);
      }
    }
  }
}

// Setups take long: one of them is timed where nobody asks for more.
void add_multigrid_setup(Bench& bench, int vectors) {
  constexpr Precision single = Precision::single_precision;
  const auto name = [&](const char* what) { return fmt::format("{} N {}", what, vectors); };
  if (!bench.wants(name("setup")) && !bench.wants(name("galerkin")) && !bench.wants(name("cycle"))) return;
  const Queue queue = bench.queue();
  const Field gauge = thermalized(bench, 10);
  const auto matrix = wilson_of(-0.5)->on({&bench.grid(), gauge, queue, bench.transport()});
  MultigridOptions spec;
  spec.vectors = {vectors};
  const Precision of_cycles = spec.precision_at(bench.location());
  const auto level = [&] {
    return std::make_unique<DiracLevel>(*matrix, LinkStorage(single, reconstruction),
                                        LinkStorage(of_cycles, reconstruction));
  };
  const MultigridSettings settings =
      spec.without_choice().settings(bench.geometry()->global(), bench.location(), right_hand_sides, 1e-10);
  std::unique_ptr<Multigrid> multigrid;
  std::vector<double> microseconds;
  for (int i = 0; i < std::max(1, bench.asked.samples); ++i) {
    multigrid.reset();
    microseconds.push_back(1e6 * slowest_seconds(bench.grid().comm(), queue, [&] {
                             multigrid = std::make_unique<Multigrid>(level(), settings);
                           }));
  }
  const SetupReport& report = multigrid->report();
  bench.add(name("setup"), {single, reconstruction}, vectors, samples_of(microseconds), {},
            fmt::format("{} rounds, an iteration leaves {:.3f}", report.rounds, report.kept.reduction));

  // Products of each chirality: what stays at a site, and for each hop what crosses a face of an aggregate
  // and what does not. Work: that of restrictions, beside which M and P are little.
  const Transfer& transfer = multigrid->hierarchy().transfer(0);
  const auto finest = level();
  constexpr double chiralities = 2, restrictions = 9, parities = 2;
  if (bench.wants(name("galerkin")))
    bench.add(name("galerkin"), {single, reconstruction}, vectors,
              bench.time(queue,
                         [&](const Queue&) {
                           galerkin_links(bench.grid(), finest->full(), transfer, settings.storage,
                                          bench.transport());
                         }),
              (chiralities * restrictions * parities) * transfer.work(vectors, single),
              fmt::format("{} to {:.1e}", report.checks[1].what, report.checks[1].value));

  for (const int rhs : bench.batches()) {
    if (!bench.wants(name("cycle"))) continue;
    const Field b = random_spinor(bench.geometry(), Subset::even, rhs, single, bench.location(), 80);
    Field x(b.geometry_ptr(), b.spec());
    const Samples samples = bench.time(queue, [&](const Queue&) { multigrid->apply(x, b); });
    bench.add(name("cycle"), {of_cycles, reconstruction}, rhs, samples, multigrid->work(rhs),
              fmt::format("{} self-checks", report.checks.size()));
  }
}

}  // namespace plaq::jobs
