// Gauge fixing from start to end: annealing, stochastic relaxation and overrelaxation, for gauge copies side
// by side, until each is fixed or cannot be.
//
// The result of a copy depends on its number and the settings alone, not on the copies beside it nor on the
// process grid. It is taken out where its theta is reached, and measured by itself: g goes to double
// precision and back to SU(3), functional and theta are computed with links in double, and where theta is
// not reached there it is overrelaxed on in double.
//
// A copy is stuck where theta has not halved within `patience` sweeps. It then gets other sweeps, stochastic
// ones and an omega nearer to 1; if that does not help, other points of the orbit to start from, `restarts`
// of them.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "gaugefix/run/fixing_settings.hpp"
#include "gaugefix/run/gauge_fixer.hpp"
#include "gaugefix/sweep/omega_control.hpp"

namespace plaq {

class FixingRun {
 public:
  // `gauge` as for GaugeFixer. `at_check` is called at each check of theta, with the copies that are swept
  // over; what it throws ends the run. All is collective; grid and queue must outlive the run.
  FixingRun(const ProcessGrid& grid, const Field& gauge, const FixingSettings& settings, const Queue& queue,
            std::shared_ptr<Transport> transport, AtFixingCheck at_check = {});
  ~FixingRun();
  FixingRun(const FixingRun&) = delete;
  FixingRun& operator=(const FixingRun&) = delete;

  // Copies first, ..., first + count - 1. The first copy of all runs alone where omega is adapted: the others
  // have its omega.
  std::vector<CopyOutcome> run(int first, int count);

  // Copy with the largest functional among those so far that converged; copy < 0: none.
  struct Best {
    int copy = -1;
    double functional = 0;
    Field g;  // in double, 3x3, at the queue's location
  };
  const Best& best() const { return best_; }

  // The omega that an earlier run has adapted on copy 0.
  void know_omega(double omega) { omega_ = omega; }

 private:
  struct Copy;    // one that is being fixed
  struct Sweeps;  // a fixer, and how many sweeps ago g was projected
  using Ended = std::function<void(Copy&, const GaugeFixer&)>;

  GaugeFixer make_fixer(FixingPrecision precision, int copies) const;
  std::vector<CopyOutcome> run_together(int first, int count);
  void start(Sweeps& sweeps, std::span<Copy> copies, std::uint64_t seed, double theta, const Ended& ended);
  void anneal(Sweeps& sweeps, std::span<Copy> copies, std::uint64_t seed);
  void relax_stochastically(Sweeps& sweeps, std::span<Copy> copies, std::uint64_t seed, double theta,
                            const Ended& ended);
  void overrelaxation(Sweeps& sweeps, double omega) const;
  void overrelax(Sweeps& sweeps, std::span<Copy> copies, double theta, const Ended& ended);
  void measure(GaugeFixer& fixer, std::span<Copy> copies, FixingStage stage, double temperature = 0);
  void end_those_that_can(Sweeps& sweeps, std::span<Copy> copies, double theta, const Ended& ended);
  void finish_in_double(Copy& copy, const GaugeFixer& fixer);
  void rescue(Copy& copy);

  const ProcessGrid& grid_;
  const Field& gauge_;
  FixingSettings settings_;
  const Queue& queue_;
  std::shared_ptr<Transport> transport_;
  AtFixingCheck at_check_;
  std::unique_ptr<Sweeps> in_double_;  // one copy in double
  std::optional<double> omega_;        // given, or adapted on copy 0
  Best best_;
};

}  // namespace plaq
