#include "jobs/dirac/parse_storage.hpp"

#include "jobs/common/storages.hpp"
#include "jobs/dirac/solver_spec.hpp"

namespace plaq::jobs {

const std::vector<LinkStorage>& all_storages() {
  static const std::vector<LinkStorage> all = [] {
    std::vector<LinkStorage> storages;
    for (const Precision precision : all_precisions)
      for (const int reals : all_link_reals) storages.emplace_back(precision, reals);
    return storages;
  }();
  return all;
}

std::optional<LinkStorage> parse_storage(std::string_view text) {
  for (const LinkStorage& storage : all_storages())
    if (name_of(storage) == text) return storage;
  return std::nullopt;
}

std::vector<std::string> storage_names() {
  std::vector<std::string> names;
  for (const LinkStorage& storage : all_storages()) names.push_back(name_of(storage));
  return names;
}

}  // namespace plaq::jobs
