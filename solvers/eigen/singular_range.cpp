#include "solvers/eigen/singular_range.hpp"

#include <cmath>
#include <optional>

#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"
#include "kernels/blas/operations.hpp"
#include "solvers/normal_operator.hpp"

namespace plaq {
namespace {

constexpr double safety = 0.9;  // of the accuracy in lower precision: another precision measures afterwards

// Searches the ends of the spectrum of A^dagger A.
class EndSearch {
 public:
  EndSearch(LinearOperator& a, const ProcessGrid& grid, const SingularRangeParameters& parameters,
            double accuracy)
      : normal_(a, 1), lanczos_(normal_, grid, parameters.basis), parameters_(parameters) {
    p_.tolerance = 0;
    p_.relative_tolerance = accuracy;
    p_.max_applications = parameters.max_applications;
  }
  LanczosReport find(SpectrumEnd end, const Field& start) {
    p_.end = end;
    p_.filter_degree = end == SpectrumEnd::lowest ? parameters_.filter_degree : 0;
    p_.check_every = parameters_.check_every;
    return lanczos_.run(start, p_);
  }
  const Field& vector() const { return lanczos_.vector(0); }

 private:
  NormalOperator normal_;
  Lanczos lanczos_;
  LanczosParameters p_;
  const SingularRangeParameters& parameters_;
};

// Measures vectors of a lower precision.
class ExactMeasure {
 public:
  ExactMeasure(LinearOperator& a, const ProcessGrid& grid)
      : normal_(a, 1),
        batch_(grid, a.queue(), 1),
        v_(a.geometry(), a.spec(1)),
        av_(a.geometry(), a.spec(1)) {}
  void measure(LanczosReport& report, const Field& vector) {
    auto c = batch_.coefficients(batch_.all());
    set(c[0], 0, 1);
    batch_.convert(c, v_, vector);
    batch_.apply_outer(normal_, av_, v_, batch_.all());
    ++report.applications;
    const auto dot = batch_.sum<blas::DotNorm>(c, {&v_, &av_});
    const double value = dot[0] / dot[2];
    set(c[0], 0, -value);
    const double bound = std::sqrt(batch_.sum<blas::AxpyNorm>(c, {&v_, &av_})[0] / dot[2]);
    report.values = {by_data(value, report.values.at(0))};
    report.bounds = {by_data(bound, report.bounds.at(0))};
  }

 private:
  NormalOperator normal_;
  Batch batch_;
  Field v_, av_;
};

void set_bounds(SingularRange& range) {
  const auto root = [](double x) { return x > 0 ? std::sqrt(x) : 0; };
  if (!range.high.values.empty()) {
    range.largest = root(range.high.values[0]);
    range.above = root(range.high.values[0] + range.high.bounds[0]);
  }
  if (!range.low.values.empty()) {
    range.smallest = root(range.low.values[0]);
    range.below = root(range.low.values[0] - range.low.bounds[0]);
  }
}

}  // namespace

SingularRange singular_range(LinearOperator& a, const ProcessGrid& grid, const Field& start,
                             const SingularRangeParameters& parameters) {
  require(parameters.accuracy > 0, "singular values are asked for with an accuracy that is not positive");
  EndSearch search(a, grid, parameters, parameters.accuracy);
  SingularRange range;
  range.high = search.find(SpectrumEnd::highest, start);
  range.low = search.find(SpectrumEnd::lowest, start);
  range.applications = range.high.applications + range.low.applications;
  set_bounds(range);
  return range;
}

SingularRange singular_range(LinearOperator& a, LinearOperator& low_a, const ProcessGrid& grid,
                             const Field& start, const SingularRangeParameters& parameters) {
  require(parameters.accuracy > 0, "singular values are asked for with an accuracy that is not positive");
  SingularRange range;
  const auto ends = {SpectrumEnd::highest, SpectrumEnd::lowest};
  const auto of = [&](SpectrumEnd end) -> LanczosReport& {
    return end == SpectrumEnd::lowest ? range.low : range.high;
  };
  {
    EndSearch search(low_a, grid, parameters, safety * parameters.accuracy);
    ExactMeasure exact(a, grid);
    Field low_start(low_a.geometry(), low_a.spec(1));
    a.queue().synchronize();
    copy(low_start, start);
    for (const SpectrumEnd end : ends) {
      LanczosReport& report = of(end);
      report = search.find(end, low_start);
      range.low_applications += report.applications;
      if (!report.converged()) continue;
      exact.measure(report, search.vector());
      ++range.applications;
      if (!(report.bounds[0] <= parameters.accuracy * std::abs(report.values[0])))
        report.reason = LanczosStop::stagnation;
    }
  }
  std::optional<EndSearch> search;
  for (const SpectrumEnd end : ends) {
    if (of(end).converged()) continue;
    if (!search) search.emplace(a, grid, parameters, parameters.accuracy);
    of(end) = search->find(end, start);
    range.applications += of(end).applications;
  }
  set_bounds(range);
  return range;
}

}  // namespace plaq
