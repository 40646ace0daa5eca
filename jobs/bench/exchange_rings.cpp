#include "jobs/bench/exchange_rings.hpp"

#include <algorithm>

namespace plaq::jobs {
namespace {

ExchangeRing ring_of(std::string_view where, std::vector<int> ranks, int rank) {
  const auto mine = std::find(ranks.begin(), ranks.end(), rank);
  const auto place = static_cast<std::size_t>(mine - ranks.begin());
  return {where, std::move(ranks), place};
}

}  // namespace

std::vector<ExchangeRing> exchange_rings(const std::vector<int>& nodes, int rank) {
  if (nodes.size() == 1) return {ring_of(ExchangeRing::itself, {0}, 0)};
  std::vector<std::ptrdiff_t> places;  // of each rank in its node
  for (std::size_t r = 0; r < nodes.size(); ++r)
    places.push_back(std::count(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(r), nodes[r]));
  std::vector<int> near, far;
  const auto mine = static_cast<std::size_t>(rank);
  for (std::size_t r = 0; r < nodes.size(); ++r) {
    if (nodes[r] == nodes[mine]) near.push_back(static_cast<int>(r));
    if (places[r] == places[mine]) far.push_back(static_cast<int>(r));
  }
  std::vector<ExchangeRing> rings;
  if (*std::max_element(places.begin(), places.end()) > 0)
    rings.push_back(ring_of(ExchangeRing::within_a_node, near, rank));
  if (std::count(nodes.begin(), nodes.end(), nodes.front()) < static_cast<std::ptrdiff_t>(nodes.size()))
    rings.push_back(ring_of(ExchangeRing::between_nodes, far, rank));
  return rings;
}

std::vector<FaceMessage> ring_messages(const ExchangeRing& ring, int faces, std::size_t bytes) {
  const std::size_t size = ring.ranks.size();
  std::vector<FaceMessage> messages;
  for (int d = 0; d < faces; ++d) {
    FaceMessage m{FaceMessage::nobody, FaceMessage::nobody, d, bytes};
    if (ring.where == ExchangeRing::itself) {
      m.send_to = m.receive_from = ring.ranks.front();
    } else if (faces == 1) {
      if (const std::size_t partner = ring.place ^ 1; partner < size)
        m.send_to = m.receive_from = ring.ranks[partner];
    } else if (size > 1) {
      const std::size_t distance = 1 + static_cast<std::size_t>(d) / 2 % (size - 1);
      const int next = ring.ranks[(ring.place + distance) % size],
                last = ring.ranks[(ring.place + size - distance) % size];
      m.send_to = d % 2 == 0 ? last : next;
      m.receive_from = d % 2 == 0 ? next : last;
    }
    messages.push_back(m);
  }
  return messages;
}

}  // namespace plaq::jobs
