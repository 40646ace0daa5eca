#include "gaugefix/run/fixing_settings.hpp"

namespace plaq {

void FixingHistory::add(const HistoryPoint& point) {
  if (offered_++ % stride_ != 0) return;
  if (points_.size() == most_) {
    for (std::size_t i = 0; 2 * i < most_; ++i) points_[i] = points_[2 * i];
    points_.resize((most_ + 1) / 2);
    stride_ *= 2;
    if ((offered_ - 1) % stride_ != 0) return;
  }
  points_.push_back(point);
}

const char* name_of(Gauge gauge) {
  switch (gauge) {
    case Gauge::landau:
      return "Landau";
    case Gauge::coulomb:
      return "Coulomb";
    default:
      return "maximally Abelian";
  }
}

double measured_theta(Gauge gauge, const GaugeQuality& quality) {
  return gauge == Gauge::coulomb ? quality.worst_slice : quality.theta;
}

}  // namespace plaq
