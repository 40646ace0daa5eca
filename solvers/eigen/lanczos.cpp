#include "solvers/eigen/lanczos.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/timer.hpp"
#include "kernels/blas/operations.hpp"
#include "solvers/eigen/chebyshev_filter.hpp"
#include "solvers/eigen/small_spectrum.hpp"

namespace plaq {
namespace {

using Complex64 = std::complex<double>;
constexpr double most_amplified = 1e6;  // by a filter: the digits that others lose
constexpr double best_growth = 2.5;
constexpr int most_at_once = 8;  // vectors that a later search adds to those that are locked
constexpr int most_in_vain = 5;  // later searches, one after the other, that bring no progress
constexpr int more_below = 2;    // Ritz values, beyond those wanted, that a filter leaves undamped

double rounding_of(Precision precision) {
  return precision == Precision::double_precision
             ? std::numeric_limits<double>::epsilon()
             : static_cast<double>(std::numeric_limits<float>::epsilon());
}

}  // namespace

std::string_view name_of(LanczosStop reason) {
  switch (reason) {
    case LanczosStop::converged:
      return "converged";
    case LanczosStop::max_applications:
      return "max_applications";
    case LanczosStop::exhausted:
      return "exhausted";
    case LanczosStop::stagnation:
      return "stagnation";
    case LanczosStop::not_hermitian:
      return "not_hermitian";
    case LanczosStop::not_a_number:
      return "not_a_number";
  }
  return "unknown";
}

Lanczos::Lanczos(LinearOperator& a, const ProcessGrid& grid, int basis)
    : a_(a),
      size_(basis),
      batch_(grid, a.queue(), 1),
      basis_(a, batch_, basis + 1),
      residual_(a.geometry(), a.spec(1)) {
  require(basis >= 3, "Lanczos needs a basis of three vectors or more");
  require(a.spec(1).precision != Precision::half_precision,
          "Lanczos needs vectors in double or single precision");
}

Lanczos::~Lanczos() = default;

// The operator that is iterated, B, is A or a polynomial of it. B V = V H + r, r having overlaps with the
// last vector alone; after a restart with all. Vectors that are locked stand before V in the basis, all others are
// orthogonal to them: B is then P B P, P = 1 - sum of their projectors.
struct Lanczos::Run {
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
  Ritz ritz() const {
    const auto all = small_spectrum(h, count, size);
    Ritz result;
    for (int k = 0; k < count; ++k) {
      const auto at = static_cast<std::size_t>(lowest ? k : count - 1 - k),
                 n = static_cast<std::size_t>(count);
      result.values.push_back(all.values[at]);
      const auto first = all.vectors.begin() + static_cast<std::ptrdiff_t>(at * n);
      result.vectors.insert(result.vectors.end(), first, first + count);
      result.couplings.push_back((exhausted ? 0 : beta) * all.vectors[at * n + n - 1]);
      result.errors.push_back(std::abs(result.couplings.back()));
    }
    return result;
  }

  // Start vectors that are not yet in the space; false if there are no more.
  bool add_start() {
    while (next_start < start.batch()) {
      for (int s = 0; s < start.slices(); ++s)
        copy_subfield(v(count), s, start, next_start * start.slices() + s);
      ++next_start;
      if (begin_with_next()) return true;
      if (report.reason == LanczosStop::not_a_number) return false;
    }
    return false;
  }
  // v_count becomes orthogonal to what is there and normalised; false where nothing is left of it.
  bool begin_with_next() {
    const auto projection = basis().orthogonalise(locked + count);
    if (std::isnan(projection.before) || std::isinf(projection.before)) return set_reason_nan();
    if (projection.norm <= 100 * rounding * projection.before) return false;
    basis().scale(locked + count, 1 / projection.norm);
    coupling.assign(static_cast<std::size_t>(count), 0);
    exhausted = false;
    return true;
  }
  bool set_reason_nan() {
    report.reason = LanczosStop::not_a_number;
    return false;
  }

