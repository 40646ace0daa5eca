// Exact products by teams, for a test: each team multiplies its matrices by its vectors.
#pragma once

#include "core/field/exact_product.hpp"
#include "core/launch/queue.hpp"

namespace plaq::test {

// Team b has `matrices` matrices of `rows` x `columns`, one after the other, and for each of them `count` vectors:
//   in[((b matrices + m) columns + k) count + t],  out[((b matrices + m) rows + row) count + t]
// `each`: all matrices at once (ExactProduct::multiply_each), and then twice the real
// parts of the first one's. All pointers are at the queue's location.
struct ExactTask {
  const Fixed16* matrix;
  std::size_t stride;  // complex numbers from a column, or row, to the next
  std::size_t size;    // reals of a matrix
  Adjacent adjacent;
  int matrices, rows, columns, count;
  bool each;
  const Complex<float>* in;
  Complex<float>* out;
};

// Of 8 or 16 right-hand sides at most on a device, of 4 on a host.
template <class Target>
void launch_exact_products(const ExactTask& task, int teams, int team_size, int tile, const Queue& queue);

}  // namespace plaq::test
