#include "multigrid/hierarchy/near_null_vectors.hpp"

#include <algorithm>

#include "comms/communicator/stop_request.hpp"
#include "core/system/timer.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/krylov_operations.hpp"
#include "kernels/quark/sources.hpp"
#include "solvers/krylov/krylov_basis.hpp"
#include "solvers/krylov/krylov_method.hpp"
#include "solvers/krylov/krylov_solver.hpp"

namespace plaq {
namespace {

constexpr int most_at_once = 12, most_slices = 72;
constexpr double least_left = 1e-6;  // of a vector that does not depend on others

}  // namespace

void change_vectors(LevelOperators& level, Field& vectors, const ChangeVectors& change) {
  const ScopedRange range("near-null vectors");
  const int count = vectors.batch();
  std::unique_ptr<SchurOperator> s;
  Field part, half, zero;
  const int at_once = level.batch_of(most_at_once, most_slices);
  for (int first = 0; first < count; first += at_once) {
    interruption_point(level.grid().comm());
    const int batch = std::min(at_once, count - first);
    if (!part || part.batch() != batch) {
      s = level.reduced(batch);
      part = Field(vectors.geometry_ptr(), level.full().spec(batch));
      half = Field(vectors.geometry_ptr(), s->spec(batch));
      zero = Field(vectors.geometry_ptr(), part.spec());
    }
    for (int k = 0; k < batch; ++k) copy_right_hand_side(part, k, vectors, first + k);
    s->reduce_guess(half, part);
    change(*s, half);
    s->reconstruct(part, half, zero);
    s->queue().synchronize();
    for (int k = 0; k < batch; ++k) copy_right_hand_side(vectors, first + k, part, k);
  }
}

void fill_other_parity(LevelOperators& level, Field& vectors) {
  change_vectors(level, vectors, [](SchurOperator&, Field&) {});
}

Field noise_vectors(LevelOperators& level, int count, std::uint64_t seed) {
  Field vectors(level.full().geometry(), level.full().spec(count));
  random_source(vectors, Noise::z4, seed);
  return vectors;
}

void filter_vectors(LevelOperators& level, Field& vectors, std::string_view method, int iterations) {
  SolverParameters parameters;
  parameters.tolerance = no_tolerance;
  parameters.max_iterations = iterations;
  parameters.trust_iterated = true;
  parameters.zero_guess = true;
  parameters.watch = [&](int, const std::vector<double>&) { interruption_point(level.grid().comm()); };
  MethodSettings settings;
  settings.restart_length = iterations;
  // S e = S v from a guess of 0: v - e is what the iterations have not found of v.
  change_vectors(level, vectors, [&](SchurOperator& s, Field& v) {
    const int batch = v.batch();
    Field b(v.geometry_ptr(), v.spec()), e(v.geometry_ptr(), v.spec());
    s.apply(b, v);
    KrylovSolver(make_method(method, s, batch, settings), level.grid(), batch).solve(e, b, parameters);
    blas::Workspace workspace(s.queue(), batch);
    const std::vector<blas::Coefficients> minus(static_cast<std::size_t>(batch), {1, {-1, 0, 1, 0}});
    blas::update<blas::Axpby>(workspace, minus, {&e, &v});
    s.queue().synchronize();
  });
}

void orthonormalise_vectors(LevelOperators& level, Field& vectors) {
  const ScopedRange range("orthonormal vectors");
  const int count = vectors.batch();
  Batch batch(level.grid(), level.full().queue(), 1);
  KrylovBasis basis(level.full(), batch, count);
  for (int i = 0; i < count; ++i) {
    interruption_point(level.grid().comm());
    copy_right_hand_side(basis[i], 0, vectors, i);
    const KrylovBasis::Projection left = basis.orthogonalise(i);
    basis.scale(i, left.norm > least_left * left.before ? 1 / left.norm : 0);
    batch.queue().synchronize();
    copy_right_hand_side(vectors, i, basis[i], 0);
  }
}

}  // namespace plaq
