// The residual mass of a propagator job in its plan (jobs/propagator/residual_masses.cpp).
#include "jobs/plan/plan_correlators.hpp"

namespace plaq::jobs {
namespace {

// Of one source: one number, or one or two a time slice.
std::uint64_t numbers_of(const ResidualMassPlan& m, int slices) {
  const auto t = static_cast<std::uint64_t>(slices);
  if (!m) return 0;
  return m.has_midpoint() ? 3 + 4 * t : 2 + t;
}

std::uint64_t datasets_of(const ResidualMassPlan& m) { return !m ? 0 : m.has_midpoint() ? 6 : 3; }

}  // namespace

Helds hold_masses(Plan& plan, const ResidualMassPlan& m) {
  Helds held;
  if (!m) return held;
  held.push_back(plan.hold(
      {"phases of momenta", 1, MomentumProjection::phase_bytes(*plan.geometry(), 1), plan.location()}));
  held.push_back(plan.hold({"gamma matrices", 1, MesonContraction::term_bytes(m.channels), plan.location()}));
  held.push_back(
      hold_field(plan, "contracted densities", *plan.geometry(),
                 MomentumProjection::density_spec(static_cast<int>(m.channels.size()), plan.location())));
  return held;
}

void pass_masses(Plan& plan, const ResidualMassPlan& m, int columns) {
  if (!m) return;
  { const Helds products = hold_workspace(plan, columns); }
  const Helds sums =
      hold_sums(plan, MomentumProjection::sums(*plan.geometry(), static_cast<int>(m.channels.size()), 1));
}

std::uint64_t about_bytes_in_results(const ResidualMassPlan& m, int slices, int sources,
                                     std::uint64_t fields) {
  constexpr std::uint64_t attributes = 560, groups = 2800;  // with those of the midpoint's correlator
  if (!m) return 0;
  return datasets_of(m) * about_dataset_bytes(attributes) + groups +
         8 * fields * static_cast<std::uint64_t>(sources) * numbers_of(m, slices);
}

std::uint64_t about_bytes_in_journal(const ResidualMassPlan& m, int slices, int sources) {
  constexpr std::uint64_t attributes = 380;
  return datasets_of(m) * attributes + 8 * static_cast<std::uint64_t>(sources) * numbers_of(m, slices);
}

}  // namespace plaq::jobs
