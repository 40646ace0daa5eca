// Adaptive multigrid as a preconditioner of flexible methods (Clark et al. 2016): made for one operator, used
// for batches of any size.
#pragma once

#include <map>
#include <memory>
#include <tuple>

#include "multigrid/cycle/cycle_in_precision.hpp"
#include "multigrid/hierarchy/hierarchy.hpp"
#include "multigrid/hierarchy/twisted_level.hpp"
#include "multigrid/setup/setup.hpp"

namespace plaq {

class Multigrid final : public ResidualInverse {
 public:
  // Collective. Throws as Hierarchy::build does. Near-null vectors are
  // recorded (MultigridSetup::AfterRound), and not kept.
  Multigrid(std::unique_ptr<LevelOperators> finest, MultigridSettings settings, SetupStart start = {},
            const MultigridSetup::AfterRound& after_round = {});

  // For an operator at another mass, `change` more than that of the one which was set up: near-null vectors
  // stay (MultigridSetup::shift_mass). It works on the same queue. The operator before may go ahead of it by
  // release_finest(), after which nothing else may be asked. Collective.
  void shift_mass(std::unique_ptr<LevelOperators> finest, double change);
  void release_finest();
  // For an operator on links nearby, as shift_mass() for one at another mass: coarse lattices stay those of
  // the links that they were made of (Hierarchy::follow), or are renewed from the vectors of their setup
  // (MultigridSetup::renew).
  void follow(std::unique_ptr<LevelOperators> finest);
  void renew(std::unique_ptr<LevelOperators> finest, SetupStart start,
             const MultigridSetup::AfterRound& after_round = {});
  // Cycles from then on are those of M + i gamma5 (mu_e Pi_e + mu_o Pi_o) for the M that was set up, Pi_e and
  // Pi_o being the projectors on even and odd sites; at first they are those of the finest operators'
  // twist(). What belongs to a twist is made once, and kept until shift_mass(). `finest`: the operators of M
  // with this twist, whose full() is M, when it is first set. It may be left out where mu_o is that of the
  // setup: the even-odd form has i gamma5 times the change of mu_e more. Collective; throws where a coarse
  // matrix is singular.
  void set_twist(const Twist& twist, std::unique_ptr<LevelOperators> finest = nullptr);

  // An approximate inverse of LevelOperators::reduced() of the finest lattice, for vectors of its precision
  // or another one. The first application to a batch of some size and precision makes workspace for it.
  const GeometryPtr& geometry() const override { return finest_->full().geometry(); }
  FieldSpec spec(int batch) const override;
  const Queue& queue() const override { return queue_; }
  Work work(int batch) const override;  // of such a batch, where there was one
  const Field* residual() const override { return last_ != nullptr ? last_->residual() : nullptr; }

  const MultigridSettings& settings() const { return settings_; }
  const SetupReport& report() const { return report_; }
  Hierarchy& hierarchy() { return hierarchy_; }
  const Hierarchy& hierarchy() const { return hierarchy_; }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  CycleInPrecision& cycle(int batch, Precision precision);
  void take(std::unique_ptr<LevelOperators> finest);

  std::unique_ptr<LevelOperators> finest_;
  std::map<Twist, std::unique_ptr<LevelOperators>> twisted_;  // the finest one with each twist
  Twist twist_;
  MultigridSettings settings_;
  Queue queue_;
  FieldSpec spec_;
  Hierarchy hierarchy_;
  MultigridSetup setup_;
  SetupReport report_;
  // By batch, precision and twist.
  std::map<std::tuple<int, Precision, Twist>, std::unique_ptr<CycleInPrecision>> cycles_;
  const CycleInPrecision* last_ = nullptr;  // that was applied
};

}  // namespace plaq
