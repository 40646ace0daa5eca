#include "kernels/gauge/update.hpp"

#include <utility>

#include "core/launch/dispatch.hpp"
#include "core/operator/kernel_work.hpp"
#include "core/system/error.hpp"
#include "core/system/timer.hpp"
#include "kernels/gauge/gauge_action.hpp"
#include "kernels/gauge/gauge_launch.hpp"
#include "kernels/gauge/loop_update_launch.hpp"

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

// Links of one direction and colour: all links once for the staples, and they once more.
Work coloured_work(const Field& gauge, const LoopWeights& weights, int colours) {
  const double sites = static_cast<double>(gauge.geometry().local_volume());
  return {loop_staple_flops(weights) * sites / colours,
          sites * (4 + 1.0 / colours) * 18 * bytes_of(gauge.precision())};
}

bool is_wilson(const LoopWeights& weights) {
  return !weights.has_rectangles() && weights.chair == 0 && weights.plaquette_space == weights.plaquette_time;
}

}  // namespace

QuenchedUpdate::QuenchedUpdate(const ProcessGrid& grid, const Field& like, const UpdateParameters& parameters,
                               std::shared_ptr<Transport> transport)
    : QuenchedUpdate(grid, like, wilson_gauge_action(parameters.beta), parameters.seed,
                     std::move(transport)) {}

QuenchedUpdate::QuenchedUpdate(const ProcessGrid& grid, const Field& like, const LoopWeights& weights,
                               std::uint64_t seed, std::shared_ptr<Transport> transport)
    : weights_(weights), seed_(seed), halo_(grid, like.geometry_ptr(), like.spec(), std::move(transport)) {
  if (is_wilson(weights)) return;
  const Geometry& geometry = like.geometry();
  require(!geometry.any_partitioned() || geometry.halo_depth() >= halo_depth(weights),
          "an update of links whose halo is not as deep as its staples");
  coloured_.emplace(LinkColours(weights, geometry.global()), like.geometry_ptr(), like.location());
}

// Calls launch(Kind, mu, parity) for the links of the Wilson action that are independent of each other.
template <class Launch>
void QuenchedUpdate::sweep_parities(Field& gauge, const char* name, const Queue& queue,
                                    const Launch& launch) {
  for (int parity = 0; parity < 2; ++parity)
    for (int mu = 0; mu < 4; ++mu) {
      record(queue, {name, "link_update", gauge.precision(), 18, 1, false, update_work(gauge)});
      dispatch(gauge.location(), gauge.precision(), [&](auto kind) { launch(kind, mu, parity); });
      halo_.exchange(gauge, queue, {1u << mu, 1u << parity});
    }
  gauge.touch();
}

// Calls launch(Kind, mu, parity, sites) for both parities of the links of each colour and direction.
template <class Launch>
void QuenchedUpdate::sweep_colours(Field& gauge, const char* name, const Queue& queue, const Launch& launch) {
  for (int colour = 0; colour < coloured_->colours(); ++colour)
    for (int mu = 0; mu < 4; ++mu) {
      record(queue, {name, "link_update", gauge.precision(), 18, 1, false,
                     coloured_work(gauge, weights_, coloured_->colours())});
      dispatch(gauge.location(), gauge.precision(), [&](auto kind) {
        for (int parity = 0; parity < 2; ++parity)
          launch(kind, mu, parity, coloured_->domain(mu, colour, parity));
      });
      halo_.exchange(gauge, queue, {1u << mu});
    }
  gauge.touch();
}

void QuenchedUpdate::heatbath_sweep(Field& gauge, std::uint32_t sweep, const Queue& queue) {
  const ScopedRange range("heatbath");
  if (coloured_) {
    const LoopHeatbathCall call{weights_, seed_, sweep};
    return sweep_colours(gauge, "heatbath", queue, [&](auto kind, int mu, int parity, const Domain& sites) {
      using K = decltype(kind);
      launch_loop_heatbath<typename K::target, typename K::scalar>(gauge, call, mu, parity, sites, queue);
    });
  }
  const HeatbathCall call{weights_.plaquette_space, seed_, sweep};
  sweep_parities(gauge, "heatbath", queue, [&](auto kind, int mu, int parity) {
    using K = decltype(kind);
    launch_heatbath<typename K::target, typename K::scalar>(gauge, call, mu, parity, queue);
  });
}

void QuenchedUpdate::overrelaxation_sweep(Field& gauge, const Queue& queue) {
  const ScopedRange range("overrelaxation");
  if (coloured_)
    return sweep_colours(gauge, "overrelaxation", queue,
                         [&](auto kind, int mu, int parity, const Domain& sites) {
                           using K = decltype(kind);
                           launch_loop_overrelaxation<typename K::target, typename K::scalar>(
                               gauge, weights_, mu, parity, sites, queue);
                         });
  sweep_parities(gauge, "overrelaxation", queue, [&](auto kind, int mu, int parity) {
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
