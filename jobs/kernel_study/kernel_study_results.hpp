// What a kernel study finds: of each piece, and all of them together as they go to HDF5 (layout:
// docs/result-files.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jobs/kernel_study/kernel_study_keys.hpp"
#include "jobs/rates/accuracy.hpp"
#include "jobs/rates/operator_rates.hpp"
#include "jobs/rates/solver_rates.hpp"
#include "jobs/results/results.hpp"

namespace plaq::jobs {

// One extent in time: /rates/..., [right_hand_sides][operator][storage], in the order of `rates`. `stream`:
// bytes a second of one rank that copy and triad reach; 0: not measured.
Results results_of_rates(const std::vector<OperatorRate>& rates, const KernelStudyKeys& keys, int ranks,
                         double stream);
// One storage: /solvers/..., [method].
Results results_of_solvers(const OperatorRate& op, const std::vector<SolverRate>& methods, int ranks);
Results results_of_accuracy(const std::vector<AccuracyCurve>& curves, const std::vector<double>& epsilons);

// Those of all pieces, in the order of piece_names(); with the groups that name the axes.
Results join_kernel_study(const std::vector<Results>& pieces, const KernelStudyKeys& keys);

// The numbers of a dataset that is there.
const std::vector<double>& numbers_at(const Results& results, std::string_view path);
bool has_dataset(const Results& results, const std::string& path);

}  // namespace plaq::jobs
