// Numbers of each trajectory in the history of an hmc job: the datasets in /steps (docs/result-files.md).
#pragma once

#include <string>
#include <vector>

#include "dynamics/terms/hmc_action.hpp"
#include "dynamics/trajectory/trajectory_report.hpp"
#include "jobs/chain/chain_update.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::jobs {

class HmcColumns {
 public:
  explicit HmcColumns(const Settings& job);

  const std::vector<StepColumn>& columns() const { return columns_; }
  /// Names of the parts of a trajectory whose seconds are written.
  const std::vector<std::string>& seconds() const { return seconds_; }
  /// Seconds of a trajectory, by these names.
  std::vector<double> seconds(const TrajectorySeconds& seconds, const HmcAction& action) const;
  /// Numbers of a trajectory, one for each column; not a number where there is none. Takes the rounds of
  /// multigrid setups that its quarks count.
  std::vector<double> numbers(const TrajectoryReport& report, const HmcAction& action) const;
  /// The number of a column, by name; 0 if there is no such column.
  double find(const std::vector<double>& numbers, const std::string& column) const;

  /// Names of columns of time scale number `scale`, from 1 on.
  static std::string steps_of(std::size_t scale);
  static std::string predicted_delta_h_of(std::size_t scale);

 private:
  std::vector<SeaQuarks> quarks_;
  std::vector<StepColumn> columns_;
  std::vector<std::string> seconds_;
};

}  // namespace plaq::jobs
