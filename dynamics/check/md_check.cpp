#include "dynamics/check/md_check.hpp"

#include <cmath>

#include "dynamics/monomial/gauge_monomial.hpp"
#include "dynamics/trajectory/hybrid_monte_carlo.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/momenta.hpp"
#include "kernels/gauge/update.hpp"

namespace plaq {

Field weak_links(const SharedLattice& lattice, double strength, std::uint64_t seed) {
  Field links(lattice.geometry, gauge_spec(Precision::double_precision, lattice.location()));
  Field momenta(lattice.geometry, algebra_spec(Precision::double_precision, lattice.location()));
  cold_start(links, lattice.queue);
  draw_momenta(momenta, seed, 0, lattice.queue);
  drift(links, momenta, strength, lattice.queue);
  lattice.queue.synchronize();
  return links;
}

double central_difference(const std::function<double(double)>& f, double h) {
  constexpr double c[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  double sum = 0;
  for (int k = 1; k <= 4; ++k) sum += c[k - 1] / h * (f(k * h) - f(-k * h));
  return sum;
}

// K(T + F) - K(T) - K(F).
double derivative_along(const ProcessGrid& grid, const Field& t, const Field& f, const Queue& queue) {
  Field sum(t.geometry_ptr(), t.spec());
  copy(sum, t);
  kick(sum, f, -1, queue);
  return kinetic_energy(grid, sum, queue) - kinetic_energy(grid, t, queue) - kinetic_energy(grid, f, queue);
}

double force_deviation(const SharedLattice& lattice, Monomial& monomial, const Field& links, double step) {
  PhaseSpace space(lattice, links, monomial.halo_depth());
  Field direction(space.momenta().geometry_ptr(), space.momenta().spec()),
      force(direction.geometry_ptr(), direction.spec());
  draw_momenta(direction, 9, 2, lattice.queue);
  monomial.force(force, space.links());
  const double predicted = derivative_along(*lattice.grid, direction, force, lattice.queue);
  const double difference = central_difference(
      [&](double e) {
        space.set_links(links);
        space.drift_along(direction, e);
        return monomial.value(space.links());
      },
      step);
  return predicted / difference - 1;
}

double draw_deviation(Monomial& monomial, int number, SeaQuark& quark, const Field& links, std::uint64_t seed,
                      std::uint32_t trajectory) {
  const PhaseSpace space(quark.lattice(), links, monomial.halo_depth());
  monomial.draw(space.links(), seed, trajectory);
  Field eta = quark.vector();
  draw_pseudofermion(eta, seed, trajectory, number, quark.lattice().queue);
  return monomial.value(space.links()) / quark.real_product(eta, eta) - 1;
}

double order_of_integrator(const SharedLattice& lattice, const LoopWeights& action, const Field& links,
                           Integrator integrator, int steps, std::uint32_t trajectories) {
  const auto error = [&](int n) {
    const MonomialPtr gauge = std::make_shared<GaugeMonomial>(lattice, action);
    HybridMonteCarlo hmc(MolecularDynamics({{{integrator, n}, {gauge}}}, 1), 7);
    double squares = 0;
    for (std::uint32_t number = 1; number <= trajectories; ++number) {
      PhaseSpace space(lattice, links, hmc.halo_depth());
      squares += std::pow(hmc.trajectory(space, number).delta_h, 2);
    }
    return std::sqrt(squares);
  };
  return std::log2(error(steps) / error(2 * steps));
}

}  // namespace plaq
