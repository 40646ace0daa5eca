// From where a Markov chain can go on: files with the links of one of its sweeps, and the journal.
#pragma once

#include <string>
#include <vector>

#include "jobs/chain/chain_history.hpp"
#include "jobs/chain/chain_plan.hpp"

namespace plaq::jobs {

// The links after `sweep` in `file`; no file: the chain is done. `steps`: the numbers of all steps so far.
struct ChainState {
  std::int64_t sweep = 0;
  std::string file;
  std::vector<std::vector<double>> steps = {};
};

// The last sweep such that the history has all measurements and all saved fields up to it, and their files
// are there, with the size and the checksum that they had; -1: not even sweep 0. Warns of files that are not.
std::int64_t last_covered_sweep(const ChainPlan& plan, const std::vector<ChainEvent>& events);

// States at sweeps that are covered, the latest first: the checkpoint, if it is one of this chain, and saved
// fields that are exact.
std::vector<ChainState> find_states(const ChainPlan& plan, const std::vector<ChainEvent>& events);

}  // namespace plaq::jobs
