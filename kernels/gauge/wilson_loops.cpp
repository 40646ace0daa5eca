#include "kernels/gauge/wilson_loops.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include "core/launch/dispatch.hpp"
#include "core/operator/kernel_work.hpp"
#include "core/system/error.hpp"
#include "core/system/performance_region.hpp"
#include "core/system/timer.hpp"
#include "kernels/gauge/wilson_loops_launch.hpp"

namespace plaq {
namespace {

// `matrices`: read and written a site.
void record_loops(const Queue& queue, const Field& gauge, const char* name, int matrices) {
  const double bytes =
      static_cast<double>(gauge.geometry().local_volume()) * bytes_of(gauge.precision()) * 18 * matrices;
  record(queue, {name, "smearing", gauge.precision(), 18, 1, false, {0, bytes}});
}

template <class Launch>
void launch_loops(const Field& gauge, const Launch& launch) {
  dispatch(gauge.location(), Precision::double_precision, launch);
}

constexpr ExtendedHaloContent only(std::uint32_t subfields, int mu) { return {subfields, 0x3, 1u << mu}; }

}  // namespace

std::vector<LoopStep> loop_directions(const LoopStep& step) {
  std::vector<LoopStep> found;
  LoopStep sizes = step;
  for (int& size : sizes) size = std::abs(size);
  std::sort(sizes.begin(), sizes.end());
  do {
    for (int signs = 0; signs < 8; ++signs) {
      LoopStep r = sizes;
      for (std::size_t k = 0; k < 3; ++k)
        if ((signs >> k) & 1) r[k] = -r[k];
      if (r > LoopStep{0, 0, 0}) found.push_back(r);
    }
  } while (std::next_permutation(sizes.begin(), sizes.end()));
  std::sort(found.begin(), found.end(), std::greater<>());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// Each hop goes where the path is furthest behind the straight line; of equals the first direction.
std::vector<int> loop_hops(const LoopStep& step) {
  const int length = std::abs(step[0]) + std::abs(step[1]) + std::abs(step[2]);
  LoopStep gone{};
  std::vector<int> hops;
  for (int i = 1; i <= length; ++i) {
    const auto behind = [&](std::size_t k) { return std::abs(step[k]) * i - gone[k] * length; };
    std::size_t next = 0;
    for (std::size_t k = 1; k < 3; ++k)
      if (behind(k) > behind(next)) next = k;
    ++gone[next];
    hops.push_back(static_cast<int>(next) + (step[next] < 0 ? 3 : 0));
  }
  return hops;
}

FieldSpec WilsonLoops::spec(Location location) {
  FieldSpec spec = gauge_spec(Precision::double_precision, location);
  spec.subfields = 2;
  return spec;
}

WilsonLoops::WilsonLoops(const ProcessGrid& grid, const Field& like, std::shared_ptr<Transport> transport)
    : grid_(grid),
      ends_(like.geometry_ptr(), spec(like.location())),
      work_(like.geometry_ptr(), spec(like.location())),
      halo_(grid, like.geometry_ptr(), ends_.spec(), std::move(transport)) {}

void WilsonLoops::hop(const Field& gauge, int hop, const Queue& queue) {
  const int mu = hop % 3;
  halo_.exchange(ends_, queue, only(0x3, mu));
  record_loops(queue, gauge, "loop_hop", 5);
  launch_loops(gauge, [&](auto kind) {
    launch_loop_hop<typename decltype(kind)::target>(gauge, ends_, work_, mu, hop < 3, queue);
  });
  std::swap(ends_, work_);
}

// F of the slice below is in `ends_`, then in the subfields of `work_` by turns.
void WilsonLoops::rise(const Field& gauge, int max_t, const Queue& queue, SumBuffer& sums, int first) {
  LoopRiseCall call{&ends_, &ends_, &work_, 0, 0, true};
  Field* from = &ends_;
  for (int t = 1; t <= max_t; ++t) {
    call.from = from;
    call.keep = t < max_t;
    halo_.exchange(*from, queue, only(1u << call.from_subfield, 3));
    record_loops(queue, gauge, "loop_rise", call.keep ? 5 : 4);
    launch_loops(gauge, [&](auto kind) {
      launch_loop_rise<typename decltype(kind)::target>(gauge, call, queue, sums, first + t - 1);
    });
    from = &work_;
    call.from_subfield = std::exchange(call.to_subfield, 1 - call.to_subfield);
  }
}

std::vector<double> WilsonLoops::operator()(const Field& gauge, const LoopStep& step, int count, int max_t,
                                            const Queue& queue) {
  require(gauge.precision() == Precision::double_precision && gauge.location() == ends_.location() &&
              gauge.geometry_ptr() == ends_.geometry_ptr(),
          "Wilson loops were given another kind of field");
  const auto directions = loop_directions(step);
  require(!directions.empty() && count > 0 && max_t > 0, "Wilson loops without a step or without a size");
  require(count < std::numeric_limits<int>::max() / ExactSum::size / max_t, "too many Wilson loops at once");
  const ScopedRange range("wilson_loops");
  const PerformanceRegion region("Wilson loops");
  SumBuffer sums(gauge.location(), count * max_t);
  sums.clear(queue, count * max_t);
  for (const LoopStep& direction : directions) {
    const std::vector<int> hops = loop_hops(direction);
    launch_loops(gauge,
                 [&](auto kind) { launch_loop_start<typename decltype(kind)::target>(gauge, ends_, queue); });
    for (int n = 0; n < count; ++n) {
      for (auto one = hops.rbegin(); one != hops.rend(); ++one) hop(gauge, *one, queue);
      rise(gauge, max_t, queue, sums, n * max_t);
    }
  }
  auto local = sums.fetch(queue, count * max_t);
  auto averages = global_sums(grid_, local);
  const double scale =
      3 * static_cast<double>(gauge.geometry().global_volume()) * static_cast<double>(directions.size());
  for (double& w : averages) w /= scale;
  return averages;
}

}  // namespace plaq
