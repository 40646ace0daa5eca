// Costs of exchanges to the processor that also computes, where no GPU does either: constants of the model
// for networks of hosts.
#pragma once

#include "comms/transport/transport.hpp"
#include "jobs/bench/bench.hpp"
#include "jobs/bench/exchange_rings.hpp"

namespace plaq::jobs {

// An exchange of two faces, work of about the same length, and the exchange behind that work.
struct HiddenExchange {
  Samples exchange, work, both;
  std::size_t message_bytes = 0;
  // Share of the shorter one that is hidden.
  double hidden() const;
};
// Collective over `grid`, a host's.
HiddenExchange hidden_exchange(const Bench& bench, const ProcessGrid& grid, Transport& transport,
                               const ExchangeRing& ring, std::size_t message_bytes);

// Wilson's hopping term on 4x4x4x8 and 8x8x8x8 sites of the first rank, with and without faces in t that it
// exchanges with itself by moving nothing; the other ranks sleep. Collective over the bench's ranks.
struct FaceTime {
  Precision precision = Precision::double_precision;
  double sites = 0;              // that have neighbours in faces
  double packed_bytes = 0;       // read to fill them
  double with = 0, without = 0;  // microseconds
};
std::vector<FaceTime> face_times(const Bench& bench);

// Microseconds of that hopping term on the first rank while the others sleep, and on all ranks at once.
// Collective.
struct Crowding {
  double alone = 0, together = 0;
};
Crowding crowding(const Bench& bench);

}  // namespace plaq::jobs
