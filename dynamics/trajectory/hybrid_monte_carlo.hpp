// Hybrid Monte Carlo (Duane, Kennedy, Pendleton, Roweth, Phys. Lett. B 195 (1987) 216): momenta and
// pseudofermions are drawn, molecular dynamics moves the links, and a Metropolis test with
// dH = H(end) - H(start), H = K(P) + sum of S_i(U), accepts or rejects.
//
// All random numbers are functions of the seed and the number of the trajectory, and H is made of exact sums:
// a chain has the same bits on any process grid, and continues from its links and the number alone.
#pragma once

#include <cstdint>
#include <vector>

#include "core/system/kept_memory.hpp"
#include "dynamics/trajectory/molecular_dynamics.hpp"
#include "dynamics/trajectory/trajectory_report.hpp"

namespace plaq {

struct TrajectoryOptions {
  bool always_accept = false;  // thermalisation; not where dH is not finite
  bool check_reversibility = false;
  MolecularDynamics::Before before = {};  // of each update of the way forward
};

/// dH beyond which a trajectory is rejected whatever the options: the integrator is unstable.
constexpr double unstable_delta_h = 1000;

class HybridMonteCarlo {
 public:
  HybridMonteCarlo(MolecularDynamics dynamics, std::uint64_t seed)
      : dynamics_(std::move(dynamics)), seed_(seed) {}

  int halo_depth() const { return dynamics_.halo_depth(); }
  MolecularDynamics& dynamics() { return dynamics_; }
  const MolecularDynamics& dynamics() const { return dynamics_; }

  /// One trajectory from the links of `space`, whose links are the next ones of the chain afterwards: those
  /// of the end put back on SU(3), or the old ones. If it is interrupted, or fails by another exception than
  /// MdFailure, they are the old ones. Collective.
  TrajectoryReport trajectory(PhaseSpace& space, std::uint32_t number, const TrajectoryOptions& options = {});

 private:
  void run(TrajectoryReport& report, PhaseSpace& space, const TrajectoryOptions& options);
  std::vector<double> energies(const PhaseSpace& space);
  std::vector<std::int64_t> take_iterations();
  Reversibility way_back(PhaseSpace& space, const Field& start, const std::vector<double>& energies_at_start);

  MolecularDynamics dynamics_;
  std::uint64_t seed_;
  MemoryReuse memory_;  // what is made again on other links has the memory of what was there before
};

}  // namespace plaq
