// The two-point functions that a propagator job can contract, [correlators] channels.
#pragma once

#include <string>
#include <vector>

#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

enum class ChannelKind { meson, baryon, staggered_meson, staggered_baryon };

struct Channel {
  std::string name;
  ChannelKind kind;
  std::string formula;
  // Of C(t) seen from the other side: what a fit and an effective mass assume. Of staggered baryons for quarks that are
  // antiperiodic in time; others are "_periodic".
  std::string symmetry;
  std::string no_noise;  // why noise sources do not give it; empty: they do
  std::string baryon;    // whose spins it is of, baryon_terms.hpp; empty: none

  // Of the quark field.
  int spins() const { return kind == ChannelKind::meson || kind == ChannelKind::baryon ? 4 : 1; }
};

const std::vector<Channel>& all_channels();
std::vector<std::string> channel_names();
// What the job says, or the pion of its quarks.
std::vector<Channel> channels_of(const JobFile& job);

// The baryons that channels are of, each once, in their order.
std::vector<std::string> baryons_of(const std::vector<Channel>& channels);
// The matrix of spins of one: C(t)_ij, spin i of the sink and j of the source.
Channel spin_matrix_channel(const std::string& baryon);

}  // namespace plaq::jobs
