// Checks of the Wilson and clover operators and of solves with them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jobs/dirac/storage_names.hpp"
#include "jobs/rates/accuracy.hpp"
#include "jobs/rates/random_fields.hpp"
#include "jobs/selftest/selftest.hpp"
#include "kernels/dirac/wilson/wilson_schur.hpp"
#include "solvers/krylov/bicgstab.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/schur_solve.hpp"

namespace plaq::jobs {
namespace {

constexpr int batch = 2;

// Random links and spinors, equal on any grid.
struct Setting {
  const Trial& trial;
  const ProcessGrid& grid;
  GeometryPtr geometry;
  WilsonHoppingPtr hopping;
  CloverBlocksPtr clover;

  Setting(const Trial& t, const ProcessGrid& g, std::uint32_t forced, const LinkStorage& storage,
          double c_sw = 0)
      : trial(t), grid(g), geometry(g.geometry(t.extents, forced)) {
    WilsonParameters parameters;
    parameters.mass = 0.3;
    parameters.clover = CloverCoefficients::isotropic(c_sw);
    const Field gauge = random_gauge(geometry, 1);
    hopping = std::make_shared<WilsonHopping>(g, gauge, parameters, storage, t.queue,
                                              make_host_transport(g, t.location()));
    clover = make_clover_blocks(g, gauge, *hopping, CloverNeed::operator_full);
  }
  Field spinor(std::uint64_t seed) const {
    return random_spinor(geometry, Subset::full, batch, hopping->precision(), trial.location(), seed);
  }
  Field like(const Field& field) const { return Field(geometry, field.spec()); }
};

Field applied(const Setting& s, const Field& in, bool dagger) {
  WilsonOperator m(s.hopping, s.clover);
  Field out = s.like(in);
  dagger ? m.apply_dagger(out, in) : m.apply(out, in);
  return out;
}

// gamma5 = diag(1, 1, -1, -1) in the DeGrand-Rossi basis, up to a sign.
Field gamma5(const Setting& s, const Field& in) {
  s.trial.queue.synchronize();
  FieldSpec host_spec = in.spec();
  host_spec.location = Location::host;
  Field host(s.geometry, host_spec), out = s.like(in);
  copy(host, in);
  for (int subfield = 0; subfield < host.subfields(); ++subfield)
    for (int parity = 0; parity < 2; ++parity)
      for (int site = 0; site < s.geometry->shape().half_volume; ++site)
        for (int r = 12; r < 24; ++r)
          set_real(host, subfield, parity, site, r, -get_real(host, subfield, parity, site, r));
  copy(out, host);
  return out;
}

// Largest difference of any real over all ranks.
double distance(const Setting& s, const Field& a, const Field& b) {
  s.trial.queue.synchronize();
  FieldSpec host_spec = a.spec();
  host_spec.location = Location::host;
  Field x(s.geometry, host_spec), y(s.geometry, host_spec);
  copy(x, a);
  copy(y, b);
  double most = 0;
  for (int subfield = 0; subfield < x.subfields(); ++subfield)
    for (int parity = 0; parity < 2; ++parity)
      for (int site = 0; site < s.geometry->shape().half_volume; ++site)
        for (int r = 0; r < 24; ++r) {
          const double d =
              std::abs(get_real(x, subfield, parity, site, r) - get_real(y, subfield, parity, site, r));
          most = d > most || std::isnan(d) ? d : most;
        }
  return global_max(s.grid, most);
}

// Real part of <a, b> of the first right-hand side.
double real_product(const Setting& s, const Field& a, const Field& b) {
  s.trial.queue.synchronize();
  FieldSpec host_spec = a.spec();
  host_spec.location = Location::host;
  Field x(s.geometry, host_spec), y(s.geometry, host_spec);
  copy(x, a);
  copy(y, b);
  std::vector<ExactSum> sum(1);
  for (int parity = 0; parity < 2; ++parity)
    for (int site = 0; site < s.geometry->shape().half_volume; ++site)
      for (int r = 0; r < 24; ++r)
        sum[0].add(get_real(x, 0, parity, site, r) * get_real(y, 0, parity, site, r));
  return global_sums(s.grid, sum)[0];
}

struct Solved {
  Field x;
  std::vector<double> residuals;
  int iterations = 0;
};

template <class Method>
Solved solve(const Trial& trial, const ProcessGrid& grid, double tolerance) {
  const Setting s(trial, grid, 0, Precision::double_precision);
  WilsonOperator m(s.hopping);
  WilsonSchur schur(s.hopping, 0, WilsonSchur::Form::symmetric, batch);
  Method solver(schur, grid, batch);
  const Field b = s.spinor(4);
  Solved solved{s.like(b), {}, 0};
  SolverParameters parameters;
  parameters.tolerance = tolerance;
  parameters.max_iterations = 1000;
  const auto report = solve_schur(schur, solver, m, grid, solved.x, b, parameters);
  solved.residuals = report.relative_residuals;
  solved.iterations = report.solve.iterations;
  return solved;
}

}  // namespace

CheckResult check_wilson_hop(const Trial& trial) {
  std::int64_t different = 0;
  for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
    const Setting alone(trial, trial.self, 0, precision);
    const Field whole = applied(alone, alone.spinor(2), false);
    for (const std::uint32_t forced : {0u, all_directions}) {
      const Setting shared(trial, trial.world, forced, precision);
      different += differing_reals(trial, applied(shared, shared.spinor(2), false), whole);
    }
  }
  return {different == 0, fmt::format("single and double, {} reals differ", different)};
}

