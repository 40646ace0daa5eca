// The launches of dense products for one machine and storage.
#pragma once

#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "core/operator/active_set.hpp"

namespace plaq {

struct DenseProductCall {
  const Buffer *matrix = nullptr, *scales = nullptr;  // as DenseTiles has it; a float a row in half precision
  const Buffer* packed = nullptr;                     // room for all right-hand sides, dense_padded of them
  const Field *in = nullptr, *out = nullptr;
  ActiveSet active;
  int parity = 0, rows = 0;
};

// Right-hand sides that a team adds up at once: of a batch in groups of this many.
constexpr int dense_group(int active) { return active == 1 ? 1 : active <= 4 ? 4 : 16; }
constexpr int dense_padded(int active) {
  const int group = dense_group(active);
  return (active + group - 1) / group * group;
}

// D: storage of the matrix, C: of vectors, float or double.
template <class Target, class D, class C>
struct DenseLaunch {
  // out = matrix in, for the active right-hand sides.
  static void multiply(const DenseProductCall& call, const Queue& queue);
};

}  // namespace plaq
