// What a generate job remembers of its Markov chain: in its journal while it runs, and at the end in
// PREFIX.history.h5:
//
//   /                   attributes: plaq_version, job_type, job, action, beta, seed, extents
//   /history/sweep      compound sweeps done; beside it the observables
//                       (jobs/results/observable_columns.hpp)
//   /configurations     the saved fields: sweep, checksum, and their observables; attribute file_names.
//                       A checksum of two sums makes [row, 2]
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "io/gauge/link_checksum.hpp"
#include "jobs/results/journal.hpp"
#include "jobs/schema/job_file.hpp"
#include "kernels/gauge/observables.hpp"

namespace plaq::jobs {

struct ChainEvent {
  enum class Kind : std::uint32_t { measured = 1, saved = 2, checkpoint = 3 };
  Kind kind = Kind::measured;
  std::int64_t sweep = 0;
  GaugeObservables observables;  // not of a checkpoint
  LinkChecksum checksum;         // of a saved field
  std::uint64_t bytes = 0;       // of its file
};

JournalRecord to_record(const ChainEvent& event);
// Those of a journal in their order, and how many of its records are before each. `path`: for messages.
struct ChainHistory {
  std::vector<ChainEvent> events;
  std::vector<std::size_t> records_before;
};
ChainHistory history_of(const std::string& path, const std::vector<JournalRecord>& records);

// Serial. Replaces the file whole.
void write_history(const std::string& path, const JobFile& job, const Extents& extents,
                   const std::vector<ChainEvent>& events);

}  // namespace plaq::jobs
