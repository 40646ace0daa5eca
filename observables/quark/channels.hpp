// The two-point functions that have names.
#pragma once

#include <string>
#include <vector>

#include "kernels/quark/baryon_terms.hpp"

namespace plaq {

enum class ChannelKind { meson, baryon, staggered_meson, staggered_baryon };

struct Channel {
  std::string name;
  ChannelKind kind;
  std::string formula;
  // Symmetry of C(t) seen from the other side: what a fit and an effective mass assume. Staggered baryons
  // have it for quarks that are antiperiodic in time; others are "_periodic".
  std::string symmetry;
  std::string no_noise;  // why noise sources do not give it; empty: they do
  std::string baryon;    // whose spins it is of, operator_of_baryon(); empty: none
  // Quarks of the formula, in its order: 0 and 1 are quark and antiquark of a meson; 0, 1 and
  // 2 are u, d and s of a baryon. One quark alone: 0.
  std::vector<int> quarks{0};
  std::string operators = {};  // of a baryon: X

  // Spins of the quark field.
  int spins() const { return kind == ChannelKind::meson || kind == ChannelKind::baryon ? 4 : 1; }
  bool is_meson() const { return kind == ChannelKind::meson || kind == ChannelKind::staggered_meson; }
};

// Channels of one quark, u = d = s; those of quarks that differ have the baryons sigma, xi, ... too.
const std::vector<Channel>& channels_of_one_quark();
const std::vector<Channel>& channels_of_flavours();
std::vector<std::string> names_of(const std::vector<Channel>& channels);
// Channels with these names, in the order of the names.
std::vector<Channel> channels_named(const std::vector<std::string>& names, const std::vector<Channel>& among);

// Operator of Channel::baryon; A, B and C are Channel::quarks, the last of them again if there are fewer.
Baryon operator_of_baryon(const std::string& name);

// The baryons that channels are of, each once, in their order.
std::vector<std::string> baryons_of(const std::vector<Channel>& channels);
// The matrix of spins of a baryon: C(t)_ij, spin i of the sink and j of the source.
Channel spin_matrix_channel(const Channel& of);

}  // namespace plaq
