// What the tables [gluon] and [ghost] say.
#pragma once

#include <optional>

#include "gaugefix/run/gauge_fixer.hpp"
#include "jobs/run/momentum_cuts.hpp"

namespace plaq::jobs {

struct GluonKeys {
  Gauge gauge = Gauge::landau;
  double max_theta = 1e-10;
  int max_n = 4;
  MomentumCuts cuts;
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
