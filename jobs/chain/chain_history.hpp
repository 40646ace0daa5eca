// History of a Markov chain: in the journal of its job while it runs, and at the end in PREFIX.history.h5,
// where COUNTER is ChainKind::counter, "sweep" or "trajectory":
//
//   /                   attributes: plaq_version, job_type, job, action, beta, seed, extents
//   /history/COUNTER    steps done, counted on from the number of the field that the chain started from;
//                       beside it the observables (jobs/results/observable_columns.hpp)
//   /steps/COUNTER      all steps, for chains with columns; beside it a dataset for each column
//   /configurations     the saved fields: COUNTER, checksum, and their observables; attribute file_names.
//                       A checksum of two sums makes [row, 2]
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "io/gauge/link_checksum.hpp"
#include "jobs/chain/chain_plan.hpp"
#include "jobs/results/journal.hpp"
#include "jobs/schema/job_file.hpp"
#include "kernels/gauge/observables.hpp"

namespace plaq::jobs {

struct ChainEvent {
  enum class Kind : std::uint32_t { measured = 1, saved = 2, checkpoint = 3, updated = 4 };
  Kind kind = Kind::measured;
  std::int64_t sweep = 0;
  GaugeObservables observables = {};  // if measured or saved
  LinkChecksum checksum = {};         // of a saved field
  std::uint64_t bytes = 0;            // of its file
  std::vector<double> numbers = {};   // of a step, one for each column
};

JournalRecord to_record(const ChainEvent& event);
// Entries of a journal in their order, and how many of its records are before each. `path`: for messages.
struct ChainHistory {
  std::vector<ChainEvent> events;
  std::vector<std::size_t> records_before;
};
ChainHistory history_of(const std::string& path, const std::vector<JournalRecord>& records);

// Serial. Replaces the file whole.
void write_history(const ChainPlan& plan, const JobFile& job, const Extents& extents,
                   const std::vector<ChainEvent>& events);

/// The measurements and saved fields in a history file of this chain, in their order, for a longer chain. A
/// saved field has the bytes of its file, 0 where that is missing. Throws Error(input_file) for damage, and
/// Error(output_file) where something is missing. Serial.
std::vector<ChainEvent> read_history(const ChainPlan& plan);

}  // namespace plaq::jobs
