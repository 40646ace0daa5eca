// How the fields of what a study measures are stored.
#pragma once

#include <string>
#include <vector>

#include "jobs/schema/use_settings.hpp"
#include "kernels/gauge/link_storage.hpp"

namespace plaq::jobs {

// Of Dirac operators and methods all of it; of gauge fixing the links, and g in the same precision, or in
// double where it is mixed (FixingPrecision of gaugefix/run/gauge_fixer.hpp).
struct StudyStorage : LinkStorage {
  StudyStorage(const LinkStorage& links = {}, bool m = false) : LinkStorage(links), mixed(m) {}
  StudyStorage(Precision p, int r) : LinkStorage(p, r) {}
  bool mixed = false;  // links in single precision then

  bool operator==(const StudyStorage&) const = default;
};

std::string name_of(const StudyStorage& storage);  // "half 12", "mixed 12"
// Of all there are: those of Dirac operators, then the mixed ones.
const Names<StudyStorage>& study_storage_names();

}  // namespace plaq::jobs
