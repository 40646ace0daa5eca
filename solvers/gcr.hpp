// Generalised conjugate residuals with restarts, GCR(k) (Eisenstat, Elman, Schultz 1983), in its flexible
// form: a preconditioner K may change from one application to the next, as a solver does.
//
// Iteration j of a cycle (j = 0 .. k-1) makes p_j = K r, z_j = A p_j, orthogonalises z_j to the earlier ones
// (classical Gram-Schmidt, three at a time) and reads and writes, beside A and K: r, p_j (without K); for
// each three earlier ones twice z, z, z, z_j (dots; z_j); z_j, r (dot, |z_j|^2; r, |r|^2): 5 + 8 j/3 reads
// and 2 + j/3 writes of a vector. x is updated at the end of a cycle: 4/3 k reads and k/3 writes. It waits
// for sums three times. Its workspace is 2 k vectors.
#pragma once

#include "solvers/krylov_solver.hpp"

namespace plaq {

// The new direction comes from r itself: when r is replaced, all z_j stay as good as they were.
class Gcr final : public KrylovMethod {
 public:
  // `preconditioner` of the precision of A, or null; it must outlive this object.
  Gcr(LinearOperator& a, int batch, int restart_length, LinearOperator* preconditioner = nullptr);
  std::string_view name() const override { return "gcr"; }
  void begin(Batch& batch, const ActiveSet& which, const Field& r) override;
  void step(Batch& batch, Field& x, Field& r, std::vector<double>& norms, std::vector<char>& broke) override;
  void settle(Batch& batch, const ActiveSet& which, Field& x, const Field& r) override;
  void replaced(Batch&, const ActiveSet&, const Field&) override {}

 private:
  using Complex64 = std::complex<double>;
  // Of one right-hand side: A p_j = z_j + sum_{i<j} overlap[j][i] z_i; still to come: x += p A^-1 sum_j
  // length_j z_j.
  struct State {
    int position = 0;  // j: how many z there are
    std::vector<double> zz;
    std::vector<Complex64> length;
    std::vector<std::vector<Complex64>> overlap;
  };
  // Calls f(j, set) for the right-hand sides that stand at the same j.
  template <class F>
  void for_each_position(const ActiveSet& which, F&& f);
  void new_direction(Batch& batch, int j, const ActiveSet& which, const Field& r);
  void orthogonalise(Batch& batch, int j, const ActiveSet& which);
  // y += sum_{i<j} c[right-hand side][i] v_i
  void add_all(Batch& batch, int j, const ActiveSet& which, const std::vector<Field>& v,
               const std::vector<std::vector<Complex64>>& c, Field& y);

  int length_;
  LinearOperator* preconditioner_;
  std::vector<Field> p_, z_;
  std::vector<State> state_;
};

}  // namespace plaq
