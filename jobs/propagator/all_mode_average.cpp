// All-mode averaging: sources that are solved approximately, and the first ones exactly, too:
//
//   /approximate/...                     [configuration][source]... what each observable says of all sources
//   /approximate/solves/residual         [configuration][source][column], and iterations
//   /exact/...                           [configuration][exact]... the same of the first sources
//   /solves/...                          [configuration][exact]... their solves
//   ...                                  [configuration][source]... of one source: the corrected mean
//                                        1/N sum_k A_k + 1/n sum_k (E_k - A_k)
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/system/error.hpp"
#include "jobs/propagator/propagator.hpp"
#include "jobs/propagator/propagator_observable.hpp"
#include "settings/action/action_keys.hpp"
#include "settings/quark/source_kind.hpp"
#include "settings/solver/approximation_table.hpp"

namespace plaq::jobs {
namespace {

constexpr std::string_view true_residual = "/true_residual";

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

// Values of the sources of a dataset, [source]..., and their number.
struct OfSources {
  const std::vector<double>& values;
  std::size_t count, size;
  explicit OfSources(const Dataset& dataset)
      : values(std::get<std::vector<double>>(dataset.values)),
        count(dataset.extents.front()),
        size(values.size() / count) {}
  // The mean of the first sources, of number i of each.
  double mean(std::size_t sources, std::size_t i) const {
    double sum = 0;
    for (std::size_t k = 0; k < sources; ++k) sum += values[k * size + i];
    return sum / static_cast<double>(sources);
  }
};

Dataset corrected(const Dataset& approximate, const Dataset& exact, const std::string& path) {
  const OfSources a(approximate), e(exact);
  require(a.size == e.size && e.count <= a.count, "blocks of exact and approximate sources differ");
  std::vector<double> means(a.size);
  for (std::size_t i = 0; i < a.size; ++i)
    means[i] = a.mean(a.count, i) + (e.mean(e.count, i) - a.mean(e.count, i));
  Dataset found = approximate;
  found.path = path;
  found.extents.front() = 1;
  found.values = std::move(means);
  found.attributes.emplace_back(
      "estimate",
      fmt::format("mean of {} approximate sources, corrected by {} exact ones", a.count, e.count));
  return found;
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

bool is_exact(const Settings& job, int source) {
  const auto keys = job.get<ApproximationKeys>();
  return !keys.is_asked() || source < keys.exact;
}

Results in_group(Results results, const std::string& group) {
  for (Dataset& dataset : results.datasets) {
    dataset.path = group + dataset.path;
    if (group != approximate_group || !dataset.path.ends_with(true_residual)) continue;
    dataset.path.replace(dataset.path.size() - true_residual.size(), std::string::npos, "/residual");
  }
  return results;
}

void add_approximate_solves(Results& results, const ColumnReport& report) {
  const std::string solves = fmt::format("{}/solves/", approximate_group);
  results.dataset(solves + "residual", {report.true_residuals.size()}, report.true_residuals,
                  described({"column"}, "1",
                            "||b - M x|| / ||b|| of the full system, which approximate solves have left"));
  results.dataset(solves + "iterations", {report.iterations.size()}, report.iterations,
                  described({"column"}, "1", "of approximate solves"));
}

void add_corrected_means(Results& field) {
  const std::string approximate = fmt::format("{}/", approximate_group);
  std::vector<Dataset> means;
  for (const Dataset& dataset : field.datasets) {
    if (!dataset.path.starts_with(approximate)) continue;
    const std::string path = dataset.path.substr(approximate.size() - 1);
    const Dataset* exact = find_dataset(field, exact_group + path);
    if (exact != nullptr) means.push_back(corrected(dataset, *exact, path));
  }
  field.datasets.insert(field.datasets.end(), means.begin(), means.end());
}

}  // namespace plaq::jobs
