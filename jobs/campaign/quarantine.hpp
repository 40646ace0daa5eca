// Items that a campaign leaves out, with reasons: quarantine.toml, for users to read and edit.
//
//   [landau.000120]            task and configuration, or [all.000120]: every task
//   reason = "not_converged"   a name of plaq explain, or a word of a user
//   message = "..."            the evidence
//   by = "node7.4711"          the worker, or a person
//   when = "2026-11-25T03:21:30Z"
//
// Deleting a table lets the campaign try again.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace plaq::jobs {

inline constexpr const char* quarantine_file = "quarantine.toml";
inline constexpr const char* all_tasks = "all";

struct Exclusion {
  std::string task, configuration;  // `all_tasks` for every task
  std::string reason, message, by, when;
};

// Serial, in the directory of the campaign. Throws Error(job_file) where it is no TOML.
std::vector<Exclusion> read_quarantine();
// Adds those that are not there yet, behind what is there. `by` is taken for
// the worker that waits for its turn.
void add_to_quarantine(const std::vector<Exclusion>& exclusions, const std::string& by);
// Takes out the tables that `chosen` names, with the lines between them and the next; returns them.
std::vector<Exclusion> remove_from_quarantine(const std::function<bool(const Exclusion&)>& chosen,
                                              const std::string& by);

}  // namespace plaq::jobs
