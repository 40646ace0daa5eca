// The setup of a multigrid preconditioner: near-null vectors and the coarse lattices that are made of them,
// improved for as long as that pays. It needs no parameters that depend on the gauge field.
//
//   1. Noise is filtered by a few iterations on S x = 0, or vectors are taken that were near-null elsewhere.
//   2. Coarse operators are built.
//   3. A round: v <- cycle(v), nearly dependent vectors are made orthonormal, coarse operators are built
//      again. It divides what is left of low modes by their eigenvalues.
//   4. A probe tells the reduction rho of an iteration. Another round is made for as long as what it is
//      expected to save, half of what the last one saved, is more than what it costs. Times are modelled, not
//      measured, so that the choice is the same everywhere.
//   5. What the settings leave open of cycles is chosen by solves to 1e-4 of each candidate
//      (choose_cycles.hpp), where they take a fiftieth of what all solves take at most: the time to a
//      solution is flat about its least.
// Vectors are kept until there are better ones: a round that makes iterations more by a tenth is undone, and
// is the last one.
//
// A setup that goes on from vectors of another one takes over what was chosen for that.
//
// Vectors of another operator are refreshed: rounds are made until rho is at most 1.2 times what it was
// there, four at most. Where that is not enough the setup begins again from noise, and the better of the two
// is kept. On links nearby the first of these rounds is made with the lattices of the setup before (renew()).
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "multigrid/setup/choose_cycles.hpp"
#include "multigrid/setup/probe.hpp"
#include "multigrid/setup/self_checks.hpp"

namespace plaq {

// Vectors and reports that a setup begins with.
struct SetupStart {
  // On both parities. What they are on the parity that is solved for counts, the
  // rest is made of it. None: noise.
  Field vectors;
  int rounds = 0;         // that they have been through
  bool finished = false;  // no round is made of them
  // Chosen for the setup that they are of, and kept where the settings leave
  // it open. None: still to be chosen.
  std::vector<CycleParameters> cycles;
  // Reductions of an interrupted setup of this operator: SetupReport::reductions until then. It ends as it
  // would have.
  std::vector<double> reductions;
  std::optional<double>
      refreshed_from;  // rho of the operator that they were made for, where they are to be refreshed
};

struct SetupReport {
  int rounds = 0;                   // that the vectors have been through
  std::vector<ProbeResult> probes;  // in this run, the first one before any round
  ProbeResult kept;                 // of what is used
  // rho of this operator before the first round and after each that was kept, also in earlier runs.
  std::vector<double> reductions;
  std::optional<double> refreshed_from;  // as it began; none: from noise
  std::vector<CycleParameters> cycles;   // that are used, of each lattice but the coarsest
  bool has_chosen = false;               // cycles, by now or in the setup that it goes on from
  std::vector<CycleProbe> choice;        // all that this run probed to choose them; none: it chose none
  std::vector<SelfCheck> checks;         // of the lattices that are used
  bool finished = false;
  double seconds = 0;
};

// Nothing where there is none: on ranks without a part of it.
inline CycleParameters finest_cycle(const SetupReport& report) {
  return report.cycles.empty() ? CycleParameters() : report.cycles.front();
}

class MultigridSetup {
 public:
  // All must outlive this object.
  MultigridSetup(LevelOperators& finest, Hierarchy& hierarchy, const MultigridSettings& settings)
      : finest_(&finest), hierarchy_(hierarchy), settings_(settings) {}

  // Records the vectors before any round, after each round that is kept, and when the setup is finished:
  // enough to continue from there by a SetupStart. Vectors that were finished before are not recorded. If an
  // Error(stopped) ends the setup between two records (comms/communicator/stop_request.hpp), the last state
  // is recorded once more, also noise that was filtered and not probed yet, which has no reductions.
  using AfterRound = std::function<void(const SetupReport& report, const Field& vectors)>;
  // Collective. Throws Error(not_converged) where a self-check fails.
  SetupReport run(SetupStart start, const AfterRound& after_round = {});

  // Collective. For `finest`, the operator on other links, and the vectors of the setup before, whose
  // lattices are there: its cycles make a round of them, and then they are refreshed as run() does. `finest`
  // must outlive this object. Throws as run() does.
  SetupReport renew(LevelOperators& finest, SetupStart start, const AfterRound& after_round = {});

  // Collective. The operator on other links: vectors and lattices stay as they are (Hierarchy::follow). It
  // must outlive this object.
  void follow(LevelOperators& finest);

  // Collective. The same vectors for `finest`, whose mass is more by `change` than that of the operator which
  // was set up (Hierarchy::shift_mass); probed and checked. It must outlive this object.
  SetupReport shift_mass(LevelOperators& finest, double change);

  // On both parities, NearNullVectors as they are used.
  const Field& vectors() const { return vectors_; }
  // Transfers have what cycles need of them: they take more memory than all the rest.
  void forget_vectors() { vectors_ = {}; }

 private:
  // `begin` makes lattices of vectors, and probes them.
  SetupReport run(const SetupStart& start, const AfterRound& after_round, const std::function<void()>& begin);
  void begin(Field vectors);  // report_ is of them
  Field filtered_noise() const;
  void improve();
  void refresh();
  void begin_cycles(const std::vector<CycleParameters>& given);
  void choose();
  void choose_cycles_now();
  int affordable_probes() const;
  bool pays() const;
  bool add_round();  // false: it was undone
  void round();
  void tell() const;
  // Returns the result of work(). After an Error(stopped), restore() brings back the state
  // before it, and that is reported.
  template <class Work, class Restore>
  auto unless_stopped(const Work& work, const Restore& restore);
  ProbeResult probed();
  double round_seconds(const ProbeResult& now) const;
  double solve_seconds(const ProbeResult& now) const;

  LevelOperators* finest_;
  Hierarchy& hierarchy_;
  const MultigridSettings& settings_;
  AfterRound after_round_;
  SetupReport report_;
  Field vectors_;
};

}  // namespace plaq
