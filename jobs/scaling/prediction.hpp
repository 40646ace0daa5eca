// What a model of the machine expects of a point: the one place where predictions (jobs/model) enter a
// scaling study.
#pragma once

#include <map>
#include <string>

#include "jobs/model/machine_model.hpp"
#include "jobs/results/results.hpp"
#include "jobs/scaling/scaling_keys.hpp"

namespace plaq::jobs {

// Of one application, or iteration of a method.
struct Prediction {
  double microseconds = 0, exposed_microseconds = 0;
};

// The machine of [model]: a built-in one, or none, with what benchmarks measured. Serial.
class Predictor {
 public:
  // Throws Error(input_file) for a file of measurements that is of no use, Error(usage) where not all of the
  // machine's constants are known that ranks of one node need.
  explicit Predictor(const Settings& job);

  bool knows_machine() const { return !machines_.empty(); }
  // NaN between nodes where nothing is known of their links, and in a dry run.
  Prediction predict(const ScalingKeys& keys, const ScalingPoint& point, int ranks_per_node,
                     const std::string& key, const StudyStorage& storage, int rhs) const;
  Attributes attributes() const;  // machine, and where its numbers come from

 private:
  std::string name_;
  std::map<std::string, MachineModel> machines_;  // by transport, whose links they have
};

}  // namespace plaq::jobs
