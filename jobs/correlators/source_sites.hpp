// Where sources of one gauge field are.
#pragma once

#include <cstdint>

#include "core/lattice/geometry.hpp"

namespace plaq::jobs {

// Site number k of those that begin with `first`, each `shift` from the one before, around the lattice.
inline Extents source_site(const Extents& first, const Extents& shift, int k, const Extents& extents) {
  Extents at{};
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const std::int64_t moved = first[mu] + static_cast<std::int64_t>(k) * shift[mu], extent = extents[mu];
    at[mu] = static_cast<int>((moved % extent + extent) % extent);
  }
  return at;
}

}  // namespace plaq::jobs