  // One more column; false where that is not possible any more.
  bool step() {
    if (report.applications + cost() > p.max_applications) {
      report.reason = LanczosStop::max_applications;
      return false;
    }
    batch().apply(b(), v(count + 1), v(count), batch().all());
    report.applications += cost();
    auto column = basis().orthogonalise(locked + count + 1);
    column.overlap.erase(column.overlap.begin(), column.overlap.begin() + locked);
    if (!std::isfinite(column.before) || !std::isfinite(column.norm)) return set_reason_nan();
    scale = std::max(scale, column.before);
    const auto n = static_cast<std::size_t>(size), c = static_cast<std::size_t>(count);
    double contradiction = std::abs(column.overlap[c].imag());
    for (std::size_t i = 0; i < c; ++i) {
      contradiction = std::max(contradiction, std::abs(column.overlap[i] - coupling[i]));
      h[c * n + i] = std::conj(column.overlap[i]);
    }
    h[c * n + c] = column.overlap[c].real();
    ++count;
    const double allowed = rounding > 1e-10 ? 1e-2 : 1e-6;
    if (contradiction > allowed * scale) {
      report.reason = LanczosStop::not_hermitian;
      return false;
    }
    beta = column.norm;
    exhausted = beta <= 500 * rounding * scale;
    if (exhausted) return false;
    basis().scale(locked + count, 1 / beta);
    coupling.assign(c + 1, 0);
    coupling[c] = beta;
    return true;
  }

  // v_0 .. v_kept-1 become Ritz vectors, and v_kept what comes next.
  void restart(const Ritz& r, int kept) {
    basis().rotate(r.vectors, count, kept, locked);
    basis().swap(locked + kept, locked + count);
    const auto n = static_cast<std::size_t>(size);
    std::fill(h.begin(), h.end(), 0);
    coupling.clear();
    for (int i = 0; i < kept; ++i) {
      const auto at = static_cast<std::size_t>(i);
      h[at * n + at] = r.values[at];
      coupling.push_back(std::conj(r.couplings[at]));
    }
    count = kept;
    ++report.restarts;
  }

  // Rayleigh quotient of A with v_i, and the norm of the residual; its part along locked vectors does not count, their
  // own errors being what brings it in.
  struct Measured {
    double value = 0, bound = 0;
  };
  Measured measured(int i) {
    auto c = batch().coefficients(batch().all());
    Field& q = of.residual_;
    batch().apply_outer(of.a_, q, v(i), batch().all());
    ++report.applications;
    if (locked > 0) {
      auto minus = basis().overlaps(locked, q);
      for (auto& factor : minus) factor = -factor;
      basis().add(minus, locked, q);
    }
    const auto dot = batch().sum<blas::DotNorm>(c, {&v(i), &q});
    const double theta = dot[0] / dot[2];
    set(c[0], 0, -theta);
    report.largest = std::max(report.largest, std::abs(theta));
    return {theta, std::sqrt(batch().sum<blas::AxpyNorm>(c, {&v(i), &q})[0] / dot[2])};
  }
  bool further_out(double a, double b) const { return p.end == SpectrumEnd::lowest ? a < b : a > b; }

  // For the first vectors of V, which become sorted.
  void measure(int vectors) {
    std::vector<double> found, bounds;
    for (int i = 0; i < vectors; ++i) {
      const Measured m = measured(i);
      found.push_back(m.value);
      bounds.push_back(m.bound);
    }
    // Those of a filter are in the order of A nearly always, not where they differ by rounding.
    for (int i = 0; i < vectors; ++i)
      for (int j = i; j > 0; --j) {
        const auto at = static_cast<std::size_t>(j);
        if (!further_out(found[at], found[at - 1])) break;
        std::swap(found[at], found[at - 1]);
        std::swap(bounds[at], bounds[at - 1]);
        basis().swap(locked + j, locked + j - 1);
        exchange_in_h(j);
      }
    report.values = std::move(found);
    report.bounds = std::move(bounds);
  }
  void exchange_in_h(int j) {
    const auto n = static_cast<std::size_t>(size), at = static_cast<std::size_t>(j);
    std::swap(h[at * n + at], h[(at - 1) * n + at - 1]);
    std::swap(coupling[at], coupling[at - 1]);
  }

