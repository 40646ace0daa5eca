// Molecular dynamics: links and momenta along a list of updates, by the forces of monomials on time scales.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/integrator/integrator.hpp"
#include "dynamics/monomial/monomial.hpp"
#include "dynamics/trajectory/delta_h_prediction.hpp"
#include "dynamics/trajectory/phase_space.hpp"
#include "dynamics/trajectory/trajectory_report.hpp"

namespace plaq {

using MonomialPtr = std::shared_ptr<Monomial>;

/// A time scale and the terms whose forces act on it.
struct MdLevel {
  TimeScale scale;
  std::vector<MonomialPtr> monomials;
};

class MolecularDynamics {
 public:
  /// Throws Error(job_file) as md_updates() does, and if two monomials have the same name.
  /// @param length  of a trajectory
  MolecularDynamics(std::vector<MdLevel> levels, double length);

  /// Depth of the halo of links that the forces need.
  int halo_depth() const;
  /// All monomials, the outermost level first.
  std::vector<Monomial*> monomials() const;
  const std::vector<MdUpdate>& updates() const { return updates_; }
  const std::vector<MdLevel>& levels() const { return levels_; }

  /// Integrates from update number `from` to the end; if it is not the first one, what was recorded so far of
  /// forces goes on. Before each update is an interruption_point()
  /// (comms/communicator/stop_request.hpp), and `before` is called, if there is one, with the number of the
  /// update; it may throw. Collective.
  using Before = std::function<void(std::size_t update)>;
  void integrate(PhaseSpace& space, std::size_t from = 0, const Before& before = {});

  /// Visits the records of forces so far, after a drift.
  void remember(StateArchive& archive);

  /// Sizes of the forces since the last call, a record for each monomial.
  std::vector<ForceRecord> take_forces();

  /// From here on dH is predicted from the forces, at the cost of two fields and some sums a kick.
  void predict_delta_h();
  /// The prediction of the last integrate(), by level; empty without predict_delta_h().
  std::vector<double> predicted_delta_h() const;

 private:
  void kick(PhaseSpace& space, const MdUpdate& update);
  std::size_t number_of(const Monomial& monomial) const;

  std::vector<MdLevel> levels_;
  std::vector<MdUpdate> updates_;
  double length_;
  std::vector<ForceRecord> forces_;
  Field force_, total_, kept_links_;
  std::optional<DeltaHPrediction> prediction_;
};

}  // namespace plaq
