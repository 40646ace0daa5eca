// Adaptive multigrid as a preconditioner of flexible methods (Clark et al. 2016): made for one operator, used for batches of
// any size.
#pragma once

#include <map>
#include <memory>

#include "multigrid/cycle/cycle_in_precision.hpp"
#include "multigrid/hierarchy/hierarchy.hpp"
#include "multigrid/setup/setup.hpp"

namespace plaq {

class Multigrid final : public LinearOperator {
 public:
  // Collective. Throws as Hierarchy::build does.
  Multigrid(std::unique_ptr<LevelOperators> finest, MultigridSettings settings, SetupStart start = {},
            const MultigridSetup::AfterRound& after_round = {});

  // For an operator at another mass, `change` more than that of the one which was set up: near-null vectors stay
  // (MultigridSetup::shift_mass). It works on the same queue. The operator before may go ahead of it by leave_finest(), after which nothing else may be
  // asked. Collective.
  void shift_mass(std::unique_ptr<LevelOperators> finest, double change);
  void leave_finest();

  // An approximate inverse of LevelOperators::reduced() of the finest lattice, in its precision. The first application to a
  // batch of some size makes workspace for it.
  const GeometryPtr& geometry() const override { return finest_->full().geometry(); }
  FieldSpec spec(int batch) const override;
  const Queue& queue() const override { return queue_; }
  Work work(int batch) const override;  // of the last cycle of such a batch

  const MultigridSettings& settings() const { return settings_; }
  const SetupReport& report() const { return report_; }
  Hierarchy& hierarchy() { return hierarchy_; }
  const Hierarchy& hierarchy() const { return hierarchy_; }
  const Field& near_null_vectors() const { return setup_.vectors(); }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  CycleInPrecision& cycle(int batch);

  std::unique_ptr<LevelOperators> finest_;
  MultigridSettings settings_;
  Queue queue_;
  FieldSpec spec_;
  Hierarchy hierarchy_;
  MultigridSetup setup_;
  SetupReport report_;
  std::map<int, std::unique_ptr<CycleInPrecision>> cycles_;  // by batch
};

}  // namespace plaq
