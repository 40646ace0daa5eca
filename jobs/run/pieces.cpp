#include "jobs/run/pieces.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jobs/common/collective_check.hpp"
#include "jobs/common/progress.hpp"
#include "jobs/run/kept_results.hpp"

namespace plaq::jobs {
namespace {

PieceKey key_of(const std::string& name, const std::string& fingerprint) {
  return {name, fingerprint, 0, true};
}

std::vector<Results> run(const JobContext& context, Journal* journal, const PieceTask& task) {
  const std::size_t count = task.pieces.size();
  KeptResults kept(context, journal, count, "pieces", [&](std::size_t i) {
    return find_results(journal->records(), key_of(task.pieces[i].name, task.fingerprint));
  });
  Progress progress(task.title, static_cast<double>(std::max<std::size_t>(1, kept.left())),
                    Progress::Settings::standard(context.rank()));
  for (std::size_t i = 0; i < count; ++i) {
    progress.clear();
    if (!kept.known(i)) {
      kept.attempt(
          [&] { kept.compute(i, key_of(task.pieces[i].name, task.fingerprint), task.pieces[i].compute); });
      progress.advance();
    }
    on_first_rank([&] { task.report(i, *kept[i]); });
    if (i + 1 < count) kept.stop_if_asked(progress);
  }
  progress.finish(fmt::format("{} piece{}", count, count == 1 ? "" : "s"));
  std::vector<Results> all;
  for (std::size_t i = 0; i < count; ++i)
    if (kept[i]) all.push_back(std::move(*kept[i]));
  return all;
}

}  // namespace

std::size_t count_known_pieces(const std::vector<JournalRecord>& records,
                               const std::vector<std::string>& names, const std::string& fingerprint) {
  return static_cast<std::size_t>(std::count_if(names.begin(), names.end(), [&](const std::string& name) {
    return find_results(records, key_of(name, fingerprint)).has_value();
  }));
}

std::vector<Results> run_pieces(const JobContext& context, Journal* journal, const PieceTask& task) {
  std::vector<Results> results;
  with_tuning(context, [&] { results = run(context, journal, task); });
  return results;
}

}  // namespace plaq::jobs
