// One run of the Lanczos method (solvers/eigen/lanczos.hpp): a search fills a basis, measures it and cuts it
// down (lanczos_search.cpp), behind a polynomial of the operator where that pays (lanczos_filter.cpp), and is
// followed by searches for further copies of eigenvalues (lanczos_copies.cpp).
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "solvers/eigen/chebyshev_filter.hpp"
#include "solvers/eigen/lanczos.hpp"

namespace plaq {

// Eigenvalues and eigenvectors of small dense Hermitian matrices, on the host.
struct SmallSpectrum {
  std::vector<double> values;                 // ascending
  std::vector<std::complex<double>> vectors;  // component i of vector k at [k n + i]; orthonormal
};

// `h`: row i, column j at [i * stride + j], of which the lower triangle of the first n rows is read. Throws
// an internal Error where an element is not finite.
SmallSpectrum small_spectrum(const std::vector<std::complex<double>>& h, int n, int stride);

// The operator that is iterated, B, is A or a polynomial of it. B V = V H + r, r having overlaps with the
// last vector alone; after a restart with all. Vectors that are locked stand before V in the basis, all
// others are orthogonal to them: B is then P B P, P = 1 - sum of their projectors.
struct Lanczos::Run {
  using Complex64 = std::complex<double>;
  Lanczos& of;
  const Field& start;
  const LanczosParameters& p;
  const MoreStarts& more;
  LanczosReport report{};
  int locked = 0;
  int values = p.values;  // of this search
  int size = of.size_;    // vectors of V at most
  int degree = p.filter_degree;
  int earlier_restarts = 0;  // of searches before this one
  std::unique_ptr<ChebyshevFilter> filter{};
  bool lowest = p.end == SpectrumEnd::lowest;  // of B: its low end is wanted
  int next_start = 0;
  int count = 0;                      // columns of H
  std::vector<Complex64> h{};         // row i, column j at [i size + j], lower triangle
  std::vector<Complex64> coupling{};  // (v_i, B v_count) that is expected
  double beta = 0;                    // norm of r, which v_count has the direction of
  double scale = 0;                   // largest of H
  bool exhausted = false;
  double low = 0, high = 0;  // what the filter damps
  const double rounding = rounding_of(of.a_.spec(1).precision);

  KrylovBasis& basis() { return of.basis_; }
  Field& v(int i) { return of.basis_[locked + i]; }
  Batch& batch() { return of.batch_; }
  LinearOperator& b() { return filter ? static_cast<LinearOperator&>(*filter) : of.a_; }
  int cost() const { return filter ? filter->degree() : 1; }

  // Ritz values of B from the wanted end, their vectors in the basis, and |r| of each.
  struct Ritz {
    std::vector<double> values, errors;
    std::vector<Complex64> vectors, couplings;  // couplings: (v_count, B v'_i)
  };
  Ritz ritz() const;

  // Start vectors that are not yet in the space; false if there are no more.
  bool add_start();
  // v_count becomes orthogonal to what is there and normalised; false where nothing is left of it.
  bool begin_with_next();
  bool set_reason_nan();

  // One more column; false where that is not possible any more.
  bool step();
  // True where it is time to look at a basis that is not full, and the wanted Ritz vectors are good enough.
  bool is_good_early();

  // v_0 .. v_kept-1 become Ritz vectors, and v_kept what comes next.
  void restart(const Ritz& r, int kept);

  // Rayleigh quotient of A with v_i, and the norm of the residual; its part along locked vectors does not
  // count, their own errors being what brings it in.
  struct Measured {
    double value = 0, bound = 0;
  };
  Measured measured(int i);
  bool further_out(double a, double b) const { return p.end == SpectrumEnd::lowest ? a < b : a > b; }

  Measured measured(Field& vector);

  // For the first vectors of V, which become sorted.
  void measure(int vectors);
  void exchange_in_h(int j);

  // From the Ritz values of the first basis of A: the low end that is wanted stays out of [low, high]. By
  // interlacing there are as many eigenvalues below `low` as Ritz values.
  void choose_filter(const Ritz& r);
  // The lower end of what is damped comes down with the values: best where it amplifies the lowest by
  // cosh(best_growth), more would tell it less from its neighbours. The basis are Ritz vectors.
  bool refine_filter();
  // The polynomial that damps [edge, high] where the spectrum begins at `bottom`, and the space that begins
  // with the sum of parts_j v_j. False where it is not worth it.
  bool begin_filter(const std::vector<Complex64>& parts, double edge, double bottom);

  bool good_enough(double error, double value, double unit) const;
  // True if r is as good as B's Krylov space can make it. With a filter: nothing is left to be gained there.
  bool stagnates(const Ritz& r) const;
  bool done() const;

  // One basis filled, measured and cut down; false at the end.
  bool cycle();

  void go();

  static double rounding_of(Precision precision);

  // Locked vectors, the outermost first.
  std::vector<double> found{}, found_bounds{};

  void lock_if_good(int at, const Measured& m);
  // True if the last search's i-th value is wanted, beyond doubt by the bounds.
  bool is_missing(std::size_t i) const;

  void find_all_copies();

  // The outermost eigenvalue beside those that are locked, from another start;
  // false where nothing is left to do.
  bool search_again(int n);

  // The next vectors join those that are locked: the outermost Ritz vectors of A in the space of both, as far
  // as they are good.
  void join(int added);
};

}  // namespace plaq
