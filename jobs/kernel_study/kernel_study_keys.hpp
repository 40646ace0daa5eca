// A kernel study in numbers, and the names of its pieces.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "jobs/dirac/storage_names.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/study/subjects.hpp"

namespace plaq::jobs {

// [rates], [solvers] and [accuracy].
struct KernelStudyTables {
  std::vector<int> temporal_extents{8, 16, 32, 64, 128}, right_hand_sides{1, 12};
  std::vector<std::string> operators{"hop", "schur"};  // keys of subjects
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
  explicit KernelStudyKeys(const Settings& job);

  Extents extents{};
  ActionPtr parameters;
  int accuracy_extent = 0;
  bool checked = false;  // faces travel with checksums

  Extents with_time(int sites) const { return {extents[0], extents[1], extents[2], sites}; }
  std::vector<Extents> lattices() const;  // of all pieces
  SubjectLists rated() const;
  // The symmetric even-odd operator, and the methods behind it.
  SubjectLists solved(const LinkStorage& storage) const;
  // "wilson_hop", "clover_schur", ...: as plaq bench calls it.
  std::string name_of(const std::string& key) const { return subject_name(key, parameters); }
  // One for each temporal extent, one for each storage of the solvers, one of all accuracy curves.
  std::vector<std::string> piece_names() const;
};

/// The schema of kernel_study jobs.
const Schema& kernel_study_schema();

}  // namespace plaq::jobs
