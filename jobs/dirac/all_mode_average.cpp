#include "jobs/dirac/all_mode_average.hpp"

#include <fmt/format.h>

#include <string_view>

#include "core/system/error.hpp"

namespace plaq::jobs {
namespace {

constexpr std::string_view true_residual = "/true_residual";

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

}  // namespace

std::vector<PartBlock> exact_blocks(const ApproximationKeys& keys) {
  if (!keys.is_asked()) return {};
  return {{std::string(exact_group) + "/", "exact", keys.exact}, {"/solves/", "exact", keys.exact}};
}

bool has_no_exact_solves(const Results& part) {
  return find_dataset(part, "/solves/true_residual") == nullptr;
}

double solves_of(const ApproximationKeys& keys, double sources) {
  return keys.is_asked() ? keys.exact + sources * share_of_exact(keys.how) : sources;
}

Results in_group(Results results, const std::string& group) {
  for (Dataset& dataset : results.datasets) {
    dataset.path = group + dataset.path;
    if (group != approximate_group || !dataset.path.ends_with(true_residual)) continue;
    dataset.path.replace(dataset.path.size() - true_residual.size(), std::string::npos, "/residual");
  }
  return results;
}

void add_approximate_solves(Results& results, const std::vector<double>& residuals,
                            const std::vector<std::int64_t>& iterations, const std::string& axis) {
  const std::string solves = fmt::format("{}/solves/", approximate_group);
  results.dataset(
      solves + "residual", {residuals.size()}, residuals,
      described({axis}, "1", "||b - M x|| / ||b|| of the full system, which approximate solves have left"));
  results.dataset(solves + "iterations", {iterations.size()}, iterations,
                  described({axis}, "1", "of approximate solves"));
}

std::vector<double> corrected_mean(const Dataset& approximate, const Dataset& exact) {
  const OfSources a(approximate), e(exact);
  require(a.size == e.size && e.count <= a.count, "blocks of exact and approximate sources differ");
  std::vector<double> means(a.size);
  for (std::size_t i = 0; i < a.size; ++i)
    means[i] = a.mean(a.count, i) + (e.mean(e.count, i) - a.mean(e.count, i));
  return means;
}

void add_corrected_means(Results& field) {
  const std::string approximate = fmt::format("{}/", approximate_group);
  std::vector<Dataset> means;
  for (const Dataset& dataset : field.datasets) {
    if (!dataset.path.starts_with(approximate)) continue;
    const std::string path = dataset.path.substr(approximate.size() - 1);
    const Dataset* exact = find_dataset(field, exact_group + path);
    if (exact == nullptr) continue;
    Dataset& mean = means.emplace_back(dataset);
    mean.path = path;
    mean.extents.front() = 1;
    mean.values = corrected_mean(dataset, *exact);
    mean.attributes.emplace_back("estimate",
                                 fmt::format("mean of {} approximate sources, corrected by {} exact ones",
                                             dataset.extents.front(), exact->extents.front()));
  }
  field.datasets.insert(field.datasets.end(), means.begin(), means.end());
}

}  // namespace plaq::jobs
