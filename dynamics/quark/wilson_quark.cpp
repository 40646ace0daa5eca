#include "dynamics/quark/wilson_quark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/performance_region.hpp"
#include "core/system/runs_dry.hpp"
#include "core/system/timer.hpp"
#include "dynamics/trajectory_clock.hpp"
#include "kernels/blas/convert.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "kernels/dirac/twist/twist.hpp"
#include "quarks/action/wilson_action.hpp"
#include "solvers/eigen/singular_range.hpp"
#include "solvers/krylov/hermitian_cg.hpp"
#include "solvers/krylov/multishift_cg.hpp"
#include "solvers/mixed/reliable_update.hpp"
#include "solvers/normal_operator.hpp"

namespace plaq {
namespace {

constexpr auto wide = Precision::double_precision;
constexpr SpectralRange assumed_range{1e-3, 80};  // of S^dagger S, by dry runs: near the strange quark

// The result of the first right-hand side that did not converge.
const SolveResult& first_failure(const SolveReport& report) {
  for (const SolveResult& result : report.results)
    if (!result.converged()) return result;
  return report.results.at(0);
}

std::string failure_text(const std::string& method, double mass, double mu, const SolveResult& result,
                         double tolerance) {
  return fmt::format(
      "{} for kappa = {:.8g}, mu = {}: {} after {} iterations, the residual is {:.1e} and not {:.1e}", method,
      1 / (2 * (mass + 4)), mu, name_of(result.reason), result.iterations,
      result.residual_norm / result.source_norm, tolerance);
}

std::vector<std::size_t> increasing(const std::vector<double>& numbers) {
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return numbers[i] < numbers[j]; });
  return order;
}

Precision next_above(Precision precision) {
  return precision == Precision::half_precision ? Precision::single_precision : wide;
}

}  // namespace

// W = S + i mu gamma5.
class WilsonQuark::Twisted final : public LinearOperator {
 public:
  explicit Twisted(WilsonSchur& s) : s_(s) {}
  void set_mu(double mu) { mu_ = mu; }

  const GeometryPtr& geometry() const override { return s_.geometry(); }
  FieldSpec spec(int batch) const override { return s_.spec(batch); }
  const Queue& queue() const override { return s_.queue(); }
  Work work(int batch) const override { return s_.work(batch); }
  int capturable(int batch) override { return mu_ == 0 ? s_.capturable(batch) : -1; }  // mu may change

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override {
    dagger ? s_.apply_dagger(out, in, active) : s_.apply(out, in, active);
    if (mu_ != 0) add_twist(out, in, dagger ? -mu_ : mu_, 0, active, queue());
  }

  WilsonSchur& s_;
  double mu_ = 0;
};

// S and W^dagger W in one storage, for batches of one size.
struct WilsonQuark::Stored {
  Form form;
  WilsonHoppingPtr hopping;
  CloverBlocksPtr clover;
  WilsonSchur schur;
  Twisted twisted;  // in the symmetric form
  NormalOperator normal;
  ShiftedOperator shifted;

  Stored(const SharedLattice& lattice, const Field& links, const WilsonParameters& parameters, Form form_of_s,
         const LinkStorage& storage, CloverField* plain)
      : form(form_of_s),
        hopping(std::make_shared<WilsonHopping>(*lattice.grid, links, parameters, storage, lattice.queue,
                                                lattice.transport)),
        clover(make_clover_blocks(
            *lattice.grid, links, *hopping,
            form == Form::symmetric ? CloverNeed::schur_symmetric : CloverNeed::schur_asymmetric, 0, plain)),
        schur(hopping, 0, form, 1, clover),
        twisted(schur),
        normal(form == Form::symmetric ? static_cast<LinearOperator&>(twisted) : schur, 1),
        shifted(normal, 0, 1) {}
  // Has the links of another one.
  Stored(const Stored& other, int batch)
      : form(other.form),
        hopping(other.hopping),
        clover(other.clover),
        schur(hopping, 0, form, batch, clover),
        twisted(schur),
        normal(form == Form::symmetric ? static_cast<LinearOperator&>(twisted) : schur, batch),
        shifted(normal, 0, batch) {}

