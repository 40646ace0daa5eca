#include "kernels/gauge/gauge_action.hpp"

#include <cmath>
#include <string>

#include "core/launch/dispatch.hpp"
#include "core/operator/kernel_work.hpp"
#include "core/system/error.hpp"
#include "kernels/gauge/gauge_action_launch.hpp"

namespace plaq {
namespace {

void check_action(double beta, double xi, double u_space = 1, double u_time = 1) {
  const auto fail = [](const char* key, double value, const char* rule) {
    throw Error(ErrorKind::job_file, std::string(key) + " of the gauge action is " + std::to_string(value) +
                                         ": it must be " + rule);
  };
  if (!std::isfinite(beta)) fail("beta", beta, "a finite number");
  if (!(xi > 0 && std::isfinite(xi))) fail("the anisotropy", xi, "positive and finite");
  for (const double u : {u_space, u_time})
    if (!(u > 0 && u <= 1.5)) fail("u0", u, "positive and at most 1.5");
}

LoopWeights weighted(double beta, double xi, double c0, double c1) {
  const double space = beta / xi, time = beta * xi;
  return {c0 * space, c0 * time, c1 * space, c1 * time, c1 * time, 0};
}

Work force_work(const Field& gauge, const LoopWeights& weights) {
  const double sites = static_cast<double>(gauge.geometry().local_volume());
  return {sites * 4 * (198 + loop_staple_flops(weights)),
          sites * (4 * 18 * bytes_of(gauge.precision()) + 4 * 8 * bytes_of(Precision::double_precision))};
}

}  // namespace

double loop_staple_flops(const LoopWeights& weights) {
  const double products = 6 * (weights.has_rectangles() ? 11 : 2) + (weights.chair != 0 ? 24 * 4 : 0);
  return products * 198;
}

LoopWeights wilson_gauge_action(double beta, double xi) {
  check_action(beta, xi);
  return weighted(beta, xi, 1, 0);
}

LoopWeights rectangle_gauge_action(double beta, double c1, double xi) {
  check_action(beta, xi);
  if (!std::isfinite(c1)) throw Error(ErrorKind::job_file, "c1 of the gauge action is not a finite number");
  return weighted(beta, xi, 1 - 8 * c1, c1);
}

LoopWeights luscher_weisz_gauge_action(double beta, double u0, int flavours) {
  check_action(beta, 1, u0);
  const double log_u = std::log(u0), square = u0 * u0;
  const double chair = flavours == 0 ? 0.04335 : 0.0433 - 0.0156 * flavours;
  LoopWeights weights = weighted(beta, 1, 1, -(1 - (0.6264 - 1.1746 * flavours) * log_u) / (20 * square));
  weights.chair = beta * chair * log_u / square;
  return weights;
}

LoopWeights anisotropic_gauge_action(double beta, double xi, double u_space, double u_time) {
  check_action(beta, xi, u_space, u_time);
  const double space2 = u_space * u_space, space4 = space2 * space2, time2 = u_time * u_time;
  return {beta / xi * 5 / (3 * space4),
          beta * xi * 4 / (3 * space2 * time2),
          -beta / xi / (12 * space4 * space2),
          -beta * xi / (12 * space4 * time2),
          0,
          0};
}

LoopSums loop_sums(const ProcessGrid& grid, const Field& gauge, bool rectangles, bool chairs,
                   const Queue& queue) {
  SumBuffer sums(gauge.location(), 6);
  sums.clear(queue, 6);
  dispatch(gauge.location(), gauge.precision(), [&](auto kind) {
    using K = decltype(kind);
    launch_loop_sums<typename K::target, typename K::scalar>(gauge, rectangles, chairs, queue, sums);
  });
  auto local = sums.fetch(queue, 6);
  const auto sum = global_sums(grid, local);
  return {sum[0], sum[1], sum[2], sum[3], sum[4], sum[5]};
}

double gauge_action(const ProcessGrid& grid, const Field& gauge, const LoopWeights& weights,
                    const Queue& queue) {
  const auto sums = loop_sums(grid, gauge, weights.has_rectangles(), weights.chair != 0, queue);
  double total = weights.plaquette_space * sums.plaquette_space;
  total += weights.plaquette_time * sums.plaquette_time;
  total += weights.rectangle_space * sums.rectangle_space;
  total += weights.rectangle_one_time * sums.rectangle_one_time;
  total += weights.rectangle_two_times * sums.rectangle_two_times;
  total += weights.chair * sums.chair;
  return -total / 3;
}

void gauge_force(Field& force, const Field& gauge, const LoopWeights& weights, const Queue& queue) {
  require(gauge.precision() == Precision::double_precision && force.geometry_ptr() == gauge.geometry_ptr(),
          "a gauge force is made of links in double precision, on their geometry");
  record(queue, {"gauge_force", "smearing", gauge.precision(), 18, 1, false, force_work(gauge, weights)});
  dispatch(gauge.location(), Precision::double_precision, [&](auto kind) {
    launch_gauge_force<typename decltype(kind)::target, double>(force, gauge, weights, queue);
  });
}

}  // namespace plaq
