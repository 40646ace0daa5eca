#include "jobs/dirac/parse_storage.hpp"

#include "jobs/dirac/solver_spec.hpp"
#include "jobs/rates/accuracy.hpp"

namespace plaq::jobs {

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
