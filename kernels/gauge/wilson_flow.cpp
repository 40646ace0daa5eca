#include "kernels/gauge/wilson_flow.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "core/launch/dispatch.hpp"
#include "core/operator/kernel_work.hpp"
#include "core/system/error.hpp"
#include "core/system/performance_region.hpp"
#include "core/system/timer.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/observables.hpp"
#include "kernels/gauge/smearing_launch.hpp"

namespace plaq {

CloverObservables measure_clover(const ProcessGrid& grid, const Field& gauge, const Queue& queue) {
  SumBuffer sums(gauge.location(), 2);
  sums.clear(queue, 2);
  dispatch(gauge.location(), gauge.precision(), [&](auto kind) {
    using K = decltype(kind);
    SmearingLaunch<typename K::target, typename K::scalar>::clover_sums(gauge, queue, sums);
  });
  auto local = sums.fetch(queue, 2);
  const auto sum = global_sums(grid, local);
  // The 24 terms of the sum with eps are eight times three.
  return {sum[0] / static_cast<double>(gauge.geometry().global_volume()),
          sum[1] / (4 * std::numbers::pi * std::numbers::pi)};
}

FlowPoint measure_flow_point(const ProcessGrid& grid, const Field& gauge, double t, const Queue& queue) {
  const auto clover = measure_clover(grid, gauge, queue);
  const double plaquette = 36 * (1 - average_plaquette(grid, gauge, queue).all);
  return {t, plaquette, clover.energy, clover.topological_charge};
}

WilsonFlow::WilsonFlow(const ProcessGrid& grid, const Field& like, std::shared_ptr<Transport> transport)
    : grid_(grid),
      work_(like.geometry_ptr(), like.spec()),
      algebra_(like.geometry_ptr(), algebra_spec(like.precision(), like.location())),
      halo_(grid, like.geometry_ptr(), like.spec(), std::move(transport)) {}

namespace {

// Links read and written once, 8 reals of each algebra element where they are kept and where they are read.
Work stage_work(const Field& gauge, bool reads, bool keeps) {
  return {0, static_cast<double>(gauge.geometry().local_volume()) * bytes_of(gauge.precision()) *
                 (8 * 18 + 4 * 8 * ((reads ? 1 : 0) + (keeps ? 1 : 0)))};
}

}  // namespace

// From field to workspace, which then change places.
void WilsonFlow::stage(Field& gauge, double step, double previous, bool keep, const Queue& queue) {
  record(queue,
         {"flow", "smearing", gauge.precision(), 18, 1, false, stage_work(gauge, previous != 0, keep)});
  dispatch(gauge.location(), gauge.precision(), [&](auto kind) {
    using K = decltype(kind);
    SmearingLaunch<typename K::target, typename K::scalar>::flow_stage(gauge, work_, algebra_,
                                                                       {step, previous, keep}, queue);
  });
  halo_.exchange(work_, queue);
  std::swap(gauge, work_);
}

// One field X is enough: X0 = Z0/4, X1 = 8/9 Z1 - 17/9 X0, X2 = 3/4 Z2 - X1.
void WilsonFlow::step(Field& gauge, double epsilon, const Queue& queue) {
  require(gauge.spec() == work_.spec() && gauge.geometry_ptr() == work_.geometry_ptr(),
          "the Wilson flow was given another kind of field");
  const ScopedRange range("wilson_flow");
  stage(gauge, epsilon / 4, 0, true, queue);
  stage(gauge, epsilon * 8 / 9, -17.0 / 9, true, queue);
  stage(gauge, epsilon * 3 / 4, -1, false, queue);
  gauge.touch();
}

std::vector<FlowPoint> WilsonFlow::run(Field& gauge, const FlowRun& run, const Queue& queue,
                                       const AtPoint& at_point) {
  const double count = run.t_max / run.step * (1 + 1e-12);
  if (!(run.step > 0 && run.t_max >= 0 && run.measure_interval > 0 && count < 2147483647.0))
    throw Error(ErrorKind::job_file,
                "Wilson flow with step " + std::to_string(run.step) + " up to " + std::to_string(run.t_max) +
                    ", measured every " + std::to_string(run.measure_interval) +
                    " steps: step and interval must be positive, t_max not negative, and "
                    "the steps fewer than 2147483647");
  const int steps = static_cast<int>(count);
  std::vector<FlowPoint> points;
  const auto measure = [&](int n) {
    points.push_back(measure_flow_point(grid_, gauge, n * run.step, queue));
    if (at_point) at_point(points.back());
  };
  measure(0);
  for (int n = 1; n <= steps; ++n) {
    {
      const PerformanceRegion region("step of the Wilson flow");
      step(gauge, run.step, queue);
    }
    if (n % run.measure_interval == 0 || n == steps) measure(n);
  }
  return points;
}

namespace {

// The polynomial through `count` samples around number `middle`, or fewer where there are not so many.
class LocalPolynomial {
 public:
  LocalPolynomial(std::span<const double> t, std::span<const double> y, std::size_t before,
                  std::size_t middle, std::size_t count) {
    count_ = std::min(count, t.size());
    std::size_t first = middle > before ? middle - before : 0;
    first = std::min(first, t.size() - count_);
    for (std::size_t i = 0; i < count_; ++i) {
      t_[i] = t[first + i];
      c_[i] = y[first + i];
    }
    for (std::size_t level = 1; level < count_; ++level)  // divided differences
      for (std::size_t i = count_ - 1; i >= level; --i) c_[i] = (c_[i] - c_[i - 1]) / (t_[i] - t_[i - level]);
  }

