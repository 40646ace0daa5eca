#include "kernels/dirac/hop/fused_shapes.hpp"

#include "kernels/dirac/hop/directed_hop.hpp"

namespace plaq {

std::vector<FusedShape> fused_shapes(const Geometry& geometry, Precision precision) {
  const bool wide = precision == Precision::double_precision;
  HopCandidates candidates(Location::device, wide ? hop_threads<double> : hop_threads<float>, 0);
  std::vector<FusedShape> shapes;
  for (const Launch& launch : candidates.of(geometry, Region::all, 1))
    shapes.push_back({launch.block, launch.box});
  return shapes;
}

}  // namespace plaq
