// Hopping terms and even-odd operators of any discretisation on random links, for those that time them.
#pragma once

#include <memory>
#include <vector>

#include "comms/halo/schedule.hpp"
#include "jobs/dirac/action_parameters.hpp"
#include "jobs/rates/operator_rates.hpp"

namespace plaq::jobs {

// One of them in one storage, with a random vector that it is applied to and the result, in its precision.
class RatedApplication {
 public:
  virtual ~RatedApplication() = default;
  virtual void apply() = 0;
  const Field& result() const { return out_; }
  // How the faces of its hopping term travel, and whether with all else in one launch.
  virtual Halo& halo() = 0;
  virtual Schedule& schedule() = 0;
  virtual bool fused() = 0;

 protected:
  Field in_, out_;
};

// An even-odd operator.
class RatedSchur : public RatedApplication {
 public:
  virtual LinearOperator& schur() = 0;
  // Another random vector for it; subfield i is the same in any batch.
  virtual Field random(std::uint64_t seed) = 0;
};

class RatedAction {
 public:
  virtual ~RatedAction() = default;
  virtual const RateProblem& problem() const = 0;
  // Collective; each result is checked against double precision as the functions of jobs/rates do, which
  // these are. Domain walls: the hopping term of all slices. `symmetric`: else the asymmetric form, which
  // Wilson quarks alone have.
  virtual std::vector<OperatorRate> hop_rates(const std::vector<LinkStorage>& storages, int rhs) = 0;
  virtual std::vector<OperatorRate> schur_rates(bool symmetric, const std::vector<LinkStorage>& storages,
                                                int rhs) = 0;
  virtual std::unique_ptr<RatedApplication> hop(const LinkStorage& storage, int rhs) = 0;
  virtual std::unique_ptr<RatedSchur> schur(bool symmetric, const LinkStorage& storage, int rhs) = 0;
  // Whether even-odd operators are Hermitian and positive, so that cg needs no normal equations.
  virtual bool positive() const { return false; }
};

// On the links of `problem`, which must outlive it. Collective. Optimal weights must have their bounds.
std::unique_ptr<RatedAction> make_rated_action(const RateProblem& problem,
                                               const ActionParameters& parameters);

}  // namespace plaq::jobs