  struct Value {
    double value, slope;
  };
  Value at(double t) const {
    Value p{0, 0};
    for (std::size_t i = count_; i-- > 0;) {
      p.slope = p.value + (t - t_[i]) * p.slope;
      p.value = c_[i] + (t - t_[i]) * p.value;
    }
    return p;
  }

 private:
  std::size_t count_;
  std::array<double, 5> t_{}, c_{};
};

std::optional<double> first_rise(std::span<const double> t, std::span<const double> y, double target) {
  for (std::size_t i = 0; i + 1 < t.size(); ++i) {
    if (!(y[i] < target && y[i + 1] >= target)) continue;
    const LocalPolynomial cubic(t, y, 1, i, 4);
    double low = t[i], high = t[i + 1];
    for (;;) {  // until no double is between them
      const double middle = low + (high - low) / 2;
      if (!(middle > low && middle < high)) return high;
      (cubic.at(middle).value < target ? low : high) = middle;
    }
  }
  return std::nullopt;
}

std::vector<double> squared_times_energy(std::span<const double> t, std::span<const double> energy) {
  require(t.size() == energy.size(), "flow times and energies differ in number");
  for (std::size_t i = 1; i < t.size(); ++i) require(t[i] > t[i - 1], "flow times do not ascend");
  std::vector<double> y(t.size());
  for (std::size_t i = 0; i < t.size(); ++i) y[i] = t[i] * t[i] * energy[i];
  return y;
}

}  // namespace

std::optional<double> find_t0(std::span<const double> t, std::span<const double> energy, double target) {
  return first_rise(t, squared_times_energy(t, energy), target);
}

std::optional<double> find_w0(std::span<const double> t, std::span<const double> energy, double target) {
  const auto y = squared_times_energy(t, energy);
  if (t.size() < 2) return std::nullopt;
  std::vector<double> w(t.size());
  for (std::size_t i = 0; i < t.size(); ++i) w[i] = t[i] * LocalPolynomial(t, y, 2, i, 5).at(t[i]).slope;
  const auto found = first_rise(t, w, target);
  if (!found) return std::nullopt;
  return std::sqrt(*found);
}

}  // namespace plaq
