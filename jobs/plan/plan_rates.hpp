// What jobs/rates allocates, in a plan.
#pragma once

#include <string>
#include <vector>

#include "gaugefix/run/gauge_fixer.hpp"
#include "jobs/dirac/action_parameters.hpp"
#include "jobs/plan/plan_parts.hpp"
#include "kernels/dirac/wilson/wilson_schur.hpp"

namespace plaq::jobs {

// stream_bandwidth().
void pass_stream(Plan& plan);

// On one lattice, whose random links are held until this goes. The geometry must be there until the plan
// goes.
class RatePlan {
 public:
  RatePlan(Plan& plan, const Geometry& geometry, const ActionParameters& parameters);

  void pass_hop_rates(const std::vector<LinkStorage>& storages, int rhs);
  void pass_schur_rates(WilsonSchur::Form form, const std::vector<LinkStorage>& storages, int rhs);
  // The operator and a source, then solver_rate() of each method.
  void pass_solver_rates(const LinkStorage& storage, const std::vector<std::string>& methods);
  // One of them with an operator of its own, whose solution is looked at (jobs/scaling).
  void pass_method_rate(const std::string& method, const LinkStorage& storage, int rhs);
  // A GaugeFixer to Landau gauge in double, then in each precision
  // (jobs/scaling/scaled_fixing.hpp).
  void pass_sweep_rates(const std::vector<FixingPrecision>& precisions, int copies);

 private:
  FieldSpec vectors(Subset subset, Precision precision, int rhs, Location location) const;
  Plan::Held hold_random_vectors(const std::string& name, Subset subset, Precision precision, int rhs);
  Plan::Held hold_random_vector(const std::string& name, Subset subset, Precision precision, int rhs);
  Plan::Held hold_vector(const std::string& name, Subset subset, Precision precision, int rhs);
  FieldSpec links_of_asqtad() const;
  bool positive() const { return improved_ || std::holds_alternative<StaggeredParameters>(parameters_); }
  Plan::Held hold_blocks(Subset subset, Precision precision);
  Helds hold_hopping(const LinkStorage& storage);
  Helds hold_schur(const LinkStorage& storage, WilsonSchur::Form form, int rhs);
  Helds hold_faces(const LinkStorage& storage, int rhs);
  void pass_check(Subset subset, int rhs);
  void pass_sweep_rate(FixingPrecision precision, int copies, const FieldSpec& links);

  Plan& plan_;
  const Geometry& geometry_;
  ActionParameters parameters_;
  bool clover_, wall_, improved_;
  int slices_;
  FieldSpec gauge_;
  Helds held_;
};

// AccuracyProblem and its curves.
void pass_accuracy(Plan& plan, const Geometry& geometry, const std::vector<LinkStorage>& storages);

}  // namespace plaq::jobs
