#include "jobs/propagator/residual_masses.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "jobs/correlators/correlators.hpp"
#include "jobs/dirac/action_keys.hpp"

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

ResidualMassPlan::ResidualMassPlan(const JobFile& job, const Extents& extents)
    : kind(job.get<ResidualMassKeys>().residual_mass),
      plateau(Plateau::middle(extents[3])),
      channels{meson_channel("pion"), meson_channel("axial_pseudoscalar")} {
  const auto given = job.get<ResidualMassKeys>().plateau;
  if (!given) return;
  plateau = {(*given)[0], (*given)[1]};
  if (plateau.last >= extents[3])
    throw Error(ErrorKind::job_file,
                fmt::format("{}: [correlators] plateau [{}, {}] is not on the lattice {}: time slices from "
                            "the source are 0 to {}",
                            job.file(), plateau.first, plateau.last, to_string(extents), extents[3] - 1));
}

ResidualMasses::ResidualMasses(const JobContext& context, ResidualMassPlan plan)
    : context_(context),
      plan_(std::move(plan)),
      mass_(action_parameters(context.job)->mass()),
      mesons_(*context.grid, context.geometry, plan_.channels, {{0, 0, 0}}, context.queue) {}

void ResidualMasses::add(const Field& source, const Field& quark, const Field& midpoint,
                         const Extents& position) {
  summed_ = summed_residual_mass(*context_.grid, source, quark, mass_, context_.queue);
  const Correlators c = mesons_(quark, position);
  pcac_ = pcac_mass(c[1][0], c[0][0]);
  if (!plan_.has_midpoint()) return;
  midpoint_ = mesons_(midpoint, position)[0][0];
  of_t_ = residual_mass(midpoint_, c[0][0]);
}

void ResidualMasses::move_to(Results& results, const QuarkSources& sources) {
  const auto slices = static_cast<std::size_t>(context_.extents[3]);
  const auto average = [&](const std::vector<double>& of_t) {
    return std::vector<double>{plan_.plateau.average(of_t)};
  };
  results.dataset("/residual_mass/summed", {}, std::vector<double>{summed_},
                  described({}, "lattice units",
                            "sum_k Re (b_k, q_k) / sum_k (q_k, q_k) - m over the columns k, b the source, q "
                            "the quark field, m the mass of [action]: the axial Ward identity summed over "
                            "the lattice"));
  if (plan_.has_midpoint()) {
    results.dataset("/residual_mass/midpoint", {slices}, of_t_,
                    in_time("C_mid(t) / C_pion(t), both at a point sink and momentum 0, C_mid that of "
                            "/correlators/midpoint_pion"));
    results.dataset("/residual_mass/midpoint_plateau", {}, average(of_t_),
                    of_plateau(plan_.plateau, "/residual_mass/midpoint"));
    const Channel pion = {"midpoint_pion",
                          ChannelKind::meson,
                          "C(t) = sum_x tr[S_mid(x) S_mid(x)^dagger], S_mid of the quark q_mid = P_- "
                          "psi_(Ns/2+1) + P_+ psi_(Ns/2)",
                          "cosh",
                          "",
                          ""};
    add_correlator(results, pion, {0, 0, 0}, "point", midpoint_, sources.summed());
  }
  results.dataset("/residual_mass/pcac", {slices}, pcac_,
                  in_time("[C_AP(t+1) - C_AP(t-1)] / (4 C_pion(t)), t modulo T, A_4 = psibar gamma_t gamma5 "
                          "psi the local current: (m + m_res) / Z_A away from the source"));
  results.dataset("/residual_mass/pcac_plateau", {}, average(pcac_),
                  of_plateau(plan_.plateau, "/residual_mass/pcac"));
  midpoint_.clear();
  of_t_.clear();
  pcac_.clear();
}

}  // namespace plaq::jobs
