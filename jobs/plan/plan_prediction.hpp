// How long what a planned job does again and again would take, by the model of jobs/model.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "jobs/common/commands.hpp"
#include "jobs/plan/plan.hpp"

namespace plaq::jobs {

// The machine that the options name, with what their files measured, for how the job moves faces. Throws as
// machine_named and take_measurements do.
MachineModel planned_machine(const PlanOptions& options, const JobFile& job);

// Empty, null, where the plan has no machine.
std::string prediction_text(const Plan& plan);
nlohmann::ordered_json prediction_json(const Plan& plan);

}  // namespace plaq::jobs
