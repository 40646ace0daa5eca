#include "jobs/correlators/correlators.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_file.hpp"
#include "settings/action/action_keys.hpp"

namespace plaq::jobs {

void add_correlator(Results& results, const TwoPointFunction& correlator, const std::string& summed) {
  const auto& [channel, quarks, sink, n, is_matrix, values] = correlator;
  std::vector<double> parts;
  std::vector<std::size_t> extents{values.size(), 2};
  std::vector<std::string> axes{"t", "real, imaginary"};
  if (is_matrix) {
    extents = {values.size() / 16, 4, 4, 2};
    axes = {"t", "sink spin", "source spin", "real, imaginary"};
  }
  for (const auto& c : values) parts.insert(parts.end(), {c.real(), c.imag()});
  Attributes attributes = {
      {"axes", axes},
      {"units", std::string("lattice units")},
      {"momentum", std::vector<std::int64_t>(n.begin(), n.end())},
      {"momentum_units", std::string("2 pi / L of each direction: x, y, z")},
      {"normalization", fmt::format("{}, summed {}, no volume factor", channel.formula, summed)},
      {"symmetry", channel.symmetry},
      {"sink", sink},
      {"t", std::string("counts from the source")}};
  std::string name = channel.name;
  if (!quarks.empty()) {
    name += fmt::format(".{}", fmt::join(quarks, "_"));
    attributes.emplace_back("quarks", quarks);
  }
  results.dataset(fmt::format("/correlators/{}/p_{}_{}_{}/{}", name, n[0], n[1], n[2], sink), extents,
                  std::move(parts), std::move(attributes));
}

namespace {

void check_quark_smearing(Problems& problems, const QuarkSmearingKeys& keys,
                          const CorrelatorKeys& correlators) {
  const double sigma = keys.parameters.sigma;
  const int steps = keys.parameters.steps;
  if (steps > 0 && sigma == 0)
    problems.missing("quark_smearing.sigma", "the width, where steps is not 0; for example sigma = 2.0");
  if (steps == 0 && correlators.has_sink("smeared"))
    problems.add("correlators.sinks", "\"smeared\" needs [quark_smearing] with steps of at least 1");
}

}  // namespace

bool has_momentum(const QuarkSmearingKeys& keys) {
  return keys.parameters.momentum != std::array<double, 3>{};
}

void check_smearing_momentum(Problems& problems, const QuarkSmearingKeys& keys,
                             const std::vector<Channel>& channels) {
  if (!has_momentum(keys)) return;
  if (keys.parameters.steps == 0)
    problems.add("quark_smearing.momentum", "is of a smearing with steps of at least 1");
  for (const Channel& channel : channels)
    if (channel.is_meson())
      problems.add("quark_smearing.momentum",
                   fmt::format("{} needs quark and antiquark of opposite momenta: write propagators of both "
                               "by two jobs with baryons in [correlators], and contract their point sinks",
                               channel.name));
}

std::vector<Key> correlator_keys(const std::vector<Channel>& channels, const std::string& more) {
  return {field(&CorrelatorKeys::channels, "channels",
                std::string(
                    "Two-point functions. Mesons: pion (gamma5), rho (gamma_i, averaged), rho_x, rho_y, "
                    "rho_z, a0 (1), a1 (gamma_i gamma5), b1 (gamma_i gamma_j), and axial_pseudoscalar "
                    "(gamma_t gamma5 at the sink, gamma5 at the source, for the PCAC mass). Baryons: proton; "
                    "proton_12, proton_21 and proton_22 with the second operator of the proton; lambda and "
                    "lambda_singlet; delta (spin 3/2) and delta_half (spin 1/2). Each baryon also has its "
                    "partner of negative parity (_minus). Staggered quarks: the local mesons pion_ps, "
                    "pion_sc, rho_vt and rho_pv (sums of _x, _y, _z), and the local nucleon.") +
                    more)
              .one_of(names_of(channels))
              .not_empty()
              .such_as("[\"pion\", \"rho\"]")
              .without("the pion, or pion_ps of staggered quarks"),
          field(&CorrelatorKeys::max_momentum_squared, "max_momentum_squared", job_momenta_meaning)
              .within(0, 100),
          field(&CorrelatorKeys::sinks, "sinks", "Sinks: local, or smeared as in [quark_smearing].")
              .one_of({"point", "smeared"})
              .not_empty(),
          field(&CorrelatorKeys::spin_matrix, "spin_matrix",
                "true: the job also writes the matrix of sink spin and source spin of each baryon.")};
}

void check_spin_matrix(Problems& problems, const CorrelatorKeys& keys, const std::vector<Channel>& channels) {
  if (keys.spin_matrix && baryons_of(channels).empty())
    problems.add("correlators.spin_matrix", "no baryon is among the channels; for example proton");
}

Rule quark_smearing_rule() {
  return {{"quark_smearing.steps", "quark_smearing.sigma", "correlators.sinks"},
          "Smearing needs sigma. A smeared sink needs smearing.",
          check_quark_smearing};
}

std::vector<Channel> channels_of(const Settings& job) {
  std::vector<std::string> names = job.get<CorrelatorKeys>().channels;
  if (names.empty()) names = {action_of_any_mass(job)->default_channel()};
  return channels_named(names, channels_of_one_quark());
}

CorrelatorPlan plan_of_correlators(const Settings& job, const Extents& extents) {
  const auto keys = job.get<CorrelatorKeys>();
  std::vector<Channel> channels = channels_of(job);
  if (job.get<ActionKeys>().has_many_masses())
    channels = channels_named(names_of(channels), channels_of_flavours());
  return {channels, job_momenta(job, "correlators", keys.max_momentum_squared, extents), keys.spin_matrix,
          job.get<ActionKeys>().boundary[3]};
}

}  // namespace plaq::jobs
