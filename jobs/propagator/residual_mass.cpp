// Residual and PCAC masses of domain-wall quarks, [correlators] residual_mass and plateau. Of one source:
//
//   /residual_mass/summed         by the Ward identity summed over the lattice
//   /residual_mass/pcac           [t] bare PCAC mass of the local axial current
//   /residual_mass/pcac_plateau   its average over the plateau
// and with residual_mass = "midpoint"
//   /residual_mass/midpoint           [t] C_mid(t) / C_pion(t)
//   /residual_mass/midpoint_plateau   its average over the plateau
//   /correlators/midpoint_pion/p_0_0_0/point   [t][real, imaginary] C_mid
#include <fmt/format.h>

#include <array>
#include <optional>

#include "core/system/error.hpp"
#include "jobs/correlators/correlators.hpp"
#include "jobs/propagator/propagator_observable.hpp"
#include "jobs/schema/common_keys.hpp"
#include "observables/quark/residual_masses.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

enum class ResidualMass { none, summed, midpoint };

struct ResidualMassKeys {
  ResidualMass residual_mass = ResidualMass::none;
  std::optional<std::array<int, 2>> plateau;
};

void check_plateau(Problems& problems, const ResidualMassKeys& keys, const LatticeKeys& lattice) {
  if (!keys.plateau) return;
  const KeyName plateau = "correlators.plateau";
  if (keys.residual_mass == ResidualMass::none)
    problems.add(plateau, "needs residual_mass = \"summed\" or \"midpoint\"; leave the key out without it");
  const auto [first, last] = *keys.plateau;
  if (first > last) return problems.add(plateau, "the first time slice comes after the last one");
  if (lattice.extents && last >= (*lattice.extents)[3])
    problems.add(plateau, fmt::format("time slices from the source are 0 to {}", (*lattice.extents)[3] - 1));
}

void check_residual_mass(Problems& problems, const ResidualMassKeys& keys, const LatticeKeys& lattice,
                         const Settings& job) {
  check_plateau(problems, keys, lattice);
  if (keys.residual_mass == ResidualMass::none) return;
  const ActionPtr action = action_of_any_mass(job);
  const KeyName residual_mass = "correlators.residual_mass";
  if (const std::string none = action->no_residual_mass(); !none.empty())
    return problems.add(residual_mass,
                        action->Ls() > 1 ? none : none + "; set type = \"domain_wall\" in [action]");
  const std::string none = action->no_midpoint();
  if (keys.residual_mass == ResidualMass::midpoint && !none.empty()) problems.add(residual_mass, none);
}

// Throws Error(job_file) where the plateau is not on the lattice.
ResidualMassSettings residual_mass_settings(const Settings& job, const Extents& extents) {
  const auto keys = job.get<ResidualMassKeys>();
  ResidualMassSettings settings{.midpoint = keys.residual_mass == ResidualMass::midpoint};
  if (!keys.plateau) return settings;
  settings.plateau = {(*keys.plateau)[0], (*keys.plateau)[1]};
  if (settings.plateau->last >= extents[3])
    throw Error(ErrorKind::job_file,
                fmt::format("{}: [correlators] plateau [{}, {}] is not on the lattice {}: time slices from "
                            "the source are 0 to {}",
                            job.origin(), settings.plateau->first, settings.plateau->last, to_string(extents),
                            extents[3] - 1));
  return settings;
}

Attributes of_plateau(const Plateau& p, const std::string& what) {
  Attributes a = described({}, "lattice units", fmt::format("average of {} over the plateau", what));
  a.emplace_back("plateau", std::vector<std::int64_t>{p.first, p.last});
  a.emplace_back("plateau_meaning", std::string("first and last time slice of the average, from the source"));
  return a;
}

Attributes in_time(const std::string& meaning) {
  Attributes a = described({"t"}, "lattice units", meaning);
  a.emplace_back("t", std::string("counts from the source"));
  return a;
}

