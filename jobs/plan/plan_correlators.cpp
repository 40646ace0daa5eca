// The contractions of a propagator job in its plan (jobs/propagator/correlators.cpp).
#include "jobs/plan/plan_correlators.hpp"

namespace plaq::jobs {
namespace {

// Calls visit(channels, momenta, bytes of terms) for each object that contracts.
template <class Visit>
void for_contractions(const CorrelatorPlan& c, const Visit& visit) {
  const auto momenta = static_cast<int>(c.momenta.size());
  if (!c.mesons.empty())
    visit(static_cast<int>(c.mesons.size()), momenta, MesonContraction::term_bytes(c.mesons));
  if (c.baryons) visit(static_cast<int>(ProtonContraction::channels().size()), momenta, std::size_t{0});
  if (!c.staggered.empty())
    visit(1, StaggeredMesonContraction::projected(c.staggered, momenta), std::size_t{0});
}

struct Count {
  std::uint64_t datasets, numbers;
};
Count count_of(const CorrelatorPlan& c, int slices, int sources) {
  const std::uint64_t datasets = c.channels.size() * c.momenta.size() * c.sinks.size();
  return {datasets, datasets * 2 * static_cast<std::uint64_t>(slices) * static_cast<std::uint64_t>(sources)};
}

}  // namespace

Helds hold_contractions(Plan& plan, const CorrelatorPlan& c) {
  Helds held;
  for_contractions(c, [&](int channels, int momenta, std::size_t terms) {
    held.push_back(plan.hold({"phases of momenta", 1,
                              MomentumProjection::phase_bytes(*plan.geometry(), momenta), plan.location()}));
    held.push_back(plan.hold({"gamma matrices", 1, terms, plan.location()}));
    held.push_back(hold_field(plan, "contracted densities", *plan.geometry(),
                              MomentumProjection::density_spec(channels, plan.location())));
  });
  return held;
}

void pass_contractions(Plan& plan, const CorrelatorPlan& c) {
  for_contractions(c, [&](int channels, int momenta, std::size_t) {
    const Helds sums = hold_sums(plan, MomentumProjection::sums(*plan.geometry(), channels, momenta));
  });
}

std::uint64_t about_bytes_in_results(const CorrelatorPlan& c, int slices, int sources, std::uint64_t fields) {
  constexpr std::uint64_t attributes = 1060, group = 970;  // one for each channel and momentum
  const Count count = count_of(c, slices, sources);
  return count.datasets * about_dataset_bytes(attributes) + count.datasets / c.sinks.size() * group +
         fields * 8 * count.numbers;
}

std::uint64_t about_bytes_in_journal(const CorrelatorPlan& c, int slices, int sources) {
  constexpr std::uint64_t attributes = 700;
  const Count count = count_of(c, slices, sources);
  return count.datasets * attributes + 8 * count.numbers;
}

}  // namespace plaq::jobs
