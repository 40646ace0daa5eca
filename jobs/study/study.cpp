// Job type study: a sweep of targets and solvers over lattices, process grids, transports, storages,
// right-hand sides, masses and gauge fields. Results are rows (jobs/rates/row.hpp, docs/result-files.md).
//
// A run of N ranks measures every task of up to N ranks that is not known yet, the first ranks alone while
// the others wait; further tasks come from later runs on more ranks, and the journal stays until all are
// there. Times are those of the machine: a journal or output of another location, device, number of threads
// on the host or build of plaq, or with checksums of faces where this has none, is not this job's. Ranks and
// process grids belong to the points, unless the job names none.
#include "jobs/study/study.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include <optional>
#include <span>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/world.hpp"
#include "core/launch/tuning.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/machine.hpp"
#include "core/system/progress.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/dirac/solving_job.hpp"
#include "jobs/rates/stream.hpp"
#include "jobs/results/output_file.hpp"
#include "jobs/results/result_file.hpp"
#include "jobs/run/ensemble.hpp"
#include "jobs/run/kept_results.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_types.hpp"
#include "jobs/study/prediction.hpp"
#include "jobs/study/study_place.hpp"
#include "settings/action/action_table.hpp"

namespace plaq::jobs {
namespace {

// Attributes that decide times beside the job: the machine where they were measured. A dry run knows the
// first attributes.
struct StudyMachine {
  Attributes all;  // on rank 0 what it is there
  std::size_t planned = 0;
  Attributes known() const {
    return {all.begin(), runs_dry() ? all.begin() + static_cast<std::ptrdiff_t>(planned) : all.end()};
  }
};

// A GPU's times do not depend on the number of host threads, which differs from launch to launch.
StudyMachine study_machine(const JobContext& context, bool names_ranks) {
  StudyMachine machine;
  const auto say = [&](const char* name, const Attribute& value) { machine.all.emplace_back(name, value); };
  say("location", std::string(name_of(context.location())));
  if (!names_ranks) say("ranks", std::int64_t{context.grid->size()});
  say("forced_directions", std::int64_t{context.job.get<CommsKeys>().sharing().forced});
  say("halo_checksums", std::int64_t{context.job.get<CommsKeys>().halo_checksums});
  machine.planned = machine.all.size();
  if (context.location() == Location::host) say("threads_per_rank", std::int64_t{context.site.threads});
  const Machine here = machine_at(context.location(), version());
  say("device", here.device);
  say("driver", here.driver);
  say("build", here.build);
  return machine;
}

// On rank 0: why times of an earlier run of this job are of no use here.
void warn_of_another_machine(const JobFile& job, const Attributes& machine) {
  const std::string output = job.get<OutputKeys>().file;
  try {
    const auto objects = read_result_file(output).objects;
    const Attribute* text = find_attribute(objects.front().attributes, "job");
    const std::string difference = machine_difference(objects, machine);
    if (text && *text == Attribute(job.physics_text()) && !difference.empty())
      log::warning(fmt::format("{} was measured elsewhere: {}", output, difference));
  } catch (const Error&) {  // there is none, or it is something else
  }
}

void print(const std::string& text) {
  if (runs_dry()) return;
  print_safely("{}", text);
  std::fflush(stdout);
}

// A task that was not measured, and why.
struct MissingTask {
  std::string name, reason;
};

class StudyJob {
 public:
  StudyJob(const JobFile& job, const TransportChooser& choose)
      : job_(job),
        choose_(choose),
        spec_(with_lattice(job, input_)),
        context_(start_without_lattice(job, {1, 1, 1, world_size()})),
        machine_(study_machine(context_, spec_.names_ranks())) {}

