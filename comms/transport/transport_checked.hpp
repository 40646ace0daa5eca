// A transport that checks what another one moves: every face of every exchange travels behind a checksum,
// which the receiver makes again.
#pragma once

#include "comms/transport/transport.hpp"
#include "core/system/memory.hpp"

namespace plaq {

// Kernels pack into memory of its own, from where faces are summed and copied into the inner transport's: so
// the way into the memory of another GPU is checked as well. A face that came damaged, stale or from another
// sender is an Error(comms) that names direction, sender, receiver and exchange: on the host in finish(); on
// a device, where nobody waits, it is noted, and thrown by the next begin() of any exchange that sees it, or
// by expect_intact(). The ranks that received it throw it alone.
class CheckedTransport final : public Transport {
 public:
  CheckedTransport(const ProcessGrid& grid, Location location, std::shared_ptr<Transport> inner);

  std::string_view name() const override { return name_; }
  std::string_view carrier(int send_to, std::size_t bytes) const override {
    return inner_->carrier(send_to, bytes);
  }
  std::unique_ptr<Exchange> prepare(const std::vector<FaceMessage>& messages) override;

  // Collective: after this, what was computed from faces that came before may be kept. Waits for `queue`,
  // which has waited for the exchanges. Throws the same Error on every rank when any face was wrong on any.
  void expect_intact(const Queue& queue) const override;
  // Bytes of a message beside the face.
  static std::size_t head_bytes();
  static constexpr int most_ranks = 1 << 23;

 private:
  class Checked;
  void look() const;

  const ProcessGrid* grid_;
  Location location_;
  std::shared_ptr<Transport> inner_;
  std::string name_;
  Buffer fault_;  // FaceChecksums::fault
};

}  // namespace plaq