// `summed`: over what, at the source.
void add_residual_mass(Results& results, const ResidualMassMeasurement& found, const Plateau& plateau,
                       const std::string& summed) {
  const std::size_t slices = found.pcac.size();
  const auto number = [&](const char* path, double value, const Attributes& attributes) {
    results.dataset(path, {}, std::vector<double>{value}, attributes);
  };
  number("/residual_mass/summed", found.summed,
         described({}, "lattice units",
                   "sum_k Re (b_k, q_k) / sum_k (q_k, q_k) - m over the columns k, b the source, q "
                   "the quark field, m the mass of [action]: the axial Ward identity summed over "
                   "the lattice"));
  if (!found.midpoint.empty()) {
    results.dataset("/residual_mass/midpoint", {slices}, found.midpoint,
                    in_time("C_mid(t) / C_pion(t), both at a point sink and momentum 0, C_mid that of "
                            "/correlators/midpoint_pion"));
    number("/residual_mass/midpoint_plateau", found.midpoint_plateau,
           of_plateau(plateau, "/residual_mass/midpoint"));
    const Channel pion = {"midpoint_pion",
                          ChannelKind::meson,
                          "C(t) = sum_x tr[S_mid(x) S_mid(x)^dagger], S_mid of the quark q_mid = P_- "
                          "psi_(Ns/2+1) + P_+ psi_(Ns/2)",
                          "cosh",
                          "",
                          ""};
    add_correlator(results, {pion, {}, "point", {0, 0, 0}, false, found.midpoint_pion}, summed);
  }
  results.dataset("/residual_mass/pcac", {slices}, found.pcac,
                  in_time("[C_AP(t+1) - C_AP(t-1)] / (4 C_pion(t)), t modulo T, A_4 = psibar gamma_t gamma5 "
                          "psi the local current: (m + m_res) / Z_A away from the source"));
  number("/residual_mass/pcac_plateau", found.pcac_plateau, of_plateau(plateau, "/residual_mass/pcac"));
}

class ResidualMassesMeasurement final : public QuarkMeasurement {
 public:
  explicit ResidualMassesMeasurement(const JobContext& context)
      : masses_(context, action_parameters(context.job)->mass(),
                residual_mass_settings(context.job, context.extents)) {}

  QuarkNeeds needs() const override { return {.source = true, .midpoint = masses_.settings().midpoint}; }
  Results measure(const SourceQuarks& from) override {
    Results results;
    add_residual_mass(results, masses_(from.source, from.quarks.front(), from.midpoint, from.position),
                      masses_.plateau(), from.summed);
    return results;
  }

 private:
  ResidualMasses masses_;
};

class ResidualMassObservable final : public PropagatorObservable {
 public:
  const char* key() const override { return "correlators.residual_mass"; }
  bool is_asked(const Settings& job) const override {
    return job.get<ResidualMassKeys>().residual_mass != ResidualMass::none;
  }
  std::vector<Key> correlator_keys() const override {
    return {
        choice(&ResidualMassKeys::residual_mass, "residual_mass",
               "Domain wall: residual mass and PCAC mass of each source. summed: by the Ward identity summed "
               "over the lattice; midpoint: also as a function of time, from the pion in the middle of the "
               "fifth dimension. midpoint needs even n_s and the same weights on all slices.",
               {{"none", ResidualMass::none},
                {"summed", ResidualMass::summed},
                {"midpoint", ResidualMass::midpoint}}),
        field(&ResidualMassKeys::plateau, "plateau",
              "First and last time slice, counted from the source, of the average of these masses.")
            .within(0, 4095)
            .such_as("[4, 12]")
            .without("the middle half of the lattice in time")};
  }
  std::vector<Rule> rules() const override {
    return {{{"correlators.residual_mass", "correlators.plateau", "action.type", "action.n_s",
              "action.variant", "action.omega", "action.sigma", "lattice.extents"},
             "A residual mass needs domain-wall quarks, with the same omega_s - sigma_s on all slices, or "
             "weights that are the same in reversed order. midpoint needs even n_s and the same weights on "
             "all slices. The plateau must be on the lattice.",
             check_residual_mass}};
  }
  void check(const Settings& job, const Extents& extents) const override {
    residual_mass_settings(job, extents);
  }
  std::unique_ptr<QuarkMeasurement> measurement(const JobContext& context) const override {
    return std::make_unique<ResidualMassesMeasurement>(context);
  }
};

}  // namespace

const PropagatorObservable& residual_masses() {
  static const ResidualMassObservable observable;
  return observable;
}

}  // namespace plaq::jobs
