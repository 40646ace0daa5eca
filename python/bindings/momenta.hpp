// Momenta as arguments, and correlators at them as arrays.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "plaq/correlators.hpp"

namespace plaq::python {

/// One momentum, or a list of them: results have an axis for a list.
struct Momenta {
  explicit Momenta(nanobind::handle given);
  std::vector<Momentum> all;
  bool list = false;
};

/// [momentum][t], or [t] for one momentum.
nanobind::object array_of_momenta(const std::vector<Correlator>& found, const Momenta& momenta);

}  // namespace plaq::python
