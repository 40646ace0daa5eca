// What a scaling study finds: at each point, and all points together as they go to HDF5 (layout:
// docs/result-files.md).
#pragma once

#include <string>
#include <vector>

#include "jobs/results/results.hpp"
#include "jobs/scaling/prediction.hpp"
#include "jobs/scaling/scaling_keys.hpp"
#include "jobs/study/measured.hpp"

namespace plaq::jobs {

// In the order of SubjectLists::at. `nodes`: that its ranks were on.
Results results_of_point(const ScalingKeys& keys, const ScalingPoint& point, int nodes,
                         const std::vector<Measured>& found);

// A point of the study that was not measured, and why.
struct MissingPoint {
  ScalingPoint point;
  std::string reason;
  std::string text() const { return point.name() + ": " + reason; }
};

// The point that point i is held against: the one of the same curve on the fewest ranks, of the same
// transport where there are several of them.
std::size_t reference_of(const std::vector<ScalingPoint>& points, std::size_t i);
// The first point of the same whole lattice before point i, whose results have the same bits; i: none.
std::size_t same_lattice(const std::vector<ScalingPoint>& points, std::size_t i);
// Throws Error(internal) where the results of two points of one lattice differ, but for ScalingKeys::same_bits, naming
// the operator.
void expect_same_bits(const ScalingKeys& keys, const ScalingPoint& point, const Results& found,
                      const ScalingPoint& other, const Results& expected);

// Of all points that were measured, [point] in front; with efficiencies, predictions where there is a model,
// and the groups that name the axes.
Results join_scaling(const ScalingKeys& keys, const std::vector<ScalingPoint>& points,
                     const std::vector<Results>& pieces, const std::vector<MissingPoint>& missing,
                     const Predictor& predictor);

}  // namespace plaq::jobs