  // From the Ritz values of the first basis of A: the low end that is wanted stays out of [low, high]. By
  // interlacing there are as many eigenvalues below `low` as Ritz values.
  void choose_filter(const Ritz& r) {
    const auto n = static_cast<std::size_t>(count);
    const auto edge = std::min(static_cast<std::size_t>(values + more_below), n - 1);
    high = r.values[n - 1] + r.errors[n - 1];
    // Where the next start vector is: all Ritz vectors that are not damped, at equal parts.
    std::vector<Complex64> parts(n);
    for (std::size_t k = 0; k <= edge; ++k)
      for (std::size_t j = 0; j < n; ++j)
        parts[j] += r.vectors[k * n + j] / std::sqrt(static_cast<double>(edge + 1));
    begin_filter(parts, r.values[edge], r.values[0] - r.errors[0]);
  }
  // The lower end of what is damped comes down with the values: best where it amplifies the lowest by
  // cosh(best_growth), more would tell it less from its neighbours. The basis are Ritz vectors.
  bool refine_filter() {
    const double lowest_value = report.values.front(), reach = report.values.back() - lowest_value;
    const double ratio = best_growth / (2 * degree);
    const double wanted = lowest_value + std::max(2 * reach, ratio * ratio * (high - lowest_value));
    if (!(wanted - lowest_value < 0.3 * (low - lowest_value))) return false;
    std::vector<Complex64> parts(static_cast<std::size_t>(count));
    const auto used = static_cast<std::size_t>(std::min(values + more_below, count));
    for (std::size_t k = 0; k < used; ++k) parts[k] = 1 / std::sqrt(static_cast<double>(used));
    return begin_filter(parts, wanted, lowest_value - report.bounds.front());
  }
  // The polynomial that damps [edge, high] where the spectrum begins at `bottom`, and the space that begins
  // with the sum of parts_j v_j. False where it is not worth it.
  bool begin_filter(const std::vector<Complex64>& parts, double edge, double bottom) {
    if (!(high - edge > 100 * rounding * report.largest)) return false;
    const double x = (high + edge - 2 * bottom) / (high - edge);
    int most = degree;
    if (x > 1) most = std::min(most, static_cast<int>(std::acosh(most_amplified) / std::acosh(x)));
    if (most < 2 || report.applications + size * (most | 1) > p.max_applications) return false;
    Field& w = v(count);
    batch().update<blas::Zero>(batch().coefficients(batch().all()), {&w});
    basis().add(parts, count, w, locked);
    basis().swap(locked, locked + count);
    low = edge;
    filter = std::make_unique<ChebyshevFilter>(of.a_, 1, most, low, high);
    lowest = false;
    count = 0;
    scale = 0;
    coupling.clear();
    std::fill(h.begin(), h.end(), 0);
    ++report.restarts;
    return true;
  }

  bool good_enough(double error, double value, double unit) const {
    return error <= std::max(p.tolerance * unit, p.relative_tolerance * std::abs(value));
  }
  // As far as B's Krylov space goes. With a filter: nothing is left to be gained there.
  bool settled(const Ritz& r) const {
    if (count < values) return false;
    const double unit = std::max(std::abs(r.values.front()), std::abs(r.values.back()));
    for (std::size_t i = 0; i < static_cast<std::size_t>(values); ++i)
      if (filter ? r.errors[i] > 10 * rounding * unit : !good_enough(r.errors[i], r.values[i], unit))
        return false;
    return true;
  }
  bool done() const {
    if (report.values.size() < static_cast<std::size_t>(values)) return false;
    for (std::size_t i = 0; i < report.values.size(); ++i)
      if (!good_enough(report.bounds[i], report.values[i], report.largest)) return false;
    return true;
  }

