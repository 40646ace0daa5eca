#include "plaq/heatbath.hpp"

#include <cmath>

#include "comms/start/shared_lattice.hpp"
#include "kernels/gauge/gauge_action.hpp"
#include "kernels/gauge/update.hpp"
#include "settings/gauge/gauge_action_table.hpp"
#include "settings/schema/filled_settings.hpp"

namespace plaq {

struct HeatbathChain::Parts {
  Lattice lattice;
  HeatbathSettings settings;
  std::int64_t sweeps;
  Field links;
  QuenchedUpdate update;

  Parts(const GaugeField& gauge, const HeatbathSettings& s, const LoopWeights& weights, std::int64_t done)
      : lattice(gauge.lattice()),
        settings(s),
        sweeps(done),
        links(lattice.shared().geometry->extended(halo_depth(weights)), gauge.field().spec()),
        update(*lattice.shared().grid, links, weights, s.seed, lattice.shared().transport) {
    copy(links, gauge.field());
    update.fill_halo(links, lattice.shared().queue);
  }
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

LoopWeights weights_of(const HeatbathSettings& settings) {
  static const settings::Schema schema{"heatbath",
                                       "Gauge action.",
                                       {{"gauge", "Gauge action.", settings::gauge_action_keys("6.0")}},
                                       {settings::gauge_action_rule()}};
  const settings::GaugeActionKeys keys{settings.action, settings.beta,     settings.c1,
                                       settings.u0,     settings.flavours, settings.anisotropy};
  settings::expect_valid(schema, "HeatbathChain()", keys);
  return settings::loop_weights(keys);
}

}  // namespace

HeatbathChain::HeatbathChain(const GaugeField& gauge, const HeatbathSettings& settings, std::int64_t sweeps) {
  expect_possible(settings);
  parts_ = std::make_unique<Parts>(gauge, settings, weights_of(settings), sweeps);
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
