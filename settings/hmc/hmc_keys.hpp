// The tables [hmc] and [rational] as structs.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/integrator/integrator.hpp"
#include "kernels/gauge/hisq_smearer.hpp"

namespace plaq::settings {

/// Keys of [hmc] about molecular dynamics.
struct TrajectoryKeys {
  double length = 1;
  std::optional<std::vector<int>> flavours;        // of each mass
  std::optional<std::vector<int>> pseudofermions;  // of each mass
  std::optional<std::vector<double>> epsilons;     // of each mass of HISQ quarks
  bool joint_masses = false;
  double force_filter = HisqSmearer::usual_filter;
  std::vector<double> twists;
  std::vector<double> heavier_masses, heavier_kappas;  // in the place of twists
  bool symmetric = false;
  bool exact = false;  // odd flavours of domain-wall quarks have the exact action
  std::optional<std::vector<std::string>> time_scales;
  std::vector<int> steps;
  std::vector<Integrator> integrators;
  std::vector<std::string> terms;  // names of terms of the user; no key of job files
};

/// [rational]
struct RationalKeys {
  double tolerance = 1e-7;
  std::optional<std::array<double, 2>> range;
  int factors = 1;
};

/// [solver] is an MdSolverSettings.

}  // namespace plaq::settings