  // One basis filled, measured and cut down; false at the end.
  bool cycle() {
    bool going_on = true;
    while (going_on && count < size) going_on = step();
    if (report.reason == LanczosStop::not_a_number || report.reason == LanczosStop::not_hermitian ||
        count == 0)
      return false;
    const bool stopped = report.reason == LanczosStop::max_applications;
    const Ritz r = ritz();
    if (!filter)
      report.largest = std::max({report.largest, std::abs(r.values.front()), std::abs(r.values.back())});
    const bool is_settled = settled(r);
    // What a filter leaves is measured by A itself, which costs little beside it.
    const bool measured = is_settled || exhausted || stopped || filter != nullptr;
    if (!measured && degree > 1 && report.restarts == earlier_restarts) {
      choose_filter(r);
      if (filter) return true;
    }
    restart(r, std::min(count, exhausted ? size - 1 : kept_of(size, values)));
    if (!measured) return true;
    measure(std::min(values, count));
    if (stopped) return false;
    if (done()) return false;
    if (is_settled) report.reason = LanczosStop::stagnation;
    if (filter && !is_settled && !exhausted && refine_filter()) return true;
    if (!is_settled && exhausted && !add_start() && report.reason == LanczosStop::converged)
      report.reason = LanczosStop::exhausted;
    return report.reason == LanczosStop::converged;
  }

  void go() {
    h.assign(static_cast<std::size_t>(size * size), 0);
    if (!add_start()) {
      require(report.reason == LanczosStop::not_a_number, "a Lanczos start vector is 0");
      return;
    }
    while (cycle()) {
    }
    if (more) find_all_copies();
  }

  // Locked vectors, the outermost first.
  std::vector<double> found{}, found_bounds{};

  void lock_if_good(int at, const Measured& m) {
    if (!good_enough(m.bound, m.value, report.largest)) return;
    basis().swap(locked, at);
    found.push_back(m.value);
    found_bounds.push_back(m.bound);
    for (int j = locked; j > 0; --j) {
      const auto here = static_cast<std::size_t>(j);
      if (!further_out(found[here], found[here - 1])) break;
      std::swap(found[here], found[here - 1]);
      std::swap(found_bounds[here], found_bounds[here - 1]);
      basis().swap(j, j - 1);
    }
    ++locked;
  }
  // True if the last search's i-th value is wanted, beyond doubt by the bounds.
  bool is_missing(std::size_t i) const {
    if (locked < p.values) return true;
    const double margin = report.bounds[i] + found_bounds.back();
    return further_out(report.values[i] + (p.end == SpectrumEnd::lowest ? margin : -margin), found.back());
  }

  void find_all_copies() {
    if (report.reason != LanczosStop::converged && report.reason != LanczosStop::exhausted) return;
    for (std::size_t i = 0; i < report.values.size(); ++i)
      lock_if_good(static_cast<int>(i), {report.values[i], report.bounds[i]});
    next_start = start.batch();
    std::vector<double> best = found;
    int in_vain = 0;
    for (int n = 0; search_again(n); ++n) {
      bool progress = found.size() > best.size();
      for (std::size_t i = 0; found.size() == best.size() && i < best.size(); ++i)
        progress = progress || further_out(found[i], best[i]);
      in_vain = progress ? 0 : in_vain + 1;
      if (progress) best = found;
      if (in_vain < most_in_vain) continue;
      report.reason = LanczosStop::stagnation;
      break;
    }
    report.values = std::move(found);
    report.bounds = std::move(found_bounds);
  }

  // The outermost eigenvalue beside those that are locked, from another start; false where nothing is left to do.
  bool search_again(int n) {
    values = 1;
    size = of.basis_beside(locked);
    basis().grow(locked + size + 1);
    report.reason = LanczosStop::converged;
    report.values.clear();
    report.bounds.clear();
    earlier_restarts = report.restarts;
    filter.reset();
    lowest = p.end == SpectrumEnd::lowest;
    count = 0;
    scale = beta = 0;
    h.assign(static_cast<std::size_t>(size * size), 0);
    more(v(0), n);
    if (!begin_with_next()) {
      if (report.reason == LanczosStop::converged && locked < p.values)
        report.reason = LanczosStop::exhausted;  // nothing is left
      return false;
    }
    while (cycle()) {
    }
    if (report.reason == LanczosStop::stagnation || report.reason == LanczosStop::exhausted) {
      // A filter amplifies what locked vectors lack far beyond what stands next to them; A itself does not.
      const bool was_filtered = degree > 1;
      degree = 0;
      if (!was_filtered && !report.values.empty() && !is_missing(0)) report.reason = LanczosStop::converged;
      return was_filtered;
    }
    if (report.reason != LanczosStop::converged || !is_missing(0)) return false;
    measure(std::min(count, most_at_once));
    int added = 0;
    for (std::size_t i = 0; i < report.values.size(); ++i, ++added)
      if (!good_enough(report.bounds[i], report.values[i], report.largest) || !is_missing(i)) break;
    join(added);
    return true;
  }

