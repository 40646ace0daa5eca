// Predicted time of one iteration of a Krylov method:
//   T = applications of A x T(A) + vectors read or written / (memory bandwidth x share) + launches of updates
//     + for each wait for sums: wait + log2(ranks) steps
// (jobs/model/operator_model.hpp, MachineModel::sum_seconds). Of the inner solver: reliable updates and
// defect correction come on top.
#pragma once

#include <string>
#include <vector>

#include "jobs/model/operator_model.hpp"

namespace plaq::jobs {

// What a method does in an iteration beside its operator, as the head of its header in solvers/ says.
struct IterationCost {
  double applications = 0;  // of A or its adjoint
  double vectors = 0;       // read or written
  double updates = 0;       // launches
  std::vector<int> sums;    // numbers of each group of sums, of one right-hand side
  std::size_t waits = 1;    // groups, the last ones, that the host waits for in any case
};

// "cg", "hermitian-cg", "cgne", "bicgstab", "gcr" (mean over a cycle of `restart` directions), "mr". Throws
// Error(usage) for another name.
IterationCost iteration_cost(const std::string& method, int restart = 16);

// Seconds: total = operators + vectors + sums.
struct IterationTime {
  OperatorTime op;  // one application
  double applications = 0;
  double operators = 0, vectors = 0, sums = 0;
  double total = 0;
  double one_rank = 0, alone = 0;  // as of OperatorTime
  double one_rank_sums = 0;
  double update_launches = 0;  // of `vectors`, what no bytes take
  int ranks = 1;
  double efficiency() const { return one_rank / (ranks * total); }
  double weak_efficiency() const { return alone / total; }
};

IterationTime iteration_time(const MachineModel& machine, const IterationCost& cost, const ModelOperator& op,
                             const ModelPart& part);

// What takes most of the time that is lost against one rank: "latency between nodes", "bandwidth between
// nodes", the same "within the node", "packing", "boundary sites", "launches", "sums"; "nothing" below 5% of
// the whole.
std::string limiting_part(const OperatorTime& time);
std::string limiting_part(const IterationTime& time);

}  // namespace plaq::jobs
