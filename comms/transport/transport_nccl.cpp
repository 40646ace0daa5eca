#include <algorithm>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/node_map.hpp"
#include "comms/gpus/nccl_ranks.hpp"
#include "comms/sums/nccl_sums.hpp"
#include "comms/transport/face_memory.hpp"
#include "comms/transport/transport.hpp"
#include "core/system/error.hpp"

namespace plaq {

#if defined(PLAQ_WITH_NCCL)
namespace {

class NcclExchange final : public Exchange {
 public:
  NcclExchange(std::shared_ptr<NcclRanks> ranks, const std::vector<FaceMessage>& messages)
      : ranks_(std::move(ranks)), messages_(messages) {
    std::vector<std::size_t> out, in;
    for (const FaceMessage& m : messages) {
      out.push_back(m.send_to == FaceMessage::nobody ? 0 : m.bytes);
      in.push_back(m.receive_from == FaceMessage::nobody ? 0 : m.bytes);
      order_.push_back(order_.size());
    }
    send_ = FaceMemory(Location::device, out);
    receive_ = FaceMemory(Location::device, in);
    // NCCL has no tags: between two ranks the k-th that is sent is the k-th that is received.
    std::sort(order_.begin(), order_.end(),
              [&](std::size_t a, std::size_t b) { return messages_[a].tag < messages_[b].tag; });
  }

  void* send(std::size_t m) const override { return send_.at(m); }
  void* receive(std::size_t m) const override { return receive_.at(m); }

  int capturable() const override { return 0; }
  void start(const Queue& filled, std::size_t most) override {
    const NcclLibrary& nccl = ranks_->nccl();
    const auto stream = static_cast<cudaStream_t>(filled.stream());
    nccl.check(nccl.group_start(), "ncclGroupStart");
    for (const std::size_t m : order_) {
      const FaceMessage& message = messages_[m];
      const std::size_t bytes = std::min(message.bytes, most);
      if (bytes == 0) continue;
      if (message.send_to != FaceMessage::nobody)
        nccl.check(nccl.send(send_.at(m), bytes, ncclChar, message.send_to, ranks_->comm(), stream),
                   "ncclSend");
      if (message.receive_from != FaceMessage::nobody)
        nccl.check(
            nccl.receive(receive_.at(m), bytes, ncclChar, message.receive_from, ranks_->comm(), stream),
            "ncclRecv");
    }
    nccl.check(nccl.group_end(), "ncclGroupEnd");
  }
  void finish(const Queue&) override {}

 private:
  std::shared_ptr<NcclRanks> ranks_;
  std::vector<FaceMessage> messages_;
  std::vector<std::size_t> order_;  // of messages, by tag
  FaceMemory send_, receive_;
};

class NcclTransport final : public Transport {
 public:
  explicit NcclTransport(const ProcessGrid& grid) : ranks_(std::make_shared<NcclRanks>(grid.comm())) {}
  std::string_view name() const override { return "nccl"; }
  std::unique_ptr<Exchange> prepare(const std::vector<FaceMessage>& messages) override {
    return std::make_unique<NcclExchange>(ranks_, messages);
  }
  std::unique_ptr<GpuSums> make_sums() const override { return make_nccl_sums(ranks_); }

 private:
  std::shared_ptr<NcclRanks> ranks_;
};

}  // namespace

std::shared_ptr<Transport> make_nccl_transport(const ProcessGrid& grid) {
  all_or_none(grid.comm(), [] { NcclLibrary::get(); });
  if (two_ranks_share_a_device(
          grid.comm()))  // ncclCommInitRank would say so on some ranks and hang on others
    throw Error(ErrorKind::comms, "NCCL takes one rank a GPU, and two ranks share one");
  return std::make_shared<NcclTransport>(grid);
}

#else

std::shared_ptr<Transport> make_nccl_transport(const ProcessGrid&) {
  throw Error(ErrorKind::comms, "this plaq was built without NCCL");
}

#endif

}  // namespace plaq
