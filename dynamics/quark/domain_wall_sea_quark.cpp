#include "dynamics/quark/domain_wall_sea_quark.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"
#include "core/system/timer.hpp"
#include "dynamics/trajectory_clock.hpp"
#include "kernels/dirac/domain_wall/domain_wall_launch.hpp"
#include "kernels/dirac/domain_wall/domain_wall_quark.hpp"
#include "kernels/dirac/domain_wall/domain_wall_schur.hpp"
#include "solvers/normal_operator.hpp"

namespace plaq {
namespace {

constexpr SpectralRange assumed_wall_range{1e-4, 4};  // of S^dagger S, by dry runs

ChiralPart chiral_part(const Field& field, bool wanted, int stride = 1, int first = 0) {
  return wanted ? ChiralPart{&field, stride, first} : ChiralPart{};
}

// gamma5 on slices.
FifthTable gamma5_table(const DomainWallParameters& parameters, Location location) {
  const ShiftMatrix plus = ShiftMatrix::unit(parameters.Ls(), -1),
                    minus = ShiftMatrix::unit(parameters.Ls(), 1);
  const std::vector<double> turned(static_cast<std::size_t>(parameters.Ls()), -1);
  return {{FifthProgram::product(plus), FifthProgram::product(minus.rows_times(turned))},
          Precision::double_precision,
          location};
}

}  // namespace

// Hops do not know of the mass. `links`: those of the chain that they were made of.
struct DomainWallSeaQuark::Hops {
  VersionOf links;
  std::map<Precision, WilsonHoppingPtr> in;
};

struct DomainWallSeaQuark::Stored {
  DomainWallSchur schur;
  NormalOperator normal;
  ShiftedOperator shifted;

