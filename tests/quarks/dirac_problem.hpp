// A clover problem on a small random lattice, its sources, and solvers for it.
#pragma once

#include <gtest/gtest.h>

#include "quarks/action/wilson_action.hpp"
#include "quarks/solve/system_solver.hpp"
#include "tests/support/convert.hpp"

namespace plaq::test {

inline constexpr int batch = 2;
inline constexpr Location host = Location::host;

struct DiracProblem {
  explicit DiracProblem(double disorder = 0.3, std::uint32_t forced = 0) : grid(MPI_COMM_WORLD, choose()) {
    reference::Generator generator(5);
    const reference::Lattice lattice{extents};
    geometry = grid.geometry(extents, forced);
    gauge = to_plaq(reference::weak_gauge(lattice, generator, disorder), geometry,
                    Precision::double_precision, host);
    std::vector<reference::SpinorField> sources;
    for (int i = 0; i < batch; ++i) sources.push_back(reference::random_spinor(lattice, generator));
    b = to_plaq(sources, geometry, Subset::full, Precision::double_precision, host);
    parameters.mass = 0.1;
    parameters.clover = CloverCoefficients::isotropic(1.3);
  }
  static Extents choose() {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return {1, 1, ranks >= 4 ? 2 : 1, ranks >= 4 ? ranks / 2 : ranks};
  }
  FermionLinks links() const { return {&grid, gauge, queue, make_host_transport(grid, host)}; }
  DiracOperators operators(Preconditioning preconditioning = Preconditioning::even_odd) const {
    return {links(), action(), preconditioning, batch};
  }
  ActionPtr action() const { return wilson_action(parameters); }
  SystemSolver solver(const SolverSettings& spec, std::shared_ptr<CloverField> clover = nullptr) const {
    return SystemSolver(links(), action(), spec, batch, std::move(clover));
  }

  Extents extents{4, 4, 4, 8};
  ProcessGrid grid;
  GeometryPtr geometry;
  Queue queue{host};
  Field gauge, b;
  WilsonParameters parameters;
};

// One attempt of one precision.
inline SolverSettings unmixed() {
  SolverSettings spec;
  spec.scheme = MixedScheme::none;
  spec.fallback = false;
  return spec;
}

inline SolverSettings mixed(Precision inner, int reals = 12) {
  SolverSettings spec = unmixed();
  spec.method = SolverMethod::bicgstab;
  spec.scheme = MixedScheme::reliable_updates;
  spec.inner = {inner, reals};
  return spec;
}

}  // namespace plaq::test
