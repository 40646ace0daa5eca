#include "comms/transport/transport_checked.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "comms/communicator/collective.hpp"
#include "comms/transport/face_checksum.hpp"
#include "comms/transport/face_memory.hpp"
#include "core/algebra/bits.hpp"
#include "core/launch/dispatch.hpp"
#include "core/system/error.hpp"
#include "core/system/waiting.hpp"

namespace plaq {
namespace {

constexpr int tag_bits = 8;
constexpr std::size_t head = FaceChecksums::bytes;
static_assert(head % FaceMemory::alignment == 0);

std::uint64_t face_key(int sender, int tag) {
  return mixed((static_cast<std::uint64_t>(sender) << tag_bits) + static_cast<std::uint64_t>(tag));
}
// Not 0.
std::uint32_t face_name(int sender, int tag) {
  return (static_cast<std::uint32_t>(sender) << tag_bits) + static_cast<std::uint32_t>(tag) + 1;
}

void launch(const FaceChecksums& faces, bool make, const Queue& queue) {
  dispatch(queue.location(), Precision::double_precision,
           [&](auto kind) { launch_face_checksums<typename decltype(kind)::target>(faces, make, queue); });
}

char* behind_head(void* message) { return static_cast<char*>(message) + head; }

}  // namespace

// The head of a message are the checksums of the face behind it.
class CheckedTransport::Checked final : public Exchange {
 public:
  Checked(const CheckedTransport& of, const std::vector<FaceMessage>& messages)
      : of_(of), messages_(messages), numbers_(of.location_, 2 * sizeof(std::uint64_t)) {
    numbers_.fill_zero();
    std::vector<std::size_t> out;
    std::vector<FaceMessage> longer = messages;
    for (FaceMessage& m : longer) {
      require(m.tag >= 0 && m.tag < (1 << tag_bits), "a tag of a face that is checked");
      out.push_back(m.send_to == FaceMessage::nobody ? 0 : m.bytes);
      m.bytes += head;
    }
    send_ = FaceMemory(of.location_, out);
    inner_ = of.inner_->prepare(longer);
  }

  void* send(std::size_t m) const override { return send_.at(m); }
  void* receive(std::size_t m) const override {
    void* message = messages_[m].bytes == 0 ? nullptr : inner_->receive(m);
    return message == nullptr ? nullptr : behind_head(message);
  }
  void begin() override {
    of_.look();
    inner_->begin();
  }
  void start(const Queue& filled, std::size_t most) override {
    most_ = most;
    launch_all(true, filled);
    inner_->start(filled, most == whole ? whole : head + most);
  }
  void finish(const Queue& filled) override {
    inner_->finish(filled);
    launch_all(false, filled);
    if (of_.location_ == Location::host) of_.look();
  }

 private:
  void launch_all(bool make, const Queue& queue) const {
    FaceChecksums faces;
    faces.numbers = numbers_.as<std::uint64_t>();
    faces.fault = of_.fault_.as<std::uint64_t>();
    bool counted = false;  // the exchange, by any launch
    for (std::size_t m = 0; m < messages_.size(); ++m) {
      const FaceMessage& message = messages_[m];
      if ((make ? message.send_to : message.receive_from) == FaceMessage::nobody) continue;
      FaceChecksums::Face& face = faces.faces[static_cast<std::size_t>(faces.count++)];
      void* inner = make ? inner_->send(m) : inner_->receive(m);
      const int sender = make ? of_.grid_->rank() : message.receive_from;
      face = {.data = make ? send_.at(m) : behind_head(inner),
              .copy = make ? behind_head(inner) : nullptr,
              .sums = static_cast<std::uint64_t*>(inner),
              .bytes = std::min(message.bytes, most_),
              .key = face_key(sender, message.tag),
              .name = face_name(sender, message.tag)};
      if (faces.count < FaceChecksums::most) continue;
      launch(faces, make, queue);
      faces.count = 0;
      counted = true;
    }
    if (faces.count > 0 || !counted) launch(faces, make, queue);
  }

  const CheckedTransport& of_;
  std::vector<FaceMessage> messages_;
  Buffer numbers_;
  FaceMemory send_;
  std::unique_ptr<Exchange> inner_;
  std::size_t most_ = whole;
};

CheckedTransport::CheckedTransport(const ProcessGrid& grid, Location location,
                                   std::shared_ptr<Transport> inner)
    : grid_(&grid),
      location_(location),
      inner_(std::move(inner)),
      name_("checked " + std::string(inner_->name())),
      fault_(Location::host, sizeof(std::uint64_t), true) {
  require(grid.size() <= most_ranks, "more ranks than checksums of faces can name");
  fault_.fill_zero();
}

std::unique_ptr<Exchange> CheckedTransport::prepare(const std::vector<FaceMessage>& messages) {
  return std::make_unique<Checked>(*this, messages);
}

std::size_t CheckedTransport::head_bytes() { return head; }

void CheckedTransport::look() const {
  const std::uint64_t fault = *static_cast<volatile const std::uint64_t*>(fault_.as<std::uint64_t>());
  if (fault == 0) return;
  const auto name = static_cast<std::uint32_t>(fault) - 1;
  FaceMessage message;
  message.receive_from = static_cast<int>(name >> tag_bits);
  message.tag = static_cast<int>(name & ((1u << tag_bits) - 1));
  const std::string ranges = ranges_now();
  throw Error(ErrorKind::comms,
              fmt::format("{} came to rank {} damaged in exchange {} of its kind{}: it has not the checksum "
                          "that the sender made (transport {})",
                          sender_text(message), grid_->rank(), fault >> 32,
                          ranges.empty() ? "" : ", found in " + ranges, inner_->name()));
}

void CheckedTransport::expect_intact(const Queue& queue) const {
  queue.synchronize();
  all_or_none(grid_->comm(), [&] { look(); });
}

}  // namespace plaq
