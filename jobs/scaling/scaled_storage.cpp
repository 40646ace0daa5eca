#include "jobs/scaling/scaled_storage.hpp"

#include <fmt/format.h>

#include "jobs/dirac/parse_storage.hpp"
#include "jobs/dirac/solver_spec.hpp"

namespace plaq::jobs {
namespace {

std::vector<ScaledStorage> all_scaled_storages() {
  std::vector<ScaledStorage> all(all_storages().begin(), all_storages().end());
  all.push_back({{Precision::single_precision, 12}, true});
  return all;
}

}  // namespace

std::vector<LinkStorage> link_storages(const std::vector<ScaledStorage>& storages) {
  return {storages.begin(), storages.end()};
}

std::string name_of(const ScaledStorage& storage) {
  if (storage.mixed) return fmt::format("mixed {}", storage.reals);
  return name_of(static_cast<const LinkStorage&>(storage));
}

std::optional<ScaledStorage> parse_scaled_storage(std::string_view text) {
  for (const ScaledStorage& storage : all_scaled_storages())
    if (name_of(storage) == text) return storage;
  return std::nullopt;
}

std::vector<std::string> scaled_storage_names() {
  std::vector<std::string> names;
  for (const ScaledStorage& storage : all_scaled_storages()) names.push_back(name_of(storage));
  return names;
}

}  // namespace plaq::jobs
