// Kernels by the share of the memory bandwidth that they reach: classes of efficiency that operators name
// (core/operator/kernel_work.hpp).
#pragma once

#include <string_view>

namespace plaq::jobs {

// Operations by what holds them: hopping terms alone, those that also add, as even-odd and full operators
// have them, without and with a clover term; staggered hopping terms, one-link and improved;
// matrices in the fifth dimension;
// updates of vectors; sweeps of gauge fixing; updates of single links in Markov chains; smearing and flow.
// Then a part of operations: packing of faces. Of multigrid: hops of coarse operators, restriction and
// prolongation, products with dense matrices.
enum class KernelKind {
  wilson_hop,
  wilson_operator,
  clover_operator,
  packing,
  vector_update,
  staggered_hop,
  improved_hop,
  fifth_dimension,
  gauge_fixing,
  link_update,
  smearing,
  coarse_hop,
  transfer,
  dense_product
};

// Throws an internal error for a name that is none of these.
KernelKind kernel_kind(std::string_view efficiency_class);

}  // namespace plaq::jobs
