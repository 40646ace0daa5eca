// Every Krylov method by name, alone and in every mixed-precision scheme.
#pragma once

#include <memory>
#include <string>

#include "solvers/bicgstab.hpp"
#include "solvers/cg.hpp"
#include "solvers/defect_correction.hpp"
#include "solvers/gcr.hpp"
#include "solvers/krylov_solver.hpp"
#include "solvers/make_method.hpp"
#include "solvers/mr.hpp"
#include "solvers/reliable_update.hpp"

namespace plaq::test {

inline const std::vector<std::string> method_names = {"cg", "cgne", "bicgstab", "gcr", "mr"};

inline std::unique_ptr<Solver> make_solver(const std::string& name, MixedScheme scheme, LinearOperator& outer,
                                           LinearOperator& inner, const ProcessGrid& grid, int batch) {
  if (scheme == MixedScheme::none)
    return std::make_unique<KrylovSolver>(make_method(name, outer, batch), grid, batch);
  if (scheme == MixedScheme::reliable_updates)
    return std::make_unique<ReliableUpdates>(outer, make_method(name, inner, batch), grid, batch);
  return std::make_unique<DefectCorrection>(
      outer, inner, std::make_unique<KrylovSolver>(make_method(name, inner, batch), grid, batch), grid,
      batch);
}

}  // namespace plaq::test
