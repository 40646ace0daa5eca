#include "jobs/dirac/staggered_action.hpp"

#include <fmt/format.h>

#include "jobs/dirac/action_keys.hpp"
#include "jobs/dirac/action_schema.hpp"
#include "jobs/dirac/dirac_matrix.hpp"
#include "kernels/dirac/staggered/staggered_schur.hpp"
#include "kernels/gauge/hisq_links.hpp"

namespace plaq::jobs {
namespace {

class StaggeredTerm final : public HoppingTermOf<StaggeredHopping> {
 public:
  using HoppingTermOf::HoppingTermOf;
  std::unique_ptr<LinearOperator> full(int) override { return std::make_unique<StaggeredOperator>(hop_); }
  std::unique_ptr<SchurOperator> even_odd(Preconditioning, int batch) override {
    return std::make_unique<StaggeredSchur>(hop_, schur_parity, batch);
  }
};

class StaggeredMatrix final : public DiracMatrix {
 public:
  StaggeredMatrix(const Background& links, const StaggeredParameters& parameters)
      : DiracMatrix(links), parameters_(parameters) {}
  StaggeredMatrix(const Background& fat_links, const Field& long_links, const StaggeredParameters& parameters)
      : DiracMatrix(fat_links), parameters_(parameters), long_links_(long_links) {}

  std::unique_ptr<HoppingTerm> hopping(const LinkStorage& storage) override {
    const auto& [grid, links, queue, transport, clover_links] = background_;
    return std::make_unique<StaggeredTerm>(
        long_links_ ? std::make_shared<StaggeredHopping>(*grid, links, long_links_, parameters_, storage,
                                                         queue, transport, 1 - schur_parity)
                    : std::make_shared<StaggeredHopping>(*grid, links, parameters_, storage, queue, transport,
                                                         1 - schur_parity));
  }
  void own_links(const HoppingTerm& exact) override {
    if (!long_links_) DiracMatrix::own_links(exact);  // those were made here
  }

 private:
  StaggeredParameters parameters_;
  Field long_links_;
};

template <class Parameters>
class AnyStaggered : public ActionOf<Parameters> {
 public:
  using ActionOf<Parameters>::ActionOf;
  int spins() const override { return 1; }
  bool positive() const override { return true; }
  bool shifts_with_mass() const override { return true; }
  std::string hop_symmetry() const override { return "anti-hermiticity"; }
  std::string default_channel() const override { return "pion_ps"; }
};

class StaggeredAction final : public AnyStaggered<StaggeredParameters> {
 public:
  using AnyStaggered::AnyStaggered;
  double mass() const override { return parameters_.mass; }
  std::string name() const override { return "staggered"; }
  std::vector<HeaderEntry> description() const override {
    return {{"type", name()}, number_entry("mass", mass()), boundary_entry(parameters_.boundary)};
  }
  std::unique_ptr<DiracMatrix> on(const Background& links, std::shared_ptr<CloverField>) const override {
    return std::make_unique<StaggeredMatrix>(links, parameters_);
  }
};

// With fat and long links that are made of those that it is on.
template <class Parameters>
class ImprovedStaggered : public AnyStaggered<Parameters> {
 public:
  using AnyStaggered<Parameters>::AnyStaggered;
  double mass() const override { return this->parameters_.staggered.mass; }
  int least_slices() const override { return least_slices_of_long_hops; }
  bool smears_links() const override { return true; }
  std::unique_ptr<DiracMatrix> on(const Background& links, std::shared_ptr<CloverField>) const override {
    AsqtadLinks made = improved(links);
    StaggeredParameters parameters = this->parameters_.staggered;
    parameters.naik = made.coefficients.naik;
    return std::make_unique<StaggeredMatrix>(
        Background{links.grid, std::move(made.fat), links.queue, links.transport}, made.three, parameters);
  }

 protected:
  virtual AsqtadLinks improved(const Background& links) const = 0;
};

class AsqtadAction final : public ImprovedStaggered<AsqtadParameters> {
 public:
  using ImprovedStaggered::ImprovedStaggered;
  std::string name() const override { return "asqtad"; }
  std::vector<HeaderEntry> description() const override {
    return {{"type", name()},
            number_entry("mass", mass()),
            number_entry("u0", parameters_.u0),
            boundary_entry(parameters_.staggered.boundary)};
  }

 private:
  AsqtadLinks improved(const Background& links) const override {
    return asqtad_links(*links.grid, links.gauge, asqtad_coefficients(parameters_.u0),
                        Precision::double_precision, links.queue, links.transport);
  }
};

class HisqAction final : public ImprovedStaggered<HisqParameters> {
 public:
  using ImprovedStaggered::ImprovedStaggered;
  std::string name() const override { return "hisq"; }
  std::vector<HeaderEntry> description() const override {
    return {{"type", name()},
            number_entry("mass", mass()),
            number_entry("epsilon", parameters_.epsilon),
            boundary_entry(parameters_.staggered.boundary)};
  }
  bool has_compressed_links() const override { return false; }  // long ones are of U(3)

 private:
  AsqtadLinks improved(const Background& links) const override {
    return hisq_links(*links.grid, links.gauge, parameters_.epsilon, Precision::double_precision, links.queue,
                      links.transport);
  }
};

enum class MassConvention { milc, doubled };
constexpr std::string_view mass_convention_names[] = {"milc", "doubled"};

struct StaggeredKeys {
  std::optional<MassConvention> mass_convention;
  std::optional<double> u0, epsilon;
  bool doubled() const { return mass_convention == MassConvention::doubled; }
};

class StaggeredQuarks : public Discretisation {
 public:
  std::string name() const override { return "staggered"; }
  std::string meaning() const override {
    return "staggered with one link or improved (asqtad and hisq, which smear the links themselves)";
  }

