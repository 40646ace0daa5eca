#include "kernels/gauge/smearing.hpp"

#include <cmath>
#include <utility>

#include "core/launch/dispatch.hpp"
#include "core/system/timer.hpp"
#include "kernels/gauge/smearing_launch.hpp"

namespace plaq {

LinkSmearer::LinkSmearer(const ProcessGrid& grid, const Field& like, std::shared_ptr<Transport> transport)
    : grid_(grid),
      transport_(std::move(transport)),
      work_(like.geometry_ptr(), like.spec()),
      halo_(grid, like.geometry_ptr(), like.spec(), transport_) {}

FieldSpec decorated_spec(Precision precision, Location location) {
  FieldSpec spec = gauge_spec(precision, location);
  spec.subfields = decorated_links;
  return spec;
}

LinkSmearer::Decorated::Decorated(const ProcessGrid& grid, const Field& like,
                                  std::shared_ptr<Transport> transport)
    : inner(like.geometry_ptr(), decorated_spec(like.precision(), like.location())),
      outer(like.geometry_ptr(), inner.spec()),
      halo(grid, like.geometry_ptr(), inner.spec(), std::move(transport)) {}

// From field to workspace, which then change places.
template <class Launch>
void LinkSmearer::repeat(Field& gauge, int steps, const Queue& queue, const Launch& launch) {
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

void LinkSmearer::apply(Field& gauge, const ApeSmearing& ape, int steps, const Queue& queue) {
  require(std::isfinite(ape.alpha), "alpha of APE smearing is not a finite number");
  const ScopedRange range("ape_smearing");
  const ApeCall call{ape.alpha, ape.spatial ? 3 : 4};
  repeat(gauge, steps, queue, [&](auto kind, Field& smeared) {
    using K = decltype(kind);
    SmearingLaunch<typename K::target, typename K::scalar>::ape(gauge, smeared, call, queue);
  });
}

void LinkSmearer::apply(Field& gauge, const StoutSmearing& stout, int steps, const Queue& queue) {
  require(std::isfinite(stout.rho), "rho of stout smearing is not a finite number");
  const ScopedRange range("stout_smearing");
  const StoutCall call{stout.rho, stout.spatial ? 3 : 4};
  repeat(gauge, steps, queue, [&](auto kind, Field& smeared) {
    using K = decltype(kind);
    SmearingLaunch<typename K::target, typename K::scalar>::stout(gauge, smeared, call, queue);
  });
}

void LinkSmearer::apply(Field& gauge, const HypSmearing& hyp, int steps, const Queue& queue) {
  require(std::isfinite(hyp.alpha1) && std::isfinite(hyp.alpha2) && std::isfinite(hyp.alpha3),
          "an alpha of HYP smearing is not a finite number");
  const ScopedRange range("hyp_smearing");
  if (!decorated_ && steps > 0) decorated_ = std::make_unique<Decorated>(grid_, work_, transport_);
  repeat(gauge, steps, queue, [&](auto kind, Field& smeared) {
    using K = decltype(kind);
    using Launch = SmearingLaunch<typename K::target, typename K::scalar>;
    auto& [inner, outer, halo] = *decorated_;
    const ExtendedHaloContent all{(1u << decorated_links) - 1, 0x3};
    Launch::hyp(gauge, gauge, inner, {hyp.alpha3, 1, false}, queue);
    halo.exchange(inner, queue, all);
    if (hyp.spatial) return Launch::hyp(gauge, inner, smeared, {hyp.alpha2, 2, true}, queue);
    Launch::hyp(gauge, inner, outer, {hyp.alpha2, 2, false}, queue);
    halo.exchange(outer, queue, all);
    Launch::hyp(gauge, outer, smeared, {hyp.alpha1, 3, false}, queue);
  });
}

}  // namespace plaq
