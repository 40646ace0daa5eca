// Room on the machine for multigrid, and for columns that are solved together, before a job computes
// anything.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "jobs/run/job_context.hpp"
#include "quarks/action/action.hpp"
#include "quarks/solve/solver_settings.hpp"

namespace plaq::jobs {

// Bytes of a rank at each location.
struct RankMemory {
  std::uint64_t host = 0, device = 0;
};

// Memory that a rank can take of that which it shares with others of its node or GPU: the
// least of all ranks. Collective.
RankMemory free_for_each_rank(const JobContext& context);

// Collective; nothing for a spec without multigrid, and in a dry run. Throws Error(device) where coarse
// lattices are to be on GPUs that are not there, and where GPUs have too little memory, Error(internal) where
// hosts have, as `there` says. What a setup and a solve of `batch` take, or with 0 a setup alone, is counted
// by a dry run. The message says what would fit.
void expect_room_for_multigrid(const JobContext& context, const ActionPtr& action, const SolverSettings& spec,
                               int batch, const RankMemory& there);
void expect_room_for_multigrid(const JobContext& context, const ActionPtr& action, const SolverSettings& spec,
                               int batch);

// "It would fit with 12 near-null vectors, or on 4 ranks with as much memory each." `vectors`: as in
// MultigridOptions. The largest number that they may have at most, and the least multiple of `ranks` by 2, 4,
// 8, ..., for which `fits`; where it throws Error they cannot be.
using Fits = std::function<bool(const std::vector<int>& vectors, int ranks)>;
std::string what_would_fit(const std::vector<int>& vectors, int ranks, const Fits& fits);

// Columns of a source that a job solves together: those of [solver], else as many as a batch takes
// (columns_at_once()), and with multigrid or for domain walls as many of these as there is room for. Solvers
// that deflate take what a batch takes: the modes are in files. Collective; throws as above.
int columns_with_room(const JobContext& context, const ActionPtr& action, const SolverSettings& spec,
                      const RankMemory& there);
// `beside`: bytes that the job takes of a rank's memory besides, for quarks of all columns.
int columns_with_room(const JobContext& context, const ActionPtr& action, const SolverSettings& spec,
                      std::uint64_t beside);

}  // namespace plaq::jobs
