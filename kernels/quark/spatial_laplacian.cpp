#include "kernels/quark/spatial_laplacian.hpp"

#include <utility>

#include "comms/halo/halo_work.hpp"
#include "core/launch/dispatch.hpp"
#include "core/system/error.hpp"
#include "kernels/quark/gaussian_smearing.hpp"

namespace plaq {

SpatialLaplacian::SpatialLaplacian(const ProcessGrid& grid, const Field& gauge, const SpaceSigns& boundary,
                                   Precision precision, const Queue& queue,
                                   std::shared_ptr<Transport> transport)
    : grid_(&grid),
      links_(gauge.geometry_ptr(), gauge_spec(precision, queue.location())),
      transport_(std::move(transport)),
      schedule_(queue, "spatial_laplacian") {
  require(gauge.geometry().halo_depth() == 0, "the Laplacian takes its gauge field without halo");
  copy(links_, with_boundary_signs(gauge, boundary));
}

FieldSpec SpatialLaplacian::spec(int batch) const {
  return spinor_spec(Subset::full, batch, links_.precision(), links_.location());
}

// For each of four color vectors six products of a matrix (66 flops) and a vector, and their sum with the
// vector itself. Links of three directions once for all.
Work SpatialLaplacian::work(int batch) const {
  const double sites = static_cast<double>(geometry()->local_volume());
  const double flops = 4 * (6 * 66 + 5 * 6 + 3 * 6);
  return {sites * batch * flops, sites * bytes_of(links_.precision()) * (3 * 18 + batch * 2 * 24)};
}

void SpatialLaplacian::run(Field& out, const Field& in, bool, const ActiveSet& active) {
  if (active.count() == 0) return;
  const FieldSpec expected = spec(in.subfields());
  for (const Field* field : {static_cast<const Field*>(&out), &in})
    require(field->spec() == expected && field->geometry_ptr() == geometry(),
            "the Laplacian of a field of another kind than its links");
  auto& halo = halos_[in.subfields()];
  if (!halo) {
    const HaloSpec faces = GaussianSmearing::halo_spec(in.subfields(), links_.precision(), links_.location());
    halo = std::make_unique<Halo>(*grid_, geometry(), faces, transport_);
  }
  record(*halo, {{"laplacian", "smearing", in.precision(), 18, active.count(), false, work(active.count())},
                 1,
                 2 * active.count() * site_bytes(in) + 18.0 * bytes_of(links_.precision())});
  LaplacianCall call;
  call.links = &links_;
  call.in = call.add = &in;
  call.out = &out;
  call.halo = halo.get();
  call.active = active;
  call.a = 6;
  call.b = -1;
  dispatch(links_.location(), links_.precision(), [&](auto kind) {
    using K = decltype(kind);
    using Launch = HopLaunch<LaplacianCall, typename K::target, typename K::scalar, 18>;
    const auto on_both = [&](auto&& launch) {
      for (call.parity = 0; call.parity < 2; ++call.parity) launch();
    };
    schedule_.apply(
        *halo, [&](const Queue& queue) { on_both([&] { Launch::pack(call, queue); }); },
        [&](Region region, const Queue& queue) { on_both([&] { Launch::sites(call, region, queue); }); });
  });
}

}  // namespace plaq
