#include "dynamics/quark/hisq_chain.hpp"

#include <algorithm>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "dynamics/trajectory_clock.hpp"

namespace plaq {

HisqChain::HisqChain(const SharedLattice& lattice, std::vector<double> epsilons, double filter)
    : lattice_(lattice), epsilons_(std::move(epsilons)), filter_(filter) {
  std::sort(epsilons_.begin(), epsilons_.end());
  epsilons_.erase(std::unique(epsilons_.begin(), epsilons_.end()), epsilons_.end());
}

void HisqChain::update(const Field& links) {
  if (smearer_ && links_version_.is_of(links)) return;
  const TimedPart part(TrajectoryPart::links);
  if (!smearer_ || geometry_ != links.geometry_ptr()) {
    const MemoryName name("HISQ links and gradients");
    smearer_.reset();  // before its successor takes memory
    geometry_ = links.geometry_ptr();
    smearer_ = std::make_unique<HisqSmearer>(*lattice_.grid, geometry_, lattice_.geometry, epsilons_, filter_,
                                             lattice_.queue, lattice_.transport);
  }
  smearer_->smear(links);
  links_version_ = VersionOf(links);
}

const Field& HisqChain::fat(double epsilon) const { return made().fat(number_of(epsilon)); }
const Field& HisqChain::naik() const { return made().three(); }

void HisqChain::begin_force() { made().begin_force(); }
Field& HisqChain::fat_gradient(double epsilon) { return made().fat_gradient(number_of(epsilon)); }
Field& HisqChain::naik_gradient() { return made().three_gradient(); }

void HisqChain::finish_force(Field& force, const Field& links) {
  require(smearer_ && links_version_.is_of(links), "a force on HISQ links that are those of other links");
  const TimedPart part(TrajectoryPart::links);
  made().carry_back(force, links);
}

std::int64_t HisqChain::take_filtered() { return smearer_ ? smearer_->take_filtered() : 0; }

HisqSmearer& HisqChain::made() const {
  require(smearer_ != nullptr, "HISQ links before they are made");
  return *smearer_;
}

std::size_t HisqChain::number_of(double epsilon) const {
  const auto found = std::lower_bound(epsilons_.begin(), epsilons_.end(), epsilon);
  require(found != epsilons_.end() && *found == epsilon, "HISQ links of an epsilon that is not one of these");
  return static_cast<std::size_t>(found - epsilons_.begin());
}

}  // namespace plaq
