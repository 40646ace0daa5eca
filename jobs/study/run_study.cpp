#include "jobs/study/run_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <span>

#include "comms/grid/first_rank.hpp"
#include "core/launch/tuning.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/log.hpp"
#include "core/system/machine.hpp"
#include "core/system/progress.hpp"
#include "core/system/version.hpp"
#include "jobs/common/print_whole.hpp"
#include "jobs/common/wrap.hpp"
#include "jobs/results/output_file.hpp"
#include "jobs/run/job_description.hpp"
#include "jobs/run/kept_results.hpp"
#include "jobs/schema/common_keys.hpp"

namespace plaq::jobs {
namespace {

void print(const std::string& text) {
  if (runs_dry()) return;
  print_safely("{}", text);
  std::fflush(stdout);
}

PieceKey key_of(const std::string& name, const StudyMachine& machine) {
  return {name, fingerprint_of(machine.known()), 0, true};
}

std::vector<Results> run_pieces(const JobContext& context, Journal* journal, const StudyMachine& machine,
                                const Study& study) {
  const std::size_t count = study.pieces.size();
  KeptResults kept(context, journal, count, "pieces", [&](std::size_t i) {
    return find_results(journal->records(), key_of(study.pieces[i].name, machine));
  });
  Progress progress(study.title, static_cast<double>(std::max<std::size_t>(1, kept.left())),
                    Progress::Settings::standard(context.rank()));
  std::vector<Results> all;
  for (std::size_t i = 0; i < count; ++i) {
    const Piece& piece = study.pieces[i];
    progress.clear();
    if (!kept.known(i)) {
      kept.attempt([&] { kept.compute(i, key_of(piece.name, machine), piece.compute); });
      progress.advance();
    }
    on_first_rank([&] {
      print(piece.text_of(*kept[i]));
      all.push_back(std::move(*kept[i]));
    });
    if (i + 1 < count) kept.stop_if_asked(progress);
  }
  progress.finish(counted(static_cast<std::int64_t>(count), "piece"));
  return all;
}

}  // namespace

Attributes StudyMachine::known() const {
  return {all.begin(), runs_dry() ? all.begin() + static_cast<std::ptrdiff_t>(planned) : all.end()};
}

StudyMachine study_machine(const JobContext& context) {
  const bool one_lattice = context.geometry != nullptr;
  StudyMachine machine;
  const auto say = [&](const char* name, const Attribute& value) { machine.all.emplace_back(name, value); };
  say("location", std::string(name_of(context.location())));
  if (one_lattice) {
    const Extents& shape = context.geometry->decomposition().ranks;
    say("ranks", std::int64_t{context.grid->size()});
    say("process_grid", std::vector<std::int64_t>(shape.begin(), shape.end()));
  }
  say("forced_directions", std::int64_t{context.job.get<CommsKeys>().sharing().forced});
  say("halo_checksums", std::int64_t{context.job.get<CommsKeys>().halo_checksums});
  machine.planned = machine.all.size();
  if (one_lattice || context.location() == Location::host)
    say("threads_per_rank", std::int64_t{context.site.threads});
  const Machine here = machine_at(context.location(), version());
  say("device", here.device);
  say("driver", here.driver);
  say("build", here.build);
  return machine;
}

void finish_study(const JobFile& job, Journal& journal, const StudyOutcome& outcome) {
  const auto keys = job.get<OutputKeys>();
  OutputFile out(keys.file, keys.overwrite || outcome.may_replace);
  describe_job(out, job, outcome.extents);
  out.write(outcome.results);
  out.commit();
  if (outcome.complete) journal.remove();
  print(outcome.text);
  log::info(fmt::format("wrote {}", keys.file));
}

std::vector<char> known_pieces(const JobContext& context, const Journal* journal, const StudyMachine& machine,
                               const std::vector<std::string>& names) {
  std::vector<char> known;
  for (const std::string& name : names)
    known.push_back(journal != nullptr &&
                    find_results(journal->records(), key_of(name, machine)).has_value());
  context.grid->comm().broadcast(std::span(known));
  return known;
}

void run_study(const JobContext& context, const EarlierRun& earlier, const StudyMachine& machine,
               const Study& study) {
  std::vector<Results> found;  // on rank 0
  with_tuning(context, [&] { found = run_pieces(context, earlier.journal.get(), machine, study); });
  on_first_rank([&] { finish_study(context.job, *earlier.journal, study.join(found)); });
}

}  // namespace plaq::jobs
