#include "gaugefix/run/gauge_fixer.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "comms/halo/extended_halo.hpp"
#include "core/launch/dispatch.hpp"
#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"
#include "gaugefix/sweep/su3_view.hpp"
#include "kernels/gauge/link_storage.hpp"
#include "kernels/gauge/temporal_gauge.hpp"
#include "kernels/gauge/temporal_gauge_launch.hpp"

namespace plaq {
namespace {

Precision of_links(FixingPrecision p) {
  return p == FixingPrecision::full ? Precision::double_precision : Precision::single_precision;
}
Precision of_g(FixingPrecision p) {
  return p == FixingPrecision::single ? Precision::single_precision : Precision::double_precision;
}
FieldSpec g_spec(FixingPrecision p, int copies, Location location) {
  FieldSpec spec = gauge_frame_spec(of_g(p), location);
  spec.subfields = copies;
  spec.compressed_reals = transformation_reals;
  return spec;
}
// Halo for sums in `precision`.
HaloSpec halo_spec(Gauge kind, Precision precision, int copies, Location location) {
  return {sweep_reconstruction, copies, precision, location, kind == Gauge::coulomb ? 0x7u : 0xfu};
}
GaugeFixerSpecs specs_like(const Field& g, Gauge kind, FixingPrecision precision) {
  return gauge_fixer_specs(kind, precision, g.subfields(), g.location());
}
int directions_of(Gauge kind) { return kind == Gauge::coulomb ? 3 : 4; }

}  // namespace

GaugeFixerSpecs gauge_fixer_specs(Gauge kind, FixingPrecision precision, int copies, Location location) {
  GaugeFixerSpecs specs;
  specs.links = gauge_spec(of_links(precision), location, sweep_reconstruction);
  specs.g = g_spec(precision, copies, location);
  specs.halo = halo_spec(kind, of_links(precision), copies, location);
  if (precision == FixingPrecision::mixed)
    specs.quality_halo = halo_spec(kind, of_g(precision), copies, location);
  return specs;
}

GaugeFixer::GaugeFixer(const ProcessGrid& grid, const Field& gauge, Gauge kind, FixingPrecision precision,
                       int copies, const Queue& queue, std::shared_ptr<Transport> transport)
    : grid_(&grid),
      gauge_(kind),
      precision_(precision),
      links_(store_links_on_all(grid, gauge, {of_links(precision), sweep_reconstruction}, {}, queue)),
      g_(gauge.geometry_ptr(), g_spec(precision, copies, queue.location())),
      transport_(std::move(transport)),
      schedule_(queue, "gauge_fixing") {
  require(gauge.geometry().halo_depth() == 0, "gauge fixing takes its gauge field without halo");
  make_halos();
  start_from_unit();
}

void GaugeFixer::make_halos() {
  const auto make = [&](const HaloSpec& spec) {
    return std::make_unique<Halo>(*grid_, g_.geometry_ptr(), spec, transport_);
  };
  const GaugeFixerSpecs specs = specs_like(g_, gauge_, precision_);
  halo_ = make(specs.halo);
  if (specs.quality_halo) quality_halo_ = make(*specs.quality_halo);
}

// use(Kind<Target, L>{}, Storage<T>{}) for the storage of links and the precision of g.
template <class Use>
void GaugeFixer::with_precision(Use&& use) const {
  dispatch(links_.location(), links_.precision(), [&](auto kind) {
    using L = typename decltype(kind)::scalar;
    if constexpr (std::is_same_v<L, float>) {
      if (precision_ == FixingPrecision::single) return use(kind, Storage<float>());
    }
    use(kind, Storage<double>());
  });
}

SweepCall GaugeFixer::call(int parity) {
  SweepCall call;
  call.links = &links_;
  call.g = &g_;
  call.halo = halo_.get();
  call.functional = gauge_ == Gauge::maximally_abelian ? GaugeFunctional::abelian : GaugeFunctional::trace;
  call.directions = directions_of(gauge_);
  call.parity = parity;
  return call;
}

void GaugeFixer::start_from_unit() {
  Field unit(g_.geometry_ptr(), g_spec(precision_, copies(), Location::host));
  on_numbers([&] {
    for (int subfield = 0; subfield < unit.subfields(); ++subfield)
      for (int parity = 0; parity < 2; ++parity)
#pragma omp parallel for schedule(static)
        for (int site = 0; site < unit.layout().sites; ++site)
          for (int r = 0; r < transformation_reals; ++r)
            set_real(unit, subfield, parity, site, r, r % 8 == 0 ? 1 : 0);
  });
  copy(g_, unit);
}

void GaugeFixer::start_at_random(std::uint64_t seed) {
  dispatch(g_.location(), g_.precision(), [&](auto kind) {
    using K = decltype(kind);
    TransformationLaunch<typename K::target, typename K::scalar>::random_start(g_, seed, queue());
  });
}

void GaugeFixer::start_from(int copy, const Field& g) {
  require(copy >= 0 && copy < copies(), "no such gauge copy");
  Field full(g_.geometry_ptr(), gauge_frame_spec(Precision::double_precision, g_.location()));
  queue().synchronize();
  plaq::copy(full, g);
  dispatch(g_.location(), g_.precision(), [&](auto kind) {
    using K = decltype(kind);
    TransformationLaunch<typename K::target, typename K::scalar>::contract(g_, copy, full, queue());
  });
  queue().synchronize();
}

void GaugeFixer::keep(const std::vector<int>& copies) {
  const auto count = static_cast<int>(copies.size());
  require(count > 0, "gauge fixing goes on with one copy at least");
  queue().synchronize();
  Field kept(g_.geometry_ptr(), g_spec(precision_, count, g_.location()));
  for (int k = 0; k < count; ++k) copy_subfield(kept, k, g_, copies[static_cast<std::size_t>(k)]);
  g_ = std::move(kept);
  make_halos();
}

HaloWork GaugeFixer::half_sweep() const {
  const double half = 0.5 * static_cast<double>(g_.geometry().local_volume()) * copies();
  const double links = copies() * sweep_reconstruction * (precision_ == FixingPrecision::full ? 8 : 4);
  return {{"gauge_fixing", "gauge_fixing", g_.precision(), sweep_reconstruction, copies(), false,
           sweep_work(gauge_, precision_, half)},
          1,
          2 * copies() * site_bytes(g_) + links,
          true};
}

template <class Update>
void GaugeFixer::update_all(const Update& update) {
  require(update.is_valid(), Update::wanted);
  with_precision([&](auto kind, auto storage) {
    using Target = typename decltype(kind)::target;
    using L = typename decltype(kind)::scalar;
    using T = typename decltype(storage)::type;
    for (int parity = 0; parity < 2; ++parity) {
      record(*halo_, half_sweep());
      const SweepCall mine = call(parity);
      const auto pack = [&](const Queue& q) { GaugePackLaunch<Target, L, T, L>::run(mine, q); };
      using Launch = SweepLaunch<Target, L, T, Update>;
      schedule_.apply(
          *halo_, pack, [&](Region region, const Queue& q) { Launch::sites(mine, update, region, q); },
          [&](const PeerFlags& flags, const Queue& q) { Launch::fused(mine, update, flags, q); });
    }
  });
}

void GaugeFixer::sweep(const RelaxationStep& step) { update_all(step); }
void GaugeFixer::sweep(const GroupOverrelaxationStep& step) { update_all(step); }
void GaugeFixer::sweep(const HeatbathStep& step) { update_all(step); }

void GaugeFixer::project() {
  dispatch(g_.location(), g_.precision(), [&](auto kind) {
    using K = decltype(kind);
    TransformationLaunch<typename K::target, typename K::scalar>::project(g_, queue());
  });
}

SweepCall GaugeFixer::quality_call(int parity) {
  SweepCall mine = call(parity);
  if (quality_halo_) mine.halo = quality_halo_.get();
  return mine;
}

void GaugeFixer::exchange_quality_faces(int parity) {
  Halo& halo = quality_halo_ ? *quality_halo_ : *halo_;
  if (!halo.exchanges()) return;
  with_precision([&](auto kind, auto storage) {
    using K = decltype(kind);
    using T = typename decltype(storage)::type;
    auto request = halo.begin(queue(), [&](const Queue& q) {
      GaugePackLaunch<typename K::target, typename K::scalar, T, T>::run(quality_call(parity), q);
    });
    halo.finish(std::move(request), queue());
  });
}

std::vector<GaugeQuality> GaugeFixer::quality() {
  const Geometry& geometry = g_.geometry();
  const int slices = geometry.local()[3], all = geometry.global()[3];
  SumBuffer sums(g_.location(), 2 * copies() * slices);
  sums.clear(queue(), sums.capacity());
  with_precision([&](auto kind, auto storage) {
    using Target = typename decltype(kind)::target;
    using L = typename decltype(kind)::scalar;
    using T = typename decltype(storage)::type;
    for (int parity = 0; parity < 2; ++parity) {
      exchange_quality_faces(parity);
      QualityLaunch<Target, L, T>::run(quality_call(parity), sums, queue());
    }
  });
  const auto here = sums.fetch(queue(), sums.capacity());
  std::vector<ExactSum> total(static_cast<std::size_t>(2 * copies() * all));
  for (int copy = 0; copy < copies(); ++copy)
    for (int k = 0; k < 2 * slices; ++k)
      total[static_cast<std::size_t>(2 * (copy * all + geometry.offset()[3]) + k)] =
          here[static_cast<std::size_t>(2 * copy * slices + k)];
  // Slices first, then all of them: both exact.
  std::vector<ExactSum> whole(static_cast<std::size_t>(2 * copies()));
  const auto by_slice = global_sums(*grid_, total);
  for (int copy = 0; copy < copies(); ++copy)
    for (int k = 0; k < 2 * all; ++k)
      whole[static_cast<std::size_t>(2 * copy + k % 2)].merge(
          total[static_cast<std::size_t>(2 * copy * all + k)]);
  const double volume = static_cast<double>(geometry.global_volume()), slice_volume = volume / all;
  const double links = 2 * 3 * directions_of(gauge_);  // each counts for both of its ends
  std::vector<GaugeQuality> quality(static_cast<std::size_t>(copies()));
  for (int copy = 0; copy < copies(); ++copy) {
    auto& mine = quality[static_cast<std::size_t>(copy)];
    const auto c = static_cast<std::size_t>(2 * copy);
    mine.functional = whole[c].round() / (links * volume);
    mine.theta = whole[c + 1].round() / (3 * volume);
    for (int t = 0; t < all; ++t) {
      const auto at = static_cast<std::size_t>(2 * (copy * all + t));
      mine.slice_functional.push_back(by_slice[at] / (links * slice_volume));
      mine.slice_theta.push_back(by_slice[at + 1] / (3 * slice_volume));
    }
    mine.worst_slice = *std::max_element(mine.slice_theta.begin(), mine.slice_theta.end());
  }
  return quality;
}

Field GaugeFixer::transformation(int copy) const {
  require(copy >= 0 && copy < copies(), "no such gauge copy");
  Field full(g_.geometry_ptr(), gauge_frame_spec(Precision::double_precision, g_.location()));
  dispatch(g_.location(), g_.precision(), [&](auto kind) {
    using K = decltype(kind);
    TransformationLaunch<typename K::target, typename K::scalar>::expand(full, g_, copy, queue());
  });
  queue().synchronize();
  return full;
}

void project_transformation(Field& g, const Queue& queue) {
  Field rows(g.geometry_ptr(), g_spec(FixingPrecision::full, 1, g.location()));
  dispatch(g.location(), Precision::double_precision, [&](auto kind) {
    using Target = typename decltype(kind)::target;
    TransformationLaunch<Target, double>::contract(rows, 0, g, queue);
    TransformationLaunch<Target, double>::expand(g, rows, 0, queue);
  });
  queue.synchronize();
}

void transform_gauge(const ProcessGrid& grid, Field& gauge, const Field& g, const Queue& queue,
                     std::shared_ptr<Transport> transport) {
  constexpr Precision wide = Precision::double_precision;
  const auto extended = gauge.geometry().extended(1);
  Field links(extended, gauge_spec(wide, queue.location())),
      extended_halo(extended, gauge_frame_spec(wide, queue.location()));
  copy(links, gauge);
  copy(extended_halo, g);
  ExtendedHalo(grid, extended, extended_halo.spec(), std::move(transport)).exchange(extended_halo, queue);
  dispatch(queue.location(), wide, [&](auto kind) {
    launch_transform<typename decltype(kind)::target>(links, extended_halo, queue);
  });
  queue.synchronize();
  copy(gauge, links);
}

}  // namespace plaq
