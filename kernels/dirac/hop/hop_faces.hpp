// Faces of a halo as the kernels of a hopping term see them.
#pragma once

#include <cstddef>
#include <type_traits>

#include "core/system/location.hpp"

namespace plaq {

// The ghosts of a rank by directed hop, site = LatticeShape::face_index, subfield = first + right-hand side;
// closed: no ghosts there. Layers as LatticeView::third_face_index has them, every `stride` sites by
// direction: ahead three slices for hops of any length, behind those of three
// steps follow the one of one step.
template <class Face>
struct GhostFaces {
  Face face[8];
  int stride[4] = {0, 0, 0, 0};
  int first = 0;
};

// The face of directed hop d, in memory of the halo or beside it.
template <class Face, class Halo>
Face open_face(const Halo& halo, int d, void* memory) {
  const std::size_t subfield_stride = halo.face_layout(d).size();
  if constexpr (std::is_constructible_v<Face, void*, std::size_t, bool>) {
    return Face(memory, subfield_stride, halo.spec().precision == Precision::half_precision);
  } else {
    return Face({memory, subfield_stride});
  }
}

// Ghosts in the receive memory of a halo; `first`: subfield of the first right-hand side on the faces.
template <class Face, class Halo>
GhostFaces<Face> open_ghosts(const Halo& halo, int first = 0) {
  GhostFaces<Face> ghosts;
  for (int d = 0; d < 8; ++d) {
    if (!halo.exchanges(d / 2)) continue;
    ghosts.face[d] = open_face<Face>(halo, d, halo.receive(d));
    ghosts.stride[d / 2] = halo.layer_stride(d);
  }
  ghosts.first = first;
  return ghosts;
}

}  // namespace plaq
