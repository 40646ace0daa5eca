#include "kernels/dirac/hop/fused_shapes.hpp"

#include <optional>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "kernels/dirac/hop/directed_hop.hpp"

namespace plaq {

namespace {

HopCandidates candidates_of(Precision precision) {
  const bool wide = precision == Precision::double_precision;
  return {Location::device, wide ? hop_threads<double> : hop_threads<float>, 0};
}

}  // namespace

std::vector<FusedShape> fused_shapes(const Geometry& geometry, Precision precision) {
  HopCandidates candidates = candidates_of(precision);
  std::vector<FusedShape> shapes;
  for (const Launch& launch : candidates.of(geometry, Region::all, 1))
    shapes.push_back({launch.block, launch.box});
  return shapes;
}

FaceMemory faces_for_timing(const Halo& halo) {
  std::vector<std::size_t> bytes;
  for (int d = 0; d < 8; ++d) bytes.push_back(halo.face_bytes(d));
  return {Location::device, bytes};
}

void count_fused_launch(const Halo& halo, int parity, int depth, Precision precision, const Queue& queue,
                        const TuneKey& key, std::span<const Tuner::Memory> changed) {
  require(runs_dry(), "a launch with its faces is a device's");
  const Geometry& geometry = halo.geometry();
  const auto run = [&](const Launch& launch) {
    geometry.fused_order(parity, {launch.block, launch.box}, depth);
  };
  std::optional<FaceMemory> faces;
  const auto time = [&](const Launch& launch) {
    if (!faces) faces = faces_for_timing(halo);
    run(launch);
  };
  HopCandidates candidates = candidates_of(precision);
  run(tuned(queue, key, candidates.of(geometry, Region::all, key.batch), time, changed));
}

}  // namespace plaq
