// Dense blocks times vectors by teams, for a test of for_each_team.
#pragma once

#include "core/launch/queue.hpp"
#include "core/launch/team.hpp"

namespace plaq::test {

// For each block b of `rows` x `columns` matrices (row-major) and vectors:
//   out[b][row] = sum_column matrix[b][row][column] in[b][column]
//   norm[b] = sum_row out[b][row]^2 + 2 of the same, added to T{} (the sum of no terms)
// All pointers are at the queue's location.
template <class T>
struct TeamBlocks {
  int rows, columns;
  const T *matrix, *in;
  T *out, *norm;
};

template <class Target, class T>
void launch_team_blocks(const TeamBlocks<T>& blocks, const TeamDomain& teams, const Queue& queue);

// term[b][i], i < n: sums[b] = team.sum(n, term[b]).
template <class Target, class T>
void launch_team_sums(int n, const T* term, T* sums, const TeamDomain& teams, const Queue& queue);

}  // namespace plaq::test
