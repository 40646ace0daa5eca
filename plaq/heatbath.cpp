#include "plaq/heatbath.hpp"

#include <cmath>

#include "comms/grid/shared_lattice.hpp"
#include "kernels/gauge/update.hpp"

namespace plaq {

struct HeatbathChain::Parts {
  Lattice lattice;
  HeatbathSettings settings;
  std::int64_t sweeps;
  Field links;
  QuenchedUpdate update;

  Parts(const GaugeField& gauge, const HeatbathSettings& s, std::int64_t done)
      : lattice(gauge.lattice()),
        settings(s),
        sweeps(done),
        links(with_halo(gauge)),
        update(*lattice.shared().grid, links, {s.beta, s.seed}, lattice.shared().transport) {}
};

namespace {

void expect_possible(const HeatbathSettings& settings) {
  const bool sweeps = settings.heatbath >= 0 && settings.overrelaxation >= 0 &&
                      settings.heatbath + settings.overrelaxation > 0;
  if (!(std::isfinite(settings.beta) && settings.beta > 0) || !sweeps || settings.reunitarize_every < 1)
    throw Error(
        ErrorKind::usage,
        "HeatbathChain: beta and reunitarize_every must be positive, and at least one number of sweeps");
}

}  // namespace

HeatbathChain::HeatbathChain(const GaugeField& gauge, const HeatbathSettings& settings, std::int64_t sweeps) {
  expect_possible(settings);
  parts_ = std::make_unique<Parts>(gauge, settings, sweeps);
}
HeatbathChain::~HeatbathChain() = default;
HeatbathChain::HeatbathChain(HeatbathChain&&) noexcept = default;

void HeatbathChain::update(int sweeps) {
  Parts& p = *parts_;
  const Queue& queue = p.lattice.shared().queue;
  const HeatbathSettings& s = p.settings;
  for (int i = 0; i < sweeps; ++i, ++p.sweeps)
    p.update.compound_sweep(p.links, {s.heatbath, s.overrelaxation, s.reunitarize_every}, p.sweeps, queue);
  queue.synchronize();
}

GaugeField HeatbathChain::gauge() const { return {parts_->lattice, parts_->links}; }
std::int64_t HeatbathChain::sweeps() const { return parts_->sweeps; }
const Lattice& HeatbathChain::lattice() const { return parts_->lattice; }

}  // namespace plaq
