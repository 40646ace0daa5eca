// Prediction of a row by a model of the machine: the one place where predictions (jobs/model) enter studies.
#pragma once

#include <map>
#include <string>

#include "core/system/performance_trace.hpp"
#include "jobs/bench/targets.hpp"
#include "jobs/model/machine_model.hpp"
#include "jobs/study/study_spec.hpp"

namespace plaq::jobs {

/// Place where a target would be measured: on GPUs that need not exist.
struct PredictedPlace {
  Extents global{}, grid{1, 1, 1, 1};
  std::uint32_t forced = 0;  // bit mu: exchanges faces with itself
  int ranks_per_node = 1;
};

/// Work of one application, iteration or sweep of a target, by a dry run of it. Serial;
/// no other dry run may be going on.
/// @param asked  with an action, one storage and one number of right-hand sides
PerformanceTrace::Section section_of(std::string_view key, Asked asked, const PredictedPlace& place);

/// The machine of [model]: a built-in one, or none, with what benchmarks measured. Serial.
class Predictor {
 public:
  /// Throws Error(input_file) for a file of measurements that is of no use, Error(usage) if constants are
  /// unknown that ranks need, on one node or each on its own.
  Predictor(const Settings& job, const StudySpec& spec);

  bool knows_machine() const { return !machines_.empty(); }
  /// Enters `predicted` and `predicted_exposed` of a row of an operator, a method or a sweep. NaN stays
  /// where links are unknown, between nodes or within one, and in a dry run.
  void predict(const StudySpec& spec, Row& row) const;
  Attributes attributes() const;  // machine, and where its numbers come from

 private:
  std::string name_;
  std::map<std::string, MachineModel> machines_;  // by transport, whose links they have
};

}  // namespace plaq::jobs
