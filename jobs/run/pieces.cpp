#include "jobs/run/pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "comms/grid/mpi_check.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/bytes/byte_stream.hpp"
#include "jobs/common/collective_check.hpp"
#include "jobs/common/progress.hpp"
#include "jobs/common/stop_request.hpp"
#include "jobs/results/resume.hpp"

namespace plaq::jobs {
namespace {

constexpr std::uint32_t piece_record = 1;  // kind; key: name, payload: fingerprint and results

JournalRecord record_of(const std::string& name, const std::string& fingerprint, const Results& results) {
  ByteWriter payload;
  payload.text(fingerprint);
  payload.text(to_bytes(results));
  return {piece_record, name, payload.bytes()};
}

std::optional<Results> find_results(const std::vector<JournalRecord>& records, const std::string& name,
                                    const std::string& fingerprint) {
  for (const auto& record : records) {
    if (record.kind != piece_record || record.key != name) continue;
    ByteReader payload(record.payload);
    const auto known = payload.text();
    const auto bytes = payload.text();
    if (!known || !known->starts_with(fingerprint) || !bytes) continue;
    if (auto results = results_from_bytes(*bytes)) return results;
  }
  return std::nullopt;
}

class PieceRun {
 public:
  PieceRun(const JobContext& context, Journal* journal, const PieceTask& task)
      : context_(context), journal_(journal), task_(task), found_(task.pieces.size()) {
    std::vector<int> known(found_.size(), 0);
    if (journal_)
      for (std::size_t i = 0; i < found_.size(); ++i) {
        found_[i] = find_results(journal_->records(), task_.pieces[i].name, task_.fingerprint);
        known[i] = found_[i] ? 1 : 0;
      }
    wait_mpi("MPI_Bcast", [&] {
      return MPI_Bcast(known.data(), static_cast<int>(known.size()), MPI_INT, 0, context_.grid->comm());
    });
    known_.assign(known.begin(), known.end());
    left_ = static_cast<std::size_t>(std::count(known.begin(), known.end(), 0));
    if (left_ < known.size()) log::info(fmt::format("going on: {}", kept()));
  }

  std::vector<Results> run() {
    Progress progress(task_.title, static_cast<double>(std::max<std::size_t>(1, left_)),
                      Progress::Settings::standard(context_.rank()));
    for (std::size_t i = 0; i < found_.size(); ++i) {
      progress.clear();
      if (!known_[i]) compute(i, progress);
      on_first_rank([&] { task_.report(i, *found_[i]); });
      if (i + 1 < found_.size()) stop_if_asked(progress);
    }
    progress.finish(fmt::format("{} piece{}", found_.size(), found_.size() == 1 ? "" : "s"));
    std::vector<Results> all;
    for (auto& found : found_)
      if (found) all.push_back(std::move(*found));
    return all;
  }

 private:
  void compute(std::size_t i, Progress& progress) {
    try {
      Results results = task_.pieces[i].compute();
      context_.expect_intact_faces();
      on_first_rank([&] {
        begin_job(*journal_, context_.job);
        journal_->append(record_of(task_.pieces[i].name, task_.fingerprint, results));
        found_[i] = std::move(results);
      });
      --left_;
      progress.advance();
    } catch (const Error& error) {
      if (left_ == known_.size()) throw;
      throw Error(error.kind(),
                  fmt::format("{}\n{}; running the job again goes on from there", error.what(), kept()));
    }
  }

  // Not when all is done: the rest takes no time.
  void stop_if_asked(Progress& progress) const {
    if (left_ == 0) return;
    const int signal = stop_.anywhere(context_.grid->comm());
    if (signal == 0) return;
    progress.clear();
    throw_stopped(signal, kept());
  }

  std::string kept() const {
    return fmt::format("{} of {} pieces are done and kept", known_.size() - left_, known_.size());
  }

  const JobContext& context_;
  Journal* journal_;  // on rank 0
  const PieceTask& task_;
  StopRequest stop_;
  std::vector<std::optional<Results>> found_;  // on rank 0
  std::vector<bool> known_;                    // from the journal
  std::size_t left_ = 0;                       // pieces to compute
};

}  // namespace

std::size_t count_known_pieces(const std::vector<JournalRecord>& records,
                               const std::vector<std::string>& names, const std::string& fingerprint) {
  return static_cast<std::size_t>(std::count_if(names.begin(), names.end(), [&](const std::string& name) {
    return find_results(records, name, fingerprint).has_value();
  }));
}

std::vector<Results> run_pieces(const JobContext& context, Journal* journal, const PieceTask& task) {
  std::vector<Results> results;
  with_tuning(context, [&] { results = PieceRun(context, journal, task).run(); });
  return results;
}

}  // namespace plaq::jobs
