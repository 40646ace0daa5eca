// Storage of the fields of a target.
#pragma once

#include <string>
#include <vector>

#include "jobs/schema/job_file.hpp"
#include "kernels/gauge/link_storage.hpp"

namespace plaq::jobs {

/// Storage of links and vectors; 0 reals: there are no links. Gauge fixing stores g in the precision of the
/// links, or in double precision if the storage is mixed (FixingPrecision of gaugefix/run/gauge_fixer.hpp).
struct StudyStorage : LinkStorage {
  StudyStorage(const LinkStorage& links = {}, bool m = false) : LinkStorage(links), mixed(m) {}
  StudyStorage(Precision p, int r) : LinkStorage(p, r) {}
  bool mixed = false;  // links in single precision then

  bool operator==(const StudyStorage&) const = default;
};

std::string name_of(const StudyStorage& storage);  // "half 12", "mixed 12"
/// All storages: those of Dirac operators, then the mixed ones.
std::vector<StudyStorage> all_study_storages();
const Names<StudyStorage>& study_storage_names();

}  // namespace plaq::jobs
