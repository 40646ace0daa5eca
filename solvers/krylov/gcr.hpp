// Generalised conjugate residuals with restarts, GCR(k) (Eisenstat, Elman, Schultz 1983), in its flexible
// form: a preconditioner K may change from one application to the next, as a solver does.
//
// Iteration j of a cycle (j = 0 .. k-1) makes p_j = K r, z_j = A p_j, orthogonalises z_j to the earlier ones
// (classical Gram-Schmidt, three at a time) and reads and writes, beside A and K: r, p_j (without K); for
// each three earlier ones twice z, z, z, z_j (dots; z_j); z_j, r (dot, |z_j|^2; r, |r|^2): 5 + 8 j/3 reads
// and 2 + j/3 writes of a vector. A preconditioner that knows its residual (solvers/preconditioner.hpp)
// saves A: z_j is r less that, one update. x is updated at the end of a cycle: 4/3 k reads and k/3 writes.
// The host waits once, beside what it waits for in K. Its workspace is 2 k vectors.
#pragma once

#include "solvers/krylov/captured_step.hpp"
#include "solvers/krylov/krylov_solver.hpp"
#include "solvers/preconditioner.hpp"

namespace plaq {

// The new direction comes from r itself: when r is replaced, all z_j stay as good as they were.
class Gcr final : public KrylovMethod {
 public:
  // `preconditioner` of the precision of A, or null; it must outlive this object.
  Gcr(LinearOperator& a, int batch, int restart_length, LinearOperator* preconditioner = nullptr);
  std::string_view name() const override { return "gcr"; }
  int cycle() const override { return length_; }
  void begin(Batch& batch, const ActiveSet& which, const Field& r) override;
  void step(Batch& batch, Field& x, Field& r, std::vector<double>& norms,
            std::vector<char>& breakdown) override;
  void flush_updates(Batch& batch, const ActiveSet& which, Field& x, const Field& r) override;
  void after_reliable_update(Batch&, const ActiveSet&, const Field&) override {}
  // So many iterations from x = 0 and r = b, at most the restart length, and x of them. Of r nothing is left
  // that is of use. Queued: nobody waits, and nothing is known of norms.
  void queue_steps(Batch& batch, const ActiveSet& which, Field& x, Field& r, int steps);
  // Its scalars, at the location of the vectors.
  static std::size_t scalar_bytes(int batch, int restart_length);

 private:
  // Right-hand sides that stand at the same j.
  struct Group {
    int j;
    ActiveSet which;
  };
  std::vector<Group> groups_of(const ActiveSet& which) const;
  // p = K r, z = A p
  template <class It>
  void make_direction(It& it, Field& p, Field& z, const Field& r);
  void add_solution(Batch& batch, const Group& group, Field& x);

  int length_;
  LinearOperator* preconditioner_;
  const ResidualInverse* knows_residual_;  // the same one where it does
  std::vector<Field> p_, z_;
  Buffer memory_;              // of the scalars
  std::vector<int> position_;  // of each right-hand side j: how many z there are
  CapturedStep step_;
};

}  // namespace plaq
