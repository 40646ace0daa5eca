#include "jobs/plan/plan_rates.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"
#include "jobs/dirac/solver_spec.hpp"
#include "jobs/plan/plan_dirac.hpp"
#include "jobs/plan/plan_fixer.hpp"
#include "jobs/rates/operator_rates.hpp"
#include "jobs/rates/stream.hpp"
#include "kernels/dirac/staggered/staggered.hpp"
#include "solvers/krylov/hermitian_cg.hpp"

namespace plaq::jobs {
namespace {

constexpr Precision wide = Precision::double_precision;
constexpr Location host = Location::host;

void append(Helds& to, Helds from) {
  for (auto& held : from) to.push_back(std::move(held));
}

std::string of(const std::string& what, int rhs) {
  return fmt::format("{}, {} right-hand side{}", what, rhs, rhs == 1 ? "" : "s");
}

SolverSpec spec_of_method(const std::string& name) {
  SolverSpec spec;
  const auto found = std::find(std::begin(solver_method_names), std::end(solver_method_names), name);
  require(found != std::end(solver_method_names), "a method of a study has no name");
  spec.method = static_cast<SolverMethod>(found - std::begin(solver_method_names));
  return spec;
}

std::vector<std::string> vectors_of_method(const std::string& name, bool positive) {
  if (positive && name == "cg") return {HermitianCg::vectors.begin(), HermitianCg::vectors.end()};
  return vectors_of(spec_of_method(name));
}

}  // namespace

void pass_stream(Plan& plan) {
  plan.phase("measuring copy and triad");
  const auto geometry = Geometry::create({stream_extents(plan.location())});
  const FieldSpec on_host = spinor_spec(Subset::full, 1, wide, host),
                  spec = spinor_spec(Subset::full, 1, wide, plan.location());
  Helds vectors;
  {
    const auto made = hold_field(plan, "vector as made", *geometry, on_host);
    vectors.push_back(hold_field(plan, "vectors", *geometry, spec, 3));
    pass_copy(plan, *geometry, spec, *geometry, on_host);
  }
  const Helds work = hold_workspace(plan, 1);
}

RatePlan::RatePlan(Plan& plan, const Geometry& geometry, const ActionParameters& parameters)
    : plan_(plan),
      geometry_(geometry),
      parameters_(parameters),
      clover_(false),
      wall_(std::holds_alternative<DomainWallChoice>(parameters)),
      improved_(std::holds_alternative<AsqtadParameters>(parameters)),
      slices_(slices_of(parameters)),
      gauge_(gauge_spec(wide, host)) {
  if (const auto* wilson = std::get_if<WilsonParameters>(&parameters)) clover_ = wilson->has_clover();
  held_.push_back(hold_field(plan_, "random links", geometry_, gauge_));
  if (improved_) append(held_, hold_asqtad_links(plan_, geometry_, gauge_));
}

FieldSpec RatePlan::vectors(Subset subset, Precision precision, int rhs, Location location) const {
  FieldSpec spec = full_spec(parameters_, rhs, location);
  spec.subset = subset;
  spec.precision = precision;
  return spec;
}

Plan::Held RatePlan::hold_vector(const std::string& name, Subset subset, Precision precision, int rhs) {
  return hold_field(plan_, of(name, rhs), geometry_, vectors(subset, precision, rhs, plan_.location()));
}

// random_spinor, random_staggered.
Plan::Held RatePlan::hold_random_vectors(const std::string& name, Subset subset, Precision precision,
                                         int rhs) {
  const bool half = precision == Precision::half_precision;
  if (plan_.location() == host && !half) return hold_vector(name, subset, precision, rhs);
  const FieldSpec on_host = vectors(subset, half ? wide : precision, rhs, host);
  const auto made = hold_field(plan_, of(name + " as made", rhs), geometry_, on_host);
  auto held = hold_vector(name, subset, precision, rhs);
  pass_copy(plan_, geometry_, vectors(subset, precision, rhs, plan_.location()), geometry_, on_host);
  return held;
}

// Where subfields are slices it is a copy of that.
Plan::Held RatePlan::hold_random_vector(const std::string& name, Subset subset, Precision precision,
                                        int rhs) {
  auto subfields = hold_random_vectors(wall_ ? name + ", slice by slice" : name, subset, precision, rhs);
  if (!wall_) return subfields;
  auto held = hold_vector(name, subset, precision, rhs);
  const FieldSpec spec = vectors(subset, precision, rhs, plan_.location());
  pass_copy(plan_, geometry_, spec, geometry_, spec);
  return held;
}

Helds RatePlan::hold_hopping(const LinkStorage& storage) {
  Helds held;
  const std::string name = "links of the operator, " + name_of(storage);
  if (improved_) return hold_stored_asqtad_links(plan_, geometry_, name, storage, links_of_asqtad());
  held.push_back(hold_stored_links(plan_, geometry_, name, storage, gauge_));
  return held;
}

// They are made where the operators run.
FieldSpec RatePlan::links_of_asqtad() const { return gauge_spec(wide, plan_.location()); }

Plan::Held RatePlan::hold_blocks(Subset subset, Precision precision) {
  const FieldSpec to = clover_spec(subset, precision, plan_.location()),
                  from = clover_spec(subset, wide, plan_.location());
  auto held =
      hold_field(plan_, subset == Subset::full ? "clover blocks" : "inverse clover blocks", geometry_, to);
  pass_copy(plan_, geometry_, to, geometry_, from);
  return held;
}

// make_schur.
Helds RatePlan::hold_schur(const LinkStorage& storage, WilsonSchur::Form form, int rhs) {
  Helds held = hold_hopping(storage);
  if (clover_) {
    const GeometryPtr extended = geometry_.extended(1);
    const FieldSpec links = gauge_spec(wide, plan_.location());
    Helds clover;
    {
      const auto stored = hold_field(plan_, "links in the stored gauge", geometry_, links);
      Plan::Held in_double;
      if (storage.reals == 8) in_double = hold_field(plan_, "links in double", geometry_, links);
      pass_copy(plan_, geometry_, links, geometry_, gauge_);
      in_double = Plan::Held();
      clover.push_back(hold_clover(plan_, geometry_, "clover field", links));
    }
    const bool symmetric = form == WilsonSchur::Form::symmetric;
    if (!symmetric) held.push_back(hold_blocks(Subset::full, storage.precision));
    for (int parity = symmetric ? 0 : 1; parity < 2; ++parity) {
      clover.push_back(hold_clover_inverse(plan_, geometry_, parity));
      held.push_back(hold_blocks(subset_of(parity), storage.precision));
    }
  }
  held.push_back(hold_vector("operator, odd sites", Subset::odd, storage.precision, rhs));
  return held;
}

// What a first application leaves.
Helds RatePlan::hold_faces(const LinkStorage& storage, int rhs) {
  const bool wilson = wall_ || std::holds_alternative<WilsonParameters>(parameters_);
  const HaloSpec spec =
      wilson ? WilsonHopping::halo_spec(storage.precision, rhs * slices_, plan_.location())
             : StaggeredHopping::halo_spec(storage.precision, rhs, plan_.location(), improved_);
  Helds held = hold_halo(plan_, of("faces of vectors", rhs), geometry_, spec);
  append(held_, hold_tables(plan_, geometry_, spec.precision));
  if (rhs * slices_ == 1 || (wilson && storage.precision == wide))
    append(held_, hold_fused_orders(plan_, geometry_, spec));
  return held;
}

// check_against_double.
void RatePlan::pass_check(Subset subset, int rhs) {
  const auto found = hold_vector("check, result", subset, wide, rhs);
  const Helds work = hold_workspace(plan_, rhs);
}

void RatePlan::pass_hop_rates(const std::vector<LinkStorage>& storages, int rhs) {
  plan_.phase("measuring the hopping term");
  const auto odd = hold_random_vectors("check, source", Subset::odd, wide, rhs),
             expected = hold_random_vectors("check, result in double", Subset::even, wide, rhs);
  {
    const Helds hop = hold_hopping(wide);
    const Helds work = hold_workspace(plan_, rhs);
    const auto d_odd = hold_vector("check, D x", Subset::even, wide, rhs),
               d_even = hold_vector("check, D y", Subset::odd, wide, rhs);
    const Helds faces = hold_faces(wide, rhs);
  }
  for (const LinkStorage& storage : storages) {
    const Helds hop = hold_hopping(storage);
    const auto in = hold_vector("operator, source", Subset::odd, storage.precision, rhs),
               out = hold_vector("operator, result", Subset::even, storage.precision, rhs);
    Plan::Held rotated;
    if (storage.reals == 8)
      rotated = hold_vector("spinors in the stored gauge", Subset::odd, storage.precision, rhs);
    const Helds faces = hold_faces(storage, rhs);
    if (storage != LinkStorage()) pass_check(Subset::even, rhs);
  }
}

void RatePlan::pass_schur_rates(WilsonSchur::Form form, const std::vector<LinkStorage>& storages, int rhs) {
  plan_.phase("measuring the even-odd operator");
  const Subset subset = subset_of(rated_parity);
  const auto source = hold_random_vector("check, source", subset, wide, rhs),
             expected = hold_vector("check, result in double", subset, wide, rhs);
  {
    const Helds schur = hold_schur(wide, form, rhs);
    const Helds faces = hold_faces(wide, rhs);
    if (wall_) {
      const auto y = hold_random_vector("check, y", subset, wide, rhs),
                 ax = hold_vector("check, A x", subset, wide, rhs),
                 ay = hold_vector("check, A y", subset, wide, rhs);
      const Helds work = hold_workspace(plan_, rhs);
    }
  }
  for (const LinkStorage& storage : storages) {
    const Helds schur = hold_schur(storage, form, rhs);
    const auto in = hold_vector("operator, source", subset, storage.precision, rhs),
               out = hold_vector("operator, result", subset, storage.precision, rhs);
    const Helds faces = hold_faces(storage, rhs);
    pass_check(subset, rhs);
  }
}

void RatePlan::pass_solver_rates(const LinkStorage& storage, const std::vector<std::string>& methods) {
  pass_schur_rates(WilsonSchur::Form::symmetric, {storage}, 1);
  plan_.phase("measuring the solvers");
  const Subset subset = subset_of(rated_parity);
  const Helds schur = hold_schur(storage, WilsonSchur::Form::symmetric, 1);
  const auto b = hold_random_vector("solver, b", subset, storage.precision, 1);
  Helds later;  // what the operator makes when it is first asked
  bool first = true, adjoint = false;
  for (const std::string& method : methods) {
    Helds vectors;
    for (const std::string& name : vectors_of_method(method, positive()))
      vectors.push_back(hold_vector("solver, " + name, subset, storage.precision, 1));
    append(vectors, hold_scalars(plan_, spec_of_method(method), 1));
    append(vectors, hold_batch(plan_, 1));
    for (const char* name : {"solver, x", "solver, r"})
      vectors.push_back(hold_vector(name, subset, storage.precision, 1));
    if (std::exchange(first, false)) append(later, hold_faces(storage, 1));
    if (clover_ && method == "cg" && !std::exchange(adjoint, true))
      later.push_back(hold_vector("adjoint operator, even sites", subset, storage.precision, 1));
  }
}

void RatePlan::pass_method_rate(const std::string& method, const LinkStorage& storage, int rhs) {
  pass_schur_rates(WilsonSchur::Form::symmetric, {storage}, rhs);
  plan_.phase("measuring the solvers");
  const Subset subset = subset_of(rated_parity);
  const Helds schur = hold_schur(storage, WilsonSchur::Form::symmetric, rhs);
  const auto in = hold_random_vector("operator, source", subset, storage.precision, rhs),
             out = hold_vector("operator, result", subset, storage.precision, rhs);
  const auto b = hold_random_vector("solver, b", subset, storage.precision, rhs),
             solution = hold_vector("solver, solution", subset, storage.precision, rhs);
  Helds vectors;
  for (const std::string& name : vectors_of_method(method, positive()))
    vectors.push_back(hold_vector("solver, " + name, subset, storage.precision, rhs));
  append(vectors, hold_scalars(plan_, spec_of_method(method), rhs));
  append(vectors, hold_batch(plan_, rhs));
  for (const char* name : {"solver, x", "solver, r"})
    vectors.push_back(hold_vector(name, subset, storage.precision, rhs));
  append(vectors, hold_faces(storage, rhs));
  if (clover_ && (method == "cg" || method == "cgne"))
    vectors.push_back(hold_vector("adjoint operator, even sites", subset, storage.precision, rhs));
}

void RatePlan::pass_sweep_rates(const std::vector<FixingPrecision>& precisions, int copies) {
  plan_.phase("measuring gauge fixing");
  const FieldSpec links = gauge_spec(wide, plan_.location());
  Plan::Held uploaded;
  if (plan_.location() == Location::device) {
    uploaded = hold_field(plan_, "links that are copied", geometry_, links);
    pass_copy(plan_, geometry_, links, geometry_, gauge_);
  }
  pass_sweep_rate(FixingPrecision::full, copies, links);
  for (const FixingPrecision precision : precisions) pass_sweep_rate(precision, copies, links);
}

void RatePlan::pass_sweep_rate(FixingPrecision precision, int copies, const FieldSpec& links) {
  const Helds fixer =
      hold_gauge_fixer(plan_, geometry_, "of gauge fixing", links, Gauge::landau, precision, copies);
  const FieldSpec g = gauge_fixer_specs(Gauge::landau, precision, copies, plan_.location()).g;
  append(held_, hold_tables(plan_, geometry_, g.precision));
  { const Helds sums = hold_sums(plan_, 2 * copies * geometry_.local()[3]); }
  FieldSpec on_host = g;
  on_host.location = host;
  const auto looked_at = hold_field(plan_, "transformations, to look at", geometry_, on_host);
  pass_copy(plan_, geometry_, on_host, geometry_, g);
}

void pass_accuracy(Plan& plan, const Geometry& geometry, const std::vector<LinkStorage>& storages) {
  plan.phase("comparing with double precision");
  const FieldSpec gauge = gauge_spec(wide, host), spinor = spinor_spec(Subset::even, 1, wide, host);
  Helds held;
  held.push_back(hold_field(plan, "random links", geometry, gauge));
  { const auto others = hold_field(plan, "random links, second factor", geometry, gauge); }
  held.push_back(hold_field(plan, "eta", geometry, spinor));
  const auto apply = [&](const LinkStorage& storage, const std::string& name) {
    const FieldSpec spec = spinor_spec(Subset::even, 1, storage.precision, plan.location());
    Helds links;
    links.push_back(
        hold_stored_links(plan, geometry, "links of the operator, " + name_of(storage), storage, gauge));
    links.push_back(hold_field(plan, "operator, odd sites", geometry,
                               spinor_spec(Subset::odd, 1, storage.precision, plan.location())));
    const auto out = hold_field(plan, "operator, result", geometry, spec);
    auto found = hold_field(plan, name, geometry, spinor);
    {
      const auto in = hold_field(plan, "operator, eta", geometry, spec);
      pass_copy(plan, geometry, spec, geometry, spinor);
      const HaloSpec faces = WilsonHopping::halo_spec(storage.precision, 1, plan.location());
      append(links, hold_halo(plan, of("faces of spinors", 1), geometry, faces));
      append(held, hold_tables(plan, geometry, faces.precision));
      append(held, hold_fused_orders(plan, geometry, faces, false));
    }
    pass_copy(plan, geometry, spinor, geometry, spec);
    return found;
  };
  held.push_back(apply(wide, "M eta in double"));
  for (const LinkStorage& storage : storages) {
    const auto found = apply(storage, "M eta");
    plan.pass({"deviations", 1, field_bytes(geometry, spinor), host, false});
  }
}

}  // namespace plaq::jobs
