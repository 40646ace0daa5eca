// Results of a job, piece by piece, each kept in its journal as it comes, so that a job that was killed or
// stopped continues behind the last one. A piece is a part of a gauge field (jobs/run/ensemble.hpp) or has a
// name (jobs/study/study.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "comms/communicator/stop_request.hpp"
#include "core/system/progress.hpp"
#include "jobs/results/journal.hpp"
#include "jobs/results/results.hpp"
#include "jobs/run/job_context.hpp"

namespace plaq::jobs {

// Under what a journal has a piece.
struct PieceKey {
  std::string name;           // of a file, or its own
  std::string fingerprint;    // of what else decides its results: the file's contents, the machine
  std::uint32_t part = 0;     // of those with that name
  bool begins_alike = false;  // a fingerprint that goes on otherwise will do
  std::uint32_t parts = 1;    // of that name in all
};

// The first that is whole.
std::optional<Results> find_results(const std::vector<JournalRecord>& records, const PieceKey& key);

// True if all parts of a name are there.
bool has_all_parts(const std::vector<JournalRecord>& records, const std::string& name,
                   const std::string& fingerprint);

class KeptResults {
 public:
  // Returns the results of a piece from an earlier run. On rank 0.
  using Find = std::function<std::optional<Results>(std::size_t piece)>;

  // Collective. `journal`: open on rank 0, null elsewhere. `plural`: what pieces are called, for users.
  KeptResults(const JobContext& context, Journal* journal, std::size_t pieces, std::string plural,
              const Find& find);

  bool known(std::size_t piece) const { return known_[piece]; }                    // by an earlier run
  std::size_t left() const { return left_; }                                       // pieces to compute
  std::optional<Results>& operator[](std::size_t piece) { return found_[piece]; }  // on rank 0

  // Collective. Computes a piece that is not known; rank 0's results are on disk when it returns.
  void compute(std::size_t piece, const PieceKey& key, const std::function<Results()>& results);
  // Collective. An Error of `work` says what is kept, and `if_missed` where a tolerance was missed.
  void attempt(const std::function<void()>& work, const std::string& if_missed = {}) const;
  // Collective. Throws Error(stopped) when a signal came; not when all is done, since the rest takes no time.
  void stop_if_asked(Progress& progress) const;

 private:
  std::string text() const;  // "3 of 5 pieces are done and kept"

  const JobContext& context_;
  Journal* journal_;  // on rank 0
  std::string plural_;
  StopRequest stop_;
  std::vector<std::optional<Results>> found_;  // on rank 0
  std::vector<bool> known_;
  std::size_t left_ = 0;
};

}  // namespace plaq::jobs
