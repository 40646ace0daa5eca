// The job types and their schemas.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/schema/schema.hpp"

namespace plaq::jobs {

std::vector<std::string> job_types();             // the values that the key `job` may have
const Schema* find_schema(std::string_view job);  // null for an unknown type

// One function a job type; each is built once.
const Schema& gaugefix_schema();
const Schema& generate_schema();
const Schema& kernel_study_schema();
const Schema& measure_schema();
const Schema& propagator_schema();
const Schema& scaling_schema();
const Schema& solver_study_schema();

// Name of a field saved by a generate job: PREFIX.NNNNNN.FORMAT, `sweep` counting compound sweeps.
std::string configuration_name(const std::string& prefix, std::int64_t sweep, const std::string& format);

// Tables that all job types share.
enum class LatticeFrom { job, file };
Table top_table(const std::string& job);
Table lattice_table(LatticeFrom from);
Table comms_table();
Table run_table();
Key overwrite_key();
Key antiperiodic_key();                             // of [gauge], for jobs that read fields
Table gauge_files_table(const std::string& order);  // [gauge] of jobs that read many, in the order "of ..."
std::vector<Rule> common_rules();                   // on [lattice] and [comms]

}  // namespace plaq::jobs
