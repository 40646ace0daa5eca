#include "comms/halo/halo_work.hpp"

#include "core/system/dry_run.hpp"

namespace plaq {
namespace {

TraceFaces faces_of(const Halo& halo, int depth) {
  TraceFaces faces;
  if (!halo.exchanges()) return faces;
  const Geometry& geometry = halo.geometry();
  for (int d = 0; d < 8; ++d)
    faces.bytes[static_cast<std::size_t>(d)] = static_cast<double>(halo.face_bytes(d));
  faces.global = geometry.global();
  faces.grid = geometry.decomposition().ranks;
  const auto sites = [&](Region region) {
    return static_cast<double>(geometry.region_bytes(region, Location::device, depth));
  };
  faces.boundary = sites(Region::boundary) / (sites(Region::boundary) + sites(Region::interior));
  return faces;
}

}  // namespace

double site_bytes(const Field& vectors) {
  const bool half = vectors.precision() == Precision::half_precision;
  return vectors.reals_per_site() * bytes_of(vectors.precision()) + (half ? 4 : 0);
}

void record(const Halo& halo, const HaloWork& work) {
  DryRun* run = DryRun::current();
  if (run == nullptr) return;
  TraceStep step = step_of(work.kernel);
  step.faces = faces_of(halo, work.depth);
  for (int mu = 0; mu < 4; ++mu)
    if (halo.exchanges(mu))
      step.faces.packing += static_cast<double>(halo.geometry().local_volume()) / 2 /
                            halo.geometry().local()[static_cast<std::size_t>(mu)] * work.packed_bytes;
  step.faces.fusible = work.fusible;
  run->trace().add(step);
}

void record_exchange(const Geometry& geometry, const KernelWork& copies, int mu, double bytes) {
  DryRun* run = DryRun::current();
  if (run == nullptr) return;
  TraceStep step = step_of(copies);
  step.faces.bytes[static_cast<std::size_t>(2 * mu)] =
      step.faces.bytes[static_cast<std::size_t>(2 * mu + 1)] = bytes;
  step.faces.global = geometry.global();
  step.faces.grid = geometry.decomposition().ranks;
  step.faces.packing = 2 * bytes;
  step.faces.apart = true;
  run->trace().add(step);
}

}  // namespace plaq
