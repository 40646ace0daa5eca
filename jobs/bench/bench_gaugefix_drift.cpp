// Effect of rounding on gauge fixing in thousands of sweeps (Schroeck, Vogt 2013, figures 1 and 2): unitarity
// of g and the functional of Landau gauge, in single, mixed and double precision, as sweeps leave g and
// brought back to SU(3) every 100 of them. Overrelaxation in subgroups of SU(2), omega = 1.7, from g = 1, on
// a quenched field at beta = 6.
//
// The drift of that paper cannot appear: it multiplies links, whose errors add up, while here links are
// read only, and every update restores the rows of g to second order (gaugefix/sweep/update_site.hpp).
// Rounding is what remains. On a GPU 12000 sweeps, on the host 400.
//
// Time: of a sweep, over those between two looks. Functional: as a run sees it, links and arithmetic as of
// GaugeFixer::quality(), so that in single precision links are off by rounding too.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/system/error.hpp"
#include "gaugefix/run/gauge_fixer.hpp"
#include "gaugefix/sweep/row_violation.hpp"
#include "jobs/bench/sweeps.hpp"
#include "jobs/bench/targets.hpp"

namespace plaq::jobs {
namespace {

constexpr int reprojected_every = 100;

struct Length {
  int sweeps, looked_every;
  int thermalization;  // compound sweeps
};
Length length_at(Location location) {
  return location == Location::device ? Length{12000, 200, 300} : Length{400, 20, 20};
}

// Bound for |g g^dagger - 1|, a few roundings.
double bound_of(const StudyStorage& storage) {
  return storage.precision == Precision::single_precision && !storage.mixed ? 1e-5 : 1e-13;
}

// State of g after so many sweeps of gauge fixing.
struct DriftPoint {
  int sweeps = 0;
  RowViolation violation;  // of the stored rows
  double functional = 0;
};

struct Drift {
  std::vector<DriftPoint> points;
  Samples samples;
};

Drift sweep_along(const Bench& bench, const Field& gauge, const StudyStorage& storage, bool reprojected) {
  const ProcessGrid& grid = bench.grid();
  GaugeFixer fixer(grid, gauge, Gauge::landau, fixing_precision(storage), 1, bench.queue(),
                   bench.transport());
  const Length length = length_at(bench.location());
  const RelaxationStep step = RelaxationStep::overrelaxation(1.7);
  Drift drift;
  const auto look = [&](int sweeps) {
    const DriftPoint point{sweeps, row_violation(grid, fixer.rows(), fixer.queue()),
                           fixer.quality().front().functional};
    if (!(point.violation.largest <= bound_of(storage)) || !std::isfinite(point.functional))
      throw Error(ErrorKind::internal, fmt::format("after {} sweeps in {} |g g^dagger - 1| is {:.2e}", sweeps,
                                                   name_of(storage), point.violation.largest));
    drift.points.push_back(point);
  };
  look(0);
  std::vector<double> microseconds;
  for (int done = 0; done < length.sweeps;) {
    const double seconds = slowest_seconds(grid.comm(), fixer.queue(), [&] {
      for (int k = 0; k < length.looked_every; ++k) {
        // Not behind the last sweep, so that a look sees what a hundred sweeps have done.
        if (reprojected && done > 0 && done % reprojected_every == 0) fixer.project();
        fixer.sweep(step);
        ++done;
      }
    });
    microseconds.push_back(1e6 * seconds / length.looked_every);
    look(done);
  }
  drift.samples = samples_of(microseconds);
  return drift;
}

}  // namespace

void bench_gaugefix_drift(Bench& bench, std::string_view) {
  const auto storages = bench.storages_of_sweeps();
  const Length length = length_at(bench.location());
  const Field gauge = thermalized(bench, length.thermalization);
  // The reference of all others comes first.
  const StudyStorage wide(Precision::double_precision, 12);
  const Drift exact = sweep_along(bench, gauge, wide, false);
  const double last = exact.points.back().functional;
  for (const StudyStorage& storage : storages)
    for (const bool reprojected : {false, true}) {
      const std::string name =
          reprojected ? fmt::format("reprojected every {}", reprojected_every) : "as swept";
      if (!bench.wants(name)) continue;
      const Drift drift =
          storage == wide && !reprojected ? exact : sweep_along(bench, gauge, storage, reprojected);
      const Work work = sweep_work(Gauge::landau, fixing_precision(storage), bench.local_sites());
      for (const auto& [sweeps, violation, functional] : drift.points) {
        const std::string check = fmt::format("unitarity to {:.1e}, functional {:.1e} off double",
                                              violation.largest, functional / last - 1);
        bench.add(name, storage, 1, drift.samples, work, check).numbers = {
            {"sweeps", sweeps},
            {"average_violation", violation.average},
            {"largest_violation", violation.largest},
            {"functional", functional},
            {"deviation_of_functional", functional / last - 1}};
      }
    }
}

}  // namespace plaq::jobs
