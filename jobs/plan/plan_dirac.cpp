#include "jobs/plan/plan_dirac.hpp"

#include <fmt/format.h>

#include "jobs/dirac/wilson_action.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/dirac/staggered/staggered.hpp"
#include "kernels/gauge/observables.hpp"
#include "kernels/gauge/temporal_gauge.hpp"
#include "solvers/eigen/singular_range.hpp"
#include "solvers/krylov/hermitian_cg.hpp"

namespace plaq::jobs {
namespace {

const LinkStorage exact(Precision::double_precision, 18);

void append(Helds& to, Helds from) {
  for (auto& held : from) to.push_back(std::move(held));
}

}  // namespace

std::string name_of_columns(const std::string& what, int columns) {
  return fmt::format("{}, {} column{}", what, columns, columns == 1 ? "" : "s");
}

DiracPlan::Kind DiracPlan::kind_of(const ActionParameters& parameters) {
  constexpr Kind kinds[] = {Kind::wilson, Kind::staggered, Kind::asqtad, Kind::domain_wall};
  return kinds[parameters.index()];
}

DiracPlan::DiracPlan(Plan& plan, const ActionParameters& parameters, const SolverSpec& spec, int columns)
    : plan_(plan),
      geometry_(*plan.geometry()),
      kind_(kind_of(parameters)),
      clover_(kind_ == Kind::wilson && std::get<WilsonParameters>(parameters).has_clover()),
      spec_(spec),
      columns_(columns),
      slices_(slices_of(parameters)),
      even_odd_(spec.preconditioning != Preconditioning::none),
      fallback_(attempts_of(spec).size() > 1),
      links_(gauge_spec(Precision::double_precision, plan.location())) {
  full_ = vectors(Subset::full, Precision::double_precision);
  if (const auto* wall = std::get_if<DomainWallChoice>(&parameters))
    measures_bounds_ = wall->measures_bounds();
}

FieldSpec DiracPlan::vectors(Subset subset, Precision precision) const {
  if (kind_ == Kind::domain_wall)
    return five_dimensional_spec(subset, columns_, slices_, precision, plan_.location());
  if (kind_ == Kind::wilson) return spinor_spec(subset, columns_, precision, plan_.location());
  return staggered_spec(subset, columns_, precision, plan_.location());
}

FieldSpec DiracPlan::quark_fields() const {
  if (kind_ != Kind::domain_wall) return full_;
  return spinor_spec(Subset::full, columns_, Precision::double_precision, plan_.location());
}

HaloSpec DiracPlan::halo_spec(const LinkStorage& storage, int subfields) const {
  const bool short_ones = short_faces(storage);
  if (kind_ == Kind::wilson || kind_ == Kind::domain_wall)
    return WilsonHopping::halo_spec(storage.precision, subfields, plan_.location(), short_ones);
  return StaggeredHopping::halo_spec(storage.precision, subfields, plan_.location(), kind_ == Kind::asqtad,
                                     short_ones);
}

// StaggeredAction, DomainWallAction: what they keep beside their operators.
void DiracPlan::begin_action() {
  if (kind_ == Kind::staggered) {
    held_.push_back(hold_field(plan_, "thin links", geometry_, links_));
    pass_copy(plan_, geometry_, links_, geometry_, links_);
  }
  if (kind_ == Kind::asqtad) append(held_, hold_asqtad_links(plan_, geometry_, links_));
  if (measures_bounds_) pass_measuring_bounds(plan_, geometry_, links_);
}

void DiracPlan::make(Helds* shared) {
  plan_.phase("making the operator");
  Helds own;
  if (clover_ && shared == nullptr) own = hold_clover_field("clover field");
  Helds& plain = shared != nullptr ? *shared : own;
  begin_action();
  make_links(exact, "links of the check in double");
  make_blocks(exact, "clover term of the check", true, plain);
  if (kind_ == Kind::domain_wall)
    held_.push_back(hold_field(plan_, name_of_columns("check, between", columns_), geometry_, full_));
  if (spec_.outer != exact) make_links(spec_.outer, "links of the operator");
  make_operator(spec_.outer, "operator", plain);
  if (has_frame()) {  // as nearly all links are of SU(3)
    make_in_temporal_gauge(spec_.inner, "inner operator");
  } else if (const LinkStorage& inner = iterated_storage(spec_); inner != spec_.outer) {
    make_links(inner, "links of the inner operator");
    make_operator(inner, "inner operator", plain);
  }
  own.clear();
  if (!fallback_) return append(held_, hold_solver());
  append(held_, hold_batch(plan_, columns_));
  held_.push_back(hold_iterated("fallbacks, best x", spec_.outer.precision));
}

// CloverField: its term stays.
Helds DiracPlan::hold_clover_field(const std::string& name) {
  Helds held;
  held.push_back(hold_clover(plan_, geometry_, name, links_));
  return held;
}

// Those inverses that are not there yet.
void DiracPlan::invert_clover(Helds& clover) {
  const std::size_t needed = spec_.preconditioning == Preconditioning::even_odd              ? 2
                             : spec_.preconditioning == Preconditioning::even_odd_asymmetric ? 1
                                                                                             : 0;
  while (clover.size() < 1 + needed) clover.push_back(hold_clover_inverse(plan_, geometry_, 0));
}

// Whether cg is that of a Hermitian positive operator.
bool DiracPlan::positive() const {
  return even_odd_ && (kind_ == Kind::staggered || kind_ == Kind::asqtad) && spec_.method == SolverMethod::cg;
}

bool DiracPlan::has_frame() const {
  return has_temporal_gauge(spec_) && (kind_ == Kind::wilson || kind_ == Kind::domain_wall);
}

void DiracPlan::make_links(const LinkStorage& storage, const std::string& name) {
  if (kind_ == Kind::asqtad)
    return append(held_, hold_stored_asqtad_links(plan_, geometry_, name, storage, links_));
  held_.push_back(hold_stored_links(plan_, geometry_, name, storage, links_));
}

// make_clover_blocks.
void DiracPlan::make_blocks(const LinkStorage& storage, const std::string& name, bool full, Helds& plain) {
  if (!clover_) return;
  Helds own;
  if (storage.reals == 8) {
    const auto rotated = hold_field(plan_, "links in the stored gauge", geometry_, links_);
    plan_.pass({"links in double", 1, field_bytes(geometry_, links_), plan_.location()});
    own = hold_clover_field("clover field in the stored gauge");
  }
  Helds& clover = storage.reals == 8 ? own : plain;
  const auto hold = [&](Subset subset, const char* what) {
    const FieldSpec to = clover_spec(subset, storage.precision, plan_.location()),
                    from = clover_spec(subset, Precision::double_precision, plan_.location());
    held_.push_back(hold_field(plan_, fmt::format("{}, {}", name, what), geometry_, to));
    pass_copy(plan_, geometry_, to, geometry_, from);
  };
  if (full || spec_.preconditioning != Preconditioning::even_odd) hold(Subset::full, "blocks");
  if (full) return;
  if (even_odd_) invert_clover(clover);
  if (spec_.preconditioning == Preconditioning::even_odd) hold(Subset::even, "inverse blocks");
  if (even_odd_) hold(Subset::odd, "inverse blocks");
}

void DiracPlan::make_operator(const LinkStorage& storage, const std::string& name, Helds& plain) {
  make_blocks(storage, name, false, plain);
  if (!even_odd_ && kind_ == Kind::domain_wall)
    held_.push_back(hold_field(plan_, name_of_columns(name + ", between", columns_), geometry_,
                               vectors(Subset::full, storage.precision)));
  if (!even_odd_) return;
  held_.push_back(hold_field(plan_, name_of_columns(name + ", odd sites", columns_), geometry_,
                             vectors(Subset::odd, storage.precision)));
}

void DiracPlan::make_in_temporal_gauge(const LinkStorage& storage, const std::string& name) {
  auto fixed = hold_temporal_gauge(plan_, geometry_, links_);
  held_.push_back(std::move(fixed.g));
  make_links(storage, "links of the " + name);
  Helds clover;
  if (clover_) clover = hold_clover_field("clover field in temporal gauge");
  make_operator(storage, name, clover);
}

Plan::Held DiracPlan::hold_iterated(const std::string& what, Precision precision) const {
  return hold_field(plan_, name_of_columns(what, columns_), geometry_,
                    vectors(even_odd_ ? Subset::even : Subset::full, precision));
}

// KrylovSolver, ReliableUpdates, DefectCorrection.
Helds DiracPlan::hold_solver() {
  Helds held = hold_batch(plan_, columns_);
  const Precision outer = spec_.outer.precision, inner = iterated_storage(spec_).precision;
  const auto hold = [&](const std::string& name, Precision precision) {
    held.push_back(hold_iterated("solver, " + name, precision));
  };
  hold("r", outer);
  if (spec_.scheme == MixedScheme::reliable_updates) {
    hold("inner x", inner);
    hold("inner r", inner);
  } else if (spec_.scheme == MixedScheme::defect_correction) {
    hold("inner b", inner);
    hold("inner x", inner);
    append(held, hold_batch(plan_, columns_));
    hold("inner r", inner);
  }
  if (positive()) {
    for (const char* name : HermitianCg::vectors) hold(name, inner);
  } else {
    for (const std::string& name : vectors_of(spec_)) hold(name, inner);
    append(held, hold_scalars(plan_, spec_, columns_));
  }
  return held;
}

bool DiracPlan::short_faces(const LinkStorage& storage) const {
  return has_short_halo(spec_) && storage == spec_.inner;
}

void DiracPlan::keep_halo(const LinkStorage& storage, const std::string& name, int subfields) {
  if (!kept_.insert(fmt::format("halo {} {}", name_of(storage), subfields)).second) return;
  const HaloSpec spec = halo_spec(storage, subfields);
  append(held_, hold_halo(plan_, name, geometry_, spec));
  keep_tables(plan_, geometry_, spec.precision);
  // In any precision: of the columns one may be left.
  for (auto& lists : hold_fused_orders(plan_, geometry_, spec)) plan_.keep(std::move(lists));
}

// RotatedVectors.
void DiracPlan::keep_rotated(const LinkStorage& storage) {
  if (storage.reals != 8 || !kept_.insert("rotated " + name_of(storage)).second) return;
  held_.push_back(hold_field(plan_, name_of_columns("vectors in the stored gauge", columns_), geometry_,
                             vectors(Subset::odd, storage.precision)));
}

// DomainWallQuark::make_source.
void DiracPlan::pass_make_source() {
  if (kind_ != Kind::domain_wall) return;
  const FieldSpec four = quark_fields();
  const auto chiral = hold_field(plan_, name_of_columns("source, one slice", columns_), geometry_, four, 2);
  keep_halo(exact, "faces of sources", columns_);
}

void DiracPlan::solve() {
  plan_.phase("solving");
  const LinkStorage &outer = spec_.outer, &iterated = iterated_storage(spec_);
  const int subfields = columns_ * slices_;
  Helds held;
  FieldSpec converted = full_;
  converted.precision = outer.precision;
  if (converted.precision != full_.precision)
    for (const char* name : {"source b", "solution x"}) {
      held.push_back(hold_field(
          plan_, name_of_columns(fmt::format("{} in {}", name, name_of(outer.precision)), columns_),
          geometry_, converted));
      pass_copy(plan_, geometry_, converted, geometry_, full_);
    }
  if (even_odd_) {
    held.push_back(hold_iterated("source, even sites", outer.precision));
    held.push_back(hold_iterated("solution, even sites", outer.precision));
    if (!clover_) keep_rotated(outer);
    keep_halo(outer, "faces of vectors", subfields);
  }
  { const Helds norms = hold_workspace(plan_, columns_); }
  {
    const Helds solver = fallback_ ? hold_solver() : Helds();
    keep_halo(outer, "faces of vectors", subfields);
    keep_halo(iterated, "faces of inner vectors", subfields);
    if (!even_odd_) {
      keep_rotated(outer);
      keep_rotated(iterated);
    }
    const bool adjoint = spec_.method == SolverMethod::cg || spec_.method == SolverMethod::cgne;
    if (clover_ && spec_.preconditioning == Preconditioning::even_odd && adjoint &&
        kept_.insert("adjoint").second)
      held_.push_back(hold_iterated("adjoint operator, even sites", iterated.precision));
  }
  if (converted.precision != full_.precision) pass_copy(plan_, geometry_, full_, geometry_, converted);

  plan_.phase("checking the residual");
  held.push_back(hold_field(plan_, name_of_columns("check, M x", columns_), geometry_, full_));
  held.push_back(hold_field(plan_, name_of_columns("check, r", columns_), geometry_, full_));
  keep_halo(exact, "faces of vectors in double", subfields);
  const Helds work = hold_workspace(plan_, columns_), norms = hold_workspace(plan_, columns_);
}

void DiracPlan::send_messages() {
  const HaloFaces faces(geometry_, halo_spec(iterated_storage(spec_), columns_ * slices_));
  const auto bytes = [&](int mu, int side) {
    return faces.message_bytes[static_cast<std::size_t>(2 * mu + side)];
  };
  for (int mu = 0; mu < 4; ++mu)
    if (geometry_.partitioned(mu))  // two hopping terms, two sides: alike, but for hops of three steps
      for (int side = 0; side < (bytes(mu, 0) == bytes(mu, 1) ? 1 : 2); ++side)
        plan_.sends({fmt::format("an application of the operator to {} columns", columns_), mu,
                     bytes(mu, 0) == bytes(mu, 1) ? 4 : 2, bytes(mu, side)});
  plan_.iterates(
      {{even_odd_ ? OperatorKind::even_odd : OperatorKind::full, clover_, iterated_storage(spec_), columns_,
        has_frame(), has_short_halo(spec_), static_cast<ModelQuarks>(kind_), slices_},
       positive() ? "hermitian-cg" : std::string(solver_method_names[static_cast<std::size_t>(spec_.method)]),
       spec_.restart});
}

Helds hold_asqtad_links(Plan& plan, const Geometry& geometry, const FieldSpec& from) {
  check_long_hops(geometry);
  const FieldSpec spec = gauge_spec(Precision::double_precision, plan.location());
  const GeometryPtr extended = geometry.extended(2);
  const auto thin = hold_field(plan, "thin links with their halo", *extended, spec);
  pass_copy(plan, *extended, spec, geometry, from);
  { const Helds exchange = hold_extended_halo(plan, *extended, spec); }
  const bool split = extended->halo_depth() != 0;
  Helds with_halo, held;
  for (const char* name : {"fat links", "long links"})
    (split ? with_halo : held).push_back(hold_field(plan, name, *extended, spec));
  keep_tables(plan, *extended, Precision::double_precision);
  if (split)
    for (const char* name : {"fat links", "long links"}) {
      held.push_back(hold_field(plan, name, geometry, spec));
      pass_copy(plan, geometry, spec, *extended, spec);
    }
  return held;
}

Helds hold_stored_asqtad_links(Plan& plan, const Geometry& geometry, const std::string& name,
                               const LinkStorage& storage, const FieldSpec& from) {
  Helds held;
  {  // store_fat_links
    Plan::Held wide;
    if (storage.precision == Precision::half_precision)
      wide = hold_stored_links(plan, geometry, "fat links in double", exact, from);
    held.push_back(hold_stored_links(plan, geometry, "fat " + name, {storage.precision, 18}, from));
  }
  held.push_back(hold_stored_links(plan, geometry, name, storage, from));
  return held;
}

void pass_measuring_bounds(Plan& plan, const Geometry& geometry, const FieldSpec& from) {
  const SingularRangeParameters parameters;
  const auto links = hold_stored_links(plan, geometry, "links of H_w", exact, from);
  const FieldSpec vector = spinor_spec(Subset::full, 1, Precision::double_precision, plan.location());
  // The start vector, one more of the basis, residuals, what lies between D_w and its adjoint and in the
  // Chebyshev filter.
  constexpr int others = 8;
  const auto basis = hold_field(plan, "Lanczos vectors of H_w", geometry, vector,
                                parameters.basis + Lanczos::kept_of(parameters.basis, 1) + others);
  const Helds batch = hold_batch(plan, 1);
  const Helds halo = hold_halo(plan, "faces of spinors", geometry,
                               WilsonHopping::halo_spec(Precision::double_precision, 1, plan.location()));
}

Plan::Held hold_stored_links(Plan& plan, const Geometry& geometry, const std::string& name,
                             const LinkStorage& storage, const FieldSpec& from) {
  const FieldSpec to = gauge_spec(storage.precision, plan.location(), storage.reals);
  auto held = hold_field(plan, name, geometry, to);
  if (storage.reals == 18 && storage.precision != Precision::half_precision) {
    pass_copy(plan, geometry, to, geometry, from);
    return held;
  }
  const FieldSpec in_double = gauge_spec(Precision::double_precision, plan.location());
  const auto links = hold_field(plan, "links in double", geometry, in_double);
  pass_copy(plan, geometry, in_double, geometry, from);
  return held;
}

TemporalGaugePlan hold_temporal_gauge(Plan& plan, const Geometry& geometry, const FieldSpec& from) {
  const GeometryPtr extended = geometry.extended(1);
  const FieldSpec spec = gauge_spec(Precision::double_precision, plan.location()),
                  g_spec = gauge_frame_spec(Precision::double_precision, plan.location()),
                  kept = gauge_frame_spec(Precision::single_precision, plan.location());
  const auto links = hold_field(plan, "links with their halo", *extended, spec);
  pass_copy(plan, *extended, spec, geometry, from);
  TemporalGaugePlan made;
  {
    const auto g = hold_field(plan, "temporal gauge with its halo", *extended, g_spec);
    {
      const std::size_t lines = polyakov_line_bytes(*extended, spec);
      const auto here = plan.hold({"lines in time", 1, lines, plan.location()});
      plan.pass({"lines in time to send and receive", 1, lines, Location::host});
    }
    { const Helds exchange = hold_extended_halo(plan, *extended, g_spec); }
    made.g = hold_field(plan, "temporal gauge", geometry, kept);
    pass_copy(plan, geometry, kept, *extended, g_spec);
  }
  made.links = hold_field(plan, "links in temporal gauge", geometry, spec);
  pass_copy(plan, geometry, spec, *extended, spec);
  return made;
}

Plan::Held hold_clover(Plan& plan, const Geometry& geometry, const std::string& name, const FieldSpec& from) {
  const GeometryPtr extended = geometry.extended(1);
  const FieldSpec spec = gauge_spec(Precision::double_precision, plan.location());
  auto held = hold_field(plan, name, geometry,
                         clover_spec(Subset::full, Precision::double_precision, plan.location()));
  const auto links = hold_field(plan, "links with their halo", *extended, spec);
  pass_copy(plan, *extended, spec, geometry, from);
  const Helds exchange = hold_extended_halo(plan, *extended, spec);
  return held;
}

Plan::Held hold_clover_inverse(Plan& plan, const Geometry& geometry, int parity) {
  auto held = hold_field(plan, "inverse clover field", geometry,
                         clover_spec(subset_of(parity), Precision::double_precision, plan.location()));
  const Helds sums = hold_sums(plan, 6);
  return held;
}

}  // namespace plaq::jobs
