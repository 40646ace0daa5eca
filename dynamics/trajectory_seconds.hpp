// Seconds of a trajectory, by its parts.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace plaq {

/// Seconds of a trajectory of hybrid Monte Carlo, each in one part. They are not the same in another run.
struct TrajectorySeconds {
  double links = 0;                 ///< drifts and kicks, smearing, and operators of quarks on new links
  double setups = 0;                ///< setups of multigrid
  double metropolis = 0;            ///< pseudofermions and H at both ends, with their solves, and the test
  double reversibility = 0;         ///< the way back, with all that it takes
  double checkpoint = 0;            ///< states that were kept within the trajectory
  double other = 0;                 ///< what is left
  std::vector<double> forces = {};  ///< of each term, without solves
  std::vector<double> solves = {};  ///< for the forces of each term

  double all() const;                                            ///< their sum
  TrajectorySeconds& operator+=(const TrajectorySeconds& more);  ///< adds each part
};

/// Seconds with their names: "links", ..., "force_NAME" and "solves_NAME".
/// @param terms  names of the terms
std::vector<std::pair<std::string, double>> named_seconds(const TrajectorySeconds& seconds,
                                                          const std::vector<std::string>& terms);

/// Visits all seconds.
template <class Archive>
void visit(Archive& archive, TrajectorySeconds& seconds) {
  for (double* part : {&seconds.links, &seconds.setups, &seconds.metropolis, &seconds.reversibility,
                       &seconds.checkpoint, &seconds.other})
    archive(*part);
  archive(seconds.forces);
  archive(seconds.solves);
}

}  // namespace plaq
