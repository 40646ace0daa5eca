#include "dynamics/quark/multigrid_solves.hpp"

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
  DiracMultigrid& multigrid;
  TwistedSchur exact, inner;
  std::unique_ptr<Solver> solver;
  Field y, turned;

  Made(std::unique_ptr<DiracMatrix> of, DiracMultigrid& preconditioner, WilsonSchur& in_double,
       WilsonSchur& in_single, bool has_twisted_mass)
      : s_exact(&in_double),
        s_inner(&in_single),
        is_doublet(has_twisted_mass),
        matrix(std::move(of)),
        multigrid(preconditioner),
        exact(in_double),
        inner(in_single),
        y(exact.geometry(), exact.spec(1)),
        turned(exact.geometry(), exact.spec(1)) {}
  // W(mu) of a flavour of the doublet mu_q, -mu_q of twisted-mass quarks; other quarks have one flavour.
  void set_twist(double mu, int flavour) {
    {
      const TimedPart part(TrajectoryPart::setups);  // what belongs to a twist is made once
      multigrid.set_twist(mu, is_doublet ? flavour : 1);
    }
    if (is_doublet) {
      s_exact->set_twist(mu, flavour);
      s_inner->set_twist(mu, flavour);
    } else {
      exact.set_mu(mu);
      inner.set_mu(mu);
    }
  }
};

namespace {

SolverSettings settings_of(const MultigridOptions& options, double tolerance) {
  SolverSettings settings;
  settings.method = SolverMethod::gcr;
  settings.preconditioning = Preconditioning::even_odd_asymmetric;
  settings.inner = {Precision::single_precision, 12};
  settings.multigrid = options;
  settings.tolerance = tolerance;
  return settings;
}

}  // namespace

MultigridSolves::MultigridSolves(const ActionPtr& action, const MultigridOptions& options, double tolerance,
                                 std::shared_ptr<FirstSetup> first, double renewal)
    : action_(action),
      twisted_mass_(wilson_parameters(*action).twisted_mass),
      settings_(settings_of(options, tolerance)),
      setup_(action, settings_, std::move(first), renewal) {}

MultigridSolves::~MultigridSolves() = default;

void MultigridSolves::release() {
  setup_.release();
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
  DiracMultigrid& multigrid = setup_.on(*matrix, *links_);
  made_ = std::make_unique<Made>(std::move(matrix), multigrid, *exact_, *inner_, twisted_mass_ != 0);
  // Each correction begins a new space: what rounding leaves of a residual in the span of an old one would
  // stay.
  MethodSettings correction;
  correction.inner_tolerance = 1e-4;
  auto gcr = std::make_unique<Gcr>(made_->inner, 1, settings_.restart, &multigrid);
  made_->solver = std::make_unique<DefectCorrection>(
      made_->exact, made_->inner, std::make_unique<KrylovSolver>(std::move(gcr), *links_->grid, 1),
      *links_->grid, 1, correction);
}

// By an iteration, of the first setup in the trajectory.
double MultigridSolves::first_reduction() {
  if (setup_.reduction() == 0) make();
  return setup_.reduction();
}

bool MultigridSolves::pays(double mu) {
  const double both = mu + 2 * twisted_mass_;
  if (both == 0) return true;
  return std::abs(both) <= largest_twist(first_reduction());
}

int MultigridSolves::shifts_that_pay(const std::vector<double>& increasing, double lowest) {
  return shifts_by_multigrid(increasing, lowest, first_reduction(), settings_.tolerance);
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
  // Returns the iterations of W(nu) solution = turned; nothing if the tolerance was not reached.
  const auto solve_turned = [&](Field& solution, double nu, int flavour) -> std::optional<std::int64_t> {
    made_->set_twist(nu, flavour);
    const SolveReport report = made_->solver->solve(solution, turned, parameters);
    if (!report.converged()) return std::nullopt;
    if (zero_guess) setup_.age().add(nu, report.iterations, tolerance);
    return report.iterations;
  };
  turn(b, 1);
  const auto first = solve_turned(y, -mu, -1);
  if (!first) return std::nullopt;
  turn(y, -1);
  const auto second = solve_turned(x, mu, 1);
  if (!second) return std::nullopt;
  return *first + *second;
}

}  // namespace plaq
