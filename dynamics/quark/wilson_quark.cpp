#include "dynamics/quark/wilson_quark.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/system/error.hpp"
#include "core/system/timer.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "solvers/eigen/singular_range.hpp"
#include "solvers/krylov/hermitian_cg.hpp"
#include "solvers/krylov/multishift_cg.hpp"
#include "solvers/mixed/reliable_update.hpp"
#include "solvers/normal_operator.hpp"

namespace plaq {
namespace {

constexpr auto wide = Precision::double_precision;

std::string failure_text(const std::string& method, double mass, double mu, const SolveReport& report,
                         double tolerance) {
  const SolveResult& result = report.results.at(0);
  return fmt::format(
      "{} for kappa = {}, mu = {}: {} after {} iterations, the residual is {:.1e} and not {:.1e}", method,
      1 / (2 * (mass + 4)), mu, name_of(result.reason), report.iterations,
      result.residual_norm / result.source_norm, tolerance);
}

}  // namespace

// S and S^dagger S + mu^2 in one storage.
struct WilsonQuark::Stored {
  WilsonHoppingPtr hopping;
  CloverBlocksPtr clover;
  WilsonSchur schur;
  NormalOperator normal;
  ShiftedOperator shifted;

  Stored(const SharedLattice& lattice, const Field& links, const WilsonParameters& parameters,
         const LinkStorage& storage, CloverField* plain)
      : hopping(std::make_shared<WilsonHopping>(*lattice.grid, links, parameters, storage, lattice.queue,
                                                lattice.transport)),
        clover(make_clover_blocks(*lattice.grid, links, *hopping, CloverNeed::schur_asymmetric, 0, plain)),
        schur(hopping, 0, WilsonSchur::Form::asymmetric, 1, clover),
        normal(schur, 1),
        shifted(normal, 0, 1) {}
};

struct WilsonQuark::Operators {
  Field links;  // without halo
  std::unique_ptr<CloverField> clover;
  std::unique_ptr<Stored> exact, inner;
  std::unique_ptr<Solver> solver;
};

WilsonQuark::WilsonQuark(const SharedLattice& lattice, const WilsonParameters& parameters,
                         const MdSolverSettings& settings, QuarkLinks links)
    : lattice_(lattice),
      parameters_(parameters),
      settings_(settings),
      links_(std::move(links)),
      work_(lattice.queue, 1),
      full_x_(lattice.geometry, spinor_spec(Subset::full, 1, wide, lattice.location())),
      full_y_(lattice.geometry, full_x_.spec()) {}

WilsonQuark::~WilsonQuark() = default;

Field WilsonQuark::vector() const {
  return Field(lattice_.geometry, spinor_spec(Subset::even, 1, wide, lattice_.location()));
}

// Links that left SU(3), or clover blocks without an inverse, are errors on every rank.
void WilsonQuark::update(const Field& links) {
  if (operators_ && links_version_.is_of(links)) return;
  try {
    make_operators(links);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input_file && error.kind() != ErrorKind::job_file) throw;
    throw MdFailure(error.what());
  }
  links_version_ = VersionOf(links);
}

void WilsonQuark::make_operators(const Field& links) {
  const ScopedRange range("quark_operators");
  lattice_.queue.synchronize();
  auto made = std::make_unique<Operators>();
  made->links = operators_ ? std::move(operators_->links)
                           : Field(lattice_.geometry, gauge_spec(wide, lattice_.location()));
  operators_.reset();  // before its successor takes memory
  const Field& hops = hop_links(links);
  lattice_.queue.synchronize();
  copy(made->links, hops);
  if (parameters_.has_clover()) {
    Field of_clover = made->links;
    if (links_.thin_clover) {
      of_clover = Field(lattice_.geometry, made->links.spec());
      copy(of_clover, links);
    }
    made->clover = std::make_unique<CloverField>(*lattice_.grid, of_clover, parameters_.diagonal(),
                                                 parameters_.clover, lattice_.queue, lattice_.transport);
  }
  const auto stored = [&](const LinkStorage& storage) {
    return std::make_unique<Stored>(lattice_, made->links, parameters_, storage, made->clover.get());
  };
  made->exact = stored({wide, 18});
  if (settings_.mixed) {
    made->inner = stored({Precision::single_precision, 12});
    made->solver = std::make_unique<ReliableUpdates>(
        made->exact->shifted, std::make_unique<HermitianCg>(made->inner->shifted, 1), *lattice_.grid, 1);
  } else {
    made->solver = std::make_unique<KrylovSolver>(std::make_unique<HermitianCg>(made->exact->shifted, 1),
                                                  *lattice_.grid, 1);
  }
  operators_ = std::move(made);
}