  int run() {
    const std::vector<StudyTask> all = spec_.tasks(ranks(), input_.files);
    log::info(fmt::format("tasks of up to {} ranks on {}, {}{}",
                          std::max(spec_.most_ranks(), all.front().point.ranks()), ranks(),
                          text_of(context_.site), spec_.checked ? ", faces with checksums" : ""));
    if (context_.rank() == 0) warn_of_another_machine(job_, machine_.all);
    if (is_complete_job(earlier_, job_, files_of_study(job_, machine_.known(), all, input_.files))) return 0;
    std::optional<Predictor> predictor;  // on rank 0
    on_first_rank([&] {
      predictor.emplace(job_, spec_);
      const auto [json, table] = job_.get<StudyTextKeys>();
      for (const std::string& name : {json, table})
        if (!name.empty()) check_output(name, may_replace());
      if (spec_.multigrid) check_setup_outputs(job_, input_.files);
    });
    find_tasks(all);
    if (tasks_.empty())
      throw Error(ErrorKind::job_file,
                  fmt::format("{}: no task can be measured on {}: {}: {}", job_.file(),
                              counted(ranks(), "rank"), missing_.front().name, missing_.front().reason));
    if (DryRun* dry = DryRun::current()) note_tasks(*dry, all.size());
    with_tuning(context_, [&] { measure_tasks(); });
    on_first_rank([&] { finish(*predictor); });
    if (!missing_.empty())
      log::warning(fmt::format("{} of {} tasks are missing; running the job on more ranks adds them",
                               missing_.size(), all.size()));
    return 0;
  }

 private:
  static StudySpec with_lattice(const JobFile& job, EnsembleInput& input) {
    StudySpec spec(job);
    if (!spec.from_files) return spec;
    input = find_ensemble(job, {}, spec.strong.empty() ? std::nullopt : std::optional(spec.strong.front()));
    spec.strong = {input.extents};
    return spec;
  }
  int ranks() const { return context_.grid->size(); }
  bool may_replace() const { return earlier_.resumes || job_.get<OutputKeys>().overwrite; }

  PieceKey key_of(const StudyTask& task) const {
    std::string fingerprint;  // those of files are with rank 0 alone
    if (task.configuration >= 0 && !input_.fingerprints.empty())
      fingerprint = input_.fingerprints[static_cast<std::size_t>(task.configuration)] + "; ";
    return {task.name, fingerprint + fingerprint_of(machine_.known()), 0, true};
  }

  // Sorts out what can be measured here. Collective.
  void find_tasks(const std::vector<StudyTask>& all) {
    for (const StudyTask& task : all)
      done_.push_back(earlier_.journal && find_results(earlier_.journal->records(), key_of(task)));
    context_.grid->comm().broadcast(std::span(done_));
    for (std::size_t i = 0; i < all.size(); ++i) {
      const int needed = all[i].point.ranks();
      std::string reason;
      if (!done_[i])
        reason = needed > ranks() ? fmt::format("needs {} ranks", needed)
                                  : why_not(needed, all[i].point.transport);
      if (reason.empty())
        tasks_.push_back(all[i]);
      else
        missing_.push_back({all[i].name, reason});
    }
  }

  // Empty if the first ranks can use the transport. Collective.
  std::string why_not(int count, const std::string& transport) {
    const TransportKind kind = *transport_kind(transport);
    if (kind == TransportKind::automatic || kind == TransportKind::host) return {};
    const auto tried = refusals_.try_emplace({count, transport});
    std::string& refusal = tried.first->second;
    if (!tried.second) return refusal;
    on_first_ranks(context_.grid->comm(), count, [&](const Communicator& comm) {
      const ProcessGrid grid(comm, {1, 1, 1, count});
      try {
        choose_(grid, context_.location(), kind);
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::comms) throw;
        refusal = error.what();
      }
    });
    refusal = broadcast(context_.grid->comm(), refusal);
    if (!refusal.empty()) log::warning(fmt::format("{}: {}", counted(count, "rank"), refusal));
    return refusal;
  }

  // Notes the tasks of the study, and the lattice of its largest point.
  void note_tasks(DryRun& dry, std::size_t all) const {
    const auto& shown = *std::max_element(tasks_.begin(), tasks_.end(), [](const auto& a, const auto& b) {
      return a.point.ranks() < b.point.ranks();
    });
    dry.lies_on(Geometry::create({shown.point.global(), shown.point.grid, {0, 0, 0, 0}, spec_.forced}));
    dry.note(
        fmt::format("{} of {} can be measured on {}, one after the other; memory is the most that any takes. "
                    "Shown above: {}.",
                    tasks_.size(), counted(static_cast<std::int64_t>(all), "task"), counted(ranks(), "rank"),
                    shown.name));
    if (!missing_.empty())
      dry.note(fmt::format("All of them take {} ranks: a later run on more adds what is missing.",
                           spec_.most_ranks()));
    const auto count = std::count(done_.begin(), done_.end(), char{1});
    if (count > 0 && dry.outlook().kind == Outlook::Kind::begins)
      dry.expect({Outlook::Kind::goes_on, fmt::format("{} of {} tasks are done, says {}", count, done_.size(),
                                                      earlier_.journal->path())});
  }

