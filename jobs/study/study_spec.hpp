// Specification of a study: [study] with [action], [multigrid] and [gauge], and
// the points and tasks that follow.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jobs/bench/targets.hpp"
#include "jobs/results/resume.hpp"
#include "jobs/schema/job_file.hpp"
#include "kernels/quark/sources.hpp"

namespace plaq::jobs {

/// Keys of [study]; those that its solvers share are members of SolverSettings.
struct StudyKeys {
  std::vector<std::string> lattices, local_lattices, process_grids;  // "8x8x8x16"
  std::vector<int> ranks;
  std::vector<std::string> transports{"auto"};
  std::vector<std::string> targets{"hop", "schur"}, solvers;
  std::vector<StudyStorage> storages{{Precision::single_precision, 12}, {Precision::half_precision, 12}};
  std::vector<int> right_hand_sides{1};
  int iterations = 100, samples = 0;
  bool memory_limit = true;
  std::vector<double> epsilons;
  // For solvers.
  std::optional<int> sources;
  Noise noise = Noise::z4;
  std::int64_t seed = 1;
  bool errors = false;
  bool one_setup = false;  // of multigrid, at the first mass
  std::string deflation;   // directory of eigenvectors; empty: none

  bool names_ranks() const { return !ranks.empty() || !process_grids.empty(); }
};

/// Keys of [output] beside OutputKeys. Empty: the file is not written.
struct StudyTextKeys {
  std::string json, table;
};

/// Keys of [model].
struct ModelKeys {
  std::string machine = "none";
  std::vector<std::string> measurements;
};

/// A lattice on a process grid, by one transport.
struct StudyPoint {
  std::string scaling;  // "strong", "weak"
  Extents lattice{};    // as in the job: strong, of all ranks; weak, of each
  Extents grid{1, 1, 1, 1};
  std::string transport;  // "auto" where nothing travels

  int ranks() const { return grid[0] * grid[1] * grid[2] * grid[3]; }
  Extents global() const;
  std::string name() const;  // "strong 8x8x8x16 on 1x1x1x2 by host"
};

/// A point on one gauge field at one mass: what the journal keeps.
struct StudyTask {
  StudyPoint point;
  int configuration = -1, mass = 0;  // -1: random links
  std::string name;                  // its own in the job
};

struct StudySpec : StudyKeys {
  explicit StudySpec(const Settings& job);

  std::vector<Extents> strong, weak, grids;
  std::uint32_t forced = 0;        // directions that exchange faces though they are not split
  bool checked = false;            // faces travel with checksums
  bool from_files = false;         // [gauge] files
  std::vector<ActionPtr> actions;  // one a mass; empty if nothing needs an action
  std::optional<MultigridOptions> multigrid;
  std::vector<SolverSettings> solves;

  bool needs_action() const;
  int least_slices() const;
  /// Settings by which targets are measured at mass k.
  Asked asked(int mass) const;
  int batches(int rhs) const { return sources.value_or(rhs) / rhs; }
  /// True if two results must have the same bits. With multigrid they must if its lattices are made of the
  /// same blocks, and the coarsest one is solved alike.
  bool same_bits(const Row& a, const Row& b) const;
  /// Points in the order of their curves, the fewest ranks first. On one rank, where nothing travels, one
  /// transport stands for all. Throws Error(job_file) if a lattice has no grid, hops over several sites have
  /// too few slices, or blocks of multigrid do not fit.
  /// @param here  ranks of this run, of which there are points if the job names none
  std::vector<StudyPoint> points(int here) const;
  std::vector<StudyTask> tasks(int here, const std::vector<std::string>& gauge_files) const;
  int most_ranks() const;  // that the job names
};

/// The grid of weak scaling: the prime factors of n, largest first, each to the direction in which the whole
/// lattice is then shortest, t before z before y before x.
Extents weak_grid(int n, const Extents& local);
/// Settings that the names of solvers do not have (parse_solver).
SolverSettings shared_solver(const Settings& job);
const Names<Noise>& noise_names();

/// Files of the job. An output is complete if its /machine has these attributes and it has all tasks, and a
/// part of it if it has some.
JobFiles files_of_study(const JobFile& job, const Attributes& machine, const std::vector<StudyTask>& tasks,
                        const std::vector<std::string>& gauge_files);
/// Writes a chain of batch jobs, one for each number of ranks. Serial.
void write_study_scripts(const JobFile& job, const std::string& directory);

/// The schema of studies.
const Schema& study_schema();

}  // namespace plaq::jobs
