// How the fields are stored of what a scaling study measures.
#pragma once

#include <string>
#include <vector>

#include "jobs/schema/field.hpp"
#include "kernels/gauge/link_storage.hpp"

namespace plaq::jobs {

// Of Dirac operators and methods all of it; of gauge fixing the links, and g in the same precision, or in
// double where it is mixed (FixingPrecision of gaugefix/run/gauge_fixer.hpp).
struct ScaledStorage : LinkStorage {
  ScaledStorage(const LinkStorage& links = {}, bool m = false) : LinkStorage(links), mixed(m) {}
  ScaledStorage(Precision p, int r) : LinkStorage(p, r) {}
  bool mixed = false;  // links in single precision then

  bool operator==(const ScaledStorage&) const = default;
  // Whether there is gauge fixing in it.
  bool fixes_gauge() const { return reals == 12 && precision != Precision::half_precision; }
};

std::vector<LinkStorage> link_storages(const std::vector<ScaledStorage>& storages);

std::string name_of(const ScaledStorage& storage);  // "half 12", "mixed 12"
// Of all there are: those of Dirac operators, then the mixed ones.
const Names<ScaledStorage>& scaled_storage_names();

}  // namespace plaq::jobs
