// A DiracSolver in a plan (jobs/dirac/dirac_solver.cpp, solvers/schur_solve.cpp).
#pragma once

#include <set>
#include <string>

#include "jobs/dirac/action_parameters.hpp"
#include "jobs/dirac/solver_spec.hpp"
#include "jobs/plan/plan_parts.hpp"

namespace plaq::jobs {

std::string name_of_columns(const std::string& what, int columns);

class DiracPlan {
 public:
  // `columns`: right-hand sides that are solved together.
  DiracPlan(Plan& plan, const ActionParameters& parameters, const SolverSpec& spec, int columns);

  FieldSpec fields() const { return full_; }  // of x and b
  FieldSpec quark_fields() const;             // in four dimensions
  // Its constructor, the links being held by the caller; what stays is held until this goes. `shared`: the
  // clover field that the caller holds for several, and its inverses, or nothing without a clover term.
  void make(Helds* shared = nullptr);
  // The first one also makes what is kept; fallbacks are not counted.
  void solve();
  void pass_make_source();  // of b from a source in four dimensions
  void send_messages();     // and what is iterated meanwhile

  Helds hold_clover_field(const std::string& name);

 private:
  // As ModelQuarks.
  enum class Kind { wilson, staggered, asqtad, domain_wall };
  static Kind kind_of(const ActionParameters& parameters);
  FieldSpec vectors(Subset subset, Precision precision) const;
  HaloSpec halo_spec(const LinkStorage& storage, int subfields) const;

  void begin_action();
  void invert_clover(Helds& clover);
  void make_links(const LinkStorage& storage, const std::string& name);
  void make_blocks(const LinkStorage& storage, const std::string& name, bool full, Helds& plain);
  void make_operator(const LinkStorage& storage, const std::string& name, Helds& plain);
  void make_in_temporal_gauge(const LinkStorage& storage, const std::string& name);
  bool has_frame() const;
  bool positive() const;
  Helds hold_solver();
  Plan::Held hold_iterated(const std::string& what, Precision precision) const;
  bool short_faces(const LinkStorage& storage) const;
  void keep_halo(const LinkStorage& storage, const std::string& name, int subfields);
  void keep_rotated(const LinkStorage& storage);

  Plan& plan_;
  const Geometry& geometry_;
  Kind kind_;
  bool clover_, measures_bounds_ = false;
  SolverSpec spec_;
  int columns_, slices_;
  bool even_odd_, fallback_;
  FieldSpec links_, full_;
  std::set<std::string> kept_;  // what a first solve leaves
  Helds held_;
};

// asqtad_links in double of links such as `from`, and StaggeredHopping's of these: what stays.
Helds hold_asqtad_links(Plan& plan, const Geometry& geometry, const FieldSpec& from);
Helds hold_stored_asqtad_links(Plan& plan, const Geometry& geometry, const std::string& name,
                               const LinkStorage& storage, const FieldSpec& from);
// measure_bounds (jobs/dirac/domain_wall_action.hpp) on links such as `from`.
void pass_measuring_bounds(Plan& plan, const Geometry& geometry, const FieldSpec& from);
// Links stored from such as `from` (store_links), a TemporalGauge or a CloverField made of such as `from`,
// one inverse of it: what stays.
Plan::Held hold_stored_links(Plan& plan, const Geometry& geometry, const std::string& name,
                             const LinkStorage& storage, const FieldSpec& from);
struct TemporalGaugePlan {
  Plan::Held g, links;
};
TemporalGaugePlan hold_temporal_gauge(Plan& plan, const Geometry& geometry, const FieldSpec& from);
Plan::Held hold_clover(Plan& plan, const Geometry& geometry, const std::string& name, const FieldSpec& from);
Plan::Held hold_clover_inverse(Plan& plan, const Geometry& geometry, int parity);

}  // namespace plaq::jobs