  void measure_tasks() {
    Journal* journal = earlier_.journal.get();
    KeptResults kept(context_, journal, tasks_.size(), "tasks",
                     [&](std::size_t i) { return find_results(journal->records(), key_of(tasks_[i])); });
    Progress progress("study", static_cast<double>(std::max<std::size_t>(1, kept.left())),
                      Progress::Settings::standard(context_.rank()));
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      progress.clear();
      if (!kept.known(i)) {
        kept.attempt([&] { kept.compute(i, key_of(tasks_[i]), [&] { return measured(tasks_[i]); }); });
        progress.advance();
      }
      on_first_rank([&] {
        const std::vector<Row> rows = rows_of(*kept[i]);
        if (tasks_.size() > 1) print(tasks_[i].name + '\n' + text_of(rows) + '\n');
        rows_.insert(rows_.end(), rows.begin(), rows.end());
        for (const Group& group : kept[i]->groups)
          gauge_.try_emplace(tasks_[i].configuration, group.attributes);
      });
      if (i + 1 < tasks_.size()) kept.stop_if_asked(progress);
    }
    place_.reset();
    progress.finish(counted(static_cast<std::int64_t>(tasks_.size()), "task"));
  }

  Results measured(const StudyTask& task) {
    Results results;
    const RegionLabel label(runs_dry() ? task.name : "");
    if (DryRun* dry = DryRun::current()) dry->trace().set_ranks(task.point.ranks());
    const std::string place = fmt::format("{} {}", task.point.name(), task.configuration);
    if (place != place_name_) place_.reset();  // by all ranks that it is on
    place_name_ = place;
    on_first_ranks(context_.grid->comm(), task.point.ranks(), [&](const Communicator& comm) {
      const double limit = memory_limit(comm);
      if (!place_) place_.emplace(comm, context_, spec_, task, input_.files, choose_);
      add_rows(results, place_->measure(task, limit));
      if (task.configuration >= 0) results.group("/gauge", place_->of_gauge());
    });
    on_first_rank([&] { expect_same_bits(spec_, rows_of(results), rows_); });
    return results;
  }

  // Memory limit of these ranks in this run. Collective.
  double memory_limit(const Communicator& comm) {
    if (!spec_.memory_limit) return NAN;
    const auto [at, is_new] = limits_.try_emplace(comm.size(), 0.0);
    if (is_new) at->second = stream_bandwidth(comm, context_.location(), spec_.samples);
    return at->second;
  }

  // On rank 0. The texts are written again with the results that they show, which are the job's own.
  void finish(const Predictor& predictor) {
    compare_rows(rows_);
    if (predictor.knows_machine())
      for (Row& row : rows_) predictor.predict(spec_, row);
    Results results;
    add_rows(results, rows_);
    std::vector<std::string> names, not_measured;
    for (const StudyTask& task : tasks_) names.push_back(task.name);
    std::string text = '\n' + text_of(rows_);
    if (spec_.checked)
      text +=
          "\nmeasured with checksums of all faces (halo_checksums): exchanges take longer, and no launch is "
          "fused\n";
    if (!missing_.empty())
      text += fmt::format("\n{} missing:\n",
                          missing_.size() == 1 ? "1 task is" : fmt::format("{} tasks are", missing_.size()));
    auto missing = nlohmann::ordered_json::array();
    for (const MissingTask& one : missing_) {
      not_measured.push_back(one.name + ": " + one.reason);
      text += "  " + not_measured.back() + '\n';
      missing.push_back({{"task", one.name}, {"reason", one.reason}});
    }
    results.group("/study", {{"tasks", names}, {"missing", not_measured}});
    results.group("/machine", machine_.all);
    if (spec_.needs_action()) results.group("/action", smeared_action_attributes(job_));
    if (predictor.knows_machine()) results.group("/model", predictor.attributes());
    for (const auto& [configuration, attributes] : gauge_)
      results.group(fmt::format("/gauge/{:06}", configuration), attributes);
    write_texts(text, missing);
    const auto keys = job_.get<OutputKeys>();
    OutputFile out(keys.file, may_replace());
    describe_job(out, job_, rows_.front().lattice);
    out.write(results);
    out.commit();
    if (missing_.empty()) earlier_.journal->remove();
    print(text);
    log::info(fmt::format("wrote {}", keys.file));
  }

