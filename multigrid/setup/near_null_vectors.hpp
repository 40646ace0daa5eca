// Near-null vectors of an even-odd operator S: noise, of which a few iterations on S x = 0 leave what S makes small (Clark et
// al. 2016, section 3.4, steps 1 and 2).
#pragma once

#include "comms/grid/process_grid.hpp"
#include "core/operator/schur_operator.hpp"

namespace plaq {

// `count` vectors on both parities, what is not on that of S being such that M v is 0 there; `iterations` of BiCGstab from
// noise that belongs to the seed. The same bits on any process grid. Collective.
Field near_null_vectors(SchurOperator& s, const ProcessGrid& grid, int count, int iterations,
                        std::uint64_t seed);

}  // namespace plaq
