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

/// A place of a trajectory from which it can go on: after a drift, on its way forward or back.
struct TrajectoryPlace {
  std::size_t done = 0, updates = 0;  ///< updates of links and momenta that are done, and all
  const Field& start_links;
  std::function<State()> state;  ///< from which TrajectoryOptions::from goes on. Collective
};

struct TrajectoryOptions {
  bool always_accept = false;  // thermalisation; not where dH is not finite
  bool check_reversibility = false;
  MolecularDynamics::Before before = {};                            // of each update of the way forward
  std::function<void(const TrajectoryPlace& place)> at_place = {};  // collective; may throw
  /// State of an earlier run of the same trajectory: it goes on to the same bits, report included, on any
  /// ranks. Pseudofermions are drawn again. For terms whose remember() visits all that their forces need.
  const State* from = nullptr;
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
  /// MdFailure, they are the old ones. Throws Error(input_file) if it cannot go on from a state. Collective.
  TrajectoryReport trajectory(PhaseSpace& space, std::uint32_t number, const TrajectoryOptions& options = {});

 private:
  struct Course;
  void run(Course& course, PhaseSpace& space, const TrajectoryOptions& options);
  void go_forward(Course& course, PhaseSpace& space, const TrajectoryOptions& options);
  void go_back(Course& course, PhaseSpace& space, const TrajectoryOptions& options);
  void integrate(Course& course, PhaseSpace& space, const TrajectoryOptions& options);
  void judge(Course& course, const TrajectoryOptions& options);
  void visit(StateArchive& archive, Course& course, PhaseSpace& space);
  void go_on_from(const State& state, Course& course, PhaseSpace& space);
  std::vector<double> energies(const PhaseSpace& space);
  void add_iterations(Course& course);

  MolecularDynamics dynamics_;
  std::uint64_t seed_;
  MemoryReuse memory_;  // what is made again on other links has the memory of what was there before
};

}  // namespace plaq
