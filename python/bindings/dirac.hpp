// Dirac operators as Python has them.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>

#include "plaq/dirac_solver.hpp"
#include "plaq/linear_operator.hpp"
#include "python/bindings/keywords.hpp"

namespace plaq::python {

// The tables [action], [action_smearing], [solver] and [multigrid] of job files, and the rules between them.
const settings::Schema& dirac_schema();

/// "DomainWall" of "domain_wall": the function of the package that makes it (python/plaq/operators.py).
std::string function_of(const std::string& type);

// M on a gauge field, with the keys that it was made by: those of a solver are checked with them.
struct Dirac {
  Keywords keys;
  DiracOperator m;
};
using DiracPtr = std::shared_ptr<Dirac>;

// Solves M x = b as propagator jobs do, by the same keys, to the same bits.
struct Solver {
  DiracPtr dirac;
  DiracSolver solver;
};

void bind_dirac(nanobind::module_& module);

}  // namespace plaq::python
