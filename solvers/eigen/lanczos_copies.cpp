// Every copy of an eigenvalue: a Krylov space has one vector of an eigenspace, so good vectors are locked and
// other starts are searched beside them.
#include <algorithm>

#include "solvers/eigen/lanczos_run.hpp"

namespace plaq {
namespace {

constexpr int most_at_once = 8;  // vectors that a later search adds to those that are locked
constexpr int most_in_vain = 5;  // later searches, one after the other, that bring no progress

}  // namespace

void Lanczos::Run::lock_if_good(int at, const Measured& m) {
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

bool Lanczos::Run::is_missing(std::size_t i) const {
  if (locked < p.values) return true;
  const double margin = report.bounds[i] + found_bounds.back();
  return further_out(report.values[i] + (p.end == SpectrumEnd::lowest ? margin : -margin), found.back());
}

void Lanczos::Run::find_all_copies() {
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

bool Lanczos::Run::search_again(int n) {
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

void Lanczos::Run::join(int added) {
  const int n = locked + added, kept = std::min(n, p.values);
  const auto stride = static_cast<std::size_t>(n);
  locked = 0;
  std::vector<Complex64> projected(stride * stride), rotation;
  for (int j = 0; j < n; ++j) {
    batch().apply_outer(of.a_, of.residual_, v(j), batch().all());
    ++report.applications;
    const auto column = basis().overlaps(n, of.residual_);
    for (std::size_t i = 0; i < stride; ++i) projected[i * stride + static_cast<std::size_t>(j)] = column[i];
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
  std::vector<Measured> measures;
  for (int i = 0; i < kept; ++i) measures.push_back(measured(i));
  for (int i = 0; i < kept; ++i) lock_if_good(i, measures[static_cast<std::size_t>(i)]);
}

}  // namespace plaq
