#include "dynamics/trajectory/delta_h_prediction.hpp"

#include <utility>

#include "kernels/gauge/momenta.hpp"

namespace plaq {

DeltaHPrediction::DeltaHPrediction(const std::vector<TimeScale>& scales, double length) {
  const auto squares = mean_square_steps(scales, length);
  for (std::size_t k = 0; k < scales.size(); ++k) scales_.push_back({scales[k], squares[k]});
}

void DeltaHPrediction::begin() {
  for (Scale& scale : scales_) {
    scale.kicks.clear();
    scale.kick.reset();
  }
  time_ = 0;
  in_kick_ = false;
}

void DeltaHPrediction::after_drift(const MdUpdate& update) {
  time_ += update.step;
  for (Scale& scale : scales_) scale.kick.reset();
}

void DeltaHPrediction::add_force(const PhaseSpace& space, const MdUpdate& update, const Field& force) {
  Field& total = scales_[static_cast<std::size_t>(update.level)].force;
  if (!total || total.geometry_ptr() != force.geometry_ptr())
    total = Field(force.geometry_ptr(), force.spec());
  const Queue& queue = space.lattice().queue;
  if (!std::exchange(in_kick_, true)) queue.zero_async(total.data(0, 0), total.bytes());
  kick(total, force, -1, queue);
}

// In the list of updates a kick comes behind those of faster scales at its time, except at the start of a
// trajectory.
void DeltaHPrediction::after_kick(const PhaseSpace& space, const MdUpdate& update) {
  if (!std::exchange(in_kick_, false)) return;  // of no term
  const auto level = static_cast<std::size_t>(update.level);
  const auto product = [&](const Field& x, const Field& y) {
    return algebra_product(*space.lattice().grid, x, y, space.lattice().queue);
  };
  Scale& mine = scales_[level];
  mine.kick = update;
  KickRecord record{time_, product(mine.force, mine.force), 0, product(space.momenta(), mine.force)};
  record.before = record.after + update.step * record.square;
  for (std::size_t faster = level + 1; faster < scales_.size(); ++faster) {
    Scale& other = scales_[faster];
    if (!other.kick) continue;
    const double both = product(other.force, mine.force);
    record.before += other.kick->later * both;
    record.after += other.kick->later * both;
    other.kicks.back().after -= update.step * both;
  }
  mine.kicks.push_back(record);
}

// Forces and kicks since the last drift are none.
void DeltaHPrediction::remember(StateArchive& archive) {
  archive(time_);
  for (Scale& scale : scales_) {
    std::size_t count = scale.kicks.size();
    archive(count);
    if (archive.restores()) scale.kicks.clear();
    for (std::size_t k = 0; k < count; ++k) {
      KickRecord& kick = archive.restores() ? scale.kicks.emplace_back() : scale.kicks[k];
      for (double* number : {&kick.time, &kick.square, &kick.before, &kick.after}) archive(*number);
    }
    if (archive.restores()) scale.kick.reset();
  }
  if (archive.restores()) in_kick_ = false;
}

std::vector<double> DeltaHPrediction::delta_h() const {
  std::vector<double> all;
  for (const Scale& scale : scales_)
    all.push_back(predicted_delta_h(scale.scale, scale.mean_square_step, scale.kicks));
  return all;
}

}  // namespace plaq
