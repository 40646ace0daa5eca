// Rates of operators in every storage, each checked before it is timed: in double precision with links of 18
// reals against its adjoint, in the others against that.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "comms/transport/transport.hpp"
#include "core/operator/linear_operator.hpp"
#include "jobs/rates/row.hpp"
#include "kernels/dirac/domain_wall/domain_wall_parameters.hpp"
#include "kernels/gauge/link_storage.hpp"

namespace plaq::jobs {

struct RateProblem {
  const ProcessGrid& grid;
  Field gauge;  // without halo
  Queue queue;
  std::shared_ptr<Transport> transport;
  int samples = 0;  // as measure() has them

  // Collective. Else a face that came damaged would be found as a result that is off.
  void expect_intact_faces() const { transport->expect_intact(queue); }
};

// Even-odd operators are on the even sites.
constexpr int rated_parity = 0;

using Application = std::function<void(Field& out, const Field& in)>;

// An operator in one storage: what is compared, and what is timed.
struct TimedOperator {
  Work work;
  Application apply, timed;
};

// Source and result in double precision, with which all storages are compared.
struct ExpectedResult {
  const Field &source, &result;
  double rounding;    // how much more than that of one hopping term is allowed
  std::string check;  // how the operator in double with 18 reals was checked; empty: not at all
};

// Collective over the grid; one row for each storage, with its numbers. Throws Error(internal) where a result
// is further off than rounding explains.
std::vector<Row> checked_rates(const RateProblem& problem, const ExpectedResult& expected,
                               const std::vector<LinkStorage>& storages,
                               const std::function<TimedOperator(const LinkStorage&)>& make);

// (y, A x) = (A^dagger y, x) to rounding, for each right-hand side of double precision. `apply`: A or its
// adjoint. Collective. Throws Error(internal), which says `what`, where it is not so.
void check_adjoint(const RateProblem& problem, const Field& x, const Field& y, const std::string& what,
                   const std::function<void(Field& out, const Field& in, bool dagger)>& apply);

// Rates in the fifth dimension alone: M5, one parity, checked as checked_rates does. Flops as Chiu et al.
// 2010 have it, a matrix of Ls rows: 24 (2 Ls - 1) a slice of a site, though fewer are done; bytes: vectors
// read and written once.
std::vector<Row> fifth_rates(const RateProblem& problem, const DomainWallParameters& parameters,
                             const std::vector<Precision>& precisions, int rhs);

}  // namespace plaq::jobs
