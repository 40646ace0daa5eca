// Numbers of one trajectory of hybrid Monte Carlo.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/trajectory_seconds.hpp"

namespace plaq {

/// Sizes of the forces of a term over the kicks of a trajectory, F = (i/2) F^a lambda^a.
struct ForceRecord {
  std::string monomial;    ///< name of the term
  int level = 0;           ///< number of its time scale, 0 the slowest
  std::int64_t count = 0;  ///< forces computed
  double mean_square = 0;  ///< average of F^a F^a over links and kicks
  double largest = 0;      ///< the largest |F| of a link
};

/// Visits the numbers of a record.
template <class Archive>
void visit(Archive& archive, ForceRecord& record) {
  archive(record.count);
  archive(record.mean_square);
  archive(record.largest);
}

/// A part of the Hamiltonian before and after molecular dynamics.
struct EnergyChange {
  std::string name;           ///< "kinetic", or name of a term
  double start = 0, end = 0;  ///< values
};

/// Deviations after the way back, a second trajectory with reversed momenta.
struct Reversibility {
  double links = 0;   ///< largest |U(back) - U(start)| of a link, root of the sum over matrix elements
  double energy = 0;  ///< |H(back) - H(start)|
};

/// Numbers of a trajectory.
struct TrajectoryReport {
  std::uint32_t number = 0;                    ///< trajectories before it
  double delta_h = 0;                          ///< not a number, or infinite, if molecular dynamics failed
  double acceptance = 0;                       ///< min(1, exp(-dH))
  bool accepted = false;                       ///< result of the Metropolis test
  std::vector<EnergyChange> energies;          ///< kinetic energy and terms, whose sum is H
  std::vector<ForceRecord> forces;             ///< one for each term
  std::vector<double> predicted_delta_h;       ///< dH by time scale, if molecular dynamics predicts it
  std::vector<std::int64_t> iterations;        ///< of the solves of each term, without those of the way back
  std::optional<Reversibility> reversibility;  ///< if it was asked for
  TrajectorySeconds seconds;                   ///< that it took, in the order of the terms
  std::string failure;                         ///< of a solve: the trajectory is rejected; empty: none
};

}  // namespace plaq
