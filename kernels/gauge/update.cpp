#include "kernels/gauge/update.hpp"

#include <utility>

#include "core/launch/dispatch.hpp"
#include "core/operator/kernel_work.hpp"
#include "core/system/timer.hpp"
#include "kernels/gauge/gauge_launch.hpp"

namespace plaq {

void cold_start(Field& gauge, const Queue& queue) {
  dispatch(gauge.location(), gauge.precision(), [&](auto kind) {
    using K = decltype(kind);
    launch_cold_start<typename K::target, typename K::scalar>(gauge, queue);
  });
  gauge.touch();
}

void hot_start(Field& gauge, std::uint64_t seed, const Queue& queue) {
  dispatch(gauge.location(), gauge.precision(), [&](auto kind) {
    using K = decltype(kind);
    launch_hot_start<typename K::target, typename K::scalar>(gauge, seed, queue);
  });
  gauge.touch();
}

void reunitarize(Field& gauge, const Queue& queue) {
  dispatch(gauge.location(), gauge.precision(), [&](auto kind) {
    using K = decltype(kind);
    launch_reunitarize<typename K::target, typename K::scalar>(gauge, queue);
  });
  gauge.touch();
}

namespace {

// Links of one direction and parity: they and those of their staples once, and they once more.
Work update_work(const Field& gauge) {
  return {0, static_cast<double>(gauge.geometry().local_volume()) * (3 + 0.5 + 0.5 + 0.5) * 18 *
                 bytes_of(gauge.precision())};
}

}  // namespace

QuenchedUpdate::QuenchedUpdate(const ProcessGrid& grid, const Field& like, const UpdateParameters& parameters,
                               std::shared_ptr<Transport> transport)
    : parameters_(parameters), halo_(grid, like.geometry_ptr(), like.spec(), std::move(transport)) {}

// Calls launch(Kind, mu, parity) for every set of independent links.
template <class Launch>
void QuenchedUpdate::sweep_links(Field& gauge, const char* name, const Queue& queue, const Launch& launch) {
  for (int parity = 0; parity < 2; ++parity)
    for (int mu = 0; mu < 4; ++mu) {
      record(queue, {name, "link_update", gauge.precision(), 18, 1, false, update_work(gauge)});
      dispatch(gauge.location(), gauge.precision(), [&](auto kind) { launch(kind, mu, parity); });
      halo_.exchange(gauge, queue, {1u << mu, 1u << parity});
    }
  gauge.touch();
}

void QuenchedUpdate::heatbath_sweep(Field& gauge, std::uint32_t sweep, const Queue& queue) {
  const ScopedRange range("heatbath");
  const HeatbathCall call{parameters_.beta, parameters_.seed, sweep};
  sweep_links(gauge, "heatbath", queue, [&](auto kind, int mu, int parity) {
    using K = decltype(kind);
    launch_heatbath<typename K::target, typename K::scalar>(gauge, call, mu, parity, queue);
  });
}

void QuenchedUpdate::overrelaxation_sweep(Field& gauge, const Queue& queue) {
  const ScopedRange range("overrelaxation");
  sweep_links(gauge, "overrelaxation", queue, [&](auto kind, int mu, int parity) {
    using K = decltype(kind);
    launch_overrelaxation<typename K::target, typename K::scalar>(gauge, mu, parity, queue);
  });
}

void QuenchedUpdate::compound_sweep(Field& gauge, const CompoundSweep& kinds, std::int64_t number,
                                    const Queue& queue) {
  for (std::int64_t i = 0; i < kinds.heatbath; ++i)
    heatbath_sweep(gauge, static_cast<std::uint32_t>(number * kinds.heatbath + i), queue);
  for (std::int64_t i = 0; i < kinds.overrelaxation; ++i) overrelaxation_sweep(gauge, queue);
  if ((number + 1) % kinds.reunitarize_every == 0) reunitarize(gauge, queue);
}

}  // namespace plaq
