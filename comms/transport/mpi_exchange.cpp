#include "comms/transport/mpi_exchange.hpp"

#include <algorithm>
#include <cstring>

#include "comms/communicator/mpi_check.hpp"
#include "core/system/error.hpp"
#include "core/system/waiting.hpp"

namespace plaq {
namespace {

using Path = MpiExchange::Path;

Location location_of(Path path) { return path == Path::host ? Location::host : Location::device; }

// Sizes of what is sent, or received: 0 for nobody.
std::vector<std::size_t> sizes(const std::vector<FaceMessage>& messages, int FaceMessage::*partner) {
  std::vector<std::size_t> bytes;
  for (const FaceMessage& m : messages) bytes.push_back(m.*partner == FaceMessage::nobody ? 0 : m.bytes);
  return bytes;
}

}  // namespace

MpiExchange::MpiExchange(const ProcessGrid& grid, Path path, const std::vector<FaceMessage>& messages)
    : grid_(&grid),
      path_(path),
      send_(location_of(path), sizes(messages, &FaceMessage::send_to)),
      receive_(location_of(path), sizes(messages, &FaceMessage::receive_from)),
      alone_(!grid.comm().through_mpi()),
      filled_(location_of(path)) {
  require(!alone_ || path != Path::device, "a process alone with MPI that takes memory of a GPU");
  if (staged()) {
    send_staging_ = FaceMemory(Location::host, sizes(messages, &FaceMessage::send_to), true);
    receive_staging_ = FaceMemory(Location::host, sizes(messages, &FaceMessage::receive_from), true);
  }
  for (std::size_t m = 0; m < messages.size(); ++m) {
    if (messages[m].send_to != FaceMessage::nobody)
      out_.push_back({messages[m], m, Event(location_of(path))});
    if (messages[m].receive_from != FaceMessage::nobody)
      in_.push_back({messages[m], m, Event(location_of(path))});
  }
  sends_.assign(out_.size(), MPI_REQUEST_NULL);
  receives_.assign(in_.size(), MPI_REQUEST_NULL);
  arrived_ = std::make_unique<std::atomic<bool>[]>(in_.size());
  taken_ = std::make_unique<std::atomic<bool>[]>(out_.size());
  if (alone_) pair_up();
  make_requests(whole);
}

MpiExchange::~MpiExchange() { free_requests(); }

// Requests are made once, and started for each exchange; again where its messages have another length.
void MpiExchange::make_requests(std::size_t most) {
  most_ = most;
  if (alone_) return;
  free_requests();
  for (std::size_t i = 0; i < in_.size(); ++i) {
    const Leg& leg = in_[i];
    void* to = (staged() ? receive_staging_ : receive_).at(leg.place);
    check_mpi(MPI_Recv_init(to, static_cast<int>(bytes(leg)), MPI_BYTE, leg.message.receive_from,
                            leg.message.tag, grid_->comm().mpi(), &receives_[i]),
              "MPI_Recv_init");
  }
  for (std::size_t i = 0; i < out_.size(); ++i) {
    const Leg& leg = out_[i];
    const void* from = (staged() ? send_staging_ : send_).at(leg.place);
    check_mpi(MPI_Send_init(from, static_cast<int>(bytes(leg)), MPI_BYTE, leg.message.send_to,
                            leg.message.tag, grid_->comm().mpi(), &sends_[i]),
              "MPI_Send_init");
  }
}

void MpiExchange::free_requests() {
  if (alone_) return;
  const bool gone = mpi_is_gone();
  for (auto* requests : {&sends_, &receives_})
    for (MPI_Request& request : *requests)
      if (!gone && request != MPI_REQUEST_NULL) MPI_Request_free(&request);
}

void MpiExchange::start(const Queue& filled, std::size_t most) {
  if (most != most_) make_requests(most);
  sent_ = 0;
  arrivals_.clear();
  if (path_ == Path::device) {  // MPI knows no streams: all that is left is for finish()
    filled_.record(filled);
    return;
  }
  post_receives();
  for (Leg& leg : out_) {
    if (staged()) {
      filled.copy_async(send_staging_.at(leg.place), send_.at(leg.place), bytes(leg));
      leg.copied.record(filled);
    } else {
      send_next();
    }
  }
}

// Messages leave as their staging copies end, and copies to the device start as messages arrive.
void MpiExchange::finish(const Queue& filled) {
  Waiting wait([this] { return awaited(); });
  if (path_ == Path::device) {
    filled_.synchronize();
    post_receives();
    while (sent_ < out_.size()) send_next();
  }
  std::size_t received = 0;
  while (sent_ < out_.size() || received < in_.size()) {
    if (sent_ < out_.size() && out_[sent_].copied.done()) send_next();
    if (received == in_.size()) continue;
    const auto arrived = next_arrival();
    if (!arrived) continue;
    ++received;
    arrived_[*arrived] = true;
    wait.progress();
    if (!staged()) continue;
    Leg& leg = in_[*arrived];
    filled.copy_async(receive_.at(leg.place), receive_staging_.at(leg.place), bytes(leg));
    leg.copied.record(filled);
  }
  for (std::size_t taken = 0; !alone_ && taken < out_.size();) {
    int index = MPI_UNDEFINED, done = 0;
    check_mpi(MPI_Testany(static_cast<int>(sends_.size()), sends_.data(), &index, &done, MPI_STATUS_IGNORE),
              "MPI_Testany");
    if (!done || index == MPI_UNDEFINED) continue;
    ++taken;
    taken_[static_cast<std::size_t>(index)] = true;
    wait.progress();
  }
}

std::optional<std::size_t> MpiExchange::next_arrival() {
  if (alone_) {
    if (arrivals_.empty()) return std::nullopt;
    const std::size_t first = arrivals_.front();
    arrivals_.erase(arrivals_.begin());
    return first;
  }
  int index = MPI_UNDEFINED, arrived = 0;
  check_mpi(
      MPI_Testany(static_cast<int>(receives_.size()), receives_.data(), &index, &arrived, MPI_STATUS_IGNORE),
      "MPI_Testany");
  if (!arrived || index == MPI_UNDEFINED) return std::nullopt;
  return static_cast<std::size_t>(index);
}

// Pairs messages by MPI's rule: among equal tags the first that is sent is the first that is received.
void MpiExchange::pair_up() {
  std::vector<bool> has_sender(in_.size());
  for (const Leg& leg : out_) {
    std::size_t to = 0;
    while (to < in_.size() && (has_sender[to] || in_[to].message.tag != leg.message.tag)) ++to;
    require(to < in_.size(), "a process alone receives what it sends");
    has_sender[to] = true;
    paired_.push_back(to);
  }
  require(out_.size() == in_.size(), "a process alone receives what it sends, and no more");
}

std::string MpiExchange::awaited() const {
  std::string text;
  for (std::size_t i = 0; i < in_.size(); ++i)
    if (!arrived_[i]) text += (text.empty() ? "" : ", ") + sender_text(in_[i].message);
  if (!text.empty()) return text;
  for (std::size_t i = 0; i < out_.size(); ++i)
    if (!taken_[i]) text += (text.empty() ? "" : ", ") + receiver_text(out_[i].message);
  return "that others take " + text;
}

std::size_t MpiExchange::bytes(const Leg& leg) const { return std::min(leg.message.bytes, most_); }

void MpiExchange::post_receives() {
  for (std::size_t i = 0; i < in_.size(); ++i) {
    const Leg& leg = in_[i];
    arrived_[i] = false;
    if (staged()) leg.copied.synchronize();  // the copy of the last message out of the staging memory
    if (!alone_) check_mpi(MPI_Start(&receives_[i]), "MPI_Start");
  }
}

void MpiExchange::send_next() {
  if (alone_) {
    const Leg &from = out_[sent_], &to = in_[paired_[sent_]];
    if (bytes(from) > 0)
      std::memcpy((staged() ? receive_staging_ : receive_).at(to.place),
                  (staged() ? send_staging_ : send_).at(from.place), bytes(from));
    arrivals_.push_back(paired_[sent_]);
  } else {
    check_mpi(MPI_Start(&sends_[sent_]), "MPI_Start");
    taken_[sent_] = false;
  }
  ++sent_;
}

}  // namespace plaq
