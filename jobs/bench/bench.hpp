// A lattice on which targets are measured, what is asked of them, and the rows that they add.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "comms/start/shared_lattice.hpp"
#include "comms/transport/transport_choice.hpp"
#include "jobs/bench/study_storage.hpp"
#include "jobs/rates/rated_action.hpp"
#include "jobs/rates/row.hpp"
#include "kernels/dirac/wilson/wilson_parameters.hpp"

namespace plaq::jobs {

/// Settings by which targets are measured.
struct Asked {
  std::vector<StudyStorage> storages =
      all_study_storages();                // those that a target does not take are left out
  std::vector<int> right_hand_sides = {};  // empty: those of the target
  int samples = 0;                         // as measure() takes them
  int iterations = 100;                    // of a method in each sample
  bool looks_closer = false;               // exchanges of faces are timed, and bits of results summed up
  ActionPtr action = nullptr;              // of operators and methods; null: Bench::usual_action()
  MultigridOptions multigrid = {};
  std::vector<double> epsilons = {};  // of accuracy; empty: usual_epsilons()
  std::string only = {};              // a part of the names of the rows that are wanted
  int Ls = 0, vectors = 0;            // of benchmarks that have such a number; 0: their own
  TransportKind transport = TransportKind::automatic;
};

class Bench {
 public:
  /// @param lattice  without geometry for targets that need none
  /// @param gauge    the links, on any geometry without halo; null: random ones
  /// @param links    the links of Dirac operators; null: `gauge`
  Bench(Asked what, SharedLattice on, const Field* gauge = nullptr, const FermionLinks* links = nullptr)
      : asked(std::move(what)), lattice(std::move(on)), gauge_(gauge), links_(links) {}

  const Asked asked;
  const SharedLattice lattice;
  double memory_limit = NAN;  // bytes a second of one rank that copy or triad reach; NaN: not measured
  std::shared_ptr<Profiler> profiler = nullptr;  // null: there is none
  std::vector<Row> rows = {};

  Location location() const { return lattice.location(); }
  const ProcessGrid& grid() const { return *lattice.grid; }
  const GeometryPtr& geometry() const { return lattice.geometry; }
  const std::shared_ptr<Transport>& transport() const { return lattice.transport; }
  /// A geometry of which each rank has these extents, for checks on a small lattice.
  GeometryPtr geometry_of_ranks(const Extents& local) const;
  double local_sites() const { return static_cast<double>(geometry()->local_volume()); }
  const Queue& queue() const { return lattice.queue; }
  /// A queue without a tuner.
  Queue plain_queue() const { return Queue(location(), nullptr, profiler); }

  /// Precisions of fields that are computed with. Throws Error(usage) if half precision alone was asked for.
  std::vector<Precision> precisions() const;
  std::vector<Precision> all_precisions() const;  // of vectors
  bool asks_for_all_precisions() const { return all_precisions().size() == 3; }
  /// Storages of Dirac operators; those of them whose links may be in temporal gauge; those of gauge fixing.
  std::vector<StudyStorage> storages() const;
  std::vector<StudyStorage> storages_in_temporal_gauge() const;
  std::vector<StudyStorage> storages_of_sweeps() const;
  std::vector<int> batches(const std::vector<int>& usual = {1, 12}) const {
    return asked.right_hand_sides.empty() ? usual : asked.right_hand_sides;
  }
  /// True if rows of this name were asked for.
  bool wants(const std::string& row) const { return row.find(asked.only) != std::string::npos; }

  /// Clover quarks of mass 0.5.
  static ActionPtr usual_action();
  ActionPtr action() const { return asked.action ? asked.action : usual_action(); }
  /// The gauge field, or random links of this seed.
  RateProblem problem(std::uint64_t seed) const;
  /// The problem that operators, methods and sweeps share, and the action on it. Collective.
  const RateProblem& shared_problem();
  RatedAction& rated();

  /// measure() with the samples that were asked for.
  template <class Apply>
  Samples time(const Queue& on, Apply&& apply) const {
    return measure(grid().comm(), on, asked.samples, apply);
  }
  /// Adds a row. The caller has filled in the numbers, this says where they were measured.
  Row& add(const std::string& target, const StudyStorage& storage, int rhs, Row row);
  Row& add(const std::string& target, const StudyStorage& storage, int rhs, const Samples& samples,
           const Work& work_of_a_rank, std::string check) {
    return add(target, storage, rhs, Row(samples, work_of_a_rank, grid().size(), std::move(check)));
  }
  /// Adds a row of what is timed on the queue, if one of that name was asked for.
  /// @param bytes  that one rank moves at least
  template <class Apply>
  void add_timed(const std::string& target, Precision precision, int rhs, double bytes,
                 const std::string& check, const Queue& on, Apply&& apply) {
    if (wants(target)) add(target, {precision, 0}, rhs, time(on, apply), {0, bytes}, check);
  }

 private:
  const Field* gauge_;
  const FermionLinks* links_;
  std::optional<RateProblem> problem_;
  std::unique_ptr<RatedAction> rated_;
};

/// A quenched field at beta = 6, in double, after so many heatbath sweeps with four of
/// overrelaxation each. Collective.
Field thermalized(const Bench& bench, int compound_sweeps);
/// Adds rows of the clover term and of its inverse, in double.
void add_clover_term(Bench& bench, const RateProblem& problem, const WilsonParameters& parameters);
/// Adds rows of a few smoothing steps on the even-odd Wilson operator, and of a Galerkin product, a setup and
/// a cycle on a weak gauge field.
void add_smoothing_steps(Bench& bench);
void add_multigrid_setup(Bench& bench, int vectors);
/// Measures exchanges with messages of 64 B to `most_bytes`.
void bench_network(Bench& bench, std::size_t most_bytes);

}  // namespace plaq::jobs
