// What the tables [gluon] and [ghost] say.
#pragma once

#include <optional>

#include "gaugefix/run/gauge_fixer.hpp"

namespace plaq::jobs {

struct GluonKeys {
  Gauge gauge = Gauge::landau;
  double max_theta = 1e-10;
  int max_n = 4;
  std::optional<int> max_n_t;  // none: as far as max_n reaches on the longest axis in space
  double cylinder = 1, cone = 20;
  std::optional<double> beta;
};

enum class GhostMomenta { none, cone, cylinder, all };

struct GhostKeys {
  GhostMomenta momenta = GhostMomenta::none;
  int count = 0;  // 0: all of them
  double tolerance = 1e-10;
  int max_iterations = 10000;
};

}  // namespace plaq::jobs
