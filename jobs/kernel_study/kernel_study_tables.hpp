// Results of a kernel study for people. Lines end with a line break.
#pragma once

#include <string>

#include "jobs/kernel_study/kernel_study_keys.hpp"
#include "jobs/results/results.hpp"

namespace plaq::jobs {

// Of a piece: each operator and storage with GFLOPS and share for each number of right-hand sides; a line of
// a storage with its solvers.
std::string rates_text(const KernelStudyKeys& keys, int temporal_extent, const Results& piece);
std::string solvers_line(const KernelStudyKeys& keys, const LinkStorage& storage, const Results& piece);

// Of all pieces: GFLOPS against the extent in time (figures 2 to 5 of Clark et al. 2010), kernel and solvers
// (table 2), accuracy (figure 6).
std::string kernel_study_text(const KernelStudyKeys& keys, const Results& all);

}  // namespace plaq::jobs
