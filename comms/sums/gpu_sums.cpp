#include "comms/sums/gpu_sums.hpp"

#include <cmath>
#include <vector>

#include "comms/communicator/collective.hpp"
#include "core/system/memory.hpp"

namespace plaq {
namespace {

bool rounds_are_right(GpuSums& sums, int rank, int ranks, const Queue& queue) {
  constexpr int count = 5;
  SumBuffer buffer(Location::device, count);
  const Buffer totals(Location::device, count * sizeof(double));
  for (int round = 0; round < 3; ++round) {
    std::vector<ExactSum> mine(count);
    std::vector<double> expected(count), found(count);
    for (int k = 0; k < count; ++k) {
      const double unit = std::ldexp(1.0, 100 * k - 200 + round);
      for (int r = 0; r < ranks; ++r) expected[static_cast<std::size_t>(k)] += (r + k - 1) * unit;
      mine[static_cast<std::size_t>(k)].add((rank + k - 1) * unit);
    }
    copy_bytes(buffer.limbs(), Location::device, mine.data(), Location::host, SumBuffer::bytes(count));
    sums.total(buffer, count, totals.as<double>(), queue);
    queue.synchronize();
    copy_bytes(found.data(), Location::host, totals.data(), Location::device, totals.bytes());
    if (found != expected) return false;
  }
  return true;
}

}  // namespace

bool sums_are_right(GpuSums& sums, const Communicator& comm, const Queue& queue) {
  bool right = false;
  all_or_none(comm, [&] { right = rounds_are_right(sums, comm.rank(), comm.size(), queue); });
  return comm.all(right);
}

}  // namespace plaq
