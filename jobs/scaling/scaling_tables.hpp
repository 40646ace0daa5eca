// Results of a scaling study for people and programs.
#pragma once

#include <string>
#include <vector>

#include "jobs/scaling/scaling_results.hpp"

namespace plaq::jobs {

// Lines of one point as it is measured, a line for each operator and storage.
std::string point_text(const ScalingKeys& keys, const ScalingPoint& point, const Results& found);
// A table for each curve: time, TFLOPS of a rank, efficiency, exposed communication, bytes sent, and the
// model's time where there is one; then what is missing.
std::string scaling_text(const ScalingKeys& keys, const std::vector<ScalingPoint>& points,
                         const std::vector<MissingPoint>& missing, const Results& all);
// The same numbers: machine, rows, missing points. Ends with a line break.
std::string scaling_json(const ScalingKeys& keys, const std::vector<ScalingPoint>& points,
                         const std::vector<MissingPoint>& missing, const Results& all,
                         const Attributes& machine);

}  // namespace plaq::jobs
