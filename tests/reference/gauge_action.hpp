// Improved gauge actions as lists of closed paths: S = -(1/3) sum over loops of w Re tr(loop).
#pragma once

#include <vector>

#include "tests/reference/gauge.hpp"

namespace plaq::reference {

// Steps of a closed path: mu forward is mu, backward mu - 4.
using Path = std::vector<int>;

struct WeightedLoops {
  std::vector<Path> paths;
  double weight;
};

// Every closed path of that form that starts at a site, once: neither another start nor the other
// orientation of a path counts.
std::vector<Path> plaquettes(bool with_time);
std::vector<Path> rectangles(int links_in_time);  // 0, 1 or 2 of three
std::vector<Path> chairs();

// Adds to n what Re tr(product along the path from `site` times z) varies by: dS = Re sum of tr(T N) for dU =
// T U.
void cut_open(const GaugeField& gauge, int site, const Path& path, const ColorMatrix& z,
              std::vector<std::array<ColorMatrix, 4>>& n);

double loop_sum(const GaugeField& gauge, const std::vector<Path>& paths);
double gauge_action(const GaugeField& gauge, const std::vector<WeightedLoops>& action);

// F_mu(x), dS/de = -2 sum tr(T F) under U -> exp(e T) U: link by link, each loop cut open at each of its
// links.
std::vector<std::array<ColorMatrix, 4>> gauge_force(const GaugeField& gauge,
                                                    const std::vector<WeightedLoops>& action);

}  // namespace plaq::reference
