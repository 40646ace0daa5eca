// Memory that a vector update changes in place: a tuner that runs it several times has to restore it.
#pragma once

#include <array>

#include "core/field/field.hpp"
#include "core/launch/tuning.hpp"

namespace plaq::blas {

// The memory that Op writes and also reads, through the same vector or another that is the same field.
template <class Op>
std::array<Tuner::Memory, Op::vectors> changed_by(const std::array<const Field*, Op::vectors>& vectors) {
  std::array<Tuner::Memory, Op::vectors> changed;
  for (std::size_t i = 0; i < Op::vectors; ++i)
    for (std::size_t j = 0; j < Op::vectors; ++j) {
      const bool both = ((Op::writes >> i) & 1u) != 0 && ((Op::reads >> j) & 1u) != 0;
      if (both && memory_of(*vectors[i]).data() == memory_of(*vectors[j]).data())
        changed[i] = memory_of(*vectors[i]);
    }
  return changed;
}

}  // namespace plaq::blas
