// How studies run: pieces that need each other in nothing, each kept in the journal as it comes, so that a run that was
// killed or stopped goes on with the next one; then a result file, and text for people.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "jobs/results/machine_attributes.hpp"
#include "jobs/results/resume.hpp"
#include "jobs/run/job_context.hpp"

namespace plaq::jobs {

// What decides times beside the job: where they were measured. A dry run knows the first ones of it.
struct StudyMachine {
  Attributes all;           // on rank 0 what it is there
  std::size_t planned = 0;  // so many
  // An output or a journal is this job's only where its machine has these.
  Attributes known() const;
};
// location, forced directions, whether faces are checked; device, driver and build. Of a job on one lattice also its
// ranks, its process grid and the threads of a rank. A GPU's times do not hang on the number of host threads, which
// differs from launch to launch: of many lattices threads count on the host alone.
StudyMachine study_machine(const JobContext& context);

struct Piece {
  std::string name;                  // "rates 16": its own in the job
  std::function<Results()> compute;  // collective; rank 0's results are kept
  // On rank 0, of every piece in order: what is printed.
  std::function<std::string(const Results&)> text_of;
};

// At the end, on rank 0.
struct StudyOutcome {
  Extents extents{};         // of the lattice, or of the first one
  Results results;           // with all groups
  std::string text = {};     // printed
  bool may_replace = false;  // an output of an earlier run, whatever the job says
  bool complete = true;      // else a later run goes on from the journal
};

struct Study {
  const char* title = "";  // of the progress
  std::vector<Piece> pieces;
  std::function<StudyOutcome(const std::vector<Results>&)> join;  // on rank 0
};

// Collective. Pieces that the journal has of the same machine are not computed again. An Error that stops it says what is
// kept; a StopRequest is one of kind stopped.
void run_study(const JobContext& context, const EarlierRun& earlier, const StudyMachine& machine,
               const Study& study);
// Collective. Which pieces that would be; `journal`: open on rank 0, null elsewhere.
std::vector<char> known_pieces(const JobContext& context, const Journal* journal, const StudyMachine& machine,
                               const std::vector<std::string>& names);

// Writes the result file, removes the journal of what is complete, and prints the text. On rank 0.
void finish_study(const JobFile& job, Journal& journal, const StudyOutcome& outcome);

}  // namespace plaq::jobs
