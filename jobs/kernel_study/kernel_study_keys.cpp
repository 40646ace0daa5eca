#include "jobs/kernel_study/kernel_study_keys.hpp"

#include <fmt/format.h>

#include "jobs/rates/accuracy.hpp"
#include "jobs/schema/common_keys.hpp"
#include "quarks/action/wilson_action.hpp"
#include "quarks/solve/solver_settings.hpp"
#include "settings/action/action_keys.hpp"

namespace plaq::jobs {

KernelStudyKeys::KernelStudyKeys(const Settings& job)
    : KernelStudyTables(job.get<KernelStudyTables>()),
      extents(job.get<LatticeKeys>().extents.value()),
      parameters(wilson_action(wilson_parameters(*action_parameters(job)))),
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

SubjectLists KernelStudyKeys::rated() const {
  return {operators, {storages.begin(), storages.end()}, right_hand_sides};
}

SubjectLists KernelStudyKeys::solved(const LinkStorage& storage) const {
  return {joined<std::string>({{"schur"}, methods}), {storage}, {1}};
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

}  // namespace plaq::jobs
