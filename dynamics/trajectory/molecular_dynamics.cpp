#include "dynamics/trajectory/molecular_dynamics.hpp"

#include <algorithm>
#include <set>

#include "comms/communicator/stop_request.hpp"
#include "core/system/error.hpp"
#include "core/system/performance_region.hpp"
#include "dynamics/trajectory_clock.hpp"
#include "kernels/gauge/momenta.hpp"

namespace plaq {
namespace {

std::vector<TimeScale> scales_of(const std::vector<MdLevel>& levels) {
  std::vector<TimeScale> scales;
  for (const MdLevel& level : levels) scales.push_back(level.scale);
  return scales;
}

}  // namespace

MolecularDynamics::MolecularDynamics(std::vector<MdLevel> levels, double length)
    : levels_(std::move(levels)), updates_(md_updates(scales_of(levels_), length)), length_(length) {
  std::set<std::string> names;
  for (std::size_t k = 0; k < levels_.size(); ++k)
    for (const MonomialPtr& monomial : levels_[k].monomials) {
      if (!names.insert(monomial->name()).second)
        throw Error(ErrorKind::job_file, "two terms of the action are called " + monomial->name());
      forces_.push_back({monomial->name(), static_cast<int>(k)});
    }
}

int MolecularDynamics::halo_depth() const {
  int depth = 1;
  for (const Monomial* monomial : monomials()) depth = std::max(depth, monomial->halo_depth());
  return depth;
}

std::vector<Monomial*> MolecularDynamics::monomials() const {
  std::vector<Monomial*> all;
  for (const MdLevel& level : levels_)
    for (const MonomialPtr& monomial : level.monomials) all.push_back(monomial.get());
  return all;
}

void MolecularDynamics::integrate(PhaseSpace& space, std::size_t from, const Before& before) {
  if (prediction_ && from == 0) prediction_->begin();
  for (std::size_t k = from; k < updates_.size(); ++k) {
    interruption_point(space.lattice().grid->comm());
    if (before) before(k);
    if (updates_[k].kind == MdUpdate::Kind::drift) {
      space.drift(updates_[k].step);
      if (prediction_) prediction_->after_drift(updates_[k]);
    } else {
      kick(space, updates_[k]);
    }
  }
}

// The number of the term, and of its record of forces.
std::size_t MolecularDynamics::number_of(const Monomial& monomial) const {
  const auto all = monomials();
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), &monomial) - all.begin());
}

// The forces of a level in the order of its monomials, each on its own: their sizes are recorded.
void MolecularDynamics::kick(PhaseSpace& space, const MdUpdate& update) {
  const Field& momenta = space.momenta();
  if (!force_ || force_.geometry_ptr() != momenta.geometry_ptr())
    force_ = Field(momenta.geometry_ptr(), momenta.spec());
  const auto& monomials = levels_[static_cast<std::size_t>(update.level)].monomials;
  const bool gradient = update.kind == MdUpdate::Kind::gradient_kick;
  if (gradient) {  // the total force moves the links for a moment
    if (!total_) {
      total_ = Field(momenta.geometry_ptr(), momenta.spec());
      kept_links_ = Field(space.links().geometry_ptr(), space.links().spec());
    }
    copy(kept_links_, space.links());
    for (std::size_t k = 0; k < monomials.size(); ++k) {
      const TimedPart part(TrajectoryPart::force, number_of(*monomials[k]));
      const RegionLabel label(monomials[k]->name());
      monomials[k]->force(k == 0 ? total_ : force_, space.links());
      if (k > 0) plaq::kick(total_, force_, -1, space.lattice().queue);
    }
    if (!monomials.empty()) space.drift_along(total_, -update.gradient);
  }
  for (const MonomialPtr& monomial : monomials) {
    const std::size_t number = number_of(*monomial);
    const TimedPart part(TrajectoryPart::force, number);
    {
      const RegionLabel label(monomial->name());
      monomial->force(force_, space.links());
    }
    space.kick(force_, update.step);
    if (prediction_) prediction_->add_force(space, update, force_);
    const ForceSize size = force_size(*space.lattice().grid, force_, space.lattice().queue);
    ForceRecord& record = forces_[number];
    record.count += 1;
    record.mean_square += size.rms * size.rms;
    record.largest = std::max(record.largest, size.largest);
  }
  if (gradient && !monomials.empty()) space.set_links(kept_links_);
  if (prediction_) prediction_->after_kick(space, update);
}

void MolecularDynamics::remember(StateArchive& archive) {
  for (ForceRecord& record : forces_) visit(archive, record);
  bool predicts = prediction_.has_value();
  archive(predicts);
  archive.expect(predicts == prediction_.has_value());
  if (prediction_) prediction_->remember(archive);
}

void MolecularDynamics::predict_delta_h() { prediction_.emplace(scales_of(levels_), length_); }

std::vector<double> MolecularDynamics::predicted_delta_h() const {
  return prediction_ ? prediction_->delta_h() : std::vector<double>();
}

std::vector<ForceRecord> MolecularDynamics::take_forces() {
  std::vector<ForceRecord> taken = forces_;
  for (ForceRecord& record : taken)
    if (record.count > 0) record.mean_square /= static_cast<double>(record.count);
  for (ForceRecord& record : forces_) record = {record.monomial, record.level};
  return taken;
}

}  // namespace plaq
