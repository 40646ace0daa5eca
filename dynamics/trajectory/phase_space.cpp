#include "dynamics/trajectory/phase_space.hpp"

#include "dynamics/trajectory_clock.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/momenta.hpp"
#include "kernels/gauge/update.hpp"

namespace plaq {

PhaseSpace::PhaseSpace(const SharedLattice& lattice, const Field& gauge, int halo_depth)
    : lattice_(lattice),
      links_(lattice.geometry->extended(halo_depth),
             gauge_spec(Precision::double_precision, lattice.location())),
      momenta_(links_.geometry_ptr(), algebra_spec(Precision::double_precision, lattice.location())),
      halo_(*lattice.grid, links_.geometry_ptr(), links_.spec(), lattice.transport) {
  set_links(gauge);
}

void PhaseSpace::set_links(const Field& links) {
  lattice_.queue.synchronize();
  copy(links_, links);
  halo_.exchange(links_, lattice_.queue);
  links_.touch();
}

void PhaseSpace::set_momenta(const Field& momenta) {
  lattice_.queue.synchronize();
  copy(momenta_, momenta);
}

void PhaseSpace::draw_momenta(std::uint64_t seed, std::uint32_t trajectory) {
  plaq::draw_momenta(momenta_, seed, trajectory, lattice_.queue);
}

double PhaseSpace::kinetic_energy() const {
  return plaq::kinetic_energy(*lattice_.grid, momenta_, lattice_.queue);
}

void PhaseSpace::drift(double step) { drift_along(momenta_, step); }

void PhaseSpace::drift_along(const Field& x, double step) {
  const TimedPart part(TrajectoryPart::links);
  plaq::drift(links_, x, step, lattice_.queue);
  halo_.exchange(links_, lattice_.queue);
}

void PhaseSpace::kick(const Field& force, double step) {
  const TimedPart part(TrajectoryPart::links);
  plaq::kick(momenta_, force, step, lattice_.queue);
}

void PhaseSpace::reverse() { plaq::kick(momenta_, momenta_, 2, lattice_.queue); }

void PhaseSpace::reunitarize() { plaq::reunitarize(links_, lattice_.queue); }

}  // namespace plaq
