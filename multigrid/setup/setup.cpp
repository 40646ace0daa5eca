#include "multigrid/setup/setup.hpp"

#include <algorithm>
#include <cmath>

#include "core/system/dry_run.hpp"
#include "core/system/profiler.hpp"
#include "core/system/timer.hpp"
#include "multigrid/cycle/cycle_in_precision.hpp"
#include "multigrid/setup/near_null_vectors.hpp"

namespace plaq {
namespace {

constexpr double least_gain = 0.05;  // of a round, below which there is no further one
constexpr std::uint64_t probe_seed = 7919;

// What decides between choices: bytes and flops at rates of a GPU. Only their ratio matters.
double modelled_seconds(const Work& work) { return std::max(work.bytes / 4e12, work.flops / 2e13); }

}  // namespace

double MultigridSetup::solve_seconds(const ProbeResult& now) const {
  return now.iterations(settings_.tolerance) * modelled_seconds(now.iteration);
}

// Cycles of all vectors, and the product that makes coarse operators: the parts of M of each vector and chirality, and a
// restriction of the site's part and two of each hop.
double MultigridSetup::round_seconds(const ProbeResult& now) const {
  const int count = vectors_.batch(), parts = 5, restrictions = 9, chiralities = 2, parities = 2;
  const double ranks = finest_.grid().size();
  const Work m = ranks * finest_.full().work(count);
  const Work r = (ranks * parities) * hierarchy_.transfer(0).work(count, finest_.full().spec(1).precision);
  return modelled_seconds(static_cast<double>(count) * now.iteration + (chiralities * parts) * m +
                          (chiralities * restrictions) * r);
}

void MultigridSetup::round() {
  std::unique_ptr<CycleInPrecision> cycle;
  int made_for = 0;
  change_vectors(finest_, vectors_, [&](SchurOperator& s, Field& v) {
    if (v.batch() != made_for) {
      made_for = v.batch();
      cycle =
          std::make_unique<CycleInPrecision>(hierarchy_.cycle(0, made_for), s.spec(1).precision, made_for);
    }
    Field before(v.geometry_ptr(), v.spec());
    copy_parity(before, v, s.parity(), s.queue());
    cycle->apply(v, before);
  });
  cycle.reset();
  orthonormalise_vectors(finest_, vectors_);
  hierarchy_.build(vectors_);
}

SetupReport MultigridSetup::run(const AfterRound& after_round) {
  const TapeSection section("setup of multigrid");
  const Timer timer;
  const LevelSettings& finest = settings_.levels.front();
  Field vectors = noise_vectors(finest_, std::max(finest.vectors, finest.candidates), settings_.seed);
  filter_vectors(finest_, vectors, "bicgstab", settings_.filter_iterations);
  SetupReport report = improve(std::move(vectors), 0, after_round);
  report.seconds = timer.seconds();
  return report;
}

SetupReport MultigridSetup::improve(Field vectors, int rounds_before, const AfterRound& after_round) {
  const ScopedRange range("multigrid setup");
  const Timer timer;
  vectors_ = std::move(vectors);
  SetupReport report;
  report.rounds = rounds_before;
  hierarchy_.build(vectors_);
  report.kept = probe(hierarchy_, probe_seed);
  report.probes = {report.kept};
  if (after_round) after_round(report, vectors_);
  double saved = solve_seconds(report.kept);  // by the last round; nothing is known of the first one
  while (report.rounds < settings_.most_rounds) {
    const bool wanted = report.rounds < settings_.least_rounds;
    if (!wanted && 0.5 * saved * settings_.solves < round_seconds(report.kept)) break;
    const Field before = vectors_;
    vectors_ = Field(before.geometry_ptr(), before.spec());
    copy(vectors_, before);
    round();
    const ProbeResult now = probe(hierarchy_, probe_seed);
    report.probes.push_back(now);
    const double time_before = solve_seconds(report.kept), time = solve_seconds(now);
    if (!(time < time_before) && !runs_dry()) {
      vectors_ = before;
      hierarchy_.build(vectors_);
      break;
    }
    ++report.rounds;
    report.kept = now;
    if (after_round) after_round(report, vectors_);
    saved = time_before - time;
    if (report.rounds >= settings_.least_rounds && time > (1 - least_gain) * time_before) break;
  }
  report.checks = self_checks(hierarchy_, settings_.storage);
  expect_passed(report.checks);
  report.seconds = timer.seconds();
  return report;
}

}  // namespace plaq
