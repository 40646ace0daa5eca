#include "jobs/kernel_study/kernel_study_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"
#include "jobs/dirac/dirac_keys.hpp"
#include "jobs/dirac/parse_storage.hpp"
#include "jobs/rates/accuracy.hpp"

namespace plaq::jobs {
namespace {

std::vector<LinkStorage> storages_of(const JobFile& job, const char* table) {
  if (!job.has(table, "storages")) return all_storages();
  std::vector<LinkStorage> storages;
  for (const auto& name : job.strings(table, "storages")) {
    const auto storage = parse_storage(name);
    require(storage.has_value(), "a storage of a job file has no name");
    storages.push_back(*storage);
  }
  return storages;
}

std::vector<int> numbers_of(const JobFile& job, const char* key) {
  const auto& list = job.integers("rates", key);
  return {list.begin(), list.end()};
}

}  // namespace

std::vector<std::string> texts_of(const std::string_view (&names)[3]) {
  return {std::begin(names), std::end(names)};
}

KernelStudyKeys::KernelStudyKeys(const JobFile& job)
    : extents(job.four("lattice", "extents")),
      parameters(wilson_parameters(job)),
      temporal_extents(numbers_of(job, "temporal_extents")),
      right_hand_sides(numbers_of(job, "right_hand_sides")),
      storages(storages_of(job, "rates")),
      samples(static_cast<int>(job.integer("rates", "samples"))),
      bandwidth(job.flag("rates", "bandwidth")),
      methods(job.strings("solvers", "methods")),
      solved_storages(storages_of(job, "solvers")),
      iterations(static_cast<int>(job.integer("solvers", "iterations"))),
      accurate_storages(storages_of(job, "accuracy")),
      epsilons(job.reals("accuracy", "epsilons")),
      accuracy_extent(
          static_cast<int>(job.optional_integer("accuracy", "temporal_extent").value_or(extents[3]))),
      checked(job.flag("comms", "halo_checksums")) {
  for (const auto& name : job.strings("rates", "operators"))
    operators.push_back(static_cast<RatedOperator>(
        std::find(std::begin(rated_operator_keys), std::end(rated_operator_keys), name) -
        std::begin(rated_operator_keys)));
  if (epsilons.empty()) epsilons = usual_epsilons();
}

std::vector<Extents> KernelStudyKeys::lattices() const {
  std::vector<Extents> all;
  for (const int sites : temporal_extents) all.push_back(with_time(sites));
  if (!methods.empty()) all.push_back(extents);
  if (!accurate_storages.empty()) all.push_back(with_time(accuracy_extent));
  return all;
}

std::string KernelStudyKeys::name_of(RatedOperator op) const {
  if (op == RatedOperator::hop) return "wilson_hop";
  return fmt::format("{}_schur{}", clover() ? "clover" : "wilson",
                     op == RatedOperator::schur_asymmetric ? "_asy" : "");
}

std::vector<std::string> KernelStudyKeys::piece_names() const {
  std::vector<std::string> names;
  for (const int sites : temporal_extents) names.push_back(fmt::format("rates {}", sites));
  if (!methods.empty())
    for (const auto& storage : solved_storages)
      names.push_back(fmt::format("solvers {}", jobs::name_of(storage)));
  if (!accurate_storages.empty()) names.emplace_back("accuracy");
  return names;
}

StudyMachine shape_of_machine(Location location, const Geometry& geometry, bool checked) {
  const Decomposition& shared = geometry.decomposition();
  std::int64_t ranks = 1;
  for (const int n : shared.ranks) ranks *= n;
  return {{"location", std::string(plaq::name_of(location))},
          {"ranks", ranks},
          {"process_grid", std::vector<std::int64_t>(shared.ranks.begin(), shared.ranks.end())},
          {"forced_directions", std::int64_t{shared.forced}},
          {"halo_checksums", std::int64_t{checked}}};
}

JobFiles files_of_kernel_study(const JobFile& job, const StudyMachine& machine) {
  const std::string output = job.string("output", "file");
  return {output, output + ".journal", {}, [machine](const std::vector<StoredObject>& found) {
            return has_machine(found, machine);
          }};
}

}  // namespace plaq::jobs
