// The table [link_smearing] of job files, and what it does.
#pragma once

#include "core/field/field.hpp"
#include "jobs/run/job_context.hpp"
#include "jobs/schema/schema.hpp"

namespace plaq::jobs {

// `use`: what the smeared links are for.
Table link_smearing_table(const std::string& use);
bool smears_links(const JobFile& job);
// Collective. In place, on a field as LoadedGauge has it.
void smear_links(const JobContext& context, Field& gauge);

}  // namespace plaq::jobs
