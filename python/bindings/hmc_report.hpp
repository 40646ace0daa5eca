// Reports of trajectories of hybrid Monte Carlo for Python.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "dynamics/trajectory/trajectory_report.hpp"

namespace plaq::python {

/// A report with the names of the terms that its iterations belong to.
struct NamedReport {
  TrajectoryReport report;
  std::vector<std::string> terms;
};

void bind_hmc_report(nanobind::module_& module);

}  // namespace plaq::python
