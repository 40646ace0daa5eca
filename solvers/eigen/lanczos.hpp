// Extremal eigenvalues of a Hermitian operator: Lanczos with thick restarts (Wu, Simon, SIAM J. Matrix Anal.
// Appl. 22 (2000) 602) and full reorthogonalisation, the matrix of the projected operator being made of all
// overlaps (Stewart, SIAM J. Matrix Anal. Appl. 23 (2002) 601). For the low end optionally of a Chebyshev
// polynomial of the operator (solvers/eigen/chebyshev_filter.hpp).
//
// One start vector has one vector of each eigenspace in its Krylov space: an eigenvalue comes once, or, when
// rounding or another start vector bring its other vectors in, more often. Where the caller can make more
// start vectors, what was found is locked, and further Krylov spaces that are orthogonal to it are searched,
// until the outermost eigenvalue of one is not further out than the last that is kept: then every copy is
// there. This takes one more search for one eigenvalue where there are no copies, else about one more for
// each copy. A step reads and writes beside A, with n vectors in the basis: twice n/3 (4 reads), n/3
// (4 reads, 1 write); a restart n k/3 (4 reads, 1 write) for the k that are kept. The host waits n/6 times a
// step. Workspace: the basis, one vector more, and as many as restarts keep.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "solvers/krylov/krylov_basis.hpp"

namespace plaq {

enum class SpectrumEnd { lowest, highest };

enum class LanczosStop {
  converged,         // all values that were asked for, within the tolerance
  max_applications,  // of the operator; what was found is reported
  exhausted,         // the start vectors' Krylov space, or with more of them all space, has too few values
  stagnation,        // the precision of the vectors does not allow this tolerance
  not_hermitian,     // overlaps contradict each other: values mean nothing
  not_a_number,      // in a start vector or the operator
};
std::string_view name_of(LanczosStop reason);

struct LanczosParameters {
  SpectrumEnd end = SpectrumEnd::lowest;
  int values = 1;  // how many eigenvalues from that end
  // An error bound is small enough below one of these: times the largest |eigenvalue| seen; times the value.
  double tolerance = 1e-10, relative_tolerance = 0;
  int max_applications = 100000;  // beside those that measure what was found, `values` each time
  // For the low end: degree of the Chebyshev filter, 0 for none; less where it would raise the lowest value
  // so far that others drown. A first basis of A itself tells the interval that it damps. Pays where the end
  // is dense compared with the whole spectrum.
  int filter_degree = 0;
  // Columns between measurements of a basis that is not full, behind a filter: the search ends where it is
  // good enough; 0: full bases alone are measured.
  int check_every = 0;
};

// Overwrites v, of the operator's kind, by the n-th further start vector:
// random, of other numbers for each n.
using MoreStarts = std::function<void(Field& v, int n)>;

struct LanczosReport {
  LanczosStop reason = LanczosStop::converged;
  // The outermost first. There is an eigenvalue within bounds[i] = ||A v - values[i] v||, |v| = 1, computed
  // at the end, of values[i]. That none further out was missed is likely, not proven, as with every Krylov
  // method.
  std::vector<double> values, bounds;
  double largest = 0;    // |eigenvalue| seen: what the tolerance is relative to
  int applications = 0;  // of A
  int restarts = 0;
  double seconds = 0, flops = 0, bytes = 0;  // flops and bytes of all ranks
  bool converged() const { return reason == LanczosStop::converged; }
};

class Lanczos {
 public:
  // `a`: Hermitian, in double or single precision; it must outlive this object. `basis`: vectors at most, at
  // least values + 2; 3 values and 20 or more are good.
  Lanczos(LinearOperator& a, const ProcessGrid& grid, int basis);
  ~Lanczos();

  // Collective. `start`: at least one vector, of the operator's kind; better random than smooth. Further
  // ones are taken one by one where what came before is exhausted and has too few values. With `more`, every
  // copy of an eigenvalue is found, and a Krylov space that is exhausted is followed by another; values that
  // differ by less than their bounds count as one. Without it copies may be missing. The same bits on any
  // process grid, where `more` has them. Throws an internal Error for a field of another kind, for a start
  // vector 0 and parameters out of range. Without not_hermitian and not_a_number, vector(i) is v of values[i]
  // until the next run.
  LanczosReport run(const Field& start, const LanczosParameters& parameters, const MoreStarts& more = {});
  const Field& vector(int i) const { return basis_[i]; }
  int basis() const { return size_; }
  // Vectors that a restart keeps.
  static int kept_of(int basis, int values) { return std::max(values + 1, (values + basis) / 2); }

 private:
  struct Run;
  LanczosReport run_dry(const LanczosParameters& parameters, const MoreStarts& more);
  // Vectors of a Krylov space beside those that are locked: what is left of the basis, or a few more.
  int basis_beside(int locked) const { return std::max(std::min(size_, 24), size_ - locked); }
  LinearOperator& a_;
  int size_;
  Batch batch_;
  KrylovBasis basis_;
  Field residual_;
};

}  // namespace plaq
