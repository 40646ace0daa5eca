#include "comms/sums/nccl_sums.hpp"

#if defined(PLAQ_WITH_NCCL)
#include <algorithm>
#include <utility>

#include "comms/sums/total_sums.hpp"
#include "core/system/memory.hpp"

namespace plaq {
namespace {

class NcclSums final : public GpuSums {
 public:
  explicit NcclSums(std::shared_ptr<NcclRanks> ranks)
      : ranks_(std::move(ranks)), carried_(Location::device, SumBuffer::bytes(most)) {}

  void total(SumBuffer& sums, int count, double* totals, const Queue& queue) override {
    const NcclLibrary& nccl = ranks_->nccl();
    auto* carried = carried_.as<std::int64_t>();
    for (int first = 0; first < count; first += most) {
      const int some = std::min(most, count - first);
      move_carried(sums.limbs() + static_cast<std::ptrdiff_t>(first) * ExactSum::size, some, carried, queue);
      nccl.check(nccl.all_reduce(carried, carried, static_cast<std::size_t>(some) * ExactSum::size, ncclInt64,
                                 ncclSum, ranks_->comm(), static_cast<cudaStream_t>(queue.stream())),
                 "ncclAllReduce");
      total_sums(carried, some, totals + first, {}, queue);
    }
  }

 private:
  static constexpr int most = 256;  // sums in one message
  std::shared_ptr<NcclRanks> ranks_;
  Buffer carried_;
};

}  // namespace

std::unique_ptr<GpuSums> make_nccl_sums(std::shared_ptr<NcclRanks> ranks) {
  return std::make_unique<NcclSums>(std::move(ranks));
}

}  // namespace plaq
#endif
