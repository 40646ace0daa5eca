// Residuals b - M x: of a solution, over the lattice and on each time slice, and of the first guess of a
// solve.
#pragma once

#include <vector>

#include "comms/grid/process_grid.hpp"
#include "core/operator/linear_operator.hpp"
#include "core/sums/exact_sum.hpp"

namespace plaq {

class Batch;
struct SolveReport;
struct SolverParameters;

/// `field` itself where it has the precision and location of `spec`, else a converted copy, which `storage`
/// holds.
const Field& in_precision(const Field& field, const FieldSpec& spec, Field& storage);
Field& in_precision(Field& field, const FieldSpec& spec, Field& storage);

class TrueResidual {
 public:
  /// Applies `m` once. Fields of another precision or location than the operator's are
  /// converted. x must outlive this object.
  TrueResidual(LinearOperator& m, const Field& x, const Field& b);
  TrueResidual(const TrueResidual&) = delete;

  const Field& field() const { return r_; }  // b - M x
  /// ||b - M x|| / ||b|| of each right-hand side; 0 for b = 0. Collective.
  std::vector<double> relative(const ProcessGrid& grid) const;
  /// ||(b - M x)(t)|| / ||x(t)|| on each time slice of the lattice, [right-hand side][t]; 0 where the
  /// residual is, but infinite on slices where x is 0 and that are joined by such slices to one with a
  /// residual: x has not come there. Collective.
  std::vector<std::vector<double>> of_slices(const ProcessGrid& grid) const;

 private:
  Queue queue_;
  Field x_copy_, r_;
  const Field& x_;
  std::vector<ExactSum> norms_, source_norms_;  // of this rank
};

std::vector<double> true_residuals(LinearOperator& m, const ProcessGrid& grid, const Field& x,
                                   const Field& b);

// The start of every solve: r = b - A x of the first guess, and who needs no iteration at all. Activates
// those right-hand sides of the batch that are to be iterated, with reason max_iterations so far; the others
// have their reason. x becomes 0 where b is, or where the guess is to be 0. r of all that were asked for,
// norms in the report. Returns the targets.
std::vector<double> first_residual(Batch& batch, LinearOperator& a, Field& x, const Field& b, Field& r,
                                   const SolverParameters& parameters, SolveReport& report);

}  // namespace plaq
