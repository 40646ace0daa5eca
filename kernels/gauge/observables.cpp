#include "kernels/gauge/observables.hpp"

#include <algorithm>
#include <cmath>

#include "core/launch/dispatch.hpp"
#include "kernels/gauge/gauge_launch.hpp"

namespace plaq {
namespace {

// Calls launch(Kind, sums) and returns the `count` sums over all ranks.
template <class Launch>
std::vector<double> summed(const ProcessGrid& grid, const Field& gauge, const Queue& queue, int count,
                           const Launch& launch) {
  SumBuffer sums(gauge.location(), count);
  sums.clear(queue, count);
  dispatch(gauge.location(), gauge.precision(), [&](auto kind) { launch(kind, sums); });
  auto local = sums.fetch(queue, count);
  return global_sums(grid, local);
}

}  // namespace

PlaquetteAverages average_plaquette(const ProcessGrid& grid, const Field& gauge, const Queue& queue) {
  const auto sum = summed(grid, gauge, queue, 2, [&](auto kind, SumBuffer& sums) {
    using K = decltype(kind);
    launch_plaquette<typename K::target, typename K::scalar>(gauge, queue, sums);
  });
  const double planes = 9 * static_cast<double>(gauge.geometry().global_volume());
  return {(sum[0] + sum[1]) / (2 * planes), sum[0] / planes, sum[1] / planes};
}

double average_link_trace(const ProcessGrid& grid, const Field& gauge, const Queue& queue) {
  const auto sum = summed(grid, gauge, queue, 1, [&](auto kind, SumBuffer& sums) {
    using K = decltype(kind);
    launch_link_trace<typename K::target, typename K::scalar>(gauge, queue, sums);
  });
  return sum[0] / (12 * static_cast<double>(gauge.geometry().global_volume()));
}

double unitarity_violation(const ProcessGrid& grid, const Field& gauge, const Queue& queue) {
  std::array<double, 2> squares{};
  dispatch(gauge.location(), gauge.precision(), [&](auto kind) {
    using K = decltype(kind);
    squares = launch_unitarity_violation<typename K::target, typename K::scalar>(gauge, queue);
  });
  const double unitarity = global_max(grid, std::sqrt(squares[0]));
  const double determinant = global_max(grid, std::sqrt(squares[1]));
  return std::isnan(unitarity) || unitarity > determinant ? unitarity : determinant;
}

GaugeObservables measure_gauge(const ProcessGrid& grid, const Field& gauge, const Queue& queue) {
  return {average_plaquette(grid, gauge, queue), average_link_trace(grid, gauge, queue),
          polyakov_loop(grid, gauge, queue), unitarity_violation(grid, gauge, queue)};
}

}  // namespace plaq
