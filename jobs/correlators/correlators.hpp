// The datasets of two-point functions:
//
//   /correlators/CHANNEL/p_X_Y_Z/SINK         [t][real, imaginary]  of one source
//   /correlators/BARYON_matrix/p_X_Y_Z/SINK   [t][sink spin][source spin][real, imaginary]
//
// X, Y, Z: the integers n of the momentum 2 pi n / L; SINK: "point" or "smeared", or of mesons
// "low_mode_average" (jobs/propagator/low_mode_average.cpp). Where quarks have names,
// CHANNEL is NAME.Q1_Q2 with those that the channel has, and the attribute `quarks` lists them.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/results/results.hpp"
#include "jobs/schema/job_file.hpp"
#include "observables/quark/channels.hpp"
#include "observables/quark/two_point.hpp"
#include "settings/quark/quark_smearing_table.hpp"

namespace plaq::jobs {

// `summed`: over what a correlator is summed at the source.
void add_correlator(Results& results, const TwoPointFunction& correlator, const std::string& summed);

// Keys of jobs that contract propagators: the sinks and momenta of [correlators].
struct CorrelatorKeys {
  std::vector<std::string> channels;  // empty: the pion
  int max_momentum_squared = 0;
  std::vector<std::string> sinks{"point"};
  bool spin_matrix = false;

  bool has_sink(std::string_view name) const {
    return std::find(sinks.begin(), sinks.end(), name) != sinks.end();
  }
};
// `more`: what the meaning of `channels` says beyond those of one quark.
std::vector<Key> correlator_keys(const std::vector<Channel>& channels, const std::string& more = "");
void check_spin_matrix(Problems& problems, const CorrelatorKeys& keys, const std::vector<Channel>& channels);

// On [quark_smearing] and the sinks.
Rule quark_smearing_rule();

// Mesons are of quarks of opposite momenta, which one smearing does not give.
inline constexpr const char* smearing_momentum_text =
    "A momentum of the smearing needs steps, and baryons: mesons are of quarks of opposite momenta.";
bool has_momentum(const QuarkSmearingKeys& keys);
void check_smearing_momentum(Problems& problems, const QuarkSmearingKeys& keys,
                             const std::vector<Channel>& channels);

// The channels that a propagator job contracts: those of [correlators], or the pion of the quarks of
// [action].
std::vector<Channel> channels_of(const Settings& job);
// Plan with all that decides how the correlators are contracted.
CorrelatorPlan plan_of_correlators(const Settings& job, const Extents& extents);

}  // namespace plaq::jobs
