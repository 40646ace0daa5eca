#include "dynamics/quark/multigrid_solves.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/system/error.hpp"
#include "dynamics/quark/multigrid_choice.hpp"
#include "dynamics/trajectory_clock.hpp"
#include "kernels/dirac/twist/twist.hpp"
#include "kernels/dirac/twist/twisted_schur.hpp"
#include "quarks/action/wilson_action.hpp"
#include "solvers/krylov/gcr.hpp"
#include "solvers/krylov/krylov_solver.hpp"
#include "solvers/mixed/defect_correction.hpp"

namespace plaq {

// All that is made of one version of the links.
struct MultigridSolves::Made {
  WilsonSchur *s_exact, *s_inner;
  bool is_doublet;
  std::unique_ptr<DiracMatrix> matrix;
  std::unique_ptr<DiracMultigrid> multigrid;
  TwistedSchur exact, inner;
  std::unique_ptr<Solver> solver;
  Field y, turned;

  Made(std::unique_ptr<DiracMatrix> of, std::unique_ptr<DiracMultigrid> preconditioner,
       WilsonSchur& in_double, WilsonSchur& in_single, bool has_twisted_mass)
      : s_exact(&in_double),
        s_inner(&in_single),
        is_doublet(has_twisted_mass),
        matrix(std::move(of)),
        multigrid(std::move(preconditioner)),
        exact(in_double),
        inner(in_single),
        y(exact.geometry(), exact.spec(1)),
        turned(exact.geometry(), exact.spec(1)) {}
  // W(mu) of a flavour of the doublet mu_q, -mu_q of twisted-mass quarks; other quarks have one flavour.
  void set_twist(double mu, int flavour) {
    multigrid->set_twist(mu, is_doublet ? flavour : 1);
    if (is_doublet) {
      s_exact->set_twist(mu, flavour);
      s_inner->set_twist(mu, flavour);
    } else {
      exact.set_mu(mu);
      inner.set_mu(mu);
    }
  }
};

MultigridSolves::MultigridSolves(const ActionPtr& action, const MultigridOptions& options, double tolerance,
                                 std::shared_ptr<FirstSetup> first)
    : action_(action), twisted_mass_(wilson_parameters(*action).twisted_mass), first_(std::move(first)) {
  settings_.method = SolverMethod::gcr;
  settings_.preconditioning = Preconditioning::even_odd_asymmetric;
  settings_.inner = {Precision::single_precision, 12};
  settings_.multigrid = options;
  settings_.tolerance = tolerance;
}

MultigridSolves::~MultigridSolves() = default;

void MultigridSolves::forget(const Field& links) {
  memory_ = {};
  rounds_ = 0;
  if (!first_->links.is_of(links)) *first_ = {VersionOf(links), std::nullopt};
}

void MultigridSolves::release() {
  made_.reset();
  clover_.reset();
  links_.reset();
}

void MultigridSolves::take(const FermionLinks& links, std::shared_ptr<CloverField> clover, WilsonSchur& exact,
                           WilsonSchur& inner) {
  links_ = links;
  clover_ = std::move(clover);
  exact_ = &exact;
  inner_ = &inner;
}

void MultigridSolves::make() {
  const TimedPart part(TrajectoryPart::setups);
  auto matrix = action_->on(*links_, clover_);
  const bool is_first = !has_setup();
  if (is_first) {
    memory_ = first_->memory.value_or(SetupMemory());
    memory_.reduction = 0;  // its own is not known yet
  }
  const int before = memory_.report.rounds;
  auto multigrid = std::make_unique<DiracMultigrid>(*matrix, action_, settings_, memory_);
  rounds_ += std::max(0, memory_.report.rounds - before);
  if (is_first && !first_->memory) first_->memory = memory_;
  made_ =
      std::make_unique<Made>(std::move(matrix), std::move(multigrid), *exact_, *inner_, twisted_mass_ != 0);
  // Each correction begins a new space: what rounding leaves of a residual in the span of an old one would
  // stay.
  MethodSettings correction;
  correction.inner_tolerance = 1e-4;
  auto gcr = std::make_unique<Gcr>(made_->inner, 1, settings_.restart, made_->multigrid.get());
  made_->solver = std::make_unique<DefectCorrection>(
      made_->exact, made_->inner, std::make_unique<KrylovSolver>(std::move(gcr), *links_->grid, 1),
      *links_->grid, 1, correction);
}

namespace {

void visit(StateArchive& archive, SetupMemory& memory, const SharedLattice& lattice) {
  archive(memory.reduction);
  archive(memory.report.rounds);
  std::size_t cycles = memory.report.cycles.size();
  archive(cycles);
  archive.expect(cycles <= 64);
  memory.report.cycles.resize(cycles);
  for (CycleParameters& cycle : memory.report.cycles) {
    archive(cycle.smoothing_steps);
    archive(cycle.coarse_tolerance);
  }
  Field vectors;
  if (!archive.restores()) vectors = memory.even_vectors(lattice.geometry, *lattice.grid, lattice.queue);
  bool any = static_cast<bool>(vectors);
  archive(any);
  if (any) archive.field(vectors);
  if (!archive.restores()) return;
  memory.vectors = {};
  memory.restored = vectors;
}

}  // namespace

void MultigridSolves::remember(StateArchive& archive, const SharedLattice& lattice) {
  archive(rounds_);
  bool has_setup = this->has_setup();
  archive(has_setup);
  if (archive.restores()) memory_ = {};
  if (has_setup) return visit(archive, memory_, lattice);
  if (!archive.is_new(first_.get())) return;
  bool any = first_->memory.has_value();
  archive(any);
  if (archive.restores()) first_->memory = any ? std::optional<SetupMemory>(std::in_place) : std::nullopt;
  if (any) visit(archive, *first_->memory, lattice);
}

bool MultigridSolves::pays(double mu) {
  const double both = mu + 2 * twisted_mass_;
  if (both == 0) return true;
  if (!has_setup()) make();
  return std::abs(both) <= largest_twist(memory_.reduction, settings_.tolerance);
}

int MultigridSolves::shifts_that_pay(const std::vector<double>& increasing, double lowest) {
  if (!has_setup()) make();
  return shifts_by_multigrid(increasing, lowest, memory_.reduction, settings_.tolerance);
}

std::optional<std::int64_t> MultigridSolves::solve(Field& x, const Field& b, double mu, double tolerance,
                                                   int max_iterations, bool zero_guess) {
  if (!made_) make();
  const Queue& queue = exact_->queue();
  Field &y = made_->y, &turned = made_->turned;
  SolverParameters parameters;
  parameters.tolerance = tolerance;
  parameters.max_iterations = max_iterations;
  parameters.zero_guess = zero_guess;
  // turned <- i sign gamma5 from
  const auto turn = [&](const Field& from, double sign) {
    queue.zero_async(turned.data(0, 0), turned.bytes());
    add_twist(turned, from, sign, 0, queue);
  };
  if (!zero_guess) {  // y = i gamma5 W x
    require(twisted_mass_ == 0, "a first guess for twisted-mass quarks");
    made_->exact.set_mu(mu);
    made_->exact.apply(y, x);
    turn(y, 1);
    std::swap(y, turned);
  }
  turn(b, 1);
  made_->set_twist(-mu, -1);
  const SolveReport first = made_->solver->solve(y, turned, parameters);
  if (!first.converged()) return std::nullopt;
  turn(y, -1);
  made_->set_twist(mu, 1);
  const SolveReport second = made_->solver->solve(x, turned, parameters);
  if (!second.converged()) return std::nullopt;
  return first.iterations + second.iterations;
}

}  // namespace plaq
