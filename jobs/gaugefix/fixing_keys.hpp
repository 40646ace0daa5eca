// What the tables of a gaugefix job say beside FixingSettings, which has most of them.
#pragma once

#include <string>
#include <vector>

#include "gaugefix/run/fixing_settings.hpp"
#include "jobs/schema/field.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

struct CopyKeys {
  int copies = 1, at_once = 0, groups = 0;  // 0: chosen
};

struct FixedFileKeys {
  bool fields = true, transformations = false;
  std::string directory = ".";
};

// [fixing], [annealing], [stochastic], [overrelaxation]: FixingSettings and CopyKeys; and the rules on them.
std::vector<Table> fixing_tables();
std::vector<Rule> fixing_rules();

const Names<Gauge>& gauge_names();
// "Landau", as headers and tables have it.
const char* name_of(Gauge gauge);

// Groups of ranks that take copies side by side, each with the whole lattice: the job's number, or as many as
// there are copies for while a rank of a group has no more than `most_sites` sites. Divides `ranks`.
int groups_of(const JobFile& job, const Extents& extents, int ranks);
// Copies that a group sweeps over at once: the job's number, or as many as fill a GPU; on a host one.
int copies_at_once(const CopyKeys& keys, std::int64_t local_volume, Location location);

/// The schema of gaugefix jobs.
const Schema& gaugefix_schema();

}  // namespace plaq::jobs
