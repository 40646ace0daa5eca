// Jobs that make a Markov chain of gauge fields.
//
// Steps count from the start of the run, also with start = "file": the random numbers of a step belong to
// (seed, step). A run that goes on from a file therefore needs a seed of its own, and one that would draw the
// numbers of the run that made the file again is refused (the header says PLAQ_SEED). Fields are numbered on
// from the SEQUENCE_NUMBER of that file.
//
// PREFIX.history.h5 is written last and says that the job is complete. Until then PREFIX.journal has what was
// measured and saved, and PREFIX.checkpoint the links of some step; both go away at the end. A run that finds
// a journal goes on from the latest state that it covers, and drops what came after: the bits are the same. A
// complete job whose `configurations` were raised goes on as if its history were a journal. Fields that are
// not saved with all bits of the chain's links leave PREFIX.checkpoint behind for that.
#pragma once

#include "jobs/chain/chain_update.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

/// Runs the job. Returns the exit code. Collective.
int run_chain(const JobFile& job, const ChainKind& kind);

}  // namespace plaq::jobs
