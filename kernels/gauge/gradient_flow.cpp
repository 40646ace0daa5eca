#include "kernels/gauge/gradient_flow.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "core/launch/dispatch.hpp"
#include "core/operator/kernel_work.hpp"
#include "core/system/error.hpp"
#include "core/system/performance_region.hpp"
#include "core/system/runs_dry.hpp"
#include "core/system/timer.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/flow_launch.hpp"
#include "kernels/gauge/gauge_action.hpp"
#include "kernels/gauge/observables.hpp"
#include "kernels/gauge/smearing_launch.hpp"
#include "kernels/gauge/smearing_stability.hpp"

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

// Loops of an improved action, and the force of all links, which its flow needs besides.
struct GradientFlow::Improved {
  LoopWeights weights;
  double share;  // of the neighbours' force, kernels/site/improved_flow.hpp
  Field force;
  ExtendedHalo halo;

  Improved(const ProcessGrid& grid, const Field& like, const std::shared_ptr<Transport>& transport,
           FlowAction action)
      : weights(rectangle_gauge_action(1, symanzik_c1)),
        share(action == FlowAction::zeuthen ? 1.0 / 12 : 0),
        force(like.geometry_ptr(), algebra_spec(like.precision(), like.location())),
        halo(grid, like.geometry_ptr(), force.spec(), transport) {}
};

// The start of a step and the X of its first stage.
struct GradientFlow::Kept {
  Field start, first;

  explicit Kept(const Field& like)
      : start(like.geometry_ptr(), like.spec()),
        first(like.geometry_ptr(), algebra_spec(like.precision(), like.location())) {}
};

GradientFlow::GradientFlow(const ProcessGrid& grid, const Field& like, std::shared_ptr<Transport> transport,
                           FlowAction action)
    : grid_(grid),
      action_(action),
      work_(like.geometry_ptr(), like.spec()),
      algebra_(like.geometry_ptr(), algebra_spec(like.precision(), like.location())),
      halo_(grid, like.geometry_ptr(), like.spec(), transport) {
  if (action == FlowAction::wilson) return;
  require(!like.geometry().any_partitioned() || like.geometry().halo_depth() >= flow_halo_depth(action),
          "a flow of links whose halo is not as deep as its staples");
  improved_ = std::make_unique<Improved>(grid, like, transport, action);
}

GradientFlow::~GradientFlow() = default;

namespace {

// Links read and written once, 8 reals of each algebra element where they are kept and where they are read.
Work flow_stage_work(const Field& gauge, int elements) {
  return {0, static_cast<double>(gauge.geometry().local_volume()) * bytes_of(gauge.precision()) *
                 (8 * 18 + 4 * 8 * elements)};
}

Work flow_force_work(const Field& gauge, const LoopWeights& weights) {
  const double sites = static_cast<double>(gauge.geometry().local_volume());
  return {sites * 4 * (198 + loop_staple_flops(weights)), sites * bytes_of(gauge.precision()) * 4 * (18 + 8)};
}

}  // namespace

// From field to workspace, which then change places.
void GradientFlow::stage(Field& gauge, double step, double previous, bool keep, const Queue& queue) {
  const int elements = (previous != 0 ? 1 : 0) + (keep ? 1 : 0) + (improved_ ? 1 : 0);
  const FlowStageCall call{step, previous, keep};
  if (improved_) compute_force(gauge, queue);
  record(queue, {"flow", "smearing", gauge.precision(), 18, 1, false, flow_stage_work(gauge, elements)});
  dispatch(gauge.location(), gauge.precision(), [&](auto kind) {
    using K = decltype(kind);
    using Target = typename K::target;
    using T = typename K::scalar;
    if (improved_)
      FlowLaunch<Target, T>::stage(gauge, improved_->force, work_, algebra_, call, improved_->share, queue);
    else
      SmearingLaunch<Target, T>::flow_stage(gauge, work_, algebra_, call, queue);
  });
  halo_.exchange(work_, queue);
  std::swap(gauge, work_);
}

// The halo of the force is filled as far as the Zeuthen flow reads it: ahead of and behind each link.
void GradientFlow::compute_force(const Field& gauge, const Queue& queue) {
  Improved& improved = *improved_;
  record(queue, {"flow_force", "smearing", gauge.precision(), 18, 1, false,
                 flow_force_work(gauge, improved.weights)});
  dispatch(gauge.location(), gauge.precision(), [&](auto kind) {
    using K = decltype(kind);
    FlowLaunch<typename K::target, typename K::scalar>::force(gauge, improved.force, improved.weights, queue);
  });
  if (improved.share == 0) return;
  for (int mu = 0; mu < 4; ++mu) improved.halo.exchange(improved.force, queue, {1u << mu, 0x3, 1u << mu});
}

