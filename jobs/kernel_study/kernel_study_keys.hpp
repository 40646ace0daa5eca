// A kernel study in numbers, and the names of its pieces.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "jobs/dirac/storage_names.hpp"
#include "jobs/results/machine_attributes.hpp"
#include "jobs/results/resume.hpp"
#include "jobs/schema/job_file.hpp"
#include "kernels/dirac/wilson/wilson_parameters.hpp"
#include "kernels/gauge/link_storage.hpp"

namespace plaq::jobs {

enum class RatedOperator { hop, schur, schur_asymmetric };
inline constexpr std::string_view rated_operator_keys[] = {"hop", "schur", "schur_asymmetric"};

// [rates], [solvers] and [accuracy].
struct KernelStudyTables {
  std::vector<int> temporal_extents{8, 16, 32, 64, 128}, right_hand_sides{1, 12};
  std::vector<RatedOperator> operators{RatedOperator::hop, RatedOperator::schur};
  std::vector<LinkStorage> storages = all_storages();
  int samples = 0;
  bool bandwidth = true;

  std::vector<std::string> methods{"cg", "bicgstab"};
  std::vector<LinkStorage> solved_storages = all_storages();
  int iterations = 100;

  std::vector<LinkStorage> accurate_storages = all_storages();
  std::vector<double> epsilons;  // empty: the usual ones
  std::optional<int> accuracy_time;
};

struct KernelStudyKeys : KernelStudyTables {
  explicit KernelStudyKeys(const JobFile& job);

  Extents extents{};
  WilsonParameters parameters;
  int accuracy_extent = 0;
  bool checked = false;  // faces travel with checksums

  bool clover() const { return parameters.has_clover(); }
  Extents with_time(int sites) const { return {extents[0], extents[1], extents[2], sites}; }
  std::vector<Extents> lattices() const;  // of all pieces
  // "wilson_hop", "clover_schur", ...: as plaq bench calls it.
  std::string name_of(RatedOperator op) const;
  // One for each temporal extent, one for each storage of the solvers, one of all accuracy curves.
  std::vector<std::string> piece_names() const;
};

// Where a study was measured, which decides its results. What a plan knows of it comes first: location,
// ranks, process grid, directions that are forced to exchange faces, whether these are checked.
using StudyMachine = Attributes;
StudyMachine shape_of_machine(Location location, const Geometry& geometry, bool checked);
// An output is this job's only where its /machine has these attributes.
JobFiles files_of_kernel_study(const JobFile& job, const StudyMachine& machine);

}  // namespace plaq::jobs
