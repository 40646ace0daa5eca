// Cost of a step of Lanczos beside its operator, M^dagger M of the full Wilson operator in double.
#include <cmath>

#include "core/system/error.hpp"
#include "jobs/bench/targets.hpp"
#include "jobs/rates/random_fields.hpp"
#include "kernels/dirac/wilson/wilson.hpp"
#include "solvers/eigen/singular_range.hpp"
#include "solvers/normal_operator.hpp"

namespace plaq::jobs {
namespace {

constexpr int basis = 32;

WilsonOperator wilson(const ProcessGrid& grid, const Field& gauge, double mass, int time_sign,
                      const Queue& queue, const std::shared_ptr<Transport>& transport) {
  WilsonParameters parameters;
  parameters.mass = mass;
  parameters.boundary[3] = time_sign;
  return WilsonOperator(std::make_shared<WilsonHopping>(grid, gauge, parameters, Precision::double_precision,
                                                        queue, transport));
}

// Free quarks, all directions periodic: |m| at p = 0, m + 8 where all p are pi.
std::string check(const ProcessGrid& grid, const GeometryPtr& geometry, const Queue& queue,
                  const std::shared_ptr<Transport>& transport) {
  constexpr double mass = 0.3;
  Field unit(geometry, gauge_spec(Precision::double_precision, Location::host));
  for (int mu = 0; mu < 4; ++mu)
    for (int parity = 0; parity < 2; ++parity)
      for (int s = 0; s < unit.layout().sites; ++s)
        for (int i = 0; i < 3; ++i) set_real(unit, mu, parity, s, 8 * i, 1);
  WilsonOperator m = wilson(grid, unit, mass, 1, queue, transport);
  const Field start =
      random_spinor(geometry, Subset::full, 1, Precision::double_precision, queue.location(), 62);
  const auto range = singular_range(m, grid, start, {.accuracy = 1e-6});
  if (!range.converged() || std::abs(range.smallest / mass - 1) > 1e-5 ||
      std::abs(range.largest / (mass + 8) - 1) > 1e-5)
    throw Error(ErrorKind::internal,
                "singular values of free quarks are wrong: " + std::to_string(range.smallest) + ", " +
                    std::to_string(range.largest));
  return "free quarks";
}

}  // namespace

void bench_lanczos(Bench& bench, std::string_view) {
  const ProcessGrid& grid = bench.grid();
  const Queue queue = bench.queue();
  const std::string checked = check(grid, bench.geometry_of_ranks({4, 4, 4, 4}), queue, bench.transport());
  const Field gauge = random_gauge(bench.geometry(), 61);
  WilsonOperator m = wilson(grid, gauge, -1, -1, queue, bench.transport());
  NormalOperator normal(m, 1);
  const Field start =
      random_spinor(bench.geometry(), Subset::full, 1, Precision::double_precision, queue.location(), 62);
  Lanczos lanczos(normal, grid, basis);
  for (const int degree : {0, 10}) {
    const std::string name = degree == 0 ? "lanczos" : "lanczos_filter_" + std::to_string(degree);
    if (!bench.wants(name)) continue;
    LanczosParameters p;
    p.tolerance = 1e-300;  // never
    p.filter_degree = degree;
    p.max_applications = basis + basis * (degree + 1);  // two bases, the first without the filter
    LanczosReport report;
    const Samples s = bench.time(queue, [&](const Queue&) { report = lanczos.run(start, p); });
    const double n = report.applications, ranks = grid.size();
    bench.add(name, {Precision::double_precision, 18}, 1, {s.median / n, s.least / n, s.most / n, s.count},
              {report.flops / n / ranks, report.bytes / n / ranks}, checked);
  }
}

}  // namespace plaq::jobs