  // True if S has the twist mu of W, beside that of the quarks.
  bool twists_inside() const { return hopping->parameters().twisted_mass != 0 && form == Form::asymmetric; }
  // mu^2 of W^dagger W, of each right-hand side; of the first one for all where W is not S^dagger S + mu^2.
  void set_shifts(const std::vector<double>& shifts) {
    if (twists_inside())
      schur.set_twist(std::sqrt(shifts.front()));
    else if (form == Form::symmetric)
      twisted.set_mu(std::sqrt(shifts.front()));
    else
      shifted.set_shifts(shifts);
  }
};

// All that is made of one version of the links, when it is needed.
struct WilsonQuark::Operators {
  SharedLattice lattice;
  WilsonParameters parameters;
  Form form;
  Field links;  // of the hops
  std::shared_ptr<CloverField> clover = {};
  std::unique_ptr<CloverField> exponent = {};  // A/d, for forces of exponential clover quarks
  using Key = std::pair<Precision, int>;       // and the size of a batch
  std::map<Key, std::unique_ptr<Stored>> stored = {};
  std::map<Key, std::unique_ptr<Solver>> solvers = {};  // by the precision that they iterate in

  Stored& in(Precision precision, int batch = 1) {
    auto& made = stored[{precision, batch}];
    if (made) return *made;
    if (batch > 1)
      made = std::make_unique<Stored>(in(precision), batch);
    else
      made = std::make_unique<Stored>(lattice, links, parameters, form,
                                      LinkStorage(precision, precision == wide ? 18 : 12), clover.get());
    return *made;
  }
  // With these shifts of its systems.
  Solver& solver(Precision inner, const std::vector<double>& shifts) {
    const auto batch = static_cast<int>(shifts.size());
    Stored &low = in(inner, batch), &exact = in(wide, batch);
    low.set_shifts(shifts);
    exact.set_shifts(shifts);
    auto& made = solvers[{inner, batch}];
    if (made) return *made;
    auto cg = std::make_unique<HermitianCg>(low.shifted, batch);
    if (inner == wide)
      made = std::make_unique<KrylovSolver>(std::move(cg), *lattice.grid, batch);
    else
      made = std::make_unique<ReliableUpdates>(exact.shifted, std::move(cg), *lattice.grid, batch);
    return *made;
  }
};

WilsonQuark::WilsonQuark(const SharedLattice& lattice, const WilsonParameters& parameters,
                         const MdSolverSettings& settings, QuarkLinks links, Form form)
    : lattice_(lattice), parameters_(parameters), settings_(settings), links_(std::move(links)), form_(form) {
  if (!links_.copies) links_.copies = std::make_shared<LinkCopies>(lattice);
  require(form == Form::asymmetric || !settings.multigrid, "multigrid of the symmetric form of sea quarks");
  if (settings.multigrid)
    multigrid_ = std::make_unique<MultigridSolves>(
        wilson_action(parameters), *settings.multigrid, settings.force_tolerance,
        links_.setup ? links_.setup : std::make_shared<FirstSetup>(), settings.setup_renewal);
}

WilsonQuark::~WilsonQuark() = default;

Field WilsonQuark::vector(int batch) const {
  return Field(lattice_.geometry, spinor_spec(Subset::even, batch, wide, lattice_.location()));
}

void WilsonQuark::begin_trajectory(const Field& links) {
  if (multigrid_ && !trajectory_version_.is_of(links)) multigrid_->forget(links);
  trajectory_version_ = VersionOf(links);
  update(links);
}

// Links that left SU(3), or clover blocks without an inverse, are errors on every rank.
void WilsonQuark::update(const Field& links) {
  // Other quarks may have taken other links in between, and operators that are made later read the copies.
  if (operators_ && links_version_.is_of(links) && links_.copies->has(links)) return;
  try {
    make_operators(links);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input_file && error.kind() != ErrorKind::job_file) throw;
    throw MdFailure(error.what());
  }
  links_version_ = VersionOf(links);
}

