// Exact sums over the ranks of a grid: every rank gets the same doubles, whatever the grid.
//
// Each rank writes its sums on a sheet in memory that all ranks of its node share (a GPU does so itself). On
// one node every rank adds up all sheets, and no rank calls MPI or waits for a stream. On several nodes the
// first rank of each, its leader, adds up the sheets of the node; leaders call MPI_Allreduce, and write what
// comes out on a sheet for the others.
//
// A caller that needs the sums on the GPU only (total()) waits for nothing if GPUs add them up among
// themselves (comms/sums/gpu_sums.hpp).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "comms/communicator/communicator.hpp"
#include "comms/sums/gpu_sums.hpp"
#include "comms/sums/node_memory.hpp"
#include "core/sums/sum_buffer.hpp"
#include "core/sums/sum_sheet.hpp"
#include "core/system/counted_memory.hpp"
#include "core/system/runs_dry.hpp"

namespace plaq {

class SumExchange {
 public:
  // Collective. nodes[r]: of each rank a number of its node, equal for ranks that share memory (nodes_of()).
  SumExchange(Communicator comm, const std::vector<int>& nodes);
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
  bool total_stays_on_devices() const { return size_ == 1 || gpus_ != nullptr || (runs_dry() && tried_); }

  // Collective. GPUs add up sums as `sums` do from now on.
  void use(std::unique_ptr<GpuSums> sums);
  // Collective. Uses `sums`, and returns true, unless GPUs of one node add up among themselves already, a
  // trial gives wrong sums, or those through the hosts are a tenth faster.
  bool offer(std::unique_ptr<GpuSums> sums);

 private:
  template <class Write>
  std::vector<double> exchange(int count, const Queue* queue, std::vector<ExactSum>* totals, Write&& write);
  std::vector<SheetSum> added(int count, const Queue* queue);
  std::vector<SheetSum> node_sums(int count, const Queue* queue) const;
  SumSheet& sheet(int rank_of_node) const;
  SumSheet& total_sheet() const;
  void publish(SumSheet& sheet, std::span<ExactSum> sums) const;
  bool device_may_write();
  bool devices_may_add(const Queue& queue);

  Communicator comm_;
  int size_ = 1;
  bool one_node_ = true;
  Communicator node_;                    // ranks whose sheets this one sees
  std::vector<int> node_ranks_;          // their ranks in comm_
  bool between_nodes_ = false;           // there are others
  std::optional<Communicator> leaders_;  // one rank of each node, where this one is such a rank
  std::unique_ptr<NodeMemory> shared_;
  std::uint64_t number_ = 0;    // of the sums that were handed over last
  void* registered_ = nullptr;  // this rank's sheets, for its device
  bool refused_ = false;
  bool tried_ = false;  // whether GPUs add among themselves is known
  std::unique_ptr<GpuSums> gpus_;
  CountedMemory gpus_counted_;  // in a dry run, instead
  Buffer staging_;              // of totals on their way to a device
};

}  // namespace plaq
