// Rows of a campaign, rows/TASK/FIELD.h5: which job and which rung of the ladder each came from. Serial.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/system/error.hpp"
#include "jobs/campaign/campaign_state.hpp"

namespace plaq::jobs {

// Moves the results of a job to rows/TASK/FIELD.h5. Rows of a task with a ladder say their rung themselves,
// in the column /configurations/rung: no moment passes in which a row is there and its rung is not
// known. Throws Error(output_file).
void publish_row(const Campaign& campaign, const Item& item, const std::string& output, int rung);

// A row and the job that it belongs to.
struct TaskRow {
  int rung = 0;
  // Why it does not belong to its task: a sentence that names the file and the key; empty: it does.
  std::string fault;
  ErrorKind kind = ErrorKind::job_file;  // input_file: the row is damaged
};

// Reads each row once, and again when the file has changed.
class TaskRows {
 public:
  // `campaign` must outlive it.
  explicit TaskRows(const Campaign& campaign) : campaign_(campaign) {}

  // The row of an item that is done; one of a task that is done once has no fault. A row belongs to its task
  // when this version of plaq wrote it and its job is that of the job file at the row's rung, but for [gauge]
  // files. Rows that do not say their rung have that of the log, or the first one whose job is theirs.
  const TaskRow& look(const CampaignState& state, const Item& item);
  // Rows of a task that count and have a fault.
  std::vector<Item> faulty(const CampaignState& state, int task);
  // Throws the fault of the first of them, with what to do.
  void expect_faultless(const CampaignState& state, int task);
  // Checks one row that was not checked before. A worker that began with another job file may still publish
  // rows. Called before each item, this finds them at the cost of one small file.
  void expect_one_more(const CampaignState& state, int task);

 private:
  TaskRow read(const CampaignState& state, const Item& item);
  const std::string& job_text(int task, int rung);

  const Campaign& campaign_;
  std::map<Item, std::pair<std::string, TaskRow>> seen_;  // with the state of the file
  std::map<std::pair<int, int>, std::string> texts_;      // of task and rung
};

// A file as it is now: another one of its name has another line.
std::string state_of_file(const std::string& file);

}  // namespace plaq::jobs
