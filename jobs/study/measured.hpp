// What a study finds of one subject: in one storage, with so many right-hand sides.
#pragma once

#include <cstdint>
#include <string>

#include "jobs/rates/operator_rates.hpp"
#include "jobs/study/exchange_times.hpp"

namespace plaq::jobs {

// Of one application, one iteration of a method or one sweep.
struct Measured {
  Samples samples;
  Work work;  // of one rank
  // Of the result from that in double precision, relative; a method: its operator's; gauge fixing: of the
  // functional.
  double difference = 0;
  std::string check;           // how the result was verified, in words
  double exchanges = 0;        // of faces
  ExchangeTimes exchange;      // of one of them
  double bytes_sent = 0;       // by one rank
  std::uint64_t checksum = 0;  // of the result: field_checksum
  double setup_seconds = 0;    // of multigrid on the slowest rank; 0 without

  Measured() = default;
  Measured(const OperatorRate& rate)
      : samples(rate.samples), work(rate.work), difference(rate.difference), check(rate.check) {}
  Measured(const Samples& s, const Work& w, std::string how) : samples(s), work(w), check(std::move(how)) {}

  // Of one rank.
  double flops_per_second() const { return work.flops / (1e-6 * samples.median); }
  double bytes_per_second() const { return work.bytes / (1e-6 * samples.median); }
};

}  // namespace plaq::jobs