void WilsonQuark::apply(Field& out, const Field& in, double mu, bool dagger) {
  auto& schur = operators_->exact->schur;
  dagger ? schur.apply_dagger(out, in) : schur.apply(out, in);
  if (mu != 0) add_twist(out, in, dagger ? -mu : mu, 0, lattice_.queue);
}

std::int64_t WilsonQuark::solve(Field& x, const Field& b, double mu, double tolerance) {
  operators_->exact->shifted.set_shift(mu * mu);
  if (operators_->inner) operators_->inner->shifted.set_shift(mu * mu);
  SolverParameters parameters;
  parameters.tolerance = tolerance;
  parameters.max_iterations = settings_.max_iterations;
  parameters.zero_guess = true;
  const SolveReport report = operators_->solver->solve(x, b, parameters);
  if (!report.converged())
    throw MdFailure(failure_text("conjugate gradients", parameters_.mass, mu, report, tolerance));
  return report.iterations;
}

std::int64_t WilsonQuark::solve_shifts(std::vector<Field>& x, const Field& b,
                                       const std::vector<double>& shifts, double tolerance) {
  SolverParameters parameters;
  parameters.tolerance = tolerance;
  parameters.max_iterations = settings_.max_iterations;
  MultishiftCg solver(operators_->exact->normal, *lattice_.grid, 1, shifts);
  const MultishiftReport report = solver.solve(x, b, parameters);
  std::int64_t iterations = 0;
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    const SolveReport& of_shift = report.shifts[i];
    iterations += i == 0 ? of_shift.iterations : of_shift.iterations - report.iterations;  // polishing
    if (!of_shift.converged())
      throw MdFailure(failure_text("multi-shift conjugate gradients", parameters_.mass, std::sqrt(shifts[i]),
                                   of_shift, tolerance));
  }
  return iterations;
}

SpectralRange WilsonQuark::spectral_range() {
  Field start = vector();
  draw_pseudofermion(start, 1, 0, 255, lattice_.queue);
  const auto range = singular_range(operators_->exact->schur, *lattice_.grid, start);
  if (!range.converged())
    throw MdFailure("the smallest and the largest eigenvalue of the Dirac operator were not found");
  return {range.below * range.below, range.above * range.above};
}

CloverDeterminant WilsonQuark::odd_determinant() {
  if (operators_->clover) return operators_->clover->determinant(1);
  const double sites = 0.5 * static_cast<double>(lattice_.geometry->global_volume());
  return {12 * sites * std::log(std::abs(parameters_.diagonal())), 0};
}

void WilsonQuark::complete(Field& full, const Field& even, bool dagger) {
  auto& exact = *operators_->exact;
  copy_parity(full, even, 0, lattice_.queue);
  const ActiveSet one(1);
  lattice_.queue.zero_async(full.data(0, 1), full.layout().size() * sizeof(double));
  HopSum sum{0, &full, 0.5};  // the factor is one of a sum
  if (exact.clover)
    sum.clover = &exact.clover->inverse[1];
  else
    sum.b = 0.5 / parameters_.diagonal();
  exact.hopping->apply(full, even, 1, dagger, one, sum);
}

void WilsonQuark::begin_force(Field& force, int batch) {
  if (!force_kernels_ || force_kernels_->batch() < batch)
    force_kernels_ = std::make_unique<WilsonForce>(*lattice_.grid, force.geometry_ptr(), parameters_,
                                                   lattice_.queue, lattice_.transport, batch);
  force_kernels_->begin(force);
}

void WilsonQuark::add_force(Field& force, const Field& links, const Field& x, const Field& y, double k) {
  complete(full_x_, x, false);
  complete(full_y_, y, true);
  force_kernels_->add_pair(force, hop_links(links), full_x_, full_y_, k);
}

void WilsonQuark::add_determinant_force(double flavours) {
  if (operators_->clover) force_kernels_->add_determinant(*operators_->clover, 1, flavours);
}

void WilsonQuark::finish_force(Field& force, const Field& links) {
  const Field& hops = hop_links(links);
  force_kernels_->finish_hops(force, hops);
  if (!links_.thin_clover) force_kernels_->add_clover(force, hops);
  if (links_.smeared) links_.smeared->carry_back(force, links);
  if (links_.thin_clover) force_kernels_->add_clover(force, links);
}

double WilsonQuark::real_product(const Field& a, const Field& b) {
  auto local = blas::update_and_sum<blas::Dot>(work_, std::vector<blas::Coefficients>(1), {&a, &b});
  return global_sums(*lattice_.grid, local)[0];
}

void WilsonQuark::add(Field& y, double factor, const Field& x) {
  std::vector<blas::Coefficients> c(1);
  c[0].value[0] = factor;
  blas::update<blas::Triad>(work_, c, {&y, &x, &y});
}

}  // namespace plaq
