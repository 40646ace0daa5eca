// Job type scaling: strong and weak scaling of operators and methods. Results and their layout:
// jobs/scaling/scaling_results.hpp, docs/result-files.md.
//
// A run of N ranks measures every point of up to N ranks that is not known yet, the first ranks alone while
// the others wait; further points come from later runs on more ranks, and the journal stays until all are
// there. Times are those of the machine: a journal or output of another location, device, number of threads
// on the host or build of plaq, or with checksums of faces where this has none, is not this job's; ranks and
// process grids belong to the points.
#include "jobs/scaling/scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "comms/grid/collective.hpp"
#include "comms/grid/first_rank.hpp"
#include "comms/grid/node_map.hpp"
#include "comms/grid/world.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/common/wrap.hpp"
#include "jobs/scaling/scaling_tables.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_types.hpp"
#include "jobs/study/first_ranks.hpp"
#include "jobs/study/run_study.hpp"
#include "jobs/study/study_lattice.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

// Of the first ranks; a dry run knows those of all.
std::vector<int> nodes_of_first(const Communicator& comm, int ranks) {
  std::vector<int> nodes = nodes_of(comm);
  nodes.resize(static_cast<std::size_t>(ranks));
  return nodes;
}

class ScalingStudy {
 public:
  ScalingStudy(const JobContext& context, const ScalingKeys& keys, const std::vector<char>& known,
               const TransportChooser& choose)
      : context_(context), keys_(keys), choose_(choose) {
    const std::vector<ScalingPoint> all = keys.points();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const int ranks = all[i].ranks(), here = context.grid->size();
      std::string reason;
      if (!known[i])
        reason = ranks > here ? fmt::format("needs {} ranks", ranks) : why_not(ranks, all[i].transport);
      if (reason.empty()) {
        points_.push_back(all[i]);
      } else {
        missing_.push_back({all[i], reason});
      }
    }
  }

  const std::vector<ScalingPoint>& points() const { return points_; }
  const std::vector<MissingPoint>& missing() const { return missing_; }

  std::vector<Piece> pieces() {
    std::vector<Piece> all;
    for (std::size_t i = 0; i < points_.size(); ++i)
      all.push_back({points_[i].name(), [this, i] { return measured(i); },
                     [this, i](const Results& found) {
                       known_[i] = found;  // results of later points of the same lattice must have these bits
                       return point_text(keys_, points_[i], found);
                     }});
    return all;
  }

 private:
  // Empty where the first `ranks` can use the transport. Collective.
  std::string why_not(int ranks, const std::string& transport) {
    const TransportKind kind = *transport_kind(transport);
    if (kind == TransportKind::automatic || kind == TransportKind::host) return {};
    const auto [at, is_new] = refusals_.try_emplace({ranks, transport});
    if (!is_new) return at->second;
    on_first_ranks(context_.grid->comm(), ranks, [&](const Communicator& comm) {
      const ProcessGrid grid(comm, {1, 1, 1, ranks});
      try {
        choose_(grid, context_.location(), kind);
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::comms) throw;
        at->second = error.what();
      }
    });
    at->second = broadcast(context_.grid->comm(), at->second);
    if (!at->second.empty()) log::warning(fmt::format("{}: {}", counted(ranks, "rank"), at->second));
    return at->second;
  }

  Results measured(std::size_t i) {
    const ScalingPoint& point = points_[i];
    Results found;
    const TapeLabel label(runs_dry() ? point.name() : "");
    if (DryRun* dry = DryRun::current()) dry->tape().set_ranks(point.ranks());
    on_first_ranks(context_.grid->comm(), point.ranks(), [&](const Communicator& comm) {
      const std::vector<int> nodes = nodes_of_first(comm, point.ranks());
      const Sharing sharing{point.grid, keys_.forced,
                            choose_block(point.grid, point.global(), ranks_per_node(nodes))};
      const StudyLattice lattice(comm, point.global(), sharing, [&](const ProcessGrid& grid) {
        FaceSettings faces = context_.job.get<CommsKeys>().faces();
        faces.transport = *transport_kind(point.transport);
        return start_transport(grid, context_.location(), faces, choose_);
      });
      const RateProblem rates = lattice.problem(context_.queue, keys_.samples);
      const auto action = keys_.has_dirac() ? make_rated_action(rates, keys_.parameters) : nullptr;
      const auto all = measure_all({rates, action.get(), keys_.iterations, 0, &keys_.multigrid},
                                   keys_.parameters, keys_.lists);
      rates.expect_intact_faces();
      const auto count = static_cast<int>(std::set<int>(nodes.begin(), nodes.end()).size());
      found = results_of_point(keys_, point, count, all);
    });
    on_first_rank([&] {
      const std::size_t same = same_lattice(points_, i);
      if (same != i) expect_same_bits(keys_, point, found, points_[same], known_.at(same));
    });
    return found;
  }

  const JobContext& context_;
  const ScalingKeys& keys_;
  const TransportChooser& choose_;
  std::vector<ScalingPoint> points_;  // of the results: known, or to be measured here
  std::vector<MissingPoint> missing_;
  std::map<std::pair<int, std::string>, std::string> refusals_;
  std::map<std::size_t, Results> known_;  // on rank 0
};

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

