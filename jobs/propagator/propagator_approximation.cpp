// All-mode averaging: sources that are solved approximately, and the first ones exactly, too:
//
//   /approximate/...                     [configuration][source]... what each observable says of all sources
//   /approximate/solves/residual         [configuration][source][column], and iterations
//   /exact/...                           [configuration][exact]... the same of the first sources
//   /solves/...                          [configuration][exact]... their solves
//   ...                                  [configuration][source]... of one source: the corrected mean
//                                        1/N sum_k A_k + 1/n sum_k (E_k - A_k)
#include <fmt/format.h>

#include "jobs/propagator/propagator.hpp"
#include "jobs/propagator/propagator_observable.hpp"
#include "settings/action/action_keys.hpp"
#include "settings/quark/source_kind.hpp"
#include "settings/solver/approximation_table.hpp"

namespace plaq::jobs {
namespace {

void check_approximations(Problems& problems, const ApproximationKeys& keys, const ActionKeys& action,
                          const SourceKeys& source, const Settings& job) {
  if (!keys.is_asked()) return;
  if (source.type->name() == "file") {
    problems.add("approximation.exact", "needs sources that are made, not sources from files");
    return;
  }
  const int count = source.type->count(job);
  if (keys.exact > count)
    problems.add("approximation.exact",
                 fmt::format("found {}, but there {} {} source{} on each gauge field", keys.exact,
                             count == 1 ? "is" : "are", count, count == 1 ? "" : "s"));
  const bool alike = first_source(job)->is_noise() && source.sites.order == PositionOrder::shift &&
                     source.sites.shift == Extents{};
  if (!alike && !source.sites.are_random())
    problems.add("approximation.exact",
                 "corrects without bias only if the exact sources are at random sites: give positions = "
                 "\"random\", or random_origin = true, in [source]");
  if (action.has_many_masses())
    problems.add("approximation.exact", "needs one mass: give mass or kappa in [action], not a list");
  for (const PropagatorObservable* observable : observables_of(job))
    if (!observable->takes_approximations())
      problems.add(observable->key(),
                   "is of exact solutions; leave it out, or the table [approximation] with exact");
}

}  // namespace

Rule rule_of_approximations() {
  Rule rule{{"approximation.exact", "source.type", "source.count", "source.positions", "source.random_origin",
             "source.shift", "source.grid", "action.masses", "action.kappas"},
            "All-mode averaging needs random sites, or noise on one time slice, one mass, and no more exact "
            "sources than there are. It is of two-point and three-point functions.",
            check_approximations};
  for (const PropagatorObservable* observable : propagator_observables())
    if (!observable->takes_approximations()) rule.keys.emplace_back(observable->key());
  return rule;
}

}  // namespace plaq::jobs
