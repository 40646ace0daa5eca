#include "jobs/dirac/multigrid_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "comms/communicator/node_map.hpp"
#include "comms/communicator/world.hpp"
#include "comms/transport/transport_choice.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/memory.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/schema/common_keys.hpp"
#include "quarks/solve/system_solver.hpp"

namespace plaq::jobs {
namespace {

constexpr int most_times_ranks = 64;

// Problem that is to be solved, and the number of its ranks.
struct Solve {
  const JobContext& context;
  const ActionPtr& action;
  int batch;  // 0: a setup alone
  Extents grid;
};

// Memory of rank 0, from the gauge field on: the most that it holds at once.
RankMemory counted(const Solve& solve, const SolverSettings& spec) {
  const Quiet quiet;
  const Extents& ranks = solve.grid;
  const Location location = solve.context.location();
  DryRun run({ranks[0] * ranks[1] * ranks[2] * ranks[3], 0, location});
  {
    const DryRun::Scope scope(run);
    const ProcessGrid grid(world(), ranks);
    const GeometryPtr geometry =
        grid.geometry(solve.context.extents, solve.context.geometry->decomposition().forced);
    const Queue queue(location);
    const Field gauge(geometry, gauge_spec(Precision::double_precision, location));
    const FermionLinks links{&grid, gauge, queue,
                             choose_transport(grid, location, TransportKind::automatic).transport};
    SystemSolver solver(links, solve.action, spec, std::max(1, solve.batch));
    if (solve.batch > 0) {
      Field x(geometry, solver.spec_of_fields());
      const Field b(geometry, solver.spec_of_fields());
      solver.solve(x, b);
    }
  }
  return {run.memory().peak(Location::host).bytes, run.memory().peak(Location::device).bytes};
}

// Coarse lattices that move to fewer ranks leave room beside them. All ranks of a host together take what
// they would if no lattice moved; a GPU is of one rank.
RankMemory needed(const Solve& solve, const SolverSettings& spec) {
  RankMemory need = counted(solve, spec);
  if (!spec.multigrid) return need;
  SolverSettings stays = spec;
  stays.multigrid->least_sites = 0;
  if (stays != spec && solve.grid != Extents{1, 1, 1, 1}) need.host = counted(solve, stays).host;
  return need;
}

bool fits(const RankMemory& need, const RankMemory& there) {
  return need.host <= there.host && need.device <= there.device;
}

int smaller_divisor(int number, int than) {
  do --than;
  while (number % than != 0);
  return than;
}

}  // namespace

std::string what_would_fit(const std::vector<int>& vectors, int ranks, const Fits& fits) {
  const auto can_be = [&](int most_vectors, int on_ranks) {
    std::vector<int> fewer = vectors;
    for (int& v : fewer) v = std::min(v, most_vectors);
    try {
      return fits(fewer, on_ranks);
    } catch (const Error&) {
      return false;
    }
  };
  const int all = *std::max_element(vectors.begin(), vectors.end());
  std::string text;
  int good = 0, bad = all;  // more vectors take more
  while (bad - good > 1) {
    const int middle = good + (bad - good) / 2;
    (can_be(middle, ranks) ? good : bad) = middle;
  }
  if (good > 0) text = "with " + counted(good, "near-null vector");
  for (int times = 2; times <= most_times_ranks; times *= 2)
    if (can_be(all, times * ranks)) {
      text +=
          fmt::format("{}on {} ranks with as much memory each", text.empty() ? "" : ", or ", times * ranks);
      break;
    }
  return text.empty() ? fmt::format("Fewer vectors and {} times the ranks would not do.", most_times_ranks)
                      : "It would fit " + text + '.';
}

RankMemory free_for_each_rank(const JobContext& context) {
  const LaunchSite& site = context.site;
  const auto of_host = static_cast<std::uint64_t>(site.node_ranks);
  std::uint64_t of_device = 1;
  if (two_ranks_share_a_device(context.grid->comm()))
    of_device = site.location == Location::device
                    ? of_host / static_cast<std::uint64_t>(std::min(site.node_ranks, device_count()))
                    : of_host;
  std::uint64_t least[2] = {free_memory(Location::host) / of_host, free_memory(Location::device) / of_device};
  context.grid->comm().min(std::span(least));
  return {least[0], least[1]};
}

void expect_room_for_multigrid(const JobContext& context, const ActionPtr& action, const SolverSettings& spec,
                               int batch, const RankMemory& there) {
  if (!spec.multigrid || runs_dry()) return;
  const auto& locations = spec.multigrid->coarse_locations;
  if (std::find(locations.begin(), locations.end(), Location::device) != locations.end())
    expect_devices(context.grid->comm(), "coarse_locations");
  const Solve here{context, action, batch, context.grid->ranks()};
  const RankMemory need = needed(here, spec);
  if (fits(need, there)) return;
  const bool on_host = need.host > there.host;
  const int ranks_here = context.grid->size();
  const std::string better =
      what_would_fit(spec.multigrid->vectors, ranks_here, [&](const std::vector<int>& vectors, int ranks) {
        MultigridOptions multigrid = *spec.multigrid;
        multigrid.vectors = vectors;
        SolverSettings other = spec;
        other.multigrid = std::move(multigrid);
        const Extents grid = ranks == ranks_here ? here.grid : choose_grid(ranks, context.extents);
        return fits(needed({context, action, batch, grid}, other), there);
      });
  throw Error(
      on_host ? ErrorKind::internal : ErrorKind::device,
      fmt::format("out of memory: multigrid on {} takes {} of a rank on the {}, and {} are free for it. {}",
                  to_string(context.extents),
                  bytes_text(static_cast<double>(on_host ? need.host : need.device)),
                  on_host ? "host" : "GPU",
                  bytes_text(static_cast<double>(on_host ? there.host : there.device)), better));
}

void expect_room_for_multigrid(const JobContext& context, const ActionPtr& action, const SolverSettings& spec,
                               int batch) {
  if (!spec.multigrid || runs_dry()) return;
  expect_room_for_multigrid(context, action, spec, batch, free_for_each_rank(context));
}

int columns_with_room(const JobContext& context, const ActionPtr& action, const SolverSettings& spec,
                      const RankMemory& there) {
  const int all = columns_at_once(spec, action->columns(), action->Ls());
  const auto have_room = [&](int columns) {
    return fits(needed({context, action, columns, context.grid->ranks()}, spec), there);
  };
  int columns = all;
  if (!spec.columns && !spec.modes && (spec.multigrid || action->Ls() > 1))
    while (columns > 1 && !have_room(columns)) columns = smaller_divisor(all, columns);
  if (columns < all)
    log::info(fmt::format("{} of {} columns are solved together, as many as memory has room for", columns,
                          action->columns()));
  expect_room_for_multigrid(context, action, spec, columns, there);
  return columns;
}

int columns_with_room(const JobContext& context, const ActionPtr& action, const SolverSettings& spec,
                      std::uint64_t beside) {
  if (runs_dry()) return columns_at_once(spec, action->columns(), action->Ls());
  RankMemory there = free_for_each_rank(context);
  std::uint64_t& here = context.location() == Location::device ? there.device : there.host;
  here -= std::min(here, beside);
  return columns_with_room(context, action, spec, there);
}

}  // namespace plaq::jobs
