// Trials of transports where the job runs: which of several brings a face soonest, by its size, and whether
// one brings what was sent.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "comms/transport/transport.hpp"
#include "core/system/timer.hpp"

namespace plaq {

// An index for each size.
class IndexBySize {
 public:
  IndexBySize(std::size_t index = 0) : steps_{{Exchange::whole, index}} {}
  // `best[i]` is for messages of about sizes[i] bytes, which ascend.
  IndexBySize(const std::vector<std::size_t>& sizes, const std::vector<std::size_t>& best);

  std::size_t at(std::size_t bytes) const;
  // "nccl up to 256 KiB, host above".
  std::string text(const std::function<std::string(std::size_t index)>& name) const;

 private:
  struct Step {
    std::size_t most, index;  // bytes
  };
  std::vector<Step> steps_;
};

// Sizes that are tried.
std::vector<std::size_t> trial_message_bytes();

// Collective. Exchanges faces of several sizes between those neighbours for which `between(from, to)`, never
// of a rank with itself, by each of `transports`; the indices of the fastest, the same on all ranks. A later
// one must be a tenth faster than those before it. Without such neighbours 0. `now`: the clock, in seconds.
IndexBySize fastest_by_size(const ProcessGrid& grid, Location location,
                            const std::vector<std::shared_ptr<Transport>>& transports,
                            const std::function<bool(int from, int to)>& between,
                            const std::function<double()>& now = seconds_now);

// Numbered messages between all neighbours, compared byte by byte. Collective. For each direction and message
// size several exchanges in a row with both neighbours (this rank itself where the direction is not split).
// Empty, or what was wrong first on the lowest rank where something was: size, direction, sender and place.
std::string transport_fault(const ProcessGrid& grid, Location location, Transport& transport,
                            const std::vector<std::size_t>& message_bytes);
// Sizes that make every transport take each of its paths: a few bytes, a small face, megabytes.
std::vector<std::size_t> test_message_bytes();

}  // namespace plaq
