#include "jobs/run/ensemble.hpp"

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
#include "jobs/run/job_context.hpp"

namespace plaq::jobs {
namespace {

constexpr std::uint32_t results_record = 2;  // kind; key: file, payload: fingerprint, part and results

JournalRecord record_of(const std::string& file, const std::string& fingerprint, int part,
                        const Results& results) {
  ByteWriter payload;
  payload.text(fingerprint);
  payload.number(static_cast<std::uint32_t>(part));
  payload.text(to_bytes(results));
  return {results_record, file, payload.bytes()};
}

std::optional<Results> find_results(const std::vector<JournalRecord>& records, const std::string& file,
                                    const std::string& fingerprint, int part) {
  for (const auto& record : records) {
    if (record.kind != results_record || record.key != file) continue;
    ByteReader payload(record.payload);
    const auto known = payload.text();
    const auto number = payload.number<std::uint32_t>();
    const auto bytes = payload.text();
    if (!known || *known != fingerprint || !number || !bytes || *number != static_cast<std::uint32_t>(part))
      continue;
    if (auto results = results_from_bytes(*bytes)) return results;
  }
  return std::nullopt;
}

// The parts of one field.
Results join(std::vector<Results> parts, const std::string& axis) {
  if (axis.empty()) return std::move(parts.front());
  std::vector<Group> groups = parts.front().groups;
  for (Results& part : parts) {
    require(part.groups == groups, "the parts of a field have different groups");
    part.groups.clear();
  }
  Results all = stack(parts, axis);
  all.groups = std::move(groups);
  return all;
}

class EnsembleRun {
 public:
  EnsembleRun(const JobContext& context, const EnsembleInput& input, Journal* journal,
              const EnsembleTask& task)
      : context_(context),
        input_(input),
        journal_(journal),
        task_(task),
        parts_(static_cast<std::size_t>(task.parts)),
        found_(input.files.size() * parts_) {
    look_into_journal();
  }

  Results run() {
    Progress progress(task_.title, static_cast<double>(std::max<std::size_t>(1, left_)),
                      Progress::Settings::standard(context_.rank()));
    std::vector<Results> list;  // on rank 0
    for (std::size_t i = 0; i < input_.files.size(); ++i) {
      const auto begin = known_.begin() + static_cast<std::ptrdiff_t>(i * parts_);
      progress.clear();
      if (std::find(begin, begin + task_.parts, false) != begin + task_.parts) compute(i, progress);
      on_first_rank([&] {
        std::vector<Results> parts;
        for (std::size_t k = 0; k < parts_; ++k) parts.push_back(std::move(*found_[i * parts_ + k]));
        list.push_back(join(std::move(parts), task_.axis));
        task_.report(input_.files[i], list.back());
      });
      if (i + 1 < input_.files.size()) stop_if_asked(progress);
    }
    const auto count = input_.files.size();
    progress.finish(fmt::format("{} file{}", count, count == 1 ? "" : "s"));
    Results all;
    on_first_rank([&] { all = stack(list, "configuration"); });
    return all;
  }

 private:
  void look_into_journal() {
    std::vector<int> known(found_.size(), 0);
    if (journal_)
      for (std::size_t i = 0; i < found_.size(); ++i) {
        const std::size_t file = i / parts_;
        const int part = static_cast<int>(i % parts_);
        if (task_.holds && !task_.holds(input_.files[file], part)) continue;
        found_[i] = find_results(journal_->records(), input_.files[file], input_.fingerprints[file], part);
        if (found_[i] && task_.counts && !task_.counts(*found_[i])) found_[i].reset();
        known[i] = found_[i] ? 1 : 0;
      }
    wait_mpi("MPI_Bcast", [&] {
      return MPI_Bcast(known.data(), static_cast<int>(known.size()), MPI_INT, 0, context_.grid->comm());
    });
    known_.assign(known.begin(), known.end());
    left_ = static_cast<std::size_t>(std::count(known.begin(), known.end(), 0));
    if (left_ < known.size()) log::info(fmt::format("going on: {}", kept()));
  }

  // The parts of field i that are not known.
  void compute(std::size_t i, Progress& progress) {
    const std::string& file = input_.files[i];
    try {
      LoadedGauge gauge = load_gauge(context_, file);
      on_first_rank([&] {
        for (std::size_t part = 0; task_.known && part < parts_; ++part)
          if (known_[i * parts_ + part]) task_.known(static_cast<int>(part), *found_[i * parts_ + part]);
      });
      if (task_.begin) task_.begin(gauge);
      for (int part = 0; part < task_.parts; ++part) {
        const std::size_t at = i * parts_ + static_cast<std::size_t>(part);
        if (known_[at]) continue;
        Results results = task_.compute(gauge, part);
        context_.expect_intact_faces();
        on_first_rank([&] {
          begin_job(*journal_, context_.job);
          journal_->append(record_of(file, input_.fingerprints[i], part, results));
          found_[at] = std::move(results);
        });
        --left_;
        progress.advance();
        if (part + 1 < task_.parts) stop_if_asked(progress);
      }
    } catch (const Error& error) {
      if (left_ == known_.size() || error.kind() == ErrorKind::stopped) throw;
      const bool missed = error.kind() == ErrorKind::not_converged;
      throw Error(error.kind(),
                  fmt::format("{}\n{}; running the job again goes on from there{}", error.what(), kept(),
                              missed ? ", also without this field in [gauge] files" : ""));
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
    return fmt::format("{} of {} {} are done and kept", known_.size() - left_, known_.size(),
                       parts_ == 1 ? "fields" : plural_of(task_.axis) + " of all fields");
  }

  const JobContext& context_;
  const EnsembleInput& input_;
  Journal* journal_;  // on rank 0
  const EnsembleTask& task_;
  StopRequest stop_;
  std::size_t parts_;
  std::vector<std::optional<Results>> found_;  // on rank 0; file, part
  std::vector<bool> known_;                    // from the journal; file, part
  std::size_t left_ = 0;                       // parts to compute
};

}  // namespace

std::string plural_of(const std::string& axis) {
  if (axis.ends_with('y')) return axis.substr(0, axis.size() - 1) + "ies";
  return axis + (axis.ends_with('s') ? "es" : "s");
}

std::size_t count_known(const std::vector<JournalRecord>& records, const EnsembleInput& input, int parts) {
  std::size_t known = 0;
  for (std::size_t i = 0; i < input.files.size(); ++i)
    for (int part = 0; part < parts; ++part)
      known += find_results(records, input.files[i], input.fingerprints[i], part) ? 1 : 0;
  return known;
}

Results run_ensemble(const JobContext& context, const EnsembleInput& input, Journal* journal,
                     const EnsembleTask& task) {
  Results results;
  with_tuning(context, [&] { results = EnsembleRun(context, input, journal, task).run(); });
  return results;
}

}  // namespace plaq::jobs
