#include "comms/sums/peer_sums.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/node_map.hpp"
#include "comms/gpus/peer_memory.hpp"
#include "comms/watchdog/device_waits.hpp"
#include "core/sums/sum_sheet.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#if defined(PLAQ_WITH_CUDA)
#include "comms/sums/total_sums.hpp"
#endif

namespace plaq {
namespace {

// Two for each pair of ranks (comms/sums/total_sums.hpp).
std::size_t sheet_bytes(int ranks) { return static_cast<std::size_t>(ranks) * 2 * sizeof(SumSheet); }

}  // namespace

std::size_t peer_sums_bytes(int ranks) {
  return ranks < 2 || ranks > most_peers ? 0 : exported_piece_bytes(sheet_bytes(ranks));
}

#if defined(PLAQ_WITH_CUDA)
namespace {

class PeerSums final : public GpuSums {
 public:
  explicit PeerSums(const Communicator& comm) : number_(Location::device, sizeof(std::uint64_t)) {
    peers_.rank = comm.rank();
    peers_.ranks = comm.size();
    number_.fill_zero();
    peers_.number = number_.as<std::uint64_t>();
    const auto ranks = static_cast<std::size_t>(peers_.ranks), me = static_cast<std::size_t>(peers_.rank);
    cudaIpcMemHandle_t mine{};
    all_or_none(comm, [&] {
      memory_ = std::make_unique<ExportedMemory>(sheet_bytes(peers_.ranks));
      mine = memory_->handle();
    });
    const auto all = comm.all_gather(mine);
    all_or_none(comm, [&] {
      for (std::size_t r = 0; r < ranks; ++r) {
        peers_.here[r] = reinterpret_cast<SumSheet*>(memory_->data()) + 2 * r;
        char* theirs = r == me ? memory_->data() : open_exported(all[r], static_cast<int>(r));
        peers_.there[r] = reinterpret_cast<SumSheet*>(theirs) + 2 * me;
      }
    });
    (void)device_numbers({peers_.number});  // now, and not first when a watchdog asks and kernels wait
    wait_.emplace([this] { return missing(); });
  }

  void total(SumBuffer& sums, int count, double* totals, const Queue& queue) override {
    total_sums(sums.limbs(), count, totals, peers_, queue);
  }

 private:
  // For a watchdog, on a thread of its own: whose sums have not come, of those that were handed over last.
  std::string missing() const {
    const auto handed = device_numbers({peers_.number});
    if (!handed) return no_answer;
    const std::uint64_t number = handed->front();
    std::vector<const std::uint64_t*> numbers;
    for (int r = 0; r < peers_.ranks; ++r) numbers.push_back(&peers_.here[r][number % 2].number);
    const auto come = device_numbers(numbers);
    if (!come) return no_answer;
    std::string ranks;
    for (int r = 0; r < peers_.ranks; ++r)
      if (r != peers_.rank && (*come)[static_cast<std::size_t>(r)] < number)
        ranks += fmt::format("{}{}", ranks.empty() ? "" : ", ", r);
    return ranks.empty() ? "" : fmt::format("GPU waits for the sums of the GPU of rank {}", ranks);
  }

  SumPeers peers_;
  Buffer number_;
  std::unique_ptr<ExportedMemory> memory_;
  std::optional<DeviceWait> wait_;  // the last member: gone before what it reads
};

}  // namespace

std::unique_ptr<GpuSums> make_peer_sums(const Communicator& comm, const Queue& queue) {
  if (comm.size() > most_peers || two_ranks_share_a_device(comm)) return nullptr;
  try {
    auto sums = std::make_unique<PeerSums>(comm);
    if (sums_are_right(*sums, comm, queue)) return sums;
    log::warning("GPUs read wrong sums from each other's memory: sums pass through the hosts");
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::comms) throw;
  }
  return nullptr;
}

#else

std::unique_ptr<GpuSums> make_peer_sums(const Communicator&, const Queue&) { return nullptr; }

#endif

}  // namespace plaq
