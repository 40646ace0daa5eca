#include "kernels/dirac/joint_shapes.hpp"

#include "kernels/site/wilson_hop.hpp"

namespace plaq {
namespace {

// Neither links, clover, gauge nor target change the number of threads; functors of a device are CUDA alone.
template <class S>
constexpr int block = WilsonHop<Host, S, 18, false, false, false, false>::block_size;
static_assert(block<float> == block<Fixed16>);

}  // namespace

std::vector<JointShape> joint_shapes(const Geometry& geometry, Precision precision) {
  const bool wide = precision == Precision::double_precision;
  HopCandidates candidates(Location::device, wide ? block<double> : block<float>, 0);
  std::vector<JointShape> shapes;
  for (const Launch& launch : candidates.of(geometry, Region::all, 1))
    shapes.push_back({launch.block, launch.box});
  return shapes;
}

}  // namespace plaq
