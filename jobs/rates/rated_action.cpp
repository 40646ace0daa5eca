#include "jobs/rates/rated_action.hpp"

#include "jobs/rates/field_checks.hpp"
#include "jobs/rates/random_fields.hpp"
#include "quarks/multigrid/dirac_multigrid.hpp"

namespace plaq::jobs {
namespace {

constexpr Precision wide = Precision::double_precision;
constexpr std::uint64_t hop_seed = 12, schur_seed = 42;
constexpr int multigrid_reals = 12;  // of a link of its finest lattice

Preconditioning form_of(bool symmetric) {
  return symmetric ? Preconditioning::even_odd : Preconditioning::even_odd_asymmetric;
}

}  // namespace

RatedApplication::RatedApplication(std::unique_ptr<HoppingTerm> term, std::unique_ptr<LinearOperator> schur,
                                   const GeometryPtr& geometry, const FieldSpec& in, const FieldSpec& out)
    : term_(std::move(term)),
      schur_(std::move(schur)),
      in_(random_vectors(geometry, in, schur_ ? schur_seed : hop_seed)),
      out_(geometry, out) {}

void RatedApplication::apply() {
  schur_ ? schur_->apply(out_, in_) : term_->apply(out_, in_, rated_parity, false);
}

Field RatedApplication::random(std::uint64_t seed) const {
  return random_vectors(in_.geometry_ptr(), in_.spec(), seed);
}

FieldSpec RatedAction::spec(Subset subset, int rhs, Precision precision) const {
  FieldSpec spec = action_->quark_spec(rhs * action_->Ls(), problem_.queue.location());
  spec.subset = subset;
  spec.precision = precision;
  return spec;
}

std::vector<Row> RatedAction::hop_rates(const std::vector<LinkStorage>& storages, int rhs) {
  const GeometryPtr& geometry = problem_.gauge.geometry_ptr();
  const Field odd = random_vectors(geometry, spec(Subset::odd, rhs, wide), hop_seed);
  Field expected = random_vectors(geometry, spec(Subset::even, rhs, wide), 13);
  {
    const auto exact = matrix_->hopping(high_precision_storage);
    check_adjoint(problem_, odd, expected, "the hopping term", [&](Field& out, const Field& in, bool dagger) {
      exact->apply(out, in, dagger ? 1 : 0, dagger);
    });
    exact->apply(expected, odd, 0, false);
    if (exact->temporal_gauge()) {
      const LinkStorage eight(wide, 8);
      Field out(geometry, expected.spec());
      matrix_->hopping(eight)->apply(out, odd, 0, false);
      problem_.expect_intact_faces();
      check_against_double(problem_.grid, out, expected, eight, problem_.queue);
    }
  }
  return checked_rates(problem_, {odd, expected, 1, action_->hop_symmetry()}, storages,
                       [&](const LinkStorage& storage) -> TimedOperator {
                         const std::shared_ptr<HoppingTerm> term = matrix_->hopping(storage);
                         // Timed in the gauge of the stored links, as the operators of solvers apply it.
                         return {term->work(odd.subfields()),
                                 [=](Field& out, const Field& in) { term->apply(out, in, 0, false); },
                                 [=](Field& out, const Field& in) { term->apply(out, in, 0, false, true); }};
                       });
}

std::vector<Row> RatedAction::schur_rates(bool symmetric, const std::vector<LinkStorage>& storages, int rhs) {
  const auto make = [&](const LinkStorage& storage) -> std::shared_ptr<LinearOperator> {
    return matrix_->hopping(storage)->even_odd(form_of(symmetric), rhs);
  };
  FieldSpec spec = action_->full_spec(rhs, problem_.queue.location());
  spec.subset = subset_of(rated_parity);
  const Field source = random_vectors(problem_.gauge.geometry_ptr(), spec, schur_seed);
  Field expected(source.geometry_ptr(), spec);
  // The fifth dimension is not of the hopping term, of which this has been checked.
  const bool five = action_->Ls() > 1;
  {
    const auto exact = make(high_precision_storage);
    exact->apply(expected, source);
    if (five)
      check_adjoint(problem_, source, random_vectors(source.geometry_ptr(), spec, 47),
                    "the even-odd operator", [&](Field& out, const Field& in, bool dagger) {
                      dagger ? exact->apply_dagger(out, in) : exact->apply(out, in);
                    });
  }
  return checked_rates(problem_, {source, expected, action_->schur_rounding(), five ? "adjoint" : ""},
                       storages, [&](const LinkStorage& storage) -> TimedOperator {
                         const auto schur = make(storage);
                         const auto apply = [=](Field& out, const Field& in) { schur->apply(out, in); };
                         return {schur->work(rhs), apply, apply};
                       });
}

std::unique_ptr<RatedApplication> RatedAction::hop(const LinkStorage& storage, int rhs) {
  return std::make_unique<RatedApplication>(matrix_->hopping(storage), nullptr, problem_.gauge.geometry_ptr(),
                                            spec(Subset::odd, rhs, storage.precision),
                                            spec(Subset::even, rhs, storage.precision));
}

std::unique_ptr<RatedApplication> RatedAction::schur(bool symmetric, const LinkStorage& storage, int rhs) {
  auto term = matrix_->hopping(storage);
  auto schur = term->even_odd(form_of(symmetric), rhs);
  const FieldSpec spec = schur->spec(rhs);
  return std::make_unique<RatedApplication>(std::move(term), std::move(schur), problem_.gauge.geometry_ptr(),
                                            spec, spec);
}

RatedMultigrid& RatedAction::multigrid(const MultigridOptions& spec) {
  if (multigrid_.multigrid) return multigrid_;
  const Queue& queue = problem_.queue;
  const LinkStorage storage(Precision::single_precision, multigrid_reals),
      cycles(spec.precision_at(queue.location()), multigrid_reals);
  MultigridSettings settings = spec.without_choice().settings(
      problem_.gauge.geometry().global(), queue.location(), spec.solves, MultigridSettings().tolerance);
  multigrid_.seconds = slowest_seconds(problem_.grid.comm(), queue, [&] {
    multigrid_.multigrid = std::make_unique<Multigrid>(
        std::make_unique<DiracLevel>(*matrix_, storage, cycles), std::move(settings));
  });
  return multigrid_;
}

FermionLinks fermion_links_of(const RateProblem& problem) {
  return {&problem.grid, problem.gauge, problem.queue, problem.transport};
}

std::unique_ptr<RatedAction> make_rated_action(const RateProblem& problem, const ActionPtr& parameters,
                                               const FermionLinks* links) {
  return std::make_unique<RatedAction>(problem, parameters,
                                       parameters->on(links != nullptr ? *links : fermion_links_of(problem)));
}

}  // namespace plaq::jobs
