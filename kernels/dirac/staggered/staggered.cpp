#include "kernels/dirac/staggered/staggered.hpp"

#include "comms/grid/grid_choice.hpp"
#include "core/field/field_views.hpp"
#include "core/launch/dispatch.hpp"
#include "core/system/error.hpp"
#include "kernels/dirac/hop/hop_launch.hpp"
#include "kernels/dirac/staggered/staggered_launch.hpp"
#include "kernels/gauge/link_storage_launch.hpp"

namespace plaq {

FatLinks store_fat_links(const ProcessGrid& grid, const Field& fat, Precision precision,
                         const ColorRotation& rotation, const Queue& queue) {
  if (precision != Precision::half_precision)
    return {store_links_on_all(grid, fat, {precision, 18}, rotation, queue), 1};
  Field wide = store_links_on_all(grid, fat, {Precision::double_precision, 18}, rotation, queue);
  return dispatch(wide.location(), wide.precision(), [&](auto kind) -> FatLinks {
    using Target = typename decltype(kind)::target;
    const double largest = global_max(grid, launch_largest_component<Target>(wide, queue));
    if (largest != 0) launch_scale_links<Target>(wide, 1 / largest, queue);  // NaN stay, and are refused
    queue.synchronize();
    return {store_links_on_all(grid, wide, {precision, 18}, {}, queue), largest};
  });
}

namespace {

const char* name_of_hop(const LinkStorage& storage, bool improved) {
  static constexpr const char* names[2][3][3] = {
      {{"staggered_hop single 18", "staggered_hop single 12", "staggered_hop single 8"},
       {"staggered_hop double 18", "staggered_hop double 12", "staggered_hop double 8"},
       {"staggered_hop half 18", "staggered_hop half 12", "staggered_hop half 8"}},
      {{"improved_staggered_hop single 18", "improved_staggered_hop single 12",
        "improved_staggered_hop single 8"},
       {"improved_staggered_hop double 18", "improved_staggered_hop double 12",
        "improved_staggered_hop double 8"},
       {"improved_staggered_hop half 18", "improved_staggered_hop half 12",
        "improved_staggered_hop half 8"}}};
  return names[improved][static_cast<int>(storage.precision)][storage.reconstruction == 18   ? 0
                                                              : storage.reconstruction == 12 ? 1
                                                                                             : 2];
}

}  // namespace

void check_long_hops(const Geometry& geometry) {
  const Decomposition& shared = geometry.decomposition();
  check_slices(shared.ranks, shared.global, least_slices_of_long_hops, shared.forced);
}

StaggeredHopping::StaggeredHopping(const ProcessGrid& grid, const Field& gauge,
                                   const StaggeredParameters& parameters, const LinkStorage& storage,
                                   const Queue& queue, std::shared_ptr<Transport> transport,
                                   int rotated_parity)
    : StaggeredHopping(grid, gauge, nullptr, parameters, storage, queue, std::move(transport),
                       rotated_parity) {}

StaggeredHopping::StaggeredHopping(const ProcessGrid& grid, const Field& fat, const Field& long_links,
                                   const StaggeredParameters& parameters, const LinkStorage& storage,
                                   const Queue& queue, std::shared_ptr<Transport> transport,
                                   int rotated_parity)
    : StaggeredHopping(grid, fat, &long_links, parameters, storage, queue, std::move(transport),
                       rotated_parity) {}

StaggeredHopping::StaggeredHopping(const ProcessGrid& grid, const Field& links, const Field* long_links,
                                   const StaggeredParameters& parameters, const LinkStorage& storage,
                                   const Queue& queue, std::shared_ptr<Transport> transport,
                                   int rotated_parity)
    : parameters_(parameters),
      storage_(storage),
      rotated_(storage.reconstruction == 8 ? fourier_rotation(rotated_parity) : ColorRotation{}),
      halos_(grid, std::move(transport)),
      schedule_(queue, name_of_hop(storage, long_links != nullptr)) {
  require(links.geometry().halo_depth() == 0, "a Dirac operator takes its gauge field without halo");
  if (long_links == nullptr) {
    links_ = store_links_on_all(grid, links, storage, rotation(), queue);
    return;
  }
  require(
      long_links->geometry().halo_depth() == 0 && long_links->geometry().local() == links.geometry().local(),
      "fat and long links of different lattices");
  check_long_hops(links.geometry());
  FatLinks fat = store_fat_links(grid, links, storage.precision, rotation(), queue);
  links_ = std::move(fat.links);
  fat_factor_ = fat.factor;
  long_links_ = store_links_on_all(grid, *long_links, storage, rotation(), queue);
}

HaloSpec StaggeredHopping::halo_spec(Precision precision, int batch, Location location, bool improved,
                                     bool short_faces) {
  HaloSpec spec = hop_halo_spec(6, precision, batch, location, short_faces);
  // kernels/dirac/hop/hop_face_pack.hpp
  spec.layers_ahead = improved ? 3 : 1;
  spec.layers_behind = improved ? 4 : 1;
  return spec;
}

Halo& StaggeredHopping::halo(int batch) {
  return halos_.of(geometry(), halo_spec(precision(), batch, location(), improved(), halos_.short_faces()));
}

HopWeights<double> StaggeredHopping::weights(double coefficient, bool dagger) const {
  HopWeights<double> w;
  for (int d = 0; d < 8; ++d) {
    const double weight = (d % 2 == 0) == dagger ? -coefficient : coefficient;
    const bool global_edge = (geometry()->shape().at_global_edge >> d) & 1u;
    w.inside[d] = weight;
    w.across[d] = global_edge ? weight * parameters_.boundary[static_cast<std::size_t>(d / 2)] : weight;
  }
  return w;
}

void StaggeredHopping::apply(Field& out, const Field& in, int parity, bool dagger, const ActiveSet& active,
                             const StaggeredSum& sum) {
  rotated_.apply(out, in, parity, active, sum, queue(),
                 [&](Field& result, const Field& from, const StaggeredSum& mine) {
                   apply_stored(result, from, parity, dagger, active, mine);
                 });
}

void StaggeredHopping::apply_stored(Field& out, const Field& in, int parity, bool dagger,
                                    const ActiveSet& active, const StaggeredSum& sum) {
  require(active.batch() == in.subfields() && out.subfields() == in.subfields() &&
              (sum.add == nullptr || sum.add->subfields() == in.subfields()),
          "batches of different size in one hopping term");
  if (active.count() == 0) return;
  StaggeredHopCall call;
  call.links = &links_;
  call.long_links = improved() ? &long_links_ : nullptr;
  call.in = &in;
  call.add = sum.add;
  call.out = &out;
  call.halo = &halo(in.subfields());
  call.weights = weights(fat_factor_, dagger);
  call.long_weights = weights(parameters_.naik, dagger);
  call.a = sum.a;
  call.b = sum.b;
  call.parity = parity;
  call.active = active;
  const HaloWork work = halo_work(in, active, sum.add != nullptr);
  dispatch_storage(location(), precision(), [&](auto kind) {
    using K = decltype(kind);
    with_reconstruction(storage_.reconstruction, [&](auto reconstruction) {
      using Launch = HopLaunch<StaggeredHopCall, typename K::target, typename K::scalar, reconstruction()>;
      apply_hop<Launch>(schedule_, halo(in.subfields()), work, call);
    });
  });
}

// A face carries vectors of three slices and products of long ones, where there are any.
HaloWork StaggeredHopping::halo_work(const Field& in, const ActiveSet& active, bool with_add) const {
  const int count = active.count(), reals = storage_.reconstruction;
  const double packed_vectors = improved() ? 6 : 2;
  const double packed_links = (improved() ? 18 + 3 * reals : reals) * bytes_of(precision());
  HaloWork work;
  work.kernel = {name_of_hop(storage_, improved()),
                 improved() ? "improved_hop" : "staggered_hop",
                 in.precision(),
                 reals,
                 count,
                 false,
                 this->work(count, with_add)};
  work.depth = improved() ? 3 : 1;
  work.packed_bytes = packed_vectors * count * site_bytes(in) + packed_links;
  work.fusible = may_be_fused(count);
  return work;
}

Work StaggeredHopping::work(int batch, bool with_add) const {
  const double sites = static_cast<double>(geometry()->local_volume()) / 2;
  const double real = bytes_of(precision());
  const double vector = 6 * real + (precision() == Precision::half_precision ? 4 : 0);
  // Eight links once for each of the two sites that they join, fat ones of 18 reals; each neighbour's vector
  // fetched once, one stored.
  const double links = 8 * real * (storage_.reconstruction + (improved() ? 18 : 0));
  return {sites * batch * ((improved() ? 1146 : 570) + (with_add ? 12 : 0)),
          sites * (links + batch * (with_add ? 3 : 2) * vector)};
}

FieldSpec StaggeredOperator::spec(int batch) const {
  return staggered_spec(Subset::full, batch, hopping_->precision(), hopping_->location());
}

Work StaggeredOperator::work(int batch) const {
  const Work w = hopping_->work(batch, true);
  return {2 * w.flops, 2 * w.bytes};
}

void StaggeredOperator::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  const StaggeredSum sum{hopping_->parameters().mass, &in, 0.5};
  for (int parity = 0; parity < 2; ++parity) hopping_->apply(out, in, parity, dagger, active, sum);
}

}  // namespace plaq
