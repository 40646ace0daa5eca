// Rates of the Wilson hopping term and of even-odd operators in every storage, each checked against double
// precision with links of 18 reals before it is timed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "comms/transport/transport_checked.hpp"
#include "jobs/rates/samples.hpp"
#include "kernels/dirac/wilson/wilson_schur.hpp"

namespace plaq::jobs {

struct RateProblem {
  const ProcessGrid& grid;
  Field gauge;  // without halo
  Queue queue;
  std::shared_ptr<Transport> transport;
  int samples = 0;                                      // as measure() has them
  std::shared_ptr<CheckedTransport> checked = nullptr;  // the same where it checks faces, else null

  // Collective. Else a face that came damaged would be found as a result that is off.
  void expect_intact_faces() const {
    if (checked) checked->expect_intact(queue);
  }
};

struct OperatorRate {
  Samples samples;
  Work work;              // of one application on one rank
  double difference = 0;  // relative, from double precision
  std::string check;      // the same in words
};

// Even-odd operators are on the even sites.
constexpr int rated_parity = 0;

WilsonSchur make_schur(const RateProblem& problem, const WilsonParameters& parameters,
                       const LinkStorage& storage, WilsonSchur::Form form, int rhs);
// The same in two steps, for those that look at the hopping term later.
WilsonHoppingPtr make_schur_hopping(const RateProblem& problem, const WilsonParameters& parameters,
                                    const LinkStorage& storage);
WilsonSchur make_schur(const RateProblem& problem, WilsonHoppingPtr hopping, WilsonSchur::Form form, int rhs);

// Collective over the grid; one rate for each storage, on random spinors. Throw Error(internal) where a
// result is further off than rounding explains, and in double precision where it is not gamma5-hermitian. The
// hopping term also with links in temporal gauge, that in double then against links of eight reals, which
// have none.
std::vector<OperatorRate> hop_rates(const RateProblem& problem, const WilsonParameters& parameters,
                                    const std::vector<LinkStorage>& storages, int rhs);
std::vector<OperatorRate> schur_rates(const RateProblem& problem, const WilsonParameters& parameters,
                                      WilsonSchur::Form form, const std::vector<LinkStorage>& storages,
                                      int rhs);

}  // namespace plaq::jobs
