// Results of a task on all gauge fields, in one file. Serial.
#pragma once

#include <functional>
#include <string>

#include "jobs/campaign/campaign_state.hpp"

namespace plaq::jobs {

// Who writes results/TASK.h5: one process at a time, with the lease results@TASK. Another one that has it is
// waited for, until it is done or its lease is stale.
struct ResultsWriter {
  std::string name;                          // of the worker
  std::function<bool()> may_wait = nullptr;  // asked again and again; null: always
};

// results/TASK.h5 of the rows that are there, without those that are left out: what plaq run on these fields
// would write. Where some were solved on another rung of the ladder there is the column /configurations/rung,
// and the job is that of the first rung. Returns the number of rows; where there are none, there is no file
// any more. Throws Error(input_file) where a row is damaged or of another job, Error(output_file), and
// Error(stopped) where it may not wait.
std::size_t write_results(const Campaign& campaign, const CampaignState& state, int task,
                          const ResultsWriter& writer);

// Writes the results unless the file is made of just these rows in their present state.
void refresh_results(const Campaign& campaign, const CampaignState& state, int task,
                     const ResultsWriter& writer);
// In DIRECTORY/TASK.with_left_out.h5: also the rows that are left out. Returns its
// name; empty where there are none.
std::string write_results_with_left_out(const Campaign& campaign, const CampaignState& state, int task,
                                        const std::string& directory);

// Refreshes the results of each task that is complete. Throws the first Error when it has tried all of them.
void write_complete_results(const Campaign& campaign, const CampaignState& state,
                            const ResultsWriter& writer);

}  // namespace plaq::jobs
