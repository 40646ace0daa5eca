// Wilson loops, link by link along their paths.
#pragma once

#include <vector>

#include "tests/reference/gauge.hpp"

namespace plaq::reference {

// Re tr / 3 of the loop that begins at a site: along `hops` (0..2 ahead in x, y, z, 3..5 back), up t slices,
// back and down.
double wilson_loop(const GaugeField& gauge, int site, const std::vector<int>& hops, int t);
// Its average over all sites.
double average_wilson_loop(const GaugeField& gauge, const std::vector<int>& hops, int t);

}  // namespace plaq::reference
