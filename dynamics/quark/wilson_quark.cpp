#include "dynamics/quark/wilson_quark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/runs_dry.hpp"
#include "core/system/timer.hpp"
#include "dynamics/quark/multigrid_solves.hpp"
#include "dynamics/quark/wilson_operators.hpp"
#include "dynamics/trajectory_clock.hpp"
#include "quarks/action/wilson_action.hpp"

namespace plaq {
namespace {

constexpr SpectralRange assumed_range{1e-3, 80};  // of S^dagger S, by dry runs: near the strange quark

}  // namespace

WilsonQuark::WilsonQuark(const SharedLattice& lattice, const WilsonParameters& parameters,
                         const MdSolverSettings& settings, QuarkLinks links, Form form)
    : PairQuark(lattice, settings, parameters, std::move(links)), parameters_(parameters), form_(form) {
  require(form == Form::asymmetric || !settings.multigrid, "multigrid of the symmetric form of sea quarks");
  if (settings.multigrid)
    multigrid_ = std::make_unique<MultigridSolves>(
        wilson_action(parameters), *settings.multigrid, settings.force_tolerance,
        links_.setup ? links_.setup : std::make_shared<FirstSetup>(), settings.setup_renewal);
}

WilsonQuark::~WilsonQuark() = default;

std::string WilsonQuark::mass_text() const {
  return fmt::format("kappa = {:.8g}", 1 / (2 * (parameters_.mass + 4)));
}

FieldSpec WilsonQuark::vector_spec(int batch) const {
  return spinor_spec(Subset::even, batch, wide, lattice_.location());
}

void WilsonQuark::begin_trajectory(const Field& links) {
  if (multigrid_ && !trajectory_version_.is_of(links)) multigrid_->forget(links);
  trajectory_version_ = VersionOf(links);
  update(links);
}

void WilsonQuark::make_operators(const Field& links) {
  const TimedPart part(TrajectoryPart::links);
  const ScopedRange range("quark_operators");
  lattice_.queue.synchronize();
  if (multigrid_) multigrid_->release();
  forget_solvers();
  operators_.reset();  // before its successor takes memory
  const LinkCopies& copies = *links_.copies;
  links_.copies->take(links, links_.of_hops(links), parameters_.has_clover() && links_.thin_clover);
  auto made = std::make_unique<Operators>(Operators{lattice_, parameters_, form_, copies.hops()});
  if (parameters_.has_clover()) {
    made->clover = std::make_shared<CloverField>(*lattice_.grid, copies.clover(), parameters_.diagonal(),
                                                 parameters_.clover, lattice_.queue, lattice_.transport,
                                                 parameters_.twisted_mass);
    const auto& [spatial, temporal, exponential] = parameters_.clover;
    const double d = parameters_.diagonal();
    if (exponential)
      made->exponent = std::make_unique<CloverField>(*lattice_.grid, copies.clover(), 0,
                                                     CloverCoefficients{spatial / d, temporal / d},
                                                     lattice_.queue, lattice_.transport);
  }
  made->in(wide);
  made->in(first_precision());  // in 12 reals: throws where links left SU(3)
  if (multigrid_)
    multigrid_->take({lattice_.grid.get(), made->links, lattice_.queue, lattice_.transport, copies.thin()},
                     made->clover, made->in(wide).schur, made->in(Precision::single_precision).schur);
  operators_ = std::move(made);
}

void WilsonQuark::apply(Field& out, const Field& in, double mu, bool dagger) {
  Stored& exact = operators_->in(wide, in.subfields());
  require(mu >= 0 || !exact.twists_inside(), "a negative twist of a ladder of twisted-mass quarks");
  auto& schur = exact.schur;
  if (exact.twists_inside()) schur.set_twist(mu);
  dagger ? schur.apply_dagger(out, in) : schur.apply(out, in);
  if (mu != 0 && !exact.twists_inside()) add_twist(out, in, dagger ? -mu : mu, 0, lattice_.queue);
}

std::int64_t WilsonQuark::solve(Field& x, const Field& b, double mu, double tolerance) {
  const TimedPart part(TrajectoryPart::solves);
  if (multigrid_)
    if (const auto iterations =
            solve_by_multigrid(x, b, mu, tolerance, true, [&] { return multigrid_->pays(mu); }))
      return *iterations;
  return solve_by_cg(x, b, {mu * mu}, tolerance, true);
}

LinearOperator& WilsonQuark::operator_in(Precision precision, int batch) {
  return operators_->in(precision, batch).normal;
}

// With a twist in the place of a shift where W^dagger W is not S^dagger S + mu^2.
LinearOperator& WilsonQuark::shifted_in(Precision precision, const std::vector<double>& shifts) {
  Stored& stored = operators_->in(precision, static_cast<int>(shifts.size()));
  stored.set_shifts(shifts);
  return stored.shifted;
}

std::string WilsonQuark::shift_text(double shift) const { return fmt::format("mu = {}", std::sqrt(shift)); }

// Nothing if multigrid does not pay, or failed, of which a warning tells.
std::optional<std::int64_t> WilsonQuark::solve_by_multigrid(Field& x, const Field& b, double mu,
                                                            double tolerance, bool zero_guess,
                                                            const std::function<bool()>& pays) {
  std::string why = "the tolerance is not reached";
  try {
    const auto& largest = settings_.largest_multigrid_twist;
    if (largest ? std::abs(mu) > *largest : !pays()) return std::nullopt;
    if (const auto iterations = multigrid_->solve(x, b, mu, tolerance, settings_.max_iterations, zero_guess))
      return iterations;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::not_converged) throw;
    why = error.what();
  }
  log::warning(fmt::format("multigrid for kappa = {:.8g}, mu = {}: {}; conjugate gradients instead",
                           1 / (2 * (parameters_.mass + 4)), mu, why));
  return std::nullopt;
}

