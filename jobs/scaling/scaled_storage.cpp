#include "jobs/scaling/scaled_storage.hpp"

#include <fmt/format.h>

#include "jobs/dirac/solver_spec.hpp"
#include "jobs/dirac/storage_names.hpp"

namespace plaq::jobs {

std::vector<LinkStorage> link_storages(const std::vector<ScaledStorage>& storages) {
  return {storages.begin(), storages.end()};
}

std::string name_of(const ScaledStorage& storage) {
  if (storage.mixed) return fmt::format("mixed {}", storage.reals);
  return name_of(static_cast<const LinkStorage&>(storage));
}

const Names<ScaledStorage>& scaled_storage_names() {
  static const Names<ScaledStorage> names = [] {
    Names<ScaledStorage> all;
    for (const LinkStorage& storage : all_storages()) all.add(name_of(storage), storage);
    const ScaledStorage mixed({Precision::single_precision, 12}, true);
    all.add(name_of(mixed), mixed);
    return all;
  }();
  return names;
}

}  // namespace plaq::jobs
