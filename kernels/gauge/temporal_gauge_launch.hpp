// The launches of temporal_gauge.cpp for one machine, in double on an extended geometry.
#pragma once

#include "core/field/field.hpp"

namespace plaq {

struct TemporalLinesCall {
  Field* links = nullptr;
  Field* g = nullptr;
  // Products of the ranks before this one in time, and with this one's, by parity of the line's first site;
  // null: 1, and not wanted.
  void* before[2] = {nullptr, nullptr};
  void* after[2] = {nullptr, nullptr};
  bool last = false;  // whether this rank has the last slice of the lattice
};

// g on the owned sites, and U'_t.
template <class Target>
void launch_temporal_lines(const TemporalLinesCall& call, const Queue& queue);
// U'_mu in space, or in all directions, from g with its halo.
template <class Target>
void launch_transform_space(Field& links, const Field& g, const Queue& queue);
template <class Target>
void launch_transform(Field& links, const Field& g, const Queue& queue);

}  // namespace plaq
