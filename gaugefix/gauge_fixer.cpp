#include "gaugefix/gauge_fixer.hpp"

#include <algorithm>
#include <utility>

#include "comms/shell_exchange.hpp"
#include "core/dispatch.hpp"
#include "core/error.hpp"
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
  spec.slots = copies;
  return spec;
}
HaloSpec halo_spec(Gauge kind, FixingPrecision p, int copies, Location location) {
  return {18, copies, of_g(p), location, kind == Gauge::coulomb ? 0x7u : 0xfu};
}
int directions_of(Gauge kind) { return kind == Gauge::coulomb ? 3 : 4; }

}  // namespace

GaugeFixer::GaugeFixer(const ProcessGrid& grid, const Field& gauge, Gauge kind, FixingPrecision precision,
                       int copies, const Queue& queue, std::shared_ptr<Transport> transport, int reals)
    : grid_(&grid),
      gauge_(kind),
      precision_(precision),
      links_(store_links_on_all(grid, gauge, {of_links(precision), reals}, {}, queue)),
      g_(gauge.geometry_ptr(), g_spec(precision, copies, queue.location())),
      halo_(grid, gauge.geometry_ptr(), halo_spec(kind, precision, copies, queue.location()),
            std::move(transport)),
      schedule_(queue, "gauge_fixing") {
  require(gauge.geometry().halo_depth() == 0, "gauge fixing takes its gauge field without halo");
  start_from_unit();
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
  call.halo = &halo_;
  call.functional = gauge_ == Gauge::maximally_abelian ? GaugeFunctional::abelian : GaugeFunctional::trace;
  call.directions = directions_of(gauge_);
  call.parity = parity;
  return call;
}

void GaugeFixer::start_from_unit() {
  Field unit(g_.geometry_ptr(), g_spec(precision_, copies(), Location::host));
  for (int slot = 0; slot < unit.slots(); ++slot)
    for (int parity = 0; parity < 2; ++parity)
      for (int site = 0; site < unit.layout().sites; ++site)
        for (int r = 0; r < 18; ++r) set_real(unit, slot, parity, site, r, r % 8 == 0 ? 1 : 0);
  copy(g_, unit);
}

void GaugeFixer::start_at_random(std::uint64_t seed) {
  dispatch(g_.location(), g_.precision(), [&](auto kind) {
    using K = decltype(kind);
    launch_random_start<typename K::target, typename K::scalar>(g_, seed, queue());
  });
}

// update(target and storages, call, region, queue) of the sites of one parity and the region.
template <class Update>
void GaugeFixer::update_all(Update&& update) {
  with_precision([&](auto kind, auto storage) {
    using Target = typename decltype(kind)::target;
    using L = typename decltype(kind)::scalar;
    using T = typename decltype(storage)::type;
    for (int parity = 0; parity < 2; ++parity) {
      const SweepCall mine = call(parity);
      schedule_.apply(
          halo_, [&](const Queue& q) { launch_gauge_pack<Target, L, T>(mine, q); },
          [&](Region region, const Queue& q) { update(kind, storage, mine, region, q); });
    }
  });
}

void GaugeFixer::sweep(const RelaxationStep& step) {
  require(step.omega >= 1 && step.omega < 2 && step.reflect >= 0 && step.reflect <= 1,
          "overrelaxation takes 1 <= omega < 2, reflections a probability");
  update_all([&](auto kind, auto storage, const SweepCall& mine, Region region, const Queue& q) {
    using K = decltype(kind);
    using T = typename decltype(storage)::type;
    launch_relaxation<typename K::target, typename K::scalar, T>(mine, step, region, q);
  });
}

void GaugeFixer::sweep(const HeatbathStep& step) {
  require(step.temperature > 0, "annealing takes a temperature above 0");
  update_all([&](auto kind, auto storage, const SweepCall& mine, Region region, const Queue& q) {
    using K = decltype(kind);
    using T = typename decltype(storage)::type;
    launch_heatbath<typename K::target, typename K::scalar, T>(mine, step, region, q);
  });
}

void GaugeFixer::project() {
  dispatch(g_.location(), g_.precision(), [&](auto kind) {
    using K = decltype(kind);
    launch_projection<typename K::target, typename K::scalar>(g_, queue());
  });
}

void GaugeFixer::exchange_faces(int parity) {
  if (!halo_.exchanges()) return;
  with_precision([&](auto kind, auto storage) {
    using K = decltype(kind);
    auto request = halo_.begin(queue(), [&](const Queue& q) {
      launch_gauge_pack<typename K::target, typename K::scalar, typename decltype(storage)::type>(
          call(parity), q);
    });
    halo_.finish(std::move(request), queue());
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
      exchange_faces(parity);
      launch_quality<Target, L, T>(call(parity), sums, queue());
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
  FieldSpec spec = g_.spec();
  spec.slots = 1;
  Field one(g_.geometry_ptr(), spec);
  queue().synchronize();
  copy_slot(one, 0, g_, copy);
  spec.precision = Precision::double_precision;
  Field wide(g_.geometry_ptr(), spec);
  plaq::copy(wide, one);
  return wide;
}

void transform_gauge(const ProcessGrid& grid, Field& gauge, const Field& g, const Queue& queue,
                     std::shared_ptr<Transport> transport) {
  constexpr Precision wide = Precision::double_precision;
  const auto extended = gauge.geometry().extended(1);
  Field links(extended, gauge_spec(wide, queue.location())),
      shell(extended, gauge_frame_spec(wide, queue.location()));
  copy(links, gauge);
  copy(shell, g);
  ShellExchange(grid, extended, shell.spec(), std::move(transport)).exchange(shell, queue);
  dispatch(queue.location(), wide,
           [&](auto kind) { launch_transform<typename decltype(kind)::target>(links, shell, queue); });
  queue.synchronize();
  copy(gauge, links);
}

}  // namespace plaq
