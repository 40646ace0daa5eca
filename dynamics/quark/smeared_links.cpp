#include "dynamics/quark/smeared_links.hpp"

#include "core/system/error.hpp"
#include "dynamics/trajectory_clock.hpp"

namespace plaq {

SmearedLinks::SmearedLinks(const SharedLattice& lattice, const StoutSmearing& stout, int steps)
    : lattice_(lattice), stout_(stout), steps_(steps) {
  require(steps >= 1, "smeared links have at least one step of smearing");
}

const Field& SmearedLinks::of(const Field& links) {
  if (!levels_.empty() && links_version_.is_of(links)) return levels_.back();
  const TimedPart part(TrajectoryPart::links);
  if (levels_.empty() || levels_.front().geometry_ptr() != links.geometry_ptr()) {
    levels_.clear();
    for (int step = 0; step < steps_; ++step) levels_.emplace_back(links.geometry_ptr(), links.spec());
    smearer_.emplace(*lattice_.grid, links.geometry_ptr(), stout_, lattice_.queue, lattice_.transport);
  }
  const Field* last = &links;
  for (Field& level : levels_) {
    smearer_->smear(level, *last);
    last = &level;
  }
  links_version_ = VersionOf(links);
  return levels_.back();
}

void SmearedLinks::carry_back(Field& force, const Field& links) {
  const TimedPart part(TrajectoryPart::links);
  of(links);
  for (std::size_t step = levels_.size(); step-- > 0;)
    smearer_->carry_back(force, step == 0 ? links : levels_[step - 1]);
}

}  // namespace plaq
