// Keys of jobs that contract propagators: the sinks and momenta of [correlators].
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/schema/use_settings.hpp"
#include "observables/quark/channels.hpp"
#include "settings/quark/quark_smearing_table.hpp"

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

// On [quark_smearing] and the sinks.
Rule quark_smearing_rule();

}  // namespace plaq::jobs