void WilsonQuark::make_operators(const Field& links) {
  const TimedPart part(TrajectoryPart::links);
  const ScopedRange range("quark_operators");
  lattice_.queue.synchronize();
  if (multigrid_) multigrid_->release();
  operators_.reset();  // before its successor takes memory
  const LinkCopies& copies = *links_.copies;
  links_.copies->take(links, hop_links(links), parameters_.has_clover() && links_.thin_clover);
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

// The first systems of a batch, as many as there are shifts, from x or from 0.
std::int64_t WilsonQuark::solve_by_cg(Field& x, const Field& b, std::vector<double> shifts, double tolerance,
                                      bool zero_guess) {
  SolverParameters parameters;
  parameters.tolerance = tolerance;
  parameters.max_iterations = settings_.max_iterations;
  parameters.zero_guess = zero_guess;
  parameters.active.assign(shifts.size(), 1);
  parameters.active.resize(static_cast<std::size_t>(x.batch()), 0);
  shifts.resize(parameters.active.size(), 0);
  std::int64_t iterations = 0;
  for (Precision inner = first_precision();; inner = next_above(inner)) {
    const SolveReport report = operators_->solver(inner, shifts).solve(x, b, parameters);
    for (std::size_t i = 0; i < shifts.size(); ++i) {
      const SolveResult& result = report.results[i];
      iterations += result.iterations;
      parameters.active[i] = parameters.active[i] && !result.converged();
      if (!parameters.active[i]) continue;
      const std::string what =
          failure_text("conjugate gradients", parameters_.mass, std::sqrt(shifts[i]), result, tolerance);
      if (inner == wide || result.reason == StopReason::max_iterations) throw MdFailure(what);
      log::warning(fmt::format("{}, iterated in {} precision; {} instead", what, name_of(inner),
                               name_of(next_above(inner))));
    }
    if (report.converged()) return iterations;
  }
}

Precision WilsonQuark::first_precision() const {
  if (settings_.inner_precision) return *settings_.inner_precision;
  return lattice_.location() == Location::device ? Precision::half_precision : Precision::single_precision;
}

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

// Shifts in increasing order by multigrid, as long as it pays and does not fail. Each one begins with the
// extrapolation of the last solutions.
std::int64_t WilsonQuark::solve_shifts(std::vector<Field>& x, const Field& b,
                                       const std::vector<double>& shifts, double tolerance) {
  require(parameters_.twisted_mass == 0 && form_ == Form::asymmetric,
          "shifts of quarks whose Q is not Hermitian");
  const TimedPart part(TrajectoryPart::solves);
  if (!multigrid_) return solve_shifts_by_cg(x, b, shifts, tolerance);
  std::vector<Field> sorted_x;
  std::vector<double> sorted;
  for (const std::size_t i : increasing(shifts)) {
    sorted_x.push_back(x[i]);
    sorted.push_back(shifts[i]);
  }
  std::int64_t iterations = 0;
  const auto k = static_cast<std::ptrdiff_t>(
      b.subfields() == 1 ? smallest_by_multigrid(sorted_x, b, sorted, tolerance, iterations)
                         : smallest_of_each(sorted_x, b, sorted, tolerance, iterations));
  sorted_x.erase(sorted_x.begin(), sorted_x.begin() + k);
  sorted.erase(sorted.begin(), sorted.begin() + k);
  return sorted.empty() ? iterations : iterations + solve_shifts_by_cg(sorted_x, b, sorted, tolerance);
}

// Returns how many of the increasing shifts were solved.
std::size_t WilsonQuark::smallest_by_multigrid(std::vector<Field>& x, const Field& b,
                                               const std::vector<double>& shifts, double tolerance,
                                               std::int64_t& iterations) {
  std::size_t k = 0;
  for (; k < shifts.size(); ++k) {
    const RegionLabel label("poles");
    extrapolate(x, shifts, k);
    const auto found = solve_by_multigrid(x[k], b, std::sqrt(shifts[k]), tolerance, k == 0, [&] {
      return static_cast<int>(k) < multigrid_->shifts_that_pay(shifts, lowest_);
    });
    if (!found) break;
    iterations += *found;
  }
  return k;
}

// Acts like smallest_by_multigrid() for each right-hand side of a batch. Returns how many shifts were solved
// for all of them.
std::size_t WilsonQuark::smallest_of_each(std::vector<Field>& x, const Field& b,
                                          const std::vector<double>& shifts, double tolerance,
                                          std::int64_t& iterations) {
  std::size_t of_all = shifts.size();
  Field one = vector();
  std::vector<Field> solutions;
  for (std::size_t i = 0; i < shifts.size(); ++i) solutions.push_back(vector());
  for (int rhs = 0; rhs < b.subfields(); ++rhs) {
    lattice_.queue.synchronize();
    copy_subfield(one, 0, b, rhs);
    const std::size_t k = smallest_by_multigrid(solutions, one, shifts, tolerance, iterations);
    of_all = std::min(of_all, k);
    lattice_.queue.synchronize();
    for (std::size_t i = 0; i < k; ++i) copy_subfield(x[i], rhs, solutions[i], 0);
  }
  return of_all;
}

// x_k of a polynomial in the shift through the solutions before. Where an eigenvalue of S^dagger S is lambda,
// the product of |shift_k - shift_j|/(lambda + shift_j) is left of b.
void WilsonQuark::extrapolate(std::vector<Field>& x, const std::vector<double>& shifts, std::size_t k) {
  constexpr std::size_t most = 2;  // higher polynomials make the lowest modes large
  const std::size_t first = k > most ? k - most : 0;
  lattice_.queue.zero_async(x[k].data(0, 0), x[k].bytes());
  for (std::size_t j = first; j < k; ++j) {
    double c = 1;
    for (std::size_t i = first; i < k; ++i)
      if (i != j) c *= (shifts[k] - shifts[i]) / (shifts[j] - shifts[i]);
    add(x[k], c, x[j]);
  }
}

// In single precision as far as that goes, and each shift from there on, several in a batch: they share
// passes over the links, and each has the bits that it has alone.
std::int64_t WilsonQuark::solve_shifts_by_cg(std::vector<Field>& x, const Field& b,
                                             const std::vector<double>& shifts, double tolerance) {
  if (first_precision() == wide) return solve_at_once(x, b, shifts, tolerance, wide);
  constexpr auto low = Precision::single_precision;
  constexpr double as_far_as_single = 1e-5;
  constexpr std::size_t most_together = 4;
  const int batch = b.subfields();
  const FieldSpec spec = spinor_spec(Subset::even, batch, low, lattice_.location());
  Field low_b(lattice_.geometry, spec);
  std::vector<Field> y;
  for (std::size_t i = 0; i < shifts.size(); ++i) y.emplace_back(lattice_.geometry, spec);
  std::vector<blas::Coefficients> one(static_cast<std::size_t>(batch));
  for (blas::Coefficients& c : one) c.value[0] = 1;
  blas::convert(work(batch), one, low_b, b);
  std::int64_t iterations = solve_at_once(y, low_b, shifts, std::max(tolerance, as_far_as_single), low);
  const PerformanceRegion region(
      "last iterations of shifts");                  // of a few: no loop that is as long as data want
  std::vector<std::pair<std::size_t, int>> systems;  // shift and right-hand side
  for (const std::size_t i : increasing(shifts)) {
    blas::convert(work(batch), one, x[i], y[i]);
    for (int rhs = 0; rhs < batch; ++rhs) systems.emplace_back(i, rhs);
  }
  lattice_.queue.synchronize();
  const std::size_t together = std::min(most_together, systems.size());
  Field group_x = vector(static_cast<int>(together)), group_b = vector(static_cast<int>(together));
  for (std::size_t first = 0; first < systems.size(); first += together) {
    const std::size_t count = std::min(together, systems.size() - first);
    std::vector<double> of_group;
    for (std::size_t k = 0; k < count; ++k) {
      const auto [i, rhs] = systems[first + k];
      of_group.push_back(shifts[i]);
      copy_subfield(group_x, static_cast<int>(k), x[i], rhs);
      copy_subfield(group_b, static_cast<int>(k), b, rhs);
    }
    iterations += solve_by_cg(group_x, group_b, of_group, tolerance, false);
    for (std::size_t k = 0; k < count; ++k)
      copy_subfield(x[systems[first + k].first], systems[first + k].second, group_x, static_cast<int>(k));
  }
  return iterations;
}

// Iterations of the common space, and those that polish single shifts. In double precision the tolerance is
// wanted.
std::int64_t WilsonQuark::solve_at_once(std::vector<Field>& x, const Field& b,
                                        const std::vector<double>& shifts, double tolerance,
                                        Precision precision) {
  SolverParameters parameters;
  parameters.tolerance = tolerance;
  parameters.max_iterations = settings_.max_iterations;
  const int batch = b.subfields();
  MultishiftCg solver(operators_->in(precision, batch).normal, *lattice_.grid, batch, shifts);
  const MultishiftReport report = solver.solve(x, b, parameters);
  std::int64_t iterations = report.iterations;
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    const SolveReport& of_shift = report.shifts[i];
    for (std::size_t k = 1; k < of_shift.attempts.size(); ++k) iterations += of_shift.attempts[k].iterations;
    if (precision == wide && !of_shift.converged())
      throw MdFailure(failure_text("multi-shift conjugate gradients", parameters_.mass, std::sqrt(shifts[i]),
                                   first_failure(of_shift), tolerance));
  }
  return iterations;
}

