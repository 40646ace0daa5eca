#include "jobs/study/study_storage.hpp"

#include <fmt/format.h>

#include "jobs/dirac/storage_names.hpp"
#include "quarks/solve/solver_settings.hpp"

namespace plaq::jobs {

std::string name_of(const StudyStorage& storage) {
  if (storage.mixed) return fmt::format("mixed {}", storage.reals);
  return name_of(static_cast<const LinkStorage&>(storage));
}

const Names<StudyStorage>& study_storage_names() {
  static const Names<StudyStorage> names = [] {
    Names<StudyStorage> all;
    for (const LinkStorage& storage : all_storages()) all.add(name_of(storage), storage);
    const StudyStorage mixed({Precision::single_precision, 12}, true);
    all.add(name_of(mixed), mixed);
    return all;
  }();
  return names;
}

}  // namespace plaq::jobs