// One field X is enough: X0 = Z0/4, X1 = 8/9 Z1 - 17/9 X0, X2 = 3/4 Z2 - X1. `after_first` is called when it
// has X0; at the end it has X1.
template <class AfterFirst>
void GradientFlow::step_with(Field& gauge, double epsilon, const Queue& queue,
                             const AfterFirst& after_first) {
  require(gauge.spec() == work_.spec() && gauge.geometry_ptr() == work_.geometry_ptr(),
          "the gradient flow was given another kind of field");
  const ScopedRange range("gradient_flow");
  stage(gauge, epsilon / 4, 0, true, queue);
  after_first();
  stage(gauge, epsilon * 8 / 9, -17.0 / 9, true, queue);
  stage(gauge, epsilon * 3 / 4, -1, false, queue);
  gauge.touch();
}

void GradientFlow::step(Field& gauge, double epsilon, const Queue& queue) {
  step_with(gauge, epsilon, queue, [] {});
}

namespace {

void copy_all(Field& to, const Field& from, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity) copy_parity(to, from, parity, queue);
}

}  // namespace

double GradientFlow::step_with_error(Field& gauge, double epsilon, const Queue& queue) {
  if (!kept_) kept_ = std::make_unique<Kept>(gauge);
  copy_all(kept_->start, gauge, queue);
  step_with(gauge, epsilon, queue, [&] { copy_all(kept_->first, algebra_, queue); });
  double square = 0;
  dispatch(gauge.location(), gauge.precision(), [&](auto kind) {
    using K = decltype(kind);
    square = FlowLaunch<typename K::target, typename K::scalar>::largest_error(kept_->start, gauge,
                                                                               kept_->first, algebra_, queue);
  });
  return std::sqrt(global_max(grid_, square));
}

void GradientFlow::flow_for(Field& gauge, double length, AdaptiveStep& adaptive, const Queue& queue) {
  constexpr double safety = 0.95, most = 2, least = 0.1, smallest = 1e-9;
  const double largest = largest_flow_step(action_);
  double left = length;
  while (left > 0) {
    const double wanted = std::min(adaptive.step, largest);
    const bool last = left <= wanted * (1 + 1e-9);
    // The last two steps are equal, so that none is tiny.
    const double epsilon = last ? left : std::min(wanted, left / 2);
    const double error =
        by_data(step_with_error(gauge, epsilon, queue), adaptive.tolerance * safety * safety * safety);
    const double ideal = epsilon * safety * std::cbrt(adaptive.tolerance / error);  // the error is of order 3
    adaptive.error = error;
    if (error <= adaptive.tolerance) {
      ++adaptive.taken;
      left = last ? 0 : left - epsilon;
      adaptive.step = std::min({ideal, most * wanted, largest});
      continue;
    }
    ++adaptive.repeated;
    std::swap(gauge, kept_->start);
    gauge.touch();
    adaptive.step = ideal > least * epsilon ? ideal : least * epsilon;
    if (!(adaptive.step > smallest))
      throw Error(ErrorKind::not_converged,
                  "the gradient flow does not reach its tolerance " + std::to_string(adaptive.tolerance) +
                      " with steps of 1e-9: take a larger tolerance, or look for links that are no numbers");
  }
}

std::vector<FlowPoint> GradientFlow::run(Field& gauge, const FlowRun& run, const Queue& queue,
                                         const AtPoint& at_point) {
  const double count = run.t_max / run.step * (1 + 1e-12);
  if (!(run.step > 0 && run.t_max >= 0 && run.measure_interval > 0 && count < 2147483647.0 &&
        run.tolerance.value_or(1) > 0))
    throw Error(ErrorKind::job_file,
                "gradient flow with step " + std::to_string(run.step) + " up to " +
                    std::to_string(run.t_max) + ", measured every " + std::to_string(run.measure_interval) +
                    " steps: step, interval and tolerance must be positive, t_max not negative, and "
                    "the steps fewer than 2147483647");
  require(run.action == action_, "a flow was asked for another action than it was made for");
  const int steps = static_cast<int>(count);
  std::vector<FlowPoint> points;
  const auto measure = [&](int n) {
    points.push_back(measure_flow_point(grid_, gauge, n * run.step, queue));
    if (at_point) at_point(points.back());
  };
  measure(0);
  AdaptiveStep adaptive{run.step, run.tolerance.value_or(0)};
  for (int n = 0; n < steps;) {
    const int next = run.tolerance ? n + std::min(run.measure_interval, steps - n) : n + 1;
    {
      const PerformanceRegion region("step of the gradient flow");
      if (run.tolerance)
        flow_for(gauge, (next - n) * run.step, adaptive, queue);
      else
        step(gauge, run.step, queue);
    }
    n = next;
    if (n % run.measure_interval == 0 || n == steps) measure(n);
  }
  return points;
}

}  // namespace plaq
