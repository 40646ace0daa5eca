// What a kernel study finds: of each piece, and all of them together as they go to HDF5 (layout:
// docs/result-files.md).
#pragma once

#include <vector>

#include "jobs/kernel_study/kernel_study_keys.hpp"
#include "jobs/rates/accuracy.hpp"
#include "jobs/results/results.hpp"

namespace plaq::jobs {

// One extent in time, `found` as measure_all() has it: /rates/..., [right_hand_sides][operator][storage].
// `stream`: bytes a second of one rank that copy and triad reach; 0: not measured.
Results results_of_rates(const std::vector<Measured>& found, const KernelStudyKeys& keys, int ranks,
                         double stream);
// One storage, the operator first: /solvers/..., [method].
Results results_of_solvers(const std::vector<Measured>& found, int ranks);
Results results_of_accuracy(const std::vector<AccuracyCurve>& curves, const std::vector<double>& epsilons);

// Those of all pieces, in the order of piece_names(); with the groups that name the axes.
Results join_kernel_study(const std::vector<Results>& pieces, const KernelStudyKeys& keys);

}  // namespace plaq::jobs
