// The links that a Dirac operator is made on, and where and how it runs.
#pragma once

#include <memory>

#include "comms/grid/shared_lattice.hpp"
#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "quarks/action/action_smearing.hpp"

namespace plaq {

/// The grid must outlive operators on these links.
struct FermionLinks {
  const ProcessGrid* grid;
  Field gauge;  // without halo, 18 reals
  Queue queue;
  std::shared_ptr<Transport> transport;
  Field clover_links =
      {};  // like `gauge`; without a field the clover term is made of `gauge`. Must not change

  const Field& links_of_clover() const { return clover_links ? clover_links : gauge; }
};

/// Links of a Dirac operator, in copies without halo. Collective.
/// @param gauge  links as smear_links() takes them; smeared themselves if `smearing` smears
FermionLinks fermion_links(const SharedLattice& lattice, Field& gauge, const ActionSmearing& smearing = {});

}  // namespace plaq
