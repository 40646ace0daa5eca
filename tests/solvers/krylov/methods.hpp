// Every Krylov method by name, alone and in every mixed-precision scheme.
#pragma once

#include <memory>
#include <string>

#include "solvers/krylov/bicgstab.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/gcr.hpp"
#include "solvers/krylov/krylov_method.hpp"
#include "solvers/krylov/krylov_solver.hpp"
#include "solvers/krylov/mr.hpp"
#include "solvers/mixed/defect_correction.hpp"
#include "solvers/mixed/reliable_update.hpp"

namespace plaq::test {

inline const std::vector<std::string> method_names = {"cg", "cgne", "bicgstab", "gcr", "mr"};

inline std::unique_ptr<Solver> make_solver(const std::string& name, MixedScheme scheme, LinearOperator& outer,
                                           LinearOperator& inner, const ProcessGrid& grid, int batch,
                                           const MethodSettings& settings = {}) {
  if (scheme == MixedScheme::none)
    return std::make_unique<KrylovSolver>(make_method(name, outer, batch, settings), grid, batch, settings);
  if (scheme == MixedScheme::reliable_updates)
    return std::make_unique<ReliableUpdates>(outer, make_method(name, inner, batch, settings), grid, batch,
                                             settings);
  return std::make_unique<DefectCorrection>(
      outer, inner, std::make_unique<KrylovSolver>(make_method(name, inner, batch, settings), grid, batch),
      grid, batch, settings);
}

}  // namespace plaq::test