SpectralRange WilsonQuark::spectral_range() {
  require(parameters_.twisted_mass == 0 && form_ == Form::asymmetric,
          "the spectral range of quarks whose Q is not Hermitian");
  const Precision precision = first_precision() == wide ? wide : Precision::single_precision;
  const auto [low, high] = range_of(operators_->in(wide).schur, operators_->in(precision).schur);
  lowest_ = by_data(low, assumed_range.low);
  return {lowest_, by_data(high, assumed_range.high)};
}

// With r(x) = A prod_i (x + nu_i^2)/(x + mu_i^2),
//   R = A^(-1/2) prod_i (Q + i mu_i)/(Q + i nu_i) = A^(-1/2) [1 + sum_i e_i (nu_i + i Q)/(Q^2 + nu_i^2)],
//   e_i = (mu_i - nu_i) prod_{j != i} (mu_j - nu_i)/(nu_j - nu_i).
std::optional<std::int64_t> WilsonQuark::multiply_by_root(Field& b, std::vector<Field>& x,
                                                          const RationalFunction& r) {
  const std::vector<double>&nu2 = r.nu2(), &mu2 = r.mu2();
  const std::int64_t iterations = solve_shifts(x, b, nu2, settings_.action_tolerance);
  Field sum = vector(b.subfields());  // of e_i x_i
  for (std::size_t i = 0; i < nu2.size(); ++i) {
    const double nu = std::sqrt(nu2[i]);
    double e = std::sqrt(mu2[i]) - nu;
    for (std::size_t j = 0; j < nu2.size(); ++j)
      if (j != i) e *= (std::sqrt(mu2[j]) - nu) / (std::sqrt(nu2[j]) - nu);
    add(b, e * nu, x[i]);
    add(sum, e, x[i]);
  }
  add_twist(b, s_times(sum), 1, 0, lattice_.queue);
  add(b, 1 / std::sqrt(r.amplitude()) - 1, b);
  return iterations;
}

CloverDeterminant WilsonQuark::determinant(int parity) {
  if (operators_->clover) return operators_->clover->determinant(parity);
  const double sites = 0.5 * static_cast<double>(lattice_.geometry->global_volume());
  return {12 * sites * std::log(std::hypot(parameters_.diagonal(), parameters_.twisted_mass)), 0};
}

void WilsonQuark::complete(Field& full, const Field& even, bool dagger) {
  Stored& exact = operators_->in(wide);
  copy_parity(full, even, 0, lattice_.queue);
  const ActiveSet all(full.subfields());
  for (int k = 0; k < full.subfields(); ++k)
    lattice_.queue.zero_async(full.data(k, 1), full.layout().size() * sizeof(double));
  HopSum sum{0, &full, 0.5};  // the factor is one of a sum
  if (parameters_.twisted_mass != 0) {
    exact.hopping->apply(full, even, 1, dagger, all, sum);
    return apply_site_diagonal(full, full, inverse_site_diagonal(parameters_, exact.clover.get(), 1), 1,
                               dagger, all, lattice_.queue);
  }
  if (exact.clover)
    sum.clover = &exact.clover->inverse[1];
  else
    sum.b = 0.5 / parameters_.diagonal();
  exact.hopping->apply(full, even, 1, dagger, all, sum);
}

void WilsonQuark::make_pair(Pair& pair, const Field& x, const Field& y) {
  const FieldSpec spec = spinor_spec(Subset::full, x.subfields(), wide, lattice_.location());
  if (!pair.x || pair.x.subfields() != x.subfields()) pair = {};
  if (!pair.x) pair.x = Field(lattice_.geometry, spec);
  if (!pair.y) pair.y = Field(lattice_.geometry, spec);
  complete(pair.x, x, false);
  if (form_ == Form::asymmetric) return complete(pair.y, y, true);
  Stored& exact = operators_->in(wide);
  const ActiveSet all(x.subfields());
  if (!pair.even) pair.even = vector(x.subfields());
  apply_site_diagonal(pair.even, y, inverse_site_diagonal(parameters_, exact.clover.get(), 0), 0, true, all,
                      lattice_.queue);
  complete(pair.y, pair.even, true);
  if (!exact.clover) return;
  operators_->in(wide, x.subfields()).schur.apply(pair.even, x);
  if (!pair.clover_x) pair.clover_x = Field(lattice_.geometry, spec);
  copy_parity(pair.clover_x, pair.x, 1, lattice_.queue);
  apply_site_diagonal(pair.clover_x, pair.even, {}, 0, false, all, lattice_.queue, &x, -1);
}

void WilsonQuark::prepare(WilsonForce& kernels) {
  if (const auto& exponent = operators_->exponent)
    kernels.take_exponent(exponent->term(), parameters_.diagonal());
}

void WilsonQuark::add_determinant_force(double flavours, int parity) {
  if (operators_->clover) force_kernels_->add_determinant(*operators_->clover, parity, flavours);
}

}  // namespace plaq
