// Checks of gauge fields: updates, observables and files.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "comms/communicator/collective.hpp"
#include "core/system/error.hpp"
#include "io/gauge/gauge_file.hpp"
#include "jobs/selftest/selftest.hpp"
#include "kernels/gauge/observables.hpp"
#include "kernels/gauge/update.hpp"

namespace plaq::jobs {
namespace {

constexpr std::uint64_t seed = 4711;

// A hot start and a few sweeps, on an extended geometry.
Field updated_field(const Trial& trial, const ProcessGrid& grid, std::uint32_t forced) {
  Field gauge(grid.geometry(trial.extents, forced)->extended(1),
              gauge_spec(Precision::double_precision, trial.location()));
  hot_start(gauge, seed, trial.queue);
  QuenchedUpdate update(grid, gauge, {6.0, seed}, make_host_transport(grid, trial.location()));
  for (std::uint32_t sweep = 0; sweep < 3; ++sweep) {
    update.heatbath_sweep(gauge, sweep, trial.queue);
    update.overrelaxation_sweep(gauge, trial.queue);
  }
  reunitarize(gauge, trial.queue);
  return gauge;
}

// Made and removed by rank 0: where all ranks see it.
class SharedDirectory {
 public:
  explicit SharedDirectory(const Trial& trial) : grid_(trial.world) {
    namespace fs = std::filesystem;
    std::string name;
    on_first_rank([&] {
      const bool one_node = trial.site.node_ranks == trial.world.size();
      name = ((one_node ? fs::temp_directory_path() : fs::current_path()) / "plaq-selftest-XXXXXX").string();
      if (!::mkdtemp(name.data()))
        throw Error(ErrorKind::output_file, fmt::format("cannot make the directory {}", name));
    });
    path_ = broadcast(grid_.comm(), name);
  }
  ~SharedDirectory() {
    grid_.comm().barrier();
    std::error_code ignored;
    if (grid_.rank() == 0) std::filesystem::remove_all(path_, ignored);
  }
  SharedDirectory(const SharedDirectory&) = delete;
  SharedDirectory& operator=(const SharedDirectory&) = delete;
  const std::string& path() const { return path_; }

 private:
  const ProcessGrid& grid_;
  std::string path_;
};

}  // namespace

CheckResult check_gauge_updates(const Trial& trial) {
  const Field whole = updated_field(trial, trial.self, 0);
  std::int64_t different = 0;
  for (const std::uint32_t forced : {0u, all_directions})
    different += differing_reals(trial, updated_field(trial, trial.world, forced), whole);
  return {different == 0, fmt::format("{} reals differ", different)};
}

CheckResult check_gauge_observables(const Trial& trial) {
  const auto bits = [&](const ProcessGrid& grid, std::uint32_t forced) {
    const GaugeObservables o = measure_gauge(grid, updated_field(trial, grid, forced), trial.queue);
    return std::array<double, 7>{o.plaquette.all,      o.plaquette.spatial,    o.plaquette.temporal,
                                 o.link_trace,         o.polyakov_loop.real(), o.polyakov_loop.imag(),
                                 o.unitarity_violation};
  };
  const auto alone = bits(trial.self, 0);
  bool passed = bits(trial.world, 0) == alone && bits(trial.world, all_directions) == alone;
  passed = passed && alone[0] > 0 && alone[0] < 1 && alone[6] < 1e-13;
  for (const double value : alone)
    passed = trial.same_on_all_ranks(__builtin_bit_cast(std::uint64_t, value)) && passed;
  return {passed, fmt::format("plaquette {:.6f}, unitarity {:.0e}", alone[0], alone[6])};
}

CheckResult check_gauge_file(const Trial& trial) {
  const SharedDirectory directory(trial);
  const std::string path = directory.path() + "/field.nersc";
  const auto geometry = trial.world.geometry(trial.extents);
  const FieldSpec host = gauge_spec(Precision::double_precision, Location::host);
  Field written(geometry, host), read(geometry, host), whole(trial.self.geometry(trial.extents), host);
  const Field links = updated_field(trial, trial.world, 0);
  const GaugeObservables o = measure_gauge(trial.world, links, trial.queue);
  trial.queue.synchronize();
  copy(written, links);
  const LinkChecksum checksum =
      write_gauge_file(path, trial.world, written, {}, o.plaquette.all, o.link_trace);
  const GaugeReadReport report = read_gauge_file(path, trial.world, read);
  verify_gauge_file(report, o.plaquette.all, o.link_trace);
  copy(whole, updated_field(trial, trial.self, 0));
  const std::int64_t different = differing_reals(trial, read, whole);
  return {different == 0 && report.checksum == checksum,
          fmt::format("{} reals differ, checksum {}", different, checksum.text())};
}

}  // namespace plaq::jobs
