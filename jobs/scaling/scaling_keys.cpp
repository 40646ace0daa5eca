#include "jobs/scaling/scaling_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "comms/grid/grid_choice.hpp"
#include "core/lattice/blocking.hpp"
#include "core/lattice/four_numbers.hpp"
#include "core/system/error.hpp"
#include "jobs/results/machine_attributes.hpp"
#include "jobs/run/job_context.hpp"
#include "jobs/schema/common_keys.hpp"
#include "multigrid/levels/level_ranks.hpp"
#include "settings/solver/multigrid_table.hpp"
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

// Throws Error(job_file) where blocks of the finest lattice are not on one rank each: fewer ranks than are to be measured
// would work.
void check_blocks(const MultigridOptions& multigrid, const ScalingPoint& point, std::uint32_t forced) {
  Blocking(Geometry::create({point.global(), point.grid, {0, 0, 0, 0}, forced}),
           multigrid.levels(point.global()).front().block);
}

// What bits of multigrid depend on beside the lattice: on one rank the coarsest one may be solved by a dense inverse.
bool ends_on_one_rank(const MultigridOptions& multigrid, const ScalingPoint& point) {
  const std::vector<LevelSettings> levels = multigrid.levels(point.global());
  Extents lattice = point.global(), ranks = point.grid;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    for (std::size_t mu = 0; mu < 4; ++mu) lattice[mu] /= levels[level].block[mu];
    if (multigrid.least_sites > 0) ranks = ranks_for_level(ranks, lattice, multigrid.least_sites);
    if (level + 1 < levels.size()) ranks = ranks_for_blocks(ranks, lattice, levels[level + 1].block);
  }
  return product(ranks) == 1;
}

std::vector<int> prime_factors(int n) {  // largest first
  std::vector<int> factors;
  for (int p = 2; n > 1; ++p)
    for (; n % p == 0; n /= p) factors.insert(factors.begin(), p);
  return factors;
}

}  // namespace

Extents ScalingPoint::global() const {
  if (kind == ScalingKind::strong) return lattice;
  Extents all = lattice;
  for (std::size_t mu = 0; mu < 4; ++mu) all[mu] *= grid[mu];
  return all;
}

std::string ScalingPoint::name() const {
  return fmt::format("{} {} on {} by {}", scaling_kind_names[static_cast<std::size_t>(kind)],
                     to_string(lattice), to_string(grid), transport);
}

Extents weak_grid(int n, const Extents& local) {
  Extents grid{1, 1, 1, 1};
  for (const int p : prime_factors(n)) {
    std::size_t shortest = 3;
    for (std::size_t mu = 3; mu-- > 0;)
      if (local[mu] * grid[mu] < local[shortest] * grid[shortest]) shortest = mu;
    grid[shortest] *= p;
  }
  return grid;
}

ScalingKeys::ScalingKeys(const Settings& job)
    : ScalingTable(job.get<ScalingTable>()),
      strong(fours(strong_texts)),
      weak(fours(weak_texts)),
      grids(fours(grid_texts)),
      lists{joined<std::string>({operators, methods}), storages, right_hand_sides},
      forced(job.get<CommsKeys>().sharing().forced),
      checked(job.get<CommsKeys>().halo_checksums) {
  if (has_dirac()) parameters = action_parameters(job);
  if (has_multigrid()) multigrid = job.get<MultigridOptions>();
}

bool ScalingKeys::has_dirac() const {
  return std::any_of(lists.subjects.begin(), lists.subjects.end(),
                     [](const auto& key) { return !subject(key).fixes_gauge(); });
}

bool ScalingKeys::has_multigrid() const {
  return std::any_of(lists.subjects.begin(), lists.subjects.end(),
                     [](const auto& key) { return subject(key).uses_multigrid(); });
}

bool ScalingKeys::same_bits(const std::string& key, const ScalingPoint& a, const ScalingPoint& b) const {
  return !subject(key).uses_multigrid() || ends_on_one_rank(multigrid, a) == ends_on_one_rank(multigrid, b);
}

std::vector<ScalingPoint> ScalingKeys::points() const {
  const int least = parameters ? parameters->least_slices() : usual_least_slices;
  std::vector<ScalingPoint> all;
  for (const ScalingKind kind : {ScalingKind::strong, ScalingKind::weak})
    for (const Extents& lattice : kind == ScalingKind::strong ? strong : weak) {
      std::vector<Extents> here;
      for (const int n : ranks)
        here.push_back(kind == ScalingKind::strong ? choose_grid(n, lattice, 0, least)
                                                   : weak_grid(n, lattice));
      for (const Extents& grid : grids)
        if (std::find(here.begin(), here.end(), grid) == here.end()) here.push_back(grid);
      std::stable_sort(here.begin(), here.end(),
                       [](const Extents& a, const Extents& b) { return product(a) < product(b); });
      for (const Extents& grid : here) {
        const ScalingPoint any{kind, lattice, grid, "auto"};
        if (has_multigrid()) check_blocks(multigrid, any, forced);
        if (least > usual_least_slices) check_slices(grid, any.global(), least, forced);
        const bool alone = product(grid) == 1 && forced == 0;
        for (const std::string& transport : alone ? std::vector<std::string>{"auto"} : transports)
          all.push_back({kind, lattice, grid, transport});
      }
    }
  return all;
}

int ScalingKeys::most_ranks() const {
  int most = 1;
  for (const int n : ranks) most = std::max(most, n);
  for (const Extents& grid : grids) most = std::max(most, product(grid));
  return most;
}

JobFiles files_of_scaling(const JobFile& job, const Attributes& machine) {
  const std::string output = job.get<OutputKeys>().file;
  const std::size_t points = ScalingKeys(job).points().size();
  const auto stored = [machine](const std::vector<StoredObject>& found) -> std::size_t {
    const auto at = std::find_if(found.begin(), found.end(),
                                 [](const auto& object) { return object.path == "/points/ranks"; });
    return at == found.end() || at->extents.empty() || !has_machine(found, machine) ? 0 : at->extents[0];
  };
  // Each point stands for itself: those of the journal that are asked for now are used.
  std::vector<KeyName> may_differ;
  for (const char* key : {"strong", "weak", "ranks", "process_grids", "transports"})
    may_differ.push_back({"scaling", key});
  for (const char* key : {"machine", "measurements"}) may_differ.push_back({"model", key});
  JobFiles files{output, output + ".journal", may_differ,
                 [stored, points](const auto& found) { return stored(found) == points; },
                 [stored](const auto& found) { return stored(found) > 0; }};
  for (const auto& file : job.get<ModelKeys>().measurements)
    files.paths.reads(file, "a measurement ([model] measurements)");
  const auto texts = job.get<ScalingTextKeys>();
  files.paths.writes(texts.json, "the results as text ([output] json)");
  files.paths.writes(texts.table, "the results as text ([output] table)");
  return files;
}

}  // namespace plaq::jobs
