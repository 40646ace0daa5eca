// A job of pieces that need each other in nothing and read no files: what each finds is kept in the journal,
// so that a run that was killed or stopped goes on with the next one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "jobs/results/journal.hpp"
#include "jobs/results/results.hpp"
#include "jobs/run/job_context.hpp"

namespace plaq::jobs {

struct Piece {
  std::string name;                  // "rates 16": its own in the job
  std::function<Results()> compute;  // collective; rank 0's results are kept
};

struct PieceTask {
  const char* title = "";  // of the progress
  // What else decides the results beside the job (the machine, of times): the journal's are used where theirs
  // begins so.
  std::string fingerprint;
  std::vector<Piece> pieces;
  std::function<void(std::size_t piece, const Results&)> report;  // on rank 0, for every piece in order
};

// Collective. The results of all pieces on rank 0; empty elsewhere. `journal`: open on rank 0, null
// elsewhere. An Error that stops it says what is kept; a StopRequest is one of kind stopped.
std::vector<Results> run_pieces(const JobContext& context, Journal* journal, const PieceTask& task);

// How many of these pieces have results in a journal.
std::size_t count_known_pieces(const std::vector<JournalRecord>& records,
                               const std::vector<std::string>& names, const std::string& fingerprint);

}  // namespace plaq::jobs
