#include "jobs/bench/study_storage.hpp"

#include <fmt/format.h>

#include "core/field/storages.hpp"
#include "quarks/solve/solver_settings.hpp"

namespace plaq::jobs {

std::string name_of(const StudyStorage& storage) {
  if (storage.mixed) return fmt::format("mixed {}", storage.reconstruction);
  if (storage.reconstruction == 0) return std::string(name_of(storage.precision));
  return name_of(static_cast<const LinkStorage&>(storage));
}

std::vector<StudyStorage> all_study_storages() {
  std::vector<StudyStorage> all;
  for (const Precision precision : all_precisions)
    for (const int reconstruction : all_reconstructions) all.emplace_back(precision, reconstruction);
  all.emplace_back(LinkStorage(Precision::single_precision, 12), true);
  return all;
}

const Names<StudyStorage>& study_storage_names() {
  static const Names<StudyStorage> names = [] {
    Names<StudyStorage> all;
    for (const StudyStorage& storage : all_study_storages()) all.add(name_of(storage), storage);
    return all;
  }();
  return names;
}

}  // namespace plaq::jobs
