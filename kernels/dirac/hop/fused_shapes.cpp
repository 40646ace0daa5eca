#include "kernels/dirac/hop/fused_shapes.hpp"

#include "core/launch/tuning.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
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

void count_fused_launch(const Geometry& geometry, Precision precision, const Queue& queue) {
  require(runs_dry(), "a launch with its faces is a device's");
  std::vector<FusedShape> shapes = fused_shapes(geometry, precision);
  if (queue.tuner() == nullptr || queue.tuner()->mode() != TuneMode::on) shapes.resize(1);
  for (const FusedShape& fused : shapes)
    for (int parity = 0; parity < 2; ++parity) geometry.fused_order(parity, fused);
}

}  // namespace plaq
