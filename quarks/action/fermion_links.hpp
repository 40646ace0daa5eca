// The links that a Dirac operator is made on, and where and how it runs.
#pragma once

#include <memory>

#include "comms/grid/process_grid.hpp"
#include "comms/transport/transport.hpp"
#include "core/field/field.hpp"
#include "core/launch/queue.hpp"

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

}  // namespace plaq
