// Link smearing. Fields live on geometry->extended(1) (the plain geometry where nothing is split) with a
// filled halo, and are left so. The same bits on any process grid.
//
// C_mu(x) is the sum of the paths from x to x + mu around the k plaquettes with U_mu(x),
//   U_nu(x) U_mu(x+nu) U_nu(x+mu)^dagger + U_nu(x-nu)^dagger U_mu(x-nu) U_nu(x+mu-nu),   nu != mu.
// In space and time k = 6. In space alone (spatial = true) k = 4, nu is in space too, and U_t stays as it is.
#pragma once

#include <memory>

#include "comms/halo/extended_halo.hpp"
#include "kernels/gauge/smearing_parameters.hpp"

namespace plaq {

class LinkSmearer {
 public:
  // `like`: the field that will be smeared, or one of its kind. Makes room for a second one. HYP smearing
  // takes room for six more when it is first applied.
  LinkSmearer(const ProcessGrid& grid, const Field& like, std::shared_ptr<Transport> transport);

  // Collective. `steps` >= 0 times, in place; the first needs a filled halo. Throws an internal Error where
  // the field is not like the one that this was made for, or a parameter is not finite.
  void apply(Field& gauge, const ApeSmearing& ape, int steps, const Queue& queue);
  void apply(Field& gauge, const StoutSmearing& stout, int steps, const Queue& queue);
  void apply(Field& gauge, const HypSmearing& hyp, int steps, const Queue& queue);

 private:
  template <class Launch>
  void repeat(Field& gauge, int steps, const Queue& queue, const Launch& launch);

  const ProcessGrid& grid_;
  std::shared_ptr<Transport> transport_;
  Field work_;
  ExtendedHalo halo_;
  // Links of two levels of HYP smearing, 12 a site.
  struct Decorated {
    Decorated(const ProcessGrid& grid, const Field& like, std::shared_ptr<Transport> transport);
    Field inner, outer;
    ExtendedHalo halo;
  };
  std::unique_ptr<Decorated> decorated_;
};

}  // namespace plaq
