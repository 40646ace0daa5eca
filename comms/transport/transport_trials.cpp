#include "comms/transport/transport_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "comms/communicator/collective.hpp"
#include "core/algebra/bits.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/memory.hpp"

namespace plaq {
namespace {

constexpr int warm_ups = 2, samples = 7;
constexpr double clearly_faster = 0.9;

std::string size_text(std::size_t bytes) {
  if (bytes >= std::size_t{1} << 20) return fmt::format("{} MiB", bytes >> 20);
  return fmt::format("{} KiB", bytes >> 10);
}

// Median of the slowest rank's time; 0 if nobody has anything to send.
double exchange_seconds(const ProcessGrid& grid, Location location, Transport& transport,
                        const std::vector<FaceMessage>& messages, const std::function<double()>& now) {
  const Queue queue(location);
  const MemoryName name("messages that time transports");
  const auto exchange = transport.prepare(messages);
  if (runs_dry()) return 0;
  std::vector<double> seconds;
  for (int i = 0; i < warm_ups + samples; ++i) {
    grid.comm().barrier();
    const double begun = now();
    if (!messages.empty()) {
      exchange->begin();
      exchange->start(queue);
      exchange->finish(queue);
      queue.synchronize();
    }
    if (i >= warm_ups) seconds.push_back(messages.empty() ? 0 : now() - begun);
  }
  std::nth_element(seconds.begin(), seconds.begin() + samples / 2, seconds.end());
  return global_max(grid, seconds[samples / 2]);
}

}  // namespace

IndexBySize::IndexBySize(const std::vector<std::size_t>& sizes, const std::vector<std::size_t>& best) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool last = i + 1 == sizes.size();
    if (!last && best[i + 1] == best[i]) continue;
    // Half way on a scale of logarithms.
    const double middle =
        last ? 0 : std::sqrt(static_cast<double>(sizes[i]) * static_cast<double>(sizes[i + 1]));
    steps_.push_back({last ? Exchange::whole : static_cast<std::size_t>(middle), best[i]});
  }
  if (steps_.empty()) steps_.push_back({Exchange::whole, 0});
}

std::size_t IndexBySize::at(std::size_t bytes) const {
  for (const Step& step : steps_)
    if (bytes <= step.most) return step.index;
  return steps_.back().index;
}

std::string IndexBySize::text(const std::function<std::string(std::size_t)>& name) const {
  std::string text;
  for (const Step& step : steps_) {
    if (!text.empty()) text += ", ";
    text += name(step.index);
    if (step.most != Exchange::whole) {
      text += " up to " + size_text(step.most);
    } else if (steps_.size() > 1) {
      text += " above";
    }
  }
  return text;
}

std::vector<std::size_t> trial_message_bytes() {
  return {std::size_t{4} << 10, std::size_t{64} << 10, std::size_t{1} << 20, std::size_t{4} << 20};
}

IndexBySize fastest_by_size(const ProcessGrid& grid, Location location,
                            const std::vector<std::shared_ptr<Transport>>& transports,
                            const std::function<bool(int from, int to)>& between,
                            const std::function<double()>& now) {
  if (transports.size() < 2) return {};
  const auto partner = [&](int rank) {
    return rank != grid.rank() && between(grid.rank(), rank) ? rank : FaceMessage::nobody;
  };
  std::vector<std::size_t> best;
  const auto sizes = trial_message_bytes();
  for (const std::size_t bytes : sizes) {
    std::vector<FaceMessage> messages;
    for (int d = 0; d < 8; ++d) {
      const int to = partner(grid.neighbor(d / 2, d % 2 == 1)),
                from = partner(grid.neighbor(d / 2, d % 2 == 0));
      if (to != FaceMessage::nobody || from != FaceMessage::nobody) messages.push_back({to, from, d, bytes});
    }
    std::size_t fastest = 0;
    double least = 0;
    for (std::size_t t = 0; t < transports.size(); ++t) {
      const double seconds = exchange_seconds(grid, location, *transports[t], messages, now);
      if (t > 0 && !(seconds < clearly_faster * least)) continue;
      fastest = t;
      least = seconds;
    }
    best.push_back(fastest);
  }
  return {sizes, best};
}

namespace {

constexpr int rounds = 3;

// Word i of what a rank sends with a tag.
std::uint64_t word_of(int rank, int tag, int round, std::size_t i) {
  return mixed((static_cast<std::uint64_t>(rank) << 40) + (static_cast<std::uint64_t>(tag) << 32) +
               (static_cast<std::uint64_t>(round) << 28) + i);
}

std::vector<unsigned char> message(int rank, int tag, int round, std::size_t bytes) {
  std::vector<unsigned char> all(bytes);
  for (std::size_t i = 0; i < bytes; i += sizeof(std::uint64_t)) {
    const std::uint64_t word = word_of(rank, tag, round, i / sizeof(std::uint64_t));
    std::memcpy(all.data() + i, &word, std::min(sizeof word, bytes - i));
  }
  return all;
}

std::string find_fault(Location location, const ProcessGrid& grid, Transport& transport, std::size_t bytes) {
  const Queue queue(location);
  std::vector<FaceMessage> messages;
  for (int d = 0; d < 8; ++d)
    messages.push_back({grid.neighbor(d / 2, d % 2 == 1), grid.neighbor(d / 2, d % 2 == 0), d, bytes});
  const MemoryName name("messages that try a transport");
  const auto exchange = transport.prepare(messages);
  if (runs_dry()) return {};
  std::string fault;
  for (int round = 0; round < rounds; ++round) {
    exchange->begin();
    for (std::size_t d = 0; d < messages.size(); ++d) {
      const auto sent = message(grid.rank(), static_cast<int>(d), round, bytes);
      copy_bytes(exchange->send(d), location, sent.data(), Location::host, bytes);
    }
    exchange->start(queue);
    exchange->finish(queue);
    queue.synchronize();
    for (std::size_t d = 0; d < messages.size(); ++d) {
      std::vector<unsigned char> got(bytes);
      copy_bytes(got.data(), Location::host, exchange->receive(d), location, bytes);
      const int sender = messages[d].receive_from;
      const auto expected = message(sender, static_cast<int>(d), round, bytes);
      if (got == expected || !fault.empty()) continue;
      std::size_t at = 0, wrong = 0;
      for (std::size_t i = bytes; i-- > 0;)
        if (got[i] != expected[i]) at = i, ++wrong;
      fault = fmt::format(
          "a message of {} bytes from rank {} to rank {} ({}{}) arrives with {} wrong bytes, the first one "
          "at {}",
          bytes, sender, grid.rank(), "xyzt"[d / 2], d % 2 == 0 ? "+" : "-", wrong, at);
    }
  }
  return fault;
}

}  // namespace

std::string transport_fault(const ProcessGrid& grid, Location location, Transport& transport,
                            const std::vector<std::size_t>& message_bytes) {
  std::string fault;
  for (const std::size_t bytes : message_bytes) {
    if (!fault.empty()) break;
    fault = find_fault(location, grid, transport, bytes);
    const int first = grid.comm().min(fault.empty() ? grid.size() : grid.rank());
    if (first < grid.size()) fault = broadcast(grid.comm(), fault, first);
  }
  return fault;
}

std::vector<std::size_t> test_message_bytes() { return {8, 1000, 49152, (std::size_t{3} << 20) + 24}; }

}  // namespace plaq