// On rank 0. The texts are written again with the results that they show, which are the job's own.
StudyOutcome outcome_of(const JobFile& job, const ScalingKeys& keys, const ScalingStudy& study,
                        const std::vector<Results>& found, const Predictor& predictor,
                        const Attributes& machine, bool replaces) {
  StudyOutcome outcome{study.points().front().global(), {}, {}, replaces, study.missing().empty()};
  Results& all = outcome.results;
  all = join_scaling(keys, study.points(), found, study.missing(), predictor);
  outcome.text = scaling_text(keys, study.points(), study.missing(), all);
  const auto [json, table] = job.get<ScalingTextKeys>();
  if (!json.empty())
    write_atomically(json, scaling_json(keys, study.points(), study.missing(), all, machine), replaces);
  if (!table.empty()) write_atomically(table, outcome.text, replaces);
  all.group("/machine", machine);
  if (keys.has_dirac()) all.group("/action", action_attributes(job));
  return outcome;
}

// What is measured, and where the largest point is.
void note_points(DryRun& dry, const ScalingKeys& keys, const ScalingStudy& study, int ranks) {
  const auto& points = study.points();
  const std::size_t all = points.size() + study.missing().size();
  const auto& shown = *std::max_element(points.begin(), points.end(),
                                        [](const auto& a, const auto& b) { return a.ranks() < b.ranks(); });
  dry.lies_on(Geometry::create({shown.global(), shown.grid, {0, 0, 0, 0}, keys.forced}));
  dry.note(
      fmt::format("{} of {} points can be measured on {}, one after the other; memory is the most "
                  "that any takes. Shown above: {}.",
                  points.size(), all, counted(ranks, "rank"), shown.name()));
  if (!study.missing().empty())
    dry.note(fmt::format("All of them take {} ranks: a later run on more adds what is missing.",
                         keys.most_ranks()));
}

}  // namespace

int run_scaling(const JobFile& job, const TransportChooser& choose) {
  const ScalingKeys keys(job);
  const int ranks = world_size();
  const JobContext context = start_without_lattice(job, {1, 1, 1, ranks});
  log::info(fmt::format("points of up to {} ranks on {}, {}{}", keys.most_ranks(), ranks,
                        text_of(context.site), keys.checked ? ", faces with checksums" : ""));
  const StudyMachine machine = study_machine(context);
  EarlierRun earlier;  // on rank 0
  if (context.rank() == 0) warn_of_another_machine(job, machine.all);
  if (is_complete_job(earlier, job, files_of_scaling(job, machine.known()))) return 0;
  bool replaces = false;               // on rank 0
  std::optional<Predictor> predictor;  // on rank 0
  on_first_rank([&] {
    predictor.emplace(job);
    replaces = earlier.resumes || job.get<OutputKeys>().overwrite;
    const auto [json, table] = job.get<ScalingTextKeys>();
    for (const std::string& name : {json, table})
      if (!name.empty()) check_output(name, replaces);
  });
  std::vector<std::string> names;
  for (const ScalingPoint& point : keys.points()) names.push_back(point.name());
  const std::vector<char> done = known_pieces(context, earlier.journal.get(), machine, names);
  ScalingStudy study(context, keys, done, choose);
  if (study.points().empty())
    throw Error(ErrorKind::job_file, fmt::format("{}: no point can be measured on {}: {}", job.file(),
                                                 counted(ranks, "rank"), study.missing().front().text()));
  if (DryRun* dry = DryRun::current()) {
    note_points(*dry, keys, study, ranks);
    const auto count = std::count(done.begin(), done.end(), char{1});
    if (count > 0 && dry->outlook().kind == Outlook::Kind::begins)
      dry->expect({Outlook::Kind::goes_on, fmt::format("{} of {} points are done, says {}", count,
                                                       done.size(), earlier.journal->path())});
  }
  Study task;
  task.title = "scaling";
  task.pieces = study.pieces();
  task.join = [&](const std::vector<Results>& found) {
    return outcome_of(job, keys, study, found, *predictor, machine.all, replaces);
  };
  run_study(context, earlier, machine, task);
  if (!study.missing().empty())
    log::warning(fmt::format("{} of {} points are missing; running the job on more ranks adds them",
                             study.missing().size(), study.missing().size() + study.points().size()));
  return 0;
}

extern constinit const JobType scaling_job{
    .name = "scaling",
    .schema = scaling_schema,
    .run = [](const JobFile& job) { return run_scaling(job, choose_transport); },
    .write_scripts = write_scaling_scripts};

}  // namespace plaq::jobs
