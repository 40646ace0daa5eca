// The pion of clover quarks: reads a gauge field, solves for a propagator from a point, and prints C(t).
#include <iostream>
#include <plaq/plaq.hpp>

int main(int argc, char** argv) {
  plaq::Session session(argc, argv);  // MPI, GPU, threads
  plaq::Lattice lattice(session, {8, 8, 8, 16});
  auto U = argc > 1 ? plaq::read_gauge(argv[1], lattice) : plaq::random_gauge(lattice, 1);

  plaq::DiracSolver solver(plaq::clover({.kappa = 0.1, .c_sw = 1.0}), U, {.tolerance = 1e-10});
  auto q = solver.propagator(plaq::point_source({0, 0, 0, 0}));

  std::cout.precision(12);
  for (auto c : plaq::meson(q, plaq::pion))
    if (session.rank() == 0) std::cout << c.real() << '\n';
}
