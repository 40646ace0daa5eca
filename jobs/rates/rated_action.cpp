#include "jobs/rates/rated_action.hpp"

#include <optional>

#include "jobs/rates/domain_wall_rates.hpp"
#include "jobs/rates/random_fields.hpp"
#include "jobs/rates/staggered_rates.hpp"
#include "kernels/gauge/asqtad_links.hpp"

namespace plaq::jobs {
namespace {

using Form = WilsonSchur::Form;

constexpr std::uint64_t hop_seed = 12, schur_seed = 42;

// Random vectors like `spec`, whose subfields may be slices.
Field random_like(const GeometryPtr& geometry, const FieldSpec& spec, std::uint64_t seed) {
  const auto make = spec.spins == 1 ? random_staggered : random_spinor;
  Field made = make(geometry, spec.subset, spec.subfields, spec.precision, spec.location, seed);
  if (spec.slices == 1) return made;
  Field five(geometry, spec);
  copy(five, made);
  return five;
}

template <class Hopping>
class HopApplication final : public RatedApplication {
 public:
  HopApplication(std::shared_ptr<Hopping> hop, const FieldSpec& in, const FieldSpec& out)
      : hop_(std::move(hop)) {
    in_ = random_like(hop_->geometry(), in, hop_seed);
    out_ = Field(hop_->geometry(), out);
  }
  void apply() override { hop_->apply(out_, in_, 0, false, ActiveSet(in_.subfields()), {}); }
  Halo& halo() override { return hop_->halo(in_.subfields()); }
  Schedule& schedule() override { return hop_->schedule(); }
  bool fused() override { return hop_->fused(in_.subfields(), in_.subfields()); }

 private:
  std::shared_ptr<Hopping> hop_;
};

template <class Hopping, class Schur>
class SchurApplication final : public RatedSchur {
 public:
  SchurApplication(std::shared_ptr<Hopping> hop, Schur schur, int rhs)
      : hop_(std::move(hop)), schur_(std::move(schur)), rhs_(rhs) {
    in_ = random(schur_seed);
    out_ = Field(hop_->geometry(), in_.spec());
  }
  void apply() override { schur_.apply(out_, in_, ActiveSet(rhs_)); }
  Halo& halo() override { return hop_->halo(in_.subfields()); }
  Schedule& schedule() override { return hop_->schedule(); }
  bool fused() override { return hop_->fused(in_.subfields(), in_.subfields()); }
  LinearOperator& schur() override { return schur_; }
  Field random(std::uint64_t seed) override { return random_like(hop_->geometry(), schur_.spec(rhs_), seed); }

 private:
  std::shared_ptr<Hopping> hop_;
  Schur schur_;
  int rhs_;
};

template <class Hopping, class Schur>
std::unique_ptr<RatedSchur> rated_schur(std::shared_ptr<Hopping> hop, Schur schur, int rhs) {
  return std::make_unique<SchurApplication<Hopping, Schur>>(std::move(hop), std::move(schur), rhs);
}

class RatedWilson final : public RatedAction {
 public:
  RatedWilson(const RateProblem& problem, const WilsonParameters& parameters)
      : problem_(problem), parameters_(parameters) {}
  const RateProblem& problem() const override { return problem_; }
  std::vector<OperatorRate> hop_rates(const std::vector<LinkStorage>& storages, int rhs) override {
    return jobs::hop_rates(problem_, parameters_, storages, rhs);
  }
  std::vector<OperatorRate> schur_rates(bool symmetric, const std::vector<LinkStorage>& storages,
                                        int rhs) override {
    return jobs::schur_rates(problem_, parameters_, form(symmetric), storages, rhs);
  }
  std::unique_ptr<RatedApplication> hop(const LinkStorage& storage, int rhs) override {
    const auto location = problem_.queue.location();
    return std::make_unique<HopApplication<WilsonHopping>>(
        std::make_shared<WilsonHopping>(problem_.grid, problem_.gauge, parameters_, storage, problem_.queue,
                                        problem_.transport),
        spinor_spec(Subset::odd, rhs, storage.precision, location),
        spinor_spec(Subset::even, rhs, storage.precision, location));
  }
  std::unique_ptr<RatedSchur> schur(bool symmetric, const LinkStorage& storage, int rhs) override {
    const WilsonHoppingPtr hopping = make_schur_hopping(problem_, parameters_, storage);
    return rated_schur(hopping, make_schur(problem_, hopping, form(symmetric), rhs), rhs);
  }

