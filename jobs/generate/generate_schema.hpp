// Keys of generate jobs beside those of every chain.
#pragma once

#include <cstdint>

#include "jobs/chain/chain_update.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

struct CompoundSweepKeys {
  std::int64_t heatbath = 1, overrelaxation = 4, reunitarize_every = 10;
};

const Schema& generate_schema();
/// Chains of a generate job, whose steps are compound sweeps.
ChainKind generate_chain(const JobFile& job);

}  // namespace plaq::jobs
