// Keys of jobs that contract propagators: the sinks and momenta of [correlators], and [quark_smearing].
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/schema/use_settings.hpp"
#include "kernels/quark/gaussian_smearing.hpp"
#include "observables/quark/channels.hpp"

namespace plaq::jobs {

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

struct QuarkSmearingKeys {
  GaussianSmearingParameters parameters;  // sigma 0: not given
  bool source = true;
};
// `with_source`: whether the job has sources to smear.
Table quark_smearing_table(bool with_source);
Rule quark_smearing_rule();
/// Adds the mistake of too few steps for quarks that hop by `links` links, 1 or, of staggered quarks, 2.
void check_smearing_steps(Problems& problems, const QuarkSmearingKeys& keys, int links);
inline constexpr const char* smearing_steps_text =
    "No step of the smearing amplifies the highest momenta: steps is at least 3/2 sigma^2, of staggered "
    "quarks 3/8 "
    "sigma^2.";

}  // namespace plaq::jobs