CheckResult check_wilson_dagger(const Trial& trial) {
  CheckResult result{true, ""};
  for (const double c_sw : {0.0, 1.2}) {
    const Setting s(trial, trial.world, 0, Precision::double_precision, c_sw);
    const Field x = s.spinor(2), y = s.spinor(3);
    const double with_gamma5 = distance(s, applied(s, x, true), gamma5(s, applied(s, gamma5(s, x), false)));
    const double left = real_product(s, y, applied(s, x, false)),
                 right = real_product(s, applied(s, y, true), x);
    const double products = std::abs(left - right) / real_product(s, x, x);
    result.passed = result.passed && with_gamma5 < 1e-13 && products < 1e-13;
    result.detail += fmt::format("{}|M^+ - g5 M g5| {:.0e}, <y,Mx> - <M^+y,x> {:.0e}",
                                 c_sw == 0 ? "" : "; with clover ", with_gamma5, products);
  }
  return result;
}

// With clover, in every storage: the bits of one rank alone, and how far from double precision with 18 reals.
CheckResult check_storages(const Trial& trial) {
  constexpr double c_sw = 1.2;
  const auto in_double = [](const Setting& s, const Field& field) {
    s.trial.queue.synchronize();
    FieldSpec spec = field.spec();
    spec.precision = Precision::double_precision;
    Field wide(s.geometry, spec);
    copy(wide, field);
    return wide;
  };
  std::int64_t different = 0;
  Field exact;
  CheckResult result{true, ""};
  for (const LinkStorage& storage : all_storages()) {
    const Setting alone(trial, trial.self, 0, storage, c_sw);
    const Field whole = applied(alone, alone.spinor(2), false);
    for (const std::uint32_t forced : {0u, all_directions}) {
      const Setting shared(trial, trial.world, forced, storage, c_sw);
      different += differing_reals(trial, applied(shared, shared.spinor(2), false), whole);
    }
    const Field wide = in_double(alone, whole);
    if (!exact) exact = wide;  // double, 18 reals come first
    // Components are of order 10.
    const double allowed = storage.precision == Precision::double_precision   ? 1e-12
                           : storage.precision == Precision::single_precision ? 1e-4
                                                                              : 2e-2;
    const double off = distance(alone, wide, exact);
    result.passed = result.passed && off <= allowed;
    if (storage.reconstruction == 8)
      result.detail += fmt::format("{} to {:.0e}, ", name_of(storage.precision), off);
  }
  result.passed = result.passed && different == 0;
  result.detail += fmt::format("{} reals differ", different);
  return result;
}

CheckResult check_solves(const Trial& trial) {
  constexpr double tolerance = 1e-11;
  CheckResult result{true, ""};
  const auto check = [&](const char* name, const Solved& shared, const Solved& alone) {
    const double worst = *std::max_element(shared.residuals.begin(), shared.residuals.end());
    for (const double residual : shared.residuals) result.passed = result.passed && residual <= tolerance;
    const bool same = differing_reals(trial, shared.x, alone.x) == 0 && shared.residuals == alone.residuals;
    result.passed = result.passed && same;
    result.detail += fmt::format("{}{}: {} iterations to {:.1e}{}", result.detail.empty() ? "" : "; ", name,
                                 shared.iterations, worst, same ? "" : ", other bits");
  };
  using Cg = ConjugateGradients;
  check("CG", solve<Cg>(trial, trial.world, tolerance), solve<Cg>(trial, trial.self, tolerance));
  check("BiCGstab", solve<Bicgstab>(trial, trial.world, tolerance),
        solve<Bicgstab>(trial, trial.self, tolerance));
  return result;
}

}  // namespace plaq::jobs
