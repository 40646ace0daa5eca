// What jobs/rates allocates, in a plan.
#pragma once

#include <string>
#include <vector>

#include "gaugefix/gauge_fixer.hpp"
#include "jobs/plan/plan_parts.hpp"
#include "kernels/dirac/wilson_parameters.hpp"
#include "kernels/dirac/wilson_schur.hpp"

namespace plaq::jobs {

// stream_bandwidth().
void pass_stream(Plan& plan);

// On one lattice, whose random links are held until this goes. The geometry must be there until the plan
// goes.
class RatePlan {
 public:
  RatePlan(Plan& plan, const Geometry& geometry, const WilsonParameters& parameters);

  void pass_hop_rates(const std::vector<LinkStorage>& storages, int rhs);
  void pass_schur_rates(WilsonSchur::Form form, const std::vector<LinkStorage>& storages, int rhs);
  // The operator and a source, then solver_rate() of each method.
  void pass_solver_rates(const LinkStorage& storage, const std::vector<std::string>& methods);
  // One of them with an operator of its own, whose solution is looked at (jobs/scaling).
  void pass_method_rate(const std::string& method, const LinkStorage& storage, int rhs);
  // A GaugeFixer to Landau gauge, its quality and what is looked at (jobs/scaling/scaled_fixing.hpp).
  void pass_sweep_rate(FixingPrecision precision, int reals, int copies);

 private:
  Plan::Held hold_random_spinor(const std::string& name, Subset subset, Precision precision, int rhs);
  Plan::Held hold_spinor(const std::string& name, Subset subset, Precision precision, int rhs);
  Plan::Held hold_blocks(Subset subset, Precision precision);
  Helds hold_hopping(const LinkStorage& storage);
  Helds hold_schur(const LinkStorage& storage, WilsonSchur::Form form, int rhs);
  Helds hold_faces(const LinkStorage& storage, int rhs);
  void pass_check(Subset subset, int rhs);

  Plan& plan_;
  const Geometry& geometry_;
  bool clover_;
  FieldSpec gauge_;
  Helds held_;
};

// AccuracyProblem and its curves.
void pass_accuracy(Plan& plan, const Geometry& geometry, const std::vector<LinkStorage>& storages);

}  // namespace plaq::jobs
