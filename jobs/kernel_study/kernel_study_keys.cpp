#include "jobs/kernel_study/kernel_study_keys.hpp"

#include <fmt/format.h>

#include "jobs/dirac/solver_spec.hpp"
#include "jobs/dirac/wilson_action.hpp"
#include "jobs/rates/accuracy.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {

KernelStudyKeys::KernelStudyKeys(const JobFile& job)
    : KernelStudyTables(job.get<KernelStudyTables>()),
      extents(job.get<LatticeKeys>().extents.value()),
      parameters(wilson_parameters(job)),
      accuracy_extent(accuracy_time.value_or(extents[3])),
      checked(job.get<CommsKeys>().halo_checksums) {
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
  const std::string output = job.get<OutputKeys>().file;
  return {output, output + ".journal", {}, [machine](const std::vector<StoredObject>& found) {
            return has_machine(found, machine);
          }};
}

}  // namespace plaq::jobs