  void write_texts(const std::string& text, const nlohmann::ordered_json& missing) const {
    const auto [json, table] = job_.get<StudyTextKeys>();
    if (!table.empty()) write_atomically(table, text, may_replace());
    if (json.empty()) return;
    nlohmann::ordered_json out = {{"version", std::string(version())}, {"job", "study"}};
    for (const auto& [name, value] : machine_.all)
      std::visit([&, &key = name](const auto& x) { out["machine"][key] = x; }, value);
    out["rows"] = json_of(rows_);
    out["missing"] = missing;
    write_atomically(json, out.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n',
                     may_replace());
  }

  const JobFile& job_;
  const TransportChooser& choose_;
  EnsembleInput input_;  // no files: random links
  StudySpec spec_;
  JobContext context_;  // without a lattice
  StudyMachine machine_;
  EarlierRun earlier_;            // on rank 0
  std::vector<char> done_;        // of all tasks: the journal has them
  std::vector<StudyTask> tasks_;  // of the results: known, or to be measured here
  std::vector<MissingTask> missing_;
  std::map<std::pair<int, std::string>, std::string> refusals_;
  std::map<int, double> limits_;  // bytes a second of a rank, by number of ranks
  std::string place_name_;
  std::optional<StudyPlace> place_;
  std::vector<Row> rows_;            // on rank 0
  std::map<int, Attributes> gauge_;  // on rank 0, by configuration
};

bool same_number(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// All of what was measured but where.
bool same_measurement(const Row& a, const Row& b) {
  return a.target == b.target && a.storage == b.storage && a.right_hand_sides == b.right_hand_sides &&
         same_number(a.mass, b.mass) && a.configuration == b.configuration && a.source == b.source &&
         a.numbers.empty() && b.numbers.empty();
}

bool same_curve(const Row& a, const Row& b) {
  if (a.scaling != b.scaling || !same_measurement(a, b)) return false;
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (a.scaling == "strong" ? a.lattice[mu] != b.lattice[mu]
                              : a.lattice[mu] * b.process_grid[mu] != b.lattice[mu] * a.process_grid[mu])
      return false;
  return true;
}

}  // namespace

void compare_rows(std::vector<Row>& rows) {
  for (Row& row : rows) {
    const Row* reference = &row;
    bool several = false;
    for (const Row& other : rows) {
      if (!same_curve(row, other)) continue;
      several = several || other.ranks != row.ranks;
      const bool nearer = other.transport == row.transport && reference->transport != row.transport;
      if (other.ranks < reference->ranks || (other.ranks == reference->ranks && nearer)) reference = &other;
    }
    if (several)
      row.efficiency = (row.scaling == "strong" ? static_cast<double>(reference->ranks) / row.ranks : 1) *
                       reference->seconds / row.seconds;
    if (row.source < 0) continue;
    const auto first = std::find_if(rows.begin(), rows.end(), [&](const Row& other) {
      return other.source == row.source && other.right_hand_sides == row.right_hand_sides &&
             other.mass == row.mass && other.configuration == row.configuration &&
             other.process_grid == row.process_grid && other.transport == row.transport;
    });
    if (first->outcome == "converged" && row.outcome == "converged")
      row.speed_up = first->seconds_least / row.seconds_least;
  }
}

void expect_same_bits(const StudySpec& spec, const std::vector<Row>& rows, const std::vector<Row>& known) {
  for (const Row& row : rows)
    for (const Row& other : known) {
      if (row.checksum == other.checksum || row.checksum == 0 || other.checksum == 0 ||
          row.lattice != other.lattice || !same_measurement(row, other) || !spec.same_bits(row, other))
        continue;
      throw Error(
          ErrorKind::internal,
          fmt::format("{} in {} with {} has another result on {} ({}) than on {} ({}): checksum {:016x}, "
                      "expected {:016x}",
                      row.target, row.storage, counted(row.right_hand_sides, "right-hand side"),
                      to_string(row.process_grid), row.transport, to_string(other.process_grid),
                      other.transport, static_cast<std::uint64_t>(row.checksum),
                      static_cast<std::uint64_t>(other.checksum)));
    }
}

int run_study(const JobFile& job, const TransportChooser& choose) { return StudyJob(job, choose).run(); }

extern constinit const JobType study_job{
    .name = "study",
    .schema = study_schema,
    .run = [](const JobFile& job) { return run_study(job, choose_transport); },
    .write_scripts = write_study_scripts};

}  // namespace plaq::jobs