  // The next vectors join those that are locked: the outermost Ritz vectors of A in the space of both, as far as they
  // are good.
  void join(int added) {
    const int n = locked + added, kept = std::min(n, p.values);
    const auto stride = static_cast<std::size_t>(n);
    locked = 0;
    std::vector<Complex64> projected(stride * stride), rotation;
    for (int j = 0; j < n; ++j) {
      batch().apply_outer(of.a_, of.residual_, v(j), batch().all());
      ++report.applications;
      const auto column = basis().overlaps(n, of.residual_);
      for (std::size_t i = 0; i < stride; ++i)
        projected[i * stride + static_cast<std::size_t>(j)] = column[i];
    }
    const auto all = small_spectrum(projected, n, n);
    for (int k = 0; k < kept; ++k) {
      const int at = p.end == SpectrumEnd::lowest ? k : n - 1 - k;
      const auto first = all.vectors.begin() + static_cast<std::ptrdiff_t>(at) * n;
      rotation.insert(rotation.end(), first, first + n);
    }
    basis().rotate(rotation, n, kept);
    found.clear();
    found_bounds.clear();
    std::vector<Measured> judged;
    for (int i = 0; i < kept; ++i) judged.push_back(measured(i));
    for (int i = 0; i < kept; ++i) lock_if_good(i, judged[static_cast<std::size_t>(i)]);
  }
};

// Of a dry run: an application, a restart, and one of a filter that is refined, after which values are 1.
LanczosReport Lanczos::run_dry(const LanczosParameters& p, const MoreStarts& more) {
  batch_.apply(a_, basis_[1], basis_[0], batch_.all());
  const auto size = static_cast<std::size_t>(size_);
  basis_.rotate(std::vector<Complex64>(size * size), size_, kept_of(size_, p.values));
  if (p.end == SpectrumEnd::lowest && p.filter_degree >= 2) {
    ChebyshevFilter filter(a_, 1, p.filter_degree, 0.5, 1);
    batch_.apply(filter, basis_[1], basis_[0], batch_.all());
    const ChebyshevFilter refined(a_, 1, p.filter_degree, 0.25, 1);  // made before the other goes
  }
  if (more) {
    basis_.grow(p.values + basis_beside(p.values) + 1);
    more(basis_[0], 0);
  }
  LanczosReport report;
  report.values.assign(static_cast<std::size_t>(p.values), 1);
  report.bounds.assign(static_cast<std::size_t>(p.values), 0);
  report.reason = LanczosStop::converged;
  return report;
}

LanczosReport Lanczos::run(const Field& start, const LanczosParameters& parameters, const MoreStarts& more) {
  if (runs_dry()) return run_dry(parameters, more);
  require(parameters.values >= 1 && parameters.values + 2 <= size_,
          "Lanczos needs a basis of two vectors more than the values that are asked for");
  require(parameters.tolerance >= 0 && parameters.relative_tolerance >= 0 &&
              std::max(parameters.tolerance, parameters.relative_tolerance) > 0,
          "Lanczos needs a tolerance above 0");
  require(parameters.max_applications >= 0 && parameters.filter_degree >= 0,
          "a limit of Lanczos is negative");
  require(parameters.filter_degree == 0 || parameters.end == SpectrumEnd::lowest,
          "the Chebyshev filter is for the low end of a spectrum");
  require(start.spec() == a_.spec(start.batch()) && start.geometry_ptr() == a_.geometry(),
          "the start vectors of Lanczos are not of the operator's kind");
  const ScopedRange range("lanczos");
  const Timer timer;
  batch_.reset();
  Run run{*this, start, parameters, more};
  run.go();
  SolveReport work;
  batch_.write_work(work);
  run.report.flops = work.flops;
  run.report.bytes = work.bytes;
  run.report.seconds = timer.seconds();
  return std::move(run.report);
}

}  // namespace plaq
