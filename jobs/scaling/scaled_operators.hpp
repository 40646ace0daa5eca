// What scaling studies measure: one table of operators and of methods.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/rates/rated_action.hpp"
#include "jobs/scaling/exchange_times.hpp"
#include "jobs/scaling/scaled_storage.hpp"

namespace plaq::jobs {

// Of one application, or one iteration of a method.
struct ScaledTimes {
  Samples samples;
  Work work;  // of one rank
  // Of the result from that in double precision, relative; a method: its operator's; gauge fixing: of the
  // functional.
  double difference = 0;
  double exchanges = 0;        // of faces
  ExchangeTimes exchange;      // of one of them
  double bytes_sent = 0;       // by one rank
  std::uint64_t checksum = 0;  // of the result: field_checksum
};

struct PointProblem {
  const RateProblem& rates;
  RatedAction* action;  // null where there is gauge fixing alone
  int iterations;       // of methods, in a sample
};

struct ScaledOperator {
  std::string_view key;  // in job files
  bool iterates;         // a method
  bool fixes_gauge;      // a sweep; right-hand sides are gauge copies then
  // Collective over the grid; one for each storage. Each result is checked against double precision as
  // jobs/rates does.
  std::vector<ScaledTimes> (*measure)(const PointProblem& problem, std::string_view key,
                                      const std::vector<ScaledStorage>& storages, int rhs);
};

// hop, schur and schur_asymmetric; gauge_fixing and gauge_fixing_su2 (jobs/scaling/scaled_fixing.hpp); cg,
// cgne, bicgstab, gcr and mr on the symmetric even-odd operator.
const std::vector<ScaledOperator>& scaled_operators();
const ScaledOperator& scaled_operator(std::string_view key);
std::vector<std::string> scaled_operator_keys(bool iterates);

}  // namespace plaq::jobs
