// A step of stout smearing from one field of links to another, and its chain rule for forces: what molecular
// dynamics with quarks on smeared links needs. In double precision.
#pragma once

#include <memory>

#include "comms/halo/extended_halo.hpp"
#include "kernels/gauge/smearing_parameters.hpp"

namespace plaq {

class StoutSmearer {
 public:
  // `geometry`: of all fields, extended by at least 1 where directions are split. The grid must outlive this
  // object. Throws Error(job_file) unless |rho| <= largest_rho.
  StoutSmearer(const ProcessGrid& grid, GeometryPtr geometry, const StoutSmearing& stout, const Queue& queue,
               std::shared_ptr<Transport> transport);

  // Largest |rho| of the chain rule, whose series converges quickly.
  static constexpr double largest_rho = 0.5;

  // U' of U (kernels/gauge/smearing.hpp), both with a filled halo. Collective.
  void smear(Field& smeared, const Field& links);
  // Takes a force on the smeared links, F' = -TA(N')/2 with dS = Re sum of tr(T' N') under dU' = T' U', and
  // makes of it the force F on the links that they were made of. `force`: algebra_spec(); owned sites count.
  // `links`: U with a filled halo. Collective.
  void carry_back(Field& force, const Field& links);

 private:
  StoutSmearing stout_;
  Queue queue_;
  Field insertion_;  // rho G (kernels/site/stout_force.hpp)
  ExtendedHalo links_halo_, insertion_halo_;
};

}  // namespace plaq
