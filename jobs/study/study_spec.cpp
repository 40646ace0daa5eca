#include "jobs/study/study_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "comms/grid/grid_choice.hpp"
#include "core/lattice/blocking.hpp"
#include "core/lattice/geometry.hpp"
#include "core/system/error.hpp"
#include "jobs/dirac/solving_job.hpp"
#include "jobs/results/result_file.hpp"
#include "jobs/schema/common_keys.hpp"
#include "multigrid/levels/agglomeration.hpp"
#include "settings/action/action_keys.hpp"
#include "settings/solver/field_files.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

std::vector<Extents> fours(const std::vector<std::string>& texts) {
  std::vector<Extents> all;
  for (const auto& text : texts) {
    const auto four = parse_four(text);
    require(four.has_value(), "a lattice or grid of a job file has no extents");
    all.push_back(*four);
  }
  return all;
}

int product(const Extents& grid) { return grid[0] * grid[1] * grid[2] * grid[3]; }

// True if the coarsest lattice is on one rank, where it may be solved by a dense
// inverse: bits of multigrid depend on it.
bool ends_on_one_rank(const MultigridOptions& multigrid, Extents lattice, Extents ranks) {
  const std::vector<LevelSettings> levels = multigrid.levels(lattice);
  for (std::size_t level = 0; level < levels.size(); ++level) {
    for (std::size_t mu = 0; mu < 4; ++mu) lattice[mu] /= levels[level].block[mu];
    if (multigrid.least_sites > 0) ranks = ranks_for_level(ranks, lattice, multigrid.least_sites);
    if (level + 1 < levels.size()) ranks = ranks_for_blocks(ranks, lattice, levels[level + 1].block);
  }
  return product(ranks) == 1;
}

}  // namespace

const Names<Noise>& noise_names() {
  static const Names<Noise> names = {{"z2", Noise::z2}, {"z4", Noise::z4}};
  return names;
}

SolverSettings shared_solver(const Settings& job) {
  auto shared = job.get<SolverSettings>();
  shared.multigrid = job.get<MultigridOptions>();
  shared.fallback = false;  // a study is to tell of a solver that fails
  return shared;
}

Extents StudyPoint::global() const {
  if (scaling == "strong") return lattice;
  Extents all = lattice;
  for (std::size_t mu = 0; mu < 4; ++mu) all[mu] *= grid[mu];
  return all;
}

std::string StudyPoint::name() const {
  return fmt::format("{} {} on {} by {}", scaling, to_string(lattice), to_string(grid), transport);
}

Extents weak_grid(int n, const Extents& local) {
  Extents grid{1, 1, 1, 1};
  std::vector<int> factors;  // largest first
  for (int p = 2; n > 1; ++p)
    for (; n % p == 0; n /= p) factors.insert(factors.begin(), p);
  for (const int p : factors) {
    std::size_t shortest = 3;
    for (std::size_t mu = 3; mu-- > 0;)
      if (local[mu] * grid[mu] < local[shortest] * grid[shortest]) shortest = mu;
    grid[shortest] *= p;
  }
  return grid;
}

StudySpec::StudySpec(const Settings& job)
    : StudyKeys(job.get<StudyKeys>()),
      strong(fours(lattices)),
      weak(fours(local_lattices)),
      grids(fours(process_grids)),
      forced(job.get<CommsKeys>().sharing().forced),
      checked(job.get<CommsKeys>().halo_checksums),
      from_files(!job.get<GaugeFilesKeys>().files.empty()) {
  if (needs_action())
    actions = job.get<ActionKeys>().has_many_masses() ? actions_of_masses(job)
                                                      : std::vector<ActionPtr>{action_parameters(job)};
  const SolverSettings shared = shared_solver(job);
  for (const auto& name : solvers) solves.push_back(parse_solver(name, shared));
  const auto uses = [](const auto& key) { return target(key).uses_multigrid(); };
  if (std::any_of(targets.begin(), targets.end(), uses) ||
      std::any_of(solves.begin(), solves.end(), [](const auto& one) { return one.multigrid.has_value(); }))
    multigrid = job.get<MultigridOptions>();
}

bool StudySpec::needs_action() const {
  return !solvers.empty() || std::any_of(targets.begin(), targets.end(),
                                         [](const auto& key) { return target(key).has_action(); });
}

int StudySpec::least_slices() const {
  return actions.empty() ? usual_least_slices : actions.front()->least_slices();
}

Asked StudySpec::asked(int mass) const {
  Asked asked;
  asked.storages = storages;
  asked.right_hand_sides = right_hand_sides;
  asked.samples = samples;
  asked.iterations = iterations;
  asked.looks_closer = true;
  asked.epsilons = epsilons;
  if (!actions.empty()) asked.action = actions.at(static_cast<std::size_t>(mass));
  if (multigrid) asked.multigrid = *multigrid;
  return asked;
}

