// Results of a task on all gauge fields, in one file. Serial.
#pragma once

#include <string>

#include "jobs/campaign/campaign_state.hpp"

namespace plaq::jobs {

// results/TASK.h5 of the rows that are there, without those that are left out: what plaq run on these fields would
// write. Where some were solved on another rung of the ladder there is the column /configurations/rung, and the job is
// that of the first rung. Returns the number of rows; nothing is written where there are none. Throws Error(input_file)
// where a row is damaged or of another job, and Error(output_file).
std::size_t write_results(const Campaign& campaign, const CampaignState& state, int task);

// The same, where the file is older than what it is made of.
void refresh_results(const Campaign& campaign, const CampaignState& state, int task);
// In DIRECTORY/TASK.with_left_out.h5: also the rows that are left out. Returns its name; empty where there are none.
std::string write_results_with_left_out(const Campaign& campaign, const CampaignState& state, int task,
                                        const std::string& directory);

// The same of each task that is complete, where its file is older than what it is made of. `by`: the worker.
void write_complete_results(const Campaign& campaign, const CampaignState& state, const std::string& by);

}  // namespace plaq::jobs
