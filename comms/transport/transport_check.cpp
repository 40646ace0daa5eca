#include "comms/transport/transport_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "comms/grid/collective.hpp"
#include "core/algebra/mix64.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/memory.hpp"

namespace plaq {
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

std::string fault_of(Location location, const ProcessGrid& grid, Transport& transport, std::size_t bytes) {
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
    fault = fault_of(location, grid, transport, bytes);
    const int first = grid.comm().min(fault.empty() ? grid.size() : grid.rank());
    if (first < grid.size()) fault = broadcast(grid.comm(), fault, first);
  }
  return fault;
}

std::vector<std::size_t> test_message_bytes() { return {8, 1000, 49152, (std::size_t{3} << 20) + 24}; }

}  // namespace plaq