  // For all three.
  std::vector<Key> keys() const override {
    return {choice(&StaggeredKeys::mass_convention, "mass_convention",
                   "Staggered quarks: milc, M = mass + D/2; or doubled, M = (mass + D)/2, so that mass is "
                   "twice MILC's. Results are those of the same M.",
                   Names<MassConvention>(mass_convention_names))
                .such_as("\"milc\"")
                .without("milc"),
            field(&StaggeredKeys::u0, "u0", "Asqtad: the tadpole factor by which its links are improved.")
                .between(0, 1000)
                .such_as("0.8677")
                .without(fmt::format("{}", AsqtadParameters().u0)),
            field(&StaggeredKeys::epsilon, "epsilon",
                  "HISQ: change of the Naik term, whose coefficient is -(1 + epsilon)/24; for charm quarks.")
                .within(-10, 10)
                .such_as("-0.226")
                .without("0")};
  }

  void expect_own_keys(Problems& problems, const JobFile& job) const override {
    const bool staggered = dynamic_cast<const StaggeredQuarks*>(job.get<ActionKeys>().type) != nullptr;
    if (!staggered && job.get<StaggeredKeys>().mass_convention)
      problems.add("action.mass_convention", "is of staggered quarks");
  }

  std::string wrong_mass(double mass) const override {
    return mass > 0 ? "" : fmt::format("found {}, must be greater than 0 for staggered quarks", mass);
  }

  ActionParameters action(const JobFile& job, double mass) const override {
    return staggered_action(parameters(job, mass));
  }
  Attributes attributes(const JobFile& job) const override { return attributes(job, ""); }

 protected:
  static StaggeredParameters parameters(const JobFile& job, double mass) {
    StaggeredParameters p;
    p.mass = job.get<StaggeredKeys>().doubled() ? mass / 2 : mass;
    p.boundary = job.get<ActionKeys>().boundary;
    return p;
  }

  static Attributes attributes(const JobFile& job, const char* links) {
    const bool doubled = job.get<StaggeredKeys>().doubled();
    return {{"mass_convention", std::string(doubled ? "doubled" : "milc")},
            {"operator", fmt::format("M = {}, (D chi)(x) = sum_mu eta_mu(x) [U_mu(x) chi(x+mu) - "
                                     "U_mu(x-mu)^dagger chi(x-mu)]{}",
                                     doubled ? "(mass + D)/2" : "mass + D/2", links)},
            {"phases", std::string("eta_x = 1, eta_y = (-1)^x, eta_z = (-1)^(x+y), eta_t = (-1)^(x+y+z)")},
            {"normalization", std::string("M^-1 = 2 (2m + D)^-1, m of M = m + D/2")}};
  }
};

class HisqQuarks final : public StaggeredQuarks {
 public:
  std::string name() const override { return "hisq"; }
  std::string meaning() const override { return {}; }

  std::vector<Key> keys() const override { return {}; }

  void expect_own_keys(Problems& problems, const JobFile& job) const override {
    if (job.get<ActionKeys>().type != this && job.get<StaggeredKeys>().epsilon)
      problems.add("action.epsilon", "is of type = \"hisq\"");
  }

  ActionParameters action(const JobFile& job, double mass) const override {
    return hisq_action({parameters(job, mass), job.get<StaggeredKeys>().epsilon.value_or(0)});
  }

  Attributes attributes(const JobFile& job) const override {
    Attributes a = StaggeredQuarks::attributes(
        job, ", with HISQ's fat links and the same with hops of three links, Follana et al. 2007");
    a.emplace_back("epsilon", job.get<StaggeredKeys>().epsilon.value_or(0));
    return a;
  }
};

class AsqtadQuarks final : public StaggeredQuarks {
 public:
  std::string name() const override { return "asqtad"; }
  std::string meaning() const override { return {}; }

  std::vector<Key> keys() const override { return {}; }

  void expect_own_keys(Problems& problems, const JobFile& job) const override {
    if (job.get<ActionKeys>().type != this && job.get<StaggeredKeys>().u0)
      problems.add("action.u0", "is of type = \"asqtad\"");
  }

  ActionParameters action(const JobFile& job, double mass) const override {
    return asqtad_action({parameters(job, mass), job.get<StaggeredKeys>().u0.value_or(1)});
  }

  Attributes attributes(const JobFile& job) const override {
    Attributes a =
        StaggeredQuarks::attributes(job, ", with asqtad's fat links and the same with hops of three links");
    a.emplace_back("u0", job.get<StaggeredKeys>().u0.value_or(1));
    return a;
  }
};

}  // namespace

const Discretisations& staggered_quarks() {
  static const StaggeredQuarks one_link;
  static const AsqtadQuarks asqtad;
  static const HisqQuarks hisq;
  static const Discretisations all = {&one_link, &asqtad, &hisq};
  return all;
}

ActionParameters staggered_action(const StaggeredParameters& parameters) {
  return std::make_shared<StaggeredAction>(parameters);
}

ActionParameters asqtad_action(const AsqtadParameters& parameters) {
  return std::make_shared<AsqtadAction>(parameters);
}

ActionParameters hisq_action(const HisqParameters& parameters) {
  return std::make_shared<HisqAction>(parameters);
}

}  // namespace plaq::jobs
