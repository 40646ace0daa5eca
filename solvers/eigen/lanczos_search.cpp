// A search of the Lanczos method: steps, restarts, and what ends them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/system/error.hpp"
#include "kernels/blas/operations.hpp"
#include "solvers/eigen/lanczos_run.hpp"

namespace plaq {

double Lanczos::Run::rounding_of(Precision precision) {
  return precision == Precision::double_precision
             ? std::numeric_limits<double>::epsilon()
             : static_cast<double>(std::numeric_limits<float>::epsilon());
}

Lanczos::Run::Ritz Lanczos::Run::ritz() const {
  const auto all = small_spectrum(h, count, size);
  Ritz result;
  for (int k = 0; k < count; ++k) {
    const auto at = static_cast<std::size_t>(lowest ? k : count - 1 - k), n = static_cast<std::size_t>(count);
    result.values.push_back(all.values[at]);
    const auto first = all.vectors.begin() + static_cast<std::ptrdiff_t>(at * n);
    result.vectors.insert(result.vectors.end(), first, first + count);
    result.couplings.push_back((exhausted ? 0 : beta) * all.vectors[at * n + n - 1]);
    result.errors.push_back(std::abs(result.couplings.back()));
  }
  return result;
}

bool Lanczos::Run::add_start() {
  while (next_start < start.batch()) {
    for (int s = 0; s < start.Ls(); ++s) copy_subfield(v(count), s, start, next_start * start.Ls() + s);
    ++next_start;
    if (begin_with_next()) return true;
    if (report.reason == LanczosStop::not_a_number) return false;
  }
  return false;
}

bool Lanczos::Run::begin_with_next() {
  const auto projection = basis().orthogonalise(locked + count);
  if (std::isnan(projection.before) || std::isinf(projection.before)) return set_reason_nan();
  if (projection.norm <= 100 * rounding * projection.before) return false;
  basis().scale(locked + count, 1 / projection.norm);
  coupling.assign(static_cast<std::size_t>(count), 0);
  exhausted = false;
  return true;
}

bool Lanczos::Run::set_reason_nan() {
  report.reason = LanczosStop::not_a_number;
  return false;
}

bool Lanczos::Run::step() {
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

// A measurement takes one application of A, a column as many as the filter has.
bool Lanczos::Run::is_good_early() {
  if (!filter || p.check_every == 0 || count % p.check_every != 0 || count < values || count >= size)
    return false;
  const Ritz r = ritz();
  Field& vector = v(count + 1);  // not yet in use
  for (int i = 0; i < values; ++i) {
    const auto first = r.vectors.begin() + static_cast<std::ptrdiff_t>(i) * count;
    batch().update<blas::Zero>(batch().coefficients(batch().all()), {&vector});
    basis().add({first, first + count}, count, vector, locked);
    const Measured m = measured(vector);
    if (!good_enough(m.bound, m.value, report.largest)) return false;
  }
  return true;
}

void Lanczos::Run::restart(const Ritz& r, int kept) {
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

Lanczos::Run::Measured Lanczos::Run::measured(int i) { return measured(v(i)); }

Lanczos::Run::Measured Lanczos::Run::measured(Field& vector) {
  auto c = batch().coefficients(batch().all());
  Field& q = of.residual_;
  batch().apply_outer(of.a_, q, vector, batch().all());
  ++report.applications;
  if (locked > 0) {
    auto minus = basis().overlaps(locked, q);
    for (auto& factor : minus) factor = -factor;
    basis().add(minus, locked, q);
  }
  const auto dot = batch().sum<blas::DotNorm>(c, {&vector, &q});
  const double theta = dot[0] / dot[2];
  set(c[0], 0, -theta);
  report.largest = std::max(report.largest, std::abs(theta));
  return {theta, std::sqrt(batch().sum<blas::AxpyNorm>(c, {&vector, &q})[0] / dot[2])};
}

void Lanczos::Run::measure(int vectors) {
  std::vector<double> found, bounds;
  for (int i = 0; i < vectors; ++i) {
    const Measured m = measured(i);
    found.push_back(m.value);
    bounds.push_back(m.bound);
  }
  // Values of a filter are in the order of A nearly always, but not if they differ by rounding.
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

void Lanczos::Run::exchange_in_h(int j) {
  const auto n = static_cast<std::size_t>(size), at = static_cast<std::size_t>(j);
  std::swap(h[at * n + at], h[(at - 1) * n + at - 1]);
  std::swap(coupling[at], coupling[at - 1]);
}

bool Lanczos::Run::good_enough(double error, double value, double unit) const {
  return error <= std::max(p.tolerance * unit, p.relative_tolerance * std::abs(value));
}

bool Lanczos::Run::stagnates(const Ritz& r) const {
  if (count < values) return false;
  const double unit = std::max(std::abs(r.values.front()), std::abs(r.values.back()));
  for (std::size_t i = 0; i < static_cast<std::size_t>(values); ++i)
    if (filter ? r.errors[i] > 10 * rounding * unit : !good_enough(r.errors[i], r.values[i], unit))
      return false;
  return true;
}

bool Lanczos::Run::done() const {
  if (report.values.size() < static_cast<std::size_t>(values)) return false;
  for (std::size_t i = 0; i < report.values.size(); ++i)
    if (!good_enough(report.bounds[i], report.values[i], report.largest)) return false;
  return true;
}

bool Lanczos::Run::cycle() {
  bool going_on = true;
  while (going_on && count < size && !is_good_early()) going_on = step();
  if (report.reason == LanczosStop::not_a_number || report.reason == LanczosStop::not_hermitian || count == 0)
    return false;
  const bool stopped = report.reason == LanczosStop::max_applications;
  const Ritz r = ritz();
  if (!filter)
    report.largest = std::max({report.largest, std::abs(r.values.front()), std::abs(r.values.back())});
  const bool stagnant = stagnates(r);
  // A itself measures the vectors that a filter leaves, which costs little beside the filter.
  const bool measured = stagnant || exhausted || stopped || filter != nullptr;
  if (!measured && degree > 1 && report.restarts == earlier_restarts) {
    choose_filter(r);
    if (filter) return true;
  }
  restart(r, std::min(count, exhausted ? size - 1 : kept_of(size, values)));
  if (!measured) return true;
  measure(std::min(values, count));
  if (stopped) return false;
  if (done()) return false;
  if (stagnant) report.reason = LanczosStop::stagnation;
  if (filter && !stagnant && !exhausted && refine_filter()) return true;
  if (!stagnant && exhausted && !add_start() && report.reason == LanczosStop::converged)
    report.reason = LanczosStop::exhausted;
  return report.reason == LanczosStop::converged;
}

void Lanczos::Run::go() {
  h.assign(static_cast<std::size_t>(size * size), 0);
  if (!add_start()) {
    require(report.reason == LanczosStop::not_a_number, "a Lanczos start vector is 0");
    return;
  }
  while (cycle()) {
  }
  if (more) find_all_copies();
}

}  // namespace plaq
