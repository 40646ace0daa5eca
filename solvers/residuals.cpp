#include "solvers/residuals.hpp"

#include <algorithm>
#include <cmath>

#include "core/system/dry_run.hpp"
#include "core/system/runs_dry.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/operations.hpp"
#include "solvers/krylov/krylov_method.hpp"
#include "solvers/parameters.hpp"
#include "solvers/report.hpp"

namespace plaq {
namespace {

// ||x(t)|| of each right-hand side on each time slice of the whole lattice, [right-hand side][t]. Collective.
std::vector<std::vector<double>> norms_of_slices(const ProcessGrid& grid, const Field& x,
                                                 const Queue& queue) {
  const Geometry& geometry = x.geometry();
  const auto times = static_cast<std::size_t>(geometry.global()[3]),
             local = static_cast<std::size_t>(geometry.local()[3]),
             first = static_cast<std::size_t>(geometry.offset()[3]),
             batch = static_cast<std::size_t>(x.batch());
  const auto own = blas::slice_norms(x, queue);
  std::vector<ExactSum> all(batch * times);
  for (std::size_t i = 0; i < batch; ++i)
    for (std::size_t t = 0; t < local; ++t) all[i * times + first + t] = own[i * local + t];
  const auto sums = global_sums(grid, all);
  std::vector<std::vector<double>> norms(batch, std::vector<double>(times));
  for (std::size_t i = 0; i < batch; ++i)
    for (std::size_t t = 0; t < times; ++t) norms[i][t] = std::sqrt(sums[i * times + t]);
  return norms;
}

// Slices that no iteration has reached have no residual, but at their edge: they
// take the infinite ratio from there.
void spread_where_empty(std::vector<double>& ratios, const std::vector<double>& solution) {
  const std::size_t times = ratios.size();
  for (std::size_t step = 0; step < 2 * times; ++step) {  // around the lattice twice in each direction
    for (const bool ahead : {true, false}) {
      const std::size_t t = ahead ? step % times : (2 * times - 1 - step) % times;
      const std::size_t before = ahead ? (t + times - 1) % times : (t + 1) % times;
      if (solution[t] == 0 && solution[before] == 0 && std::isinf(ratios[before])) ratios[t] = ratios[before];
    }
  }
}

}  // namespace

Field& in_precision(Field& field, const FieldSpec& spec, Field& storage) {
  if (field.precision() == spec.precision && field.location() == spec.location) return field;
  storage = Field(field.geometry_ptr(), spec);
  copy(storage, field);
  return storage;
}

const Field& in_precision(const Field& field, const FieldSpec& spec, Field& storage) {
  return in_precision(const_cast<Field&>(field), spec, storage);
}

TrueResidual::TrueResidual(LinearOperator& m, const Field& x, const Field& b)
    : queue_(m.queue()), x_(in_precision(x, m.spec(b.batch()), x_copy_)) {
  const FieldSpec spec = m.spec(b.batch());
  const MemoryName name("check of the residual");
  Field b_copy;
  const Field& source = in_precision(b, spec, b_copy);
  Field mx(m.geometry(), spec);
  r_ = Field(m.geometry(), spec);
  m.apply(mx, x_);
  blas::Workspace work(queue_, b.batch());
  const std::vector<blas::Coefficients> all(static_cast<std::size_t>(b.batch()));
  norms_ = blas::update_and_sum<blas::Residual>(work, all, {&source, &mx, &r_});
  source_norms_ = blas::update_and_sum<blas::Norm>(work, all, {&source});
}

std::vector<double> TrueResidual::relative(const ProcessGrid& grid) const {
  auto own = norms_, of_source = source_norms_;
  std::vector<double> residuals = global_sums(grid, own), sources = global_sums(grid, of_source);
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    sources[i] = std::sqrt(sources[i]);
    residuals[i] = sources[i] == 0 && residuals[i] == 0 ? 0 : std::sqrt(residuals[i]) / sources[i];
  }
  return residuals;
}

std::vector<std::vector<double>> TrueResidual::of_slices(const ProcessGrid& grid) const {
  auto ratios = norms_of_slices(grid, r_, queue_);
  const auto solution = norms_of_slices(grid, x_, queue_);
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    for (std::size_t t = 0; t < ratios[i].size(); ++t)
      if (ratios[i][t] != 0) ratios[i][t] /= solution[i][t];
    spread_where_empty(ratios[i], solution[i]);
  }
  return ratios;
}

std::vector<double> true_residuals(LinearOperator& m, const ProcessGrid& grid, const Field& x,
                                   const Field& b) {
  return TrueResidual(m, x, b).relative(grid);
}

std::vector<double> first_residual(Batch& batch, LinearOperator& a, Field& x, const Field& b, Field& r,
                                   const SolverParameters& parameters, SolveReport& report) {
  const auto n = static_cast<std::size_t>(batch.size());
  report.results.assign(n, {});
  std::vector<double> targets(n), residuals(n);
  const ActiveSet asked = parameters.active.empty() ? batch.all() : ActiveSet(parameters.active);
  if (asked.count() == 0) return targets;

  const Coefficients c = batch.coefficients(asked);
  const auto source = batch.add_sums<blas::Norm>(c, {&b});
  if (parameters.zero_guess) {
    batch.update<blas::Zero>(c, {&x});
    batch.update<blas::Copy>(c, {&b, &r});
  } else {
    batch.apply_outer(a, r, x, asked);
  }
  const auto residual = parameters.zero_guess ? source : batch.add_sums<blas::Residual>(c, {&b, &r, &r});
  auto sums = batch.fetch_sums();
  for (double& sum : sums) sum = by_data(sum, 1.0);

  std::vector<char> empty(n, 0);
  for_each_of(asked, [&](std::size_t i) {
    auto& result = report.results[i];
    result.source_norm = std::sqrt(sums[source + i]);
    empty[i] = result.source_norm == 0;
    const double norm = empty[i] ? 0 : std::sqrt(sums[residual + i]);
    result.first_residual_norm = std::sqrt(sums[residual + i]);
    result.residual_norm = norm;
    targets[i] =
        parameters.targets.empty() ? parameters.tolerance * result.source_norm : parameters.targets[i];
    result.reason = StopReason::max_iterations;
    if (!std::isfinite(norm)) {
      result.reason = StopReason::not_a_number;
    } else if (norm <= targets[i] || empty[i]) {
      result.reason = StopReason::converged;
    } else if (parameters.limit_of(i) > 0) {
      batch.activate(static_cast<int>(i));
    }
  });
  const ActiveSet zero(empty);
  if (zero.count() > 0) batch.update<blas::Zero>(batch.coefficients(zero), {&x});
  return targets;
}

}  // namespace plaq
