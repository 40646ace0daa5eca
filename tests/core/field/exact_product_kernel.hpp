// Exact products by teams, for a test: each team multiplies its matrices by its vectors.
#pragma once

#include "core/field/exact_product.hpp"
#include "core/launch/queue.hpp"

namespace plaq::test {

// Team b has `matrices` matrices of `rows` x `columns`, one after the other, and
// for each of them `count` vectors:
//   in[((b matrices + m) columns + k) count + t],  out[((b matrices + m) rows + row) count + t]
// A worker takes the vectors of a matrix. Another one may multiply. All pointers are at the queue's location.
// M: Fixed16 or Fixed8.
template <class M>
struct ExactTask {
  const M* matrix;
  std::size_t stride;  // complex numbers from a column, or row, to the next
  std::size_t size;    // reals of a matrix
  Adjacent adjacent;
  int matrices, rows, columns, count;
  const Complex<float>* in;
  Complex<float>* out;
};

// At most `tile` right-hand sides: 4, 8, 12 or 16 on a device, 4 on a host.
template <class Target, class M>
void launch_exact_products(const ExactTask<M>& task, int teams, int team_size, int tile, const Queue& queue);

}  // namespace plaq::test
