#include "jobs/dirac/storage_names.hpp"

#include "core/field/storages.hpp"
#include "quarks/solve/solver_settings.hpp"

namespace plaq::jobs {

const std::vector<LinkStorage>& all_storages() {
  static const std::vector<LinkStorage> all = [] {
    std::vector<LinkStorage> storages;
    for (const Precision precision : all_precisions)
      for (const int reconstruction : all_reconstructions) storages.emplace_back(precision, reconstruction);
    return storages;
  }();
  return all;
}

const Names<LinkStorage>& storage_names() {
  static const Names<LinkStorage> names = [] {
    Names<LinkStorage> all;
    for (const LinkStorage& storage : all_storages()) all.add(name_of(storage), storage);
    return all;
  }();
  return names;
}

}  // namespace plaq::jobs
