// Checks of properties that every operator must have. All are collective; each throws no error
// and fails the test that calls it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/launch/launch_shape.hpp"
#include "tests/support/operators/problem.hpp"

namespace plaq::test {

// Calls visit(grid, geometry, location) on all geometries on which the operator can be made: every process
// grid, plain and with all directions forced to exchange; `each_direction`: on one rank
// with each of them forced alone, too.
void for_fitting_geometries(
    const OperatorProblem& problem,
    const std::function<void(const ProcessGrid&, const GeometryPtr&, Location)>& visit,
    bool each_direction = false);

// In every storage, A v and A^dagger v of single right-hand sides on one rank are
// the reference's within the bounds;
// and they have the same bits on every process grid, with forced partitions, and in batches of which some
// right-hand sides are masked, which keep what is there. Of a Schur complement S also:
//   reduced(M x) = S x',  x' = reduced guess of x,  and reconstruct(x', M x) = x.
void expect_images(const OperatorProblem& problem);

// These of A and A^dagger for these vectors, in double and in single precision, on all geometries.
void expect_images_of(const OperatorProblem& problem, const Vectors& in, const Vectors& image,
                      const Vectors& dagger_image, double in_double, double in_single);

// In its first storage a StencilOperator is the sum of its parts, each of which takes what it gives from
// sites at its offset alone; masked right-hand sides keep what is there.
void expect_parts(const OperatorProblem& problem);

// (x, A y) = (A^dagger x, y), and (x, A^dagger A y) = (A x, A y), positive for
// x = y: as accurate as the storage.
void expect_adjoint(const OperatorProblem& problem);

// G A G = A^dagger, and A[U^g] g v = g A[U] v for A and A^dagger, in these storages on all geometries.
// `most`: over the largest component.
struct SymmetryBound {
  LinkStorage storage;
  double most;
};
void expect_gamma5_hermiticity(const OperatorProblem& problem, const std::vector<SymmetryBound>& bounds);
void expect_gauge_covariance(const OperatorProblem& problem, const std::vector<SymmetryBound>& bounds);

// A A^dagger A v, or A A A v without an adjoint, has the same bits by every transport that the machine has,
// on all geometries.
void expect_same_bits_by_every_transport(const OperatorProblem& problem);

// A v has the same bits by every launch that a tuner may choose for its kernels, each of which is used.
struct LaunchedKernels {
  std::string family;  // in all of their names
  std::vector<std::string> names;
  std::function<std::vector<Launch>(const StorageBound&, Location, const Geometry&, int batch)> candidates;
};
void expect_same_bits_in_every_launch(const OperatorProblem& problem, const LaunchedKernels& kernels,
                                      const std::vector<int>& batches, std::uint32_t forced = 0);

// Fields of another shape, parity or precision, and more right-hand sides than a batch has, are refused.
void expect_refusals(const OperatorProblem& problem);

}  // namespace plaq::test
