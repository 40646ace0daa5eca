#include "jobs/selftest/selftest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <span>

#include "comms/communicator/world.hpp"
#include "core/system/error.hpp"
#include "core/system/machine.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/common/failure.hpp"

namespace plaq::jobs {
namespace {

std::vector<Check> basic_checks() {
  return {{"random numbers: the published answers of Philox", check_random_numbers},
          {"exact sums: any order, any ranks", check_exact_sums},
          {"transports: every byte between all neighbours",
           [](const Trial& trial) { return check_transports(trial); }},
          {"gauge updates: the bits of one rank alone", check_gauge_updates},
          {"gauge observables: the bits of one rank alone", check_gauge_observables},
          {"gauge file: written and read back", check_gauge_file},
          {"Wilson hop: the bits of one rank alone", check_wilson_hop},
          {"Wilson and clover operators: dagger and gamma5", check_wilson_dagger},
          {"clover operator in every storage: the bits of one rank", check_storages},
          {"solves: true residuals, and the bits of one rank alone", check_solves}};
}

// Prime factors of the number of ranks, largest first, each to the direction with the fewest ranks so far.
Extents balanced_grid(int ranks) {
  std::vector<int> primes;
  for (int p = 2; ranks > 1; ++p)
    for (; ranks % p == 0; ranks /= p) primes.push_back(p);
  Extents grid{1, 1, 1, 1};
  for (auto p = primes.rbegin(); p != primes.rend(); ++p) {
    auto least = grid.begin();
    for (auto mu = grid.begin(); mu != grid.end(); ++mu)
      if (*mu <= *least) least = mu;  // t before z before y before x
    *least *= *p;
  }
  return grid;
}

// Smallest lattice possible, since every rank also does the whole alone: at least 2 sites a rank, 4 in all.
Extents small_lattice(const Extents& grid) {
  Extents extents{};
  std::transform(grid.begin(), grid.end(), extents.begin(), [](int ranks) { return std::max(4, 2 * ranks); });
  if (8 % (2 * grid[3]) == 0) extents[3] = 8;
  return extents;
}

// True if it passed on all ranks; prints the line.
bool run_check(const Check& check, int rank, const Trial& trial) {
  const auto start = std::chrono::steady_clock::now();
  const auto print = [&](bool passed, const std::string& detail) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fmt::print("{:<6}  {:<56} {:>5.1f} s  {}\n", passed ? "OK" : "FAILED", check.name, seconds, detail);
    std::fflush(stdout);
  };
  try {
    const CheckResult result = check.run(trial);
    const bool passed = trial.world.comm().all(result.passed);
    if (rank == 0) print(passed, result.detail);
    return passed;
  } catch (...) {
    // Perhaps of this rank alone: the others may wait in the check, so there is no going on.
    if (rank == 0) print(false, current_failure().message);
    throw;
  }
}

}  // namespace

Trial::Trial(const std::string& location)
    : site(choose_launch_site(plaq::world(), location, 0)),
      extents(small_lattice(balanced_grid(world_size()))),
      world(plaq::world(), balanced_grid(world_size())),
      self(Communicator::alone(), {1, 1, 1, 1}),
      queue(site.location) {}

bool Trial::same_on_all_ranks(std::uint64_t value) const {
  std::uint64_t both[2] = {value, ~value};
  world.comm().min(std::span(both));
  return both[0] == ~both[1];
}

std::int64_t differing_reals(const Trial& trial, const Field& part, const Field& whole) {
  trial.queue.synchronize();
  const auto on_host = [](const Field& field) {
    FieldSpec spec = field.spec();
    spec.location = Location::host;
    Field host(field.geometry_ptr(), spec);
    copy(host, field);
    return host;
  };
  const Field mine = on_host(part), all = on_host(whole);
  const LatticeShape &shape = mine.geometry().shape(), &whole_shape = all.geometry().shape();
  std::int64_t count = 0;
  for (int parity = 0; parity < 2; ++parity)
    for (int s = 0; s < shape.half_volume && mine.holds(parity); ++s) {
      const Coordinates c = shape.coordinates(parity, s);
      Coordinates global{};
      bool owned = true;
      for (int mu = 0; mu < 4; ++mu) {
        owned = owned && c.x[mu] >= shape.halo[mu] && c.x[mu] < shape.extent[mu] - shape.halo[mu];
        global.x[mu] = shape.global_coordinate(c, mu) + whole_shape.halo[mu];
      }
      for (int subfield = 0; subfield < mine.subfields() && owned; ++subfield)
        for (int r = 0; r < mine.reals_per_site(); ++r) {
          const double a = get_real(mine, subfield, parity, s, r);
          const double b = get_real(all, subfield, parity, whole_shape.index(global), r);
          count += __builtin_bit_cast(std::uint64_t, a) != __builtin_bit_cast(std::uint64_t, b);
        }
    }
  return trial.world.comm().sum(count);
}

int run_selftest(const SelftestOptions& options) {
  const Trial trial(options.location);
  const int rank = trial.world.rank();
  if (rank == 0) {
    fmt::print("plaq {} on {} rank(s), {}; lattice {} on process grid {}\n", version(), trial.world.size(),
               trial.location() == Location::device
                   ? trial.site.device_name
                   : fmt::format("host, {} thread(s) a rank", trial.site.threads),
               to_string(trial.extents), to_string(trial.world.ranks()));
    std::fflush(stdout);
  }
  const std::vector<Check> checks = options.part == "hmc" ? hmc_checks() : basic_checks();
  int failed = 0;
  for (const Check& check : checks) failed += run_check(check, rank, trial) ? 0 : 1;
  if (failed > 0)
    throw Error(
        ErrorKind::internal,
        fmt::format("{} of {} checks failed: do not trust results of this machine", failed, checks.size()));
  if (rank == 0) fmt::print("all {} checks passed\n", checks.size());
  return 0;
}

}  // namespace plaq::jobs
