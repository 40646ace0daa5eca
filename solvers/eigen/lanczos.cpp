#include "solvers/eigen/lanczos.hpp"

#include <algorithm>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/timer.hpp"
#include "solvers/eigen/lanczos_run.hpp"

namespace plaq {

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

// Dry run: an application, a restart, and one of a filter that is refined, after which values are 1.
LanczosReport Lanczos::run_dry(const LanczosParameters& p, const MoreStarts& more) {
  batch_.apply(a_, basis_[1], basis_[0], batch_.all());
  const auto size = static_cast<std::size_t>(size_);
  basis_.rotate(std::vector<std::complex<double>>(size * size), size_, kept_of(size_, p.values));
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
  require(parameters.max_applications >= 0 && parameters.filter_degree >= 0 && parameters.check_every >= 0,
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
