// The prediction of dH of a trajectory from its forces (dynamics/integrator/integration_error.hpp), which
// molecular dynamics tells of each of its updates.
#pragma once

#include <optional>
#include <vector>

#include "dynamics/integrator/integration_error.hpp"
#include "dynamics/trajectory/phase_space.hpp"
#include "io/state/state_archive.hpp"

namespace plaq {

class DeltaHPrediction {
 public:
  DeltaHPrediction(const std::vector<TimeScale>& scales, double length);

  /// Forgets what it was told.
  void begin();
  void after_drift(const MdUpdate& update);
  /// The force of one term of a kick.
  void add_force(const PhaseSpace& space, const MdUpdate& update, const Field& force);
  /// The momenta have all forces of the kick. Collective.
  void after_kick(const PhaseSpace& space, const MdUpdate& update);

  /// Visits all of it, after a drift.
  void remember(StateArchive& archive);

  /// dH of the trajectory by each time scale; 0 for one of fourth order.
  std::vector<double> delta_h() const;

 private:
  struct Scale {
    TimeScale scale;
    double mean_square_step = 0;
    std::vector<KickRecord> kicks = {};
    Field force = {};                   // of its last kick
    std::optional<MdUpdate> kick = {};  // since the last drift
  };
  std::vector<Scale> scales_;
  double time_ = 0;
  bool in_kick_ = false;
};

}  // namespace plaq
