#include "plaq/halo_field.hpp"

#include "comms/grid/shared_lattice.hpp"
#include "comms/halo/padding.hpp"

namespace plaq::detail {

void expect_halo_depth(const Lattice& lattice, int depth) { expect_depth({lattice.local_extents(), depth}); }

void fill_halo(const Lattice& lattice, int depth, int count, std::size_t site_bytes, const void* values,
               void* halo) {
  fill_padded(*lattice.shared().grid, {lattice.local_extents(), depth},
              {static_cast<std::size_t>(count), site_bytes}, values, halo);
}

}  // namespace plaq::detail
