// What a hopping term writes on the tape of a dry run (core/system/tape.hpp).
#pragma once

#include <optional>
#include <string>

#include "comms/halo/halo.hpp"
#include "core/operator/linear_operator.hpp"
#include "core/system/tape.hpp"

namespace plaq {

struct TapedHop {
  const char* name = "";
  KernelKind kernel = KernelKind::wilson_hop;
  int link_reals = 18;
  bool temporal_gauge = false;
  Work work;      // of this application
  int depth = 1;  // slices that hops reach
  double packed_vectors = 2,
         packed_links = 1;  // of a site of a face, read to fill both sides; links in bytes
  bool fusible = false;
  std::optional<Precision> storage = {};  // that the kernel's rate goes by; none: that of the vectors
};

// Faces of a halo that hops of so many slices read, packing apart.
TapeFaces tape_faces(const Halo& halo, int depth);
// Nothing where no dry run is going on. `vectors`: active subfields of `in`.
void tape_hop(const TapedHop& hop, const Halo& halo, const Field& in, int vectors);

}  // namespace plaq
