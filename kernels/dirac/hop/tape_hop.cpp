#include "kernels/dirac/hop/tape_hop.hpp"

#include "core/system/dry_run.hpp"

namespace plaq {

TapeFaces tape_faces(const Halo& halo, int depth) {
  TapeFaces faces;
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

void tape_hop(const TapedHop& hop, const Halo& halo, const Field& in, int vectors) {
  if (!runs_dry()) return;
  TapeStep step{hop.name,       hop.kernel,     hop.storage.value_or(in.precision()),
                hop.link_reals, vectors,        hop.temporal_gauge,
                hop.work.flops, hop.work.bytes, tape_faces(halo, hop.depth)};
  const bool half = in.precision() == Precision::half_precision;
  const double vector = in.reals_per_site() * bytes_of(in.precision()) + (half ? 4 : 0);
  for (int mu = 0; mu < 4; ++mu)
    if (halo.exchanges(mu))
      step.faces.packing += static_cast<double>(halo.geometry().local_volume()) / 2 /
                            halo.geometry().local()[static_cast<std::size_t>(mu)] *
                            (hop.packed_vectors * vectors * vector + hop.packed_links);
  step.faces.fusible = hop.fusible;
  DryRun::current()->tape().add(step);
}

}  // namespace plaq