  Stored(const WilsonHoppingPtr& hopping, const DomainWallParameters& parameters, int batch)
      : schur(hopping, parameters, 0, batch), normal(schur, batch), shifted(normal, 0, batch) {}
};

DomainWallSeaQuark::DomainWallSeaQuark(const SharedLattice& lattice, const DomainWallParameters& parameters,
                                       const MdSolverSettings& settings, QuarkLinks links)
    : PairQuark(lattice, settings, parameters.wilson(), std::move(links)),
      parameters_(parameters),
      hops_(std::make_shared<Hops>()) {
  parameters.check();
  parameters.check_even_odd();
  require(!settings.multigrid && !links_.thin_clover, "settings of Wilson quarks for domain-wall quarks");
}

DomainWallSeaQuark::~DomainWallSeaQuark() = default;

std::shared_ptr<DomainWallSeaQuark> DomainWallSeaQuark::of_mass(double mass,
                                                                std::optional<double> minus_mass) const {
  DomainWallParameters others = parameters_;
  others.mass = mass;
  others.minus_mass = minus_mass;
  auto made = std::make_shared<DomainWallSeaQuark>(lattice_, others, settings_, links_);
  made->hops_ = hops_;
  return made;
}

std::string DomainWallSeaQuark::mass_text() const { return fmt::format("m = {:.8g}", parameters_.mass); }

FieldSpec DomainWallSeaQuark::vector_spec(int batch) const {
  return five_dimensional_spec(Subset::even, batch, parameters_.Ls(), wide, lattice_.location());
}

void DomainWallSeaQuark::make_operators(const Field& links) {
  const TimedPart part(TrajectoryPart::links);
  const ScopedRange range("quark_operators");
  lattice_.queue.synchronize();
  forget_solvers();  // before their successors take memory
  stored_.clear();
  if (!hops_->links.is_of(links) || !links_.copies->has(links)) {
    hops_->in.clear();
    hops_->links = VersionOf();
    links_.copies->take(links, links_.of_hops(links), false);
  }
  hops_in(wide);
  hops_in(first_precision());  // in 12 reals: throws where links left SU(3)
  hops_->links = VersionOf(links);
}

WilsonHoppingPtr DomainWallSeaQuark::hops_in(Precision precision) {
  WilsonHoppingPtr& made = hops_->in[precision];
  if (!made)
    made = make_domain_wall_hopping(*lattice_.grid, links_.copies->hops(), parameters_,
                                    LinkStorage(precision, precision == wide ? 18 : 12), lattice_.queue,
                                    lattice_.transport);
  return made;
}

DomainWallSeaQuark::Stored& DomainWallSeaQuark::in(Precision precision, int batch) {
  auto& made = stored_[{precision, batch}];
  if (!made) made = std::make_unique<Stored>(hops_in(precision), parameters_, batch);
  return *made;
}

LinearOperator& DomainWallSeaQuark::operator_in(Precision precision, int batch) {
  return in(precision, batch).normal;
}

LinearOperator& DomainWallSeaQuark::shifted_in(Precision precision, const std::vector<double>& shifts) {
  ShiftedOperator& shifted = in(precision, static_cast<int>(shifts.size())).shifted;
  shifted.set_shifts(shifts);
  return shifted;
}

void DomainWallSeaQuark::apply(Field& out, const Field& in_field, double mu, bool dagger) {
  require(mu == 0, "a twist of domain-wall quarks");
  DomainWallSchur& s = in(wide, in_field.batch()).schur;
  dagger ? s.apply_dagger(out, in_field) : s.apply(out, in_field);
}

std::int64_t DomainWallSeaQuark::solve(Field& x, const Field& b, double mu, double tolerance) {
  require(mu == 0, "a twist of domain-wall quarks");
  const TimedPart part(TrajectoryPart::solves);
  return solve_by_cg(x, b, {0}, tolerance, true);
}

std::int64_t DomainWallSeaQuark::solve_shifts(std::vector<Field>& x, const Field& b,
                                              const std::vector<double>& shifts, double tolerance) {
  const TimedPart part(TrajectoryPart::solves);
  return solve_shifts_by_cg(x, b, shifts, tolerance);
}

SpectralRange DomainWallSeaQuark::spectral_range() {
  const Precision precision = first_precision() == wide ? wide : Precision::single_precision;
  const auto [low, high] = range_of(in(wide, 1).schur, in(precision, 1).schur);
  return {by_data(low, assumed_wall_range.low), by_data(high, assumed_wall_range.high)};
}

void DomainWallSeaQuark::make_pair(Pair& pair, const Field& x, const Field& y) {
  const FieldSpec spec =
      five_dimensional_spec(Subset::full, x.batch(), parameters_.Ls(), wide, lattice_.location());
  if (!pair.x || pair.x.subfields() != x.subfields())
    pair = {Field(lattice_.geometry, spec), Field(lattice_.geometry, spec), {}, {}};
  DomainWallSchur& s = in(wide, x.batch()).schur;
  s.complete(pair.x, x);
  s.complete_adjoint(pair.y, y);
}

// The fields in four dimensions.
Field& DomainWallSeaQuark::chiral(const Field& b, int chirality) {
  if (!chiral_) chiral_ = Field(lattice_.geometry, b.spec());
  join_chiralities(chiral_, 1, 0, chiral_part(b, chirality == chiral_plus),
                   chiral_part(b, chirality == chiral_minus), 1, lattice_.queue);
  return chiral_;
}

std::int64_t DomainWallSeaQuark::propagate(Field& q, Field& psi, const Field& b, int chirality,
                                           double tolerance) {
  const TimedPart part(TrajectoryPart::solves);
  const DomainWallQuark maps(hops_in(wide), parameters_);
  DomainWallSchur& s = in(wide, 1).schur;
  if (!five_) five_ = Field(lattice_.geometry, psi.spec());
  if (!reduced_) reduced_ = vector();
  if (!solution_) solution_ = vector();
  maps.make_source(five_, chiral(b, chirality));
  s.reduce_source(solution_, five_);
  s.apply_dagger(reduced_, solution_);
  const std::int64_t iterations = solve_by_cg(solution_, reduced_, {0}, tolerance, true);
  s.reconstruct(psi, solution_, five_);
  const int Ls = parameters_.Ls();
  join_chiralities(q, 1, 0, chiral_part(psi, chirality == chiral_plus, Ls, Ls - 1),
                   chiral_part(psi, chirality == chiral_minus, Ls, 0), 1, lattice_.queue);
  return iterations;
}

// The variation of b^dagger S b is -Y^dagger dD_w Z with
//   Z = (omega + sigma L) psi + sigma e b,   Y = +- gamma5 R Z/(omega + sigma),
// e the slice of the source, R the order of slices reversed, + of chirality +: gamma5 R (D_w + (1 - L)
// (omega + sigma L)^-1) is Hermitian for weights that are the same on all slices.
void DomainWallSeaQuark::add_propagator_force(DomainWallSeaQuark& others, Field& force, const Field& links,
                                              const Field& psi, const Field& b, int chirality, double k) {
  const DomainWallParameters& walls = others.parameters_;
  require(walls.same_on_all_slices(), "forces of quark fields of weights that differ between slices");
  const int Ls = walls.Ls();
  const double omega = walls.omega.front(), sigma = walls.sigma.front();
  const Queue& queue = lattice_.queue;
  if (!five_) five_ = Field(lattice_.geometry, psi.spec());
  if (!reversed_) reversed_ = Field(lattice_.geometry, psi.spec());
  const Field& source = chiral(b, chirality);
  const int place = chirality == chiral_plus ? 0 : Ls - 1;
  for (int s = 0; s < Ls; ++s)
    join_chiralities(five_, Ls, s, chiral_part(source, s == place), chiral_part(source, s == place), 1,
                     queue);
  const FifthMatrices of[2] = {{walls, chiral_plus}, {walls, chiral_minus}};
  const FifthTable y({FifthProgram::product(of[0].y), FifthProgram::product(of[1].y)}, wide,
                     lattice_.location()),
      gamma5 = gamma5_table(walls, lattice_.location());
  for (int parity = 0; parity < 2; ++parity)
    apply_fifth(five_, psi, y, parity, ActiveSet(1), queue, sigma, &five_, 1);
  queue.synchronize();
  for (int s = 0; s < Ls; ++s) copy_subfield(reversed_, s, five_, Ls - 1 - s);
  for (int parity = 0; parity < 2; ++parity)
    apply_fifth(reversed_, reversed_, gamma5, parity, ActiveSet(1), queue);
  const double sign = chirality == chiral_plus ? 1 : -1;
  force_kernels_->add_pair(force, links_.of_hops(links), five_, reversed_, 0.5 * k * sign / (omega + sigma));
  queue.synchronize();  // tables go
}

}  // namespace plaq
