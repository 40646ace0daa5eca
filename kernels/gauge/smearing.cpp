#include "kernels/gauge/smearing.hpp"

#include <cmath>
#include <utility>

#include "core/launch/dispatch.hpp"
#include "core/system/timer.hpp"
#include "kernels/gauge/smearing_launch.hpp"

namespace plaq {

LinkSmearing::LinkSmearing(const ProcessGrid& grid, const Field& like, std::shared_ptr<Transport> transport)
    : work_(like.geometry_ptr(), like.spec()),
      halo_(grid, like.geometry_ptr(), like.spec(), std::move(transport)) {}

// From field to workspace, which then change places.
template <class Launch>
void LinkSmearing::repeat(Field& gauge, int steps, const Queue& queue, const Launch& launch) {
  require(gauge.spec() == work_.spec() && gauge.geometry_ptr() == work_.geometry_ptr(),
          "link smearing was given another kind of field");
  require(steps >= 0, "link smearing was given a negative number of steps");
  for (int step = 0; step < steps; ++step) {
    dispatch(gauge.location(), gauge.precision(), [&](auto kind) { launch(kind, work_); });
    halo_.exchange(work_, queue);
    std::swap(gauge, work_);
    gauge.touch();
  }
}

void LinkSmearing::apply(Field& gauge, const ApeSmearing& ape, int steps, const Queue& queue) {
  require(std::isfinite(ape.alpha), "alpha of APE smearing is not a finite number");
  const ScopedRange range("ape_smearing");
  const ApeCall call{ape.alpha, ape.spatial ? 3 : 4};
  repeat(gauge, steps, queue, [&](auto kind, Field& smeared) {
    using K = decltype(kind);
    SmearingLaunch<typename K::target, typename K::scalar>::ape(gauge, smeared, call, queue);
  });
}

void LinkSmearing::apply(Field& gauge, const StoutSmearing& stout, int steps, const Queue& queue) {
  require(std::isfinite(stout.rho), "rho of stout smearing is not a finite number");
  const ScopedRange range("stout_smearing");
  const StoutCall call{stout.rho, stout.spatial ? 3 : 4};
  repeat(gauge, steps, queue, [&](auto kind, Field& smeared) {
    using K = decltype(kind);
    SmearingLaunch<typename K::target, typename K::scalar>::stout(gauge, smeared, call, queue);
  });
}

}  // namespace plaq
