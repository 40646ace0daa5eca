#include "dynamics/trajectory_seconds.hpp"

#include <algorithm>
#include <numeric>

namespace plaq {
namespace {

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

void add_to(std::vector<double>& values, const std::vector<double>& more) {
  values.resize(std::max(values.size(), more.size()), 0);
  for (std::size_t k = 0; k < more.size(); ++k) values[k] += more[k];
}

}  // namespace

double TrajectorySeconds::all() const {
  return links + setups + metropolis + reversibility + checkpoint + other + sum_of(forces) + sum_of(solves);
}

TrajectorySeconds& TrajectorySeconds::operator+=(const TrajectorySeconds& more) {
  links += more.links;
  setups += more.setups;
  metropolis += more.metropolis;
  reversibility += more.reversibility;
  checkpoint += more.checkpoint;
  other += more.other;
  add_to(forces, more.forces);
  add_to(solves, more.solves);
  return *this;
}

std::vector<std::pair<std::string, double>> named_seconds(const TrajectorySeconds& seconds,
                                                          const std::vector<std::string>& terms) {
  std::vector<std::pair<std::string, double>> named{
      {"links", seconds.links},           {"setups", seconds.setups},
      {"metropolis", seconds.metropolis}, {"reversibility", seconds.reversibility},
      {"checkpoint", seconds.checkpoint}, {"other", seconds.other}};
  for (std::size_t k = 0; k < terms.size() && k < seconds.forces.size(); ++k) {
    named.emplace_back("force_" + terms[k], seconds.forces[k]);
    named.emplace_back("solves_" + terms[k], seconds.solves[k]);
  }
  return named;
}

}  // namespace plaq
