#include "dynamics/quark/pair_quark.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"

namespace plaq {
namespace {

// Accuracy of both ends: far within the margins of a rational function (dynamics/monomial/inverse_root.cpp).
constexpr SingularRangeParameters of_range{.basis = 16, .accuracy = 1e-2, .check_every = 4};

}  // namespace

PairQuark::PairQuark(const SharedLattice& lattice, const MdSolverSettings& settings,
                     const WilsonParameters& hops, QuarkLinks links)
    : SeaQuark(lattice, settings), links_(std::move(links)), hops_(hops) {
  if (!links_.copies) links_.copies = std::make_shared<LinkCopies>(lattice);
}

// Links that left SU(3), or clover blocks without an inverse, are errors on every rank.
void PairQuark::update(const Field& links) {
  // Other quarks may have taken other links in between, and operators that are made later read the copies.
  if (links_version_.is_of(links) && links_.copies->has(links)) return;
  links_version_ = VersionOf();
  try {
    make_operators(links);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input_file && error.kind() != ErrorKind::job_file) throw;
    throw MdFailure(error.what());
  }
  links_version_ = VersionOf(links);
}

void PairQuark::begin_force(Field& force, int batch) {
  constexpr int most = 16;  // pairs, of which each slice has one
  const int pairs = std::min(batch * vector_spec(1).Ls, most);
  if (!force_kernels_ || force_kernels_->batch() < pairs)
    force_kernels_ = std::make_unique<WilsonForce>(*lattice_.grid, force.geometry_ptr(), hops_,
                                                   lattice_.queue, lattice_.transport, pairs);
  force_kernels_->begin(force);
}

void PairQuark::add_pole_force(Field& force, const Field& links, const Field& x, double k) {
  add_force(force, links, x, s_times(x), k);
}

Field& PairQuark::s_times(const Field& x) {
  if (!s_x_ || s_x_.subfields() != x.subfields()) s_x_ = vector(x.batch());
  apply(s_x_, x, 0, false);
  return s_x_;
}

void PairQuark::add_force_of(PairQuark& others, Field& force, const Field& links, const Field& x,
                             const Field& y, double k) {
  others.make_pair(pair_, x, y);
  others.prepare(*force_kernels_);
  force_kernels_->add_pair(force, links_.of_hops(links), pair_.x, pair_.y, k,
                           pair_.clover_x ? &pair_.clover_x : nullptr);
}

void PairQuark::finish_force(Field& force, const Field& links) {
  const Field& hops = links_.of_hops(links);
  force_kernels_->finish_hops(force, hops);
  if (!links_.thin_clover) force_kernels_->add_clover(force, hops);
  if (links_.smeared) links_.smeared->carry_back(force, links);
  if (links_.thin_clover) force_kernels_->add_clover(force, links);
}

SpectralRange PairQuark::range_of(LinearOperator& exact, LinearOperator& low) {
  Field start = vector();
  draw_pseudofermion(start, 1, 0, 255, lattice_.queue);
  const auto range = &low == &exact ? singular_range(exact, *lattice_.grid, start, of_range)
                                    : singular_range(exact, low, *lattice_.grid, start, of_range);
  if (!range.converged())
    throw MdFailure("the smallest and the largest eigenvalue of the Dirac operator were not found");
  const SpectralRange found{range.below * range.below, range.above * range.above};
  log::debug(fmt::format(
      "{} of {} is within [{:.8g}, {:.8g}], found by {} products in single and {} in double precision",
      operator_text(), mass_text(), found.low, found.high, range.low_applications, range.applications));
  return found;
}

}  // namespace plaq
