#include "multigrid/setup/near_null_vectors.hpp"

#include "kernels/blas/blas.hpp"
#include "kernels/blas/krylov_operations.hpp"
#include "kernels/quark/sources.hpp"
#include "solvers/krylov/krylov_solver.hpp"
#include "solvers/krylov/make_method.hpp"

namespace plaq {

Field near_null_vectors(SchurOperator& s, const ProcessGrid& grid, int count, int iterations,
                        std::uint64_t seed) {
  FieldSpec full = s.spec(count);
  full.subset = Subset::full;
  FieldSpec wide = full;
  wide.precision = Precision::double_precision;
  Field noise(s.geometry(), wide), vectors(s.geometry(), full);
  random_source(noise, Noise::z4, seed);
  copy(vectors, noise);
  Field v(s.geometry(), s.spec(count)), b(v.geometry_ptr(), v.spec()), e(v.geometry_ptr(), v.spec());
  copy_parity(v, vectors, s.parity(), s.queue());
  // S e = S v from a guess of 0: v - e is what the iterations have not found of v.
  s.apply(b, v);
  KrylovSolver solver(make_method("bicgstab", s, count), grid, count);
  SolverParameters parameters;
  parameters.tolerance = 1e-30;  // never
  parameters.max_iterations = iterations;
  parameters.trust_iterated = true;
  parameters.zero_guess = true;
  solver.solve(e, b, parameters);
  blas::Workspace workspace(s.queue(), count);
  const std::vector<blas::Coefficients> minus(static_cast<std::size_t>(count), {1, {-1, 0, 1, 0}});
  blas::update<blas::Axpby>(workspace, minus, {&e, &v});
  const Field zero(s.geometry(), full);
  s.reconstruct(vectors, v, zero);
  s.queue().synchronize();
  return vectors;
}

}  // namespace plaq