 private:
  static Form form(bool symmetric) { return symmetric ? Form::symmetric : Form::asymmetric; }
  const RateProblem& problem_;
  WilsonParameters parameters_;
};

class RatedDomainWall final : public RatedAction {
 public:
  RatedDomainWall(const RateProblem& problem, const DomainWallParameters& parameters)
      : problem_(problem), parameters_(parameters), hopping_(problem, parameters.wilson()) {}
  const RateProblem& problem() const override { return problem_; }
  std::vector<OperatorRate> hop_rates(const std::vector<LinkStorage>& storages, int rhs) override {
    return hopping_.hop_rates(storages, rhs * parameters_.slices());
  }
  std::vector<OperatorRate> schur_rates(bool, const std::vector<LinkStorage>& storages, int rhs) override {
    return domain_wall_schur_rates(problem_, parameters_, storages, rhs);
  }
  std::unique_ptr<RatedApplication> hop(const LinkStorage& storage, int rhs) override {
    return hopping_.hop(storage, rhs * parameters_.slices());
  }
  std::unique_ptr<RatedSchur> schur(bool, const LinkStorage& storage, int rhs) override {
    const WilsonHoppingPtr hopping =
        make_domain_wall_hopping(problem_.grid, problem_.gauge, parameters_, storage, problem_.queue,
                                 problem_.transport, 1 - rated_parity);
    return rated_schur(hopping, DomainWallSchur(hopping, parameters_, rated_parity, rhs), rhs);
  }

 private:
  const RateProblem& problem_;
  DomainWallParameters parameters_;
  RatedWilson hopping_;
};

class RatedStaggered final : public RatedAction {
 public:
  RatedStaggered(const RateProblem& problem, const StaggeredParameters& parameters)
      : problem_(problem), parameters_(parameters) {}
  RatedStaggered(const RateProblem& problem, const AsqtadParameters& parameters)
      : problem_(problem), parameters_(parameters.staggered) {
    const AsqtadCoefficients coefficients = asqtad_coefficients(parameters.u0);
    parameters_.naik = coefficients.naik;
    AsqtadLinks links = asqtad_links(problem.grid, problem.gauge, coefficients, Precision::double_precision,
                                     problem.queue, problem.transport);
    improved_.emplace(RateProblem{problem.grid, std::move(links.fat), problem.queue, problem.transport,
                                  problem.samples, problem.checked});
    long_links_ = std::move(links.three);
  }
  const RateProblem& problem() const override { return improved_ ? *improved_ : problem_; }
  std::vector<OperatorRate> hop_rates(const std::vector<LinkStorage>& storages, int rhs) override {
    return staggered_rates(problem(), long_links(), parameters_, storages, rhs);
  }
  std::vector<OperatorRate> schur_rates(bool, const std::vector<LinkStorage>& storages, int rhs) override {
    return staggered_schur_rates(problem(), long_links(), parameters_, storages, rhs);
  }
  std::unique_ptr<RatedApplication> hop(const LinkStorage& storage, int rhs) override {
    const auto location = problem_.queue.location();
    return std::make_unique<HopApplication<StaggeredHopping>>(
        make_staggered_hopping(problem(), long_links(), parameters_, storage),
        staggered_spec(Subset::odd, rhs, storage.precision, location),
        staggered_spec(Subset::even, rhs, storage.precision, location));
  }
  std::unique_ptr<RatedSchur> schur(bool, const LinkStorage& storage, int rhs) override {
    const auto hopping = make_staggered_hopping(problem(), long_links(), parameters_, storage);
    return rated_schur(hopping, StaggeredSchur(hopping, rated_parity, rhs), rhs);
  }
  bool positive() const override { return true; }

 private:
  const Field* long_links() const { return improved_ ? &long_links_ : nullptr; }
  const RateProblem& problem_;
  StaggeredParameters parameters_;
  std::optional<RateProblem> improved_;  // on the fat links
  Field long_links_;
};

struct Maker {
  const RateProblem& problem;
  std::unique_ptr<RatedAction> operator()(const WilsonParameters& p) const {
    return std::make_unique<RatedWilson>(problem, p);
  }
  std::unique_ptr<RatedAction> operator()(const StaggeredParameters& p) const {
    return std::make_unique<RatedStaggered>(problem, p);
  }
  std::unique_ptr<RatedAction> operator()(const AsqtadParameters& p) const {
    return std::make_unique<RatedStaggered>(problem, p);
  }
  std::unique_ptr<RatedAction> operator()(const DomainWallChoice& p) const {
    return std::make_unique<RatedDomainWall>(problem, p.parameters());
  }
};

}  // namespace

std::unique_ptr<RatedAction> make_rated_action(const RateProblem& problem,
                                               const ActionParameters& parameters) {
  return std::visit(Maker{problem}, parameters);
}

}  // namespace plaq::jobs
