// For the tests of gauge files.
#pragma once

#include "tests/support/files.hpp"
#include "tests/support/links.hpp"

namespace plaq::test {

inline Field make_field(const ProcessGrid& grid, const Extents& global,
                        Precision precision = Precision::double_precision) {
  return Field(grid.geometry(global), gauge_spec(precision, Location::host));
}
inline Field field_of(const ProcessGrid& grid, const reference::GaugeField& links,
                      Precision precision = Precision::double_precision) {
  return to_plaq(links, grid.geometry(links.lattice.extents), precision, Location::host);
}

}  // namespace plaq::test
