// A scaling study in numbers: its points, their names, and where their times hold.
#pragma once

#include <string>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "jobs/results/resume.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/study/subjects.hpp"
#include "quarks/multigrid/multigrid_options.hpp"

namespace plaq::jobs {

enum class ScalingKind { strong, weak };
inline constexpr std::string_view scaling_kind_names[] = {"strong", "weak"};

// One lattice on one process grid.
struct ScalingPoint {
  ScalingKind kind = ScalingKind::strong;
  Extents lattice{};  // strong: all of it; weak: the part of a rank
  Extents grid{1, 1, 1, 1};
  std::string transport;  // as in transport_names; "auto" where nothing travels

  int ranks() const { return grid[0] * grid[1] * grid[2] * grid[3]; }
  Extents global() const;
  std::string name() const;  // "strong 8x8x8x16 on 1x1x1x2 by host": its own in the job
  bool same_curve(const ScalingPoint& other) const { return kind == other.kind && lattice == other.lattice; }
};

// [scaling].
struct ScalingTable {
  std::vector<std::string> strong_texts, weak_texts, grid_texts;  // "8x8x8x16"
  std::vector<int> ranks;
  std::vector<std::string> transports{"auto"};
  std::vector<std::string> operators{"hop", "schur"}, methods;
  std::vector<StudyStorage> storages{{Precision::single_precision, 12}, {Precision::half_precision, 12}};
  std::vector<int> right_hand_sides{1};
  int iterations = 100, samples = 0;
};

// [model].
struct ModelKeys {
  std::string machine = "none";
  std::vector<std::string> measurements;
};

// [output] beside OutputKeys. Empty: not written.
struct ScalingTextKeys {
  std::string json, table;
};

struct ScalingKeys : ScalingTable {
  explicit ScalingKeys(const Settings& job);

  std::vector<Extents> strong, weak, grids;
  SubjectLists lists;          // operators, then methods
  std::uint32_t forced = 0;    // directions that exchange faces though they are not split
  bool checked = false;        // faces travel with checksums
  ActionPtr parameters;        // of Dirac operators; null without
  MultigridOptions multigrid;  // where it is used

  bool has_dirac() const;  // else there is gauge fixing alone, and no [action]
  bool has_multigrid() const;
  // Whether results of the subject must have the same bits at two points of one whole lattice: with multigrid where its
  // lattices are made of the same blocks, and the coarsest one is solved alike.
  bool same_bits(const std::string& key, const ScalingPoint& a, const ScalingPoint& b) const;
  // Curve by curve, the fewest ranks first; on one rank, where nothing travels, one transport stands for all.
  // Throws Error(job_file) where a lattice has no grid or asqtad's long hops too few slices, or
  // blocks of multigrid do not fit.
  std::vector<ScalingPoint> points() const;
  int most_ranks() const;
};

// The grid that n ranks get of weak scaling: the prime factors of n, largest first, each to the direction in
// which the whole lattice is then shortest, t before z before y before x.
Extents weak_grid(int n, const Extents& local);
// That of strong scaling is choose_grid() (comms/grid/process_grid.hpp), and throws where there is none.

// An output is complete where its /machine has these attributes and all points are there; a part of it, in
// the journal too, where some are.
JobFiles files_of_scaling(const JobFile& job, const Attributes& machine);

// Writes a chain of batch jobs, one for each number of ranks (jobs/scaling/slurm_scripts.cpp). Serial.
void write_scaling_scripts(const JobFile& job, const std::string& directory);

/// The schema of scaling jobs.
const Schema& scaling_schema();

}  // namespace plaq::jobs