bool StudySpec::same_bits(const Row& a, const Row& b) const {
  if (a.target.find("multigrid") == std::string::npos || !multigrid) return true;
  return ends_on_one_rank(*multigrid, a.lattice, a.process_grid) ==
         ends_on_one_rank(*multigrid, b.lattice, b.process_grid);
}

std::vector<StudyPoint> StudySpec::points(int here) const {
  const int least = least_slices();
  std::vector<StudyPoint> all;
  for (const char* scaling : {"strong", "weak"}) {
    const bool is_strong = scaling == std::string_view("strong");
    for (const Extents& lattice : is_strong ? strong : weak) {
      std::vector<Extents> of_lattice;
      for (const int n : names_ranks() ? ranks : std::vector<int>{here})
        of_lattice.push_back(is_strong ? choose_grid(n, lattice, 0, least) : weak_grid(n, lattice));
      for (const Extents& grid : grids)
        if (std::find(of_lattice.begin(), of_lattice.end(), grid) == of_lattice.end())
          of_lattice.push_back(grid);
      std::stable_sort(of_lattice.begin(), of_lattice.end(),
                       [](const Extents& a, const Extents& b) { return product(a) < product(b); });
      for (const Extents& grid : of_lattice) {
        const Extents global = StudyPoint{scaling, lattice, grid, {}}.global();
        // Throws where blocks of the finest lattice are not on one rank each.
        if (multigrid)
          Blocking(Geometry::create({global, grid, {0, 0, 0, 0}, forced}),
                   multigrid->levels(global).front().block);
        if (least > usual_least_slices) check_slices(grid, global, least, forced);
        const bool alone = product(grid) == 1 && forced == 0;
        for (const std::string& transport : alone ? std::vector<std::string>{"auto"} : transports)
          all.push_back({scaling, lattice, grid, transport});
      }
    }
  }
  return all;
}

std::vector<StudyTask> StudySpec::tasks(int here, const std::vector<std::string>& gauge_files) const {
  std::vector<StudyTask> all;
  const int fields = from_files ? static_cast<int>(gauge_files.size()) : 1;
  const int masses = std::max(1, static_cast<int>(actions.size()));
  for (int field = 0; field < fields; ++field)
    for (const StudyPoint& point : points(here))
      for (int mass = 0; mass < masses; ++mass) {
        std::string name = point.name();
        if (from_files) name += ", " + gauge_files[static_cast<std::size_t>(field)];
        if (masses > 1) name += fmt::format(", mass {}", actions[static_cast<std::size_t>(mass)]->mass());
        all.push_back({point, from_files ? field : -1, mass, name});
      }
  return all;
}

int StudySpec::most_ranks() const {
  int most = 1;
  for (const int n : ranks) most = std::max(most, n);
  for (const Extents& grid : grids) most = std::max(most, product(grid));
  return most;
}

JobFiles files_of_study(const JobFile& job, const Attributes& machine, const std::vector<StudyTask>& tasks,
                        const std::vector<std::string>& gauge_files) {
  const std::string output = job.get<OutputKeys>().file;
  std::vector<std::string> wanted;
  for (const StudyTask& task : tasks) wanted.push_back(task.name);
  const auto stored = [machine](const std::vector<StoredObject>& found) -> std::set<std::string> {
    const auto at =
        std::find_if(found.begin(), found.end(), [](const auto& object) { return object.path == "/study"; });
    if (at == found.end() || !has_machine(found, machine)) return {};
    const auto* names = find_attribute<std::vector<std::string>>(at->attributes, "tasks");
    return names == nullptr ? std::set<std::string>() : std::set<std::string>(names->begin(), names->end());
  };
  // Each task stands for itself: those of the journal that are asked for now are used.
  std::vector<KeyName> may_differ{"gauge.files", "model.machine", "model.measurements"};
  for (const char* key : {"lattices", "local_lattices", "ranks", "process_grids", "transports"})
    may_differ.push_back({"study", key});
  JobFiles files{output, output + ".journal", may_differ,
                 [stored, wanted](const auto& found) {
                   return stored(found) == std::set<std::string>(wanted.begin(), wanted.end());
                 },
                 [stored](const auto& found) { return !stored(found).empty(); }};
  for (const auto& file : gauge_files) files.paths.reads(file, "a gauge field ([gauge] files)");
  if (StudySpec(job).multigrid) add_setups(files.paths, job, gauge_files);
  for (const auto& name : field_files(job, job.get<StudyKeys>().deflation, gauge_files, modes_ending))
    files.paths.reads(name, "eigenvectors ([study] deflation)");
  for (const auto& file : job.get<ModelKeys>().measurements)
    files.paths.reads(file, "a measurement ([model] measurements)");
  const auto [json, table] = job.get<StudyTextKeys>();
  files.paths.writes(json, "the results as text ([output] json)");
  files.paths.writes(table, "the results as text ([output] table)");
  return files;
}

}  // namespace plaq::jobs
