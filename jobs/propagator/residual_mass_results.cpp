#include "jobs/propagator/residual_mass_results.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "jobs/correlators/correlators.hpp"
#include "jobs/propagator/propagator_keys.hpp"

namespace plaq::jobs {
namespace {

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

}  // namespace

std::optional<ResidualMassSettings> residual_mass_settings(const JobFile& job, const Extents& extents) {
  const auto keys = job.get<ResidualMassKeys>();
  if (keys.residual_mass == ResidualMass::none) return std::nullopt;
  ResidualMassSettings settings{keys.residual_mass == ResidualMass::midpoint, Plateau::middle(extents[3])};
  if (!keys.plateau) return settings;
  settings.plateau = {(*keys.plateau)[0], (*keys.plateau)[1]};
  if (settings.plateau.last >= extents[3])
    throw Error(ErrorKind::job_file,
                fmt::format("{}: [correlators] plateau [{}, {}] is not on the lattice {}: time slices from "
                            "the source are 0 to {}",
                            job.file(), settings.plateau.first, settings.plateau.last, to_string(extents),
                            extents[3] - 1));
  return settings;
}

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

}  // namespace plaq::jobs
