// The checks of plaq selftest: on the machine and ranks at hand, against the one rank alone or a known
// answer.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "comms/placement/launch_site.hpp"
#include "comms/transport/transport.hpp"
#include "core/field/field.hpp"
#include "core/launch/queue.hpp"

namespace plaq::jobs {

// Forces all four directions to exchange faces, also where one rank has all of the lattice.
inline constexpr std::uint32_t all_directions = 0xf;

// A small lattice on all ranks, and the same whole on each rank alone.
struct Trial {
  LaunchSite site;
  Extents extents;
  ProcessGrid world, self;
  Queue queue;

  explicit Trial(const std::string& location);
  Location location() const { return site.location; }
  bool same_on_all_ranks(std::uint64_t value) const;
};

// `passed` is this rank's view; a check has passed when it has on every rank.
struct CheckResult {
  bool passed = false;
  std::string detail;  // a few words with numbers
};

// A check with its line in the output.
struct Check {
  std::string name;
  std::function<CheckResult(const Trial&)> run;  // collective
};

// Checks of molecular dynamics: plaq selftest hmc.
std::vector<Check> hmc_checks();

// Reals in which `part` on the world's grid and `whole` on one rank differ in a bit, over all ranks. Halos do
// not count.
std::int64_t differing_reals(const Trial& trial, const Field& part, const Field& whole);

// Each is collective.
CheckResult check_random_numbers(const Trial& trial);
CheckResult check_exact_sums(const Trial& trial);
CheckResult check_transports(const Trial& trial);
// Transports to test, each with its name. The result names the first one that brings a wrong byte, and what
// was wrong where. A transport that cannot be made here is no fault.
using NamedTransport = std::pair<std::string, std::function<std::shared_ptr<Transport>()>>;
CheckResult check_transports(const Trial& trial, const std::vector<NamedTransport>& transports);
CheckResult check_gauge_updates(const Trial& trial);
CheckResult check_gauge_observables(const Trial& trial);
CheckResult check_gauge_file(const Trial& trial);
CheckResult check_wilson_hop(const Trial& trial);
CheckResult check_wilson_dagger(const Trial& trial);
CheckResult check_storages(const Trial& trial);
CheckResult check_solves(const Trial& trial);

}  // namespace plaq::jobs