SpectralRange WilsonQuark::spectral_range() {
  require(parameters_.twisted_mass == 0 && form_ == Form::asymmetric,
          "the spectral range of quarks whose Q is not Hermitian");
  Field start = vector();
  draw_pseudofermion(start, 1, 0, 255, lattice_.queue);
  const auto range = singular_range(operators_->in(wide).schur, *lattice_.grid, start);
  if (!range.converged())
    throw MdFailure("the smallest and the largest eigenvalue of the Dirac operator were not found");
  lowest_ = by_data(range.below * range.below, assumed_range.low);
  return {lowest_, by_data(range.above * range.above, assumed_range.high)};
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

void WilsonQuark::begin_force(Field& force, int batch) {
  if (!force_kernels_ || force_kernels_->batch() < batch)
    force_kernels_ = std::make_unique<WilsonForce>(*lattice_.grid, force.geometry_ptr(), parameters_,
                                                   lattice_.queue, lattice_.transport, batch);
  force_kernels_->begin(force);
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

void WilsonQuark::add_force_of(WilsonQuark& others, Field& force, const Field& links, const Field& x,
                               const Field& y, double k) {
  others.make_pair(pair_, x, y);
  if (const auto& exponent = others.operators_->exponent)
    force_kernels_->take_exponent(exponent->term(), others.parameters_.diagonal());
  force_kernels_->add_pair(force, hop_links(links), pair_.x, pair_.y, k,
                           pair_.clover_x ? &pair_.clover_x : nullptr);
}

void WilsonQuark::add_determinant_force(double flavours, int parity) {
  if (operators_->clover) force_kernels_->add_determinant(*operators_->clover, parity, flavours);
}

void WilsonQuark::finish_force(Field& force, const Field& links) {
  const Field& hops = hop_links(links);
  force_kernels_->finish_hops(force, hops);
  if (!links_.thin_clover) force_kernels_->add_clover(force, hops);
  if (links_.smeared) links_.smeared->carry_back(force, links);
  if (links_.thin_clover) force_kernels_->add_clover(force, links);
}

blas::Workspace& WilsonQuark::work(int batch) {
  auto& made = work_[batch];
  if (!made) made = std::make_unique<blas::Workspace>(lattice_.queue, batch);
  return *made;
}

double WilsonQuark::real_product(const Field& a, const Field& b) {
  const int batch = a.subfields();
  auto local = blas::update_and_sum<blas::Dot>(
      work(batch), std::vector<blas::Coefficients>(static_cast<std::size_t>(batch)), {&a, &b});
  const auto sums = global_sums(*lattice_.grid, local);
  double sum = sums.at(0);
  for (std::size_t k = 1; k < static_cast<std::size_t>(batch); ++k) sum += sums.at(k * blas::Dot::sums);
  return sum;
}

void WilsonQuark::add(Field& y, double factor, const Field& x) {
  std::vector<blas::Coefficients> all(static_cast<std::size_t>(y.subfields()));
  for (blas::Coefficients& c : all) c.value[0] = factor;
  blas::update<blas::Triad>(work(y.subfields()), all, {&y, &x, &y});
}

}  // namespace plaq
