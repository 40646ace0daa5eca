// Exact sums over the ranks of a grid: every rank gets the same doubles, whatever the grid.
//
// If all ranks are on one node, each writes its sums on a sheet in memory that all of them share (a GPU does
// so itself), and every rank adds up all sheets. No rank calls MPI or waits for a stream. On several
// nodes the sums of a rank pass through MPI_Allreduce.
//
// A caller that needs the sums on the GPU only (total()) waits for nothing if GPUs of one node add them up
// among themselves.
#pragma once

#include <memory>
#include <vector>

#include "comms/communicator/communicator.hpp"
#include "comms/sums/node_memory.hpp"
#include "comms/sums/peer_sums.hpp"
#include "core/sums/sum_buffer.hpp"
#include "core/sums/sum_sheet.hpp"
#include "core/system/counted_memory.hpp"
#include "core/system/runs_dry.hpp"

namespace plaq {

class SumExchange {
 public:
  // Collective over `size` ranks. `one_node`: whether all of them are on one node.
  SumExchange(Communicator comm, int size, bool one_node);
  ~SumExchange();
  SumExchange(const SumExchange&) = delete;
  SumExchange& operator=(const SumExchange&) = delete;

  // Collective, with the same number of sums on every rank. `sums` become those of all ranks.
  std::vector<double> sum(std::vector<ExactSum>& sums);
  // The first `count` sums of a buffer, after all that was queued before; they are 0 afterwards.
  std::vector<double> take(SumBuffer& sums, int count, const Queue& queue);
  // Collective. The first `count` sums of a buffer, of all ranks, as doubles in memory where the buffer is;
  // after all that was queued before, and there for what is queued later. They are 0 afterwards. On a device
  // nobody waits where total_stays_on_devices(), which holds from the first call on.
  void total(SumBuffer& sums, int count, double* totals, const Queue& queue);
  bool total_stays_on_devices() const {
    return size_ == 1 || peers_ != nullptr || (runs_dry() && peers_tried_);
  }

 private:
  template <class Write>
  std::vector<double> exchange(int count, const Queue* queue, std::vector<ExactSum>* totals, Write&& write);
  SumSheet& sheet(int rank) const;
  void await(int rank, const Queue* queue) const;
  bool device_may_write();
  bool devices_may_add(const Queue& queue);

  Communicator comm_;
  int rank_ = 0, size_ = 1;
  std::unique_ptr<NodeMemory> shared_;  // of all ranks, or of this one alone
  bool with_mpi_ = false;               // ranks have sheets of their own that others do not see
  std::uint64_t number_ = 0;            // of the sums that were handed over last
  void* registered_ = nullptr;          // this rank's sheets, for its device
  bool refused_ = false;
  bool one_node_ = false, peers_tried_ = false;
  std::unique_ptr<PeerSums> peers_;
  CountedMemory peers_counted_;  // in a dry run, instead
  Buffer staging_;               // of totals on their way to a device
};

}  // namespace plaq
