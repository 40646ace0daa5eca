// Job type propagator: the twelve columns of a point source as one batch, and their correlators.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/log.hpp"
#include "jobs/collective_check.hpp"
#include "jobs/dirac_system.hpp"
#include "jobs/loaded_gauge.hpp"
#include "jobs/output_file.hpp"
#include "jobs/version.hpp"
#include "kernels/blas/blas.hpp"

namespace plaq::jobs {
namespace {

constexpr int columns = 12;  // spin * 3 + color of the source

// b_i = the unit vector of spin and color i at `position`.
Field point_source(const JobContext& context, const FieldSpec& spec, const Extents& position) {
  FieldSpec host_spec = spec;
  host_spec.location = Location::host;
  Field host(context.geometry, host_spec);
  const LatticeShape& shape = context.geometry->shape();
  Coordinates c;
  bool mine = true;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    c.x[mu] = position[mu] - shape.global_offset[mu];
    mine = mine && c.x[mu] >= 0 && c.x[mu] < shape.extent[mu];
  }
  if (mine)
    for (int i = 0; i < columns; ++i) set_real(host, i, shape.parity(c), shape.index(c), 2 * i, 1.0);
  if (spec.location == Location::host) return host;
  Field field(context.geometry, spec);
  copy(field, host);
  return field;
}

// C(t) = sum over space, spins and colors of |S(x,t; source)|^2, exact over ranks; t counts from the source.
std::vector<double> pion_correlator(const JobContext& context, const Field& propagator, int source_t) {
  const int slices = context.extents[3], first = context.geometry->offset()[3];
  const auto mine = blas::slice_norms(propagator, context.queue);
  const int local = context.geometry->local()[3];
  std::vector<ExactSum> sums(static_cast<std::size_t>(slices));
  for (int column = 0; column < columns; ++column)
    for (int t = 0; t < local; ++t)
      sums[static_cast<std::size_t>((first + t - source_t + slices) % slices)].merge(
          mine[static_cast<std::size_t>(column * local + t)]);
  return global_sums(*context.grid, sums);
}

void report_solves(const FullSolveReport& report) {
  for (std::size_t i = 0; i < report.relative_residuals.size(); ++i) {
    const auto& r = report.solve.results[i];
    log::info(fmt::format("spin {} color {}: {} iterations, true residual {:.17g}, {}", i / 3, i % 3,
                          r.iterations, report.relative_residuals[i], name_of(r.reason)));
  }
  log::info(fmt::format("{} columns in {:.3f} s, {:.1f} GFLOPS, at least {:.1f} GB/s, over all ranks",
                        columns, report.solve.seconds, 1e-9 * report.solve.flops / report.solve.seconds,
                        1e-9 * report.solve.bytes / report.solve.seconds));
}

void expect_convergence(const JobFile& job, const FullSolveReport& report) {
  if (report.converged()) return;
  const auto worst = std::max_element(report.relative_residuals.begin(), report.relative_residuals.end(),
                                      [](double a, double b) { return std::isnan(b) || a < b; });
  const auto i = static_cast<std::size_t>(worst - report.relative_residuals.begin());
  throw Error(
      ErrorKind::not_converged,
      fmt::format("{}: the solve missed its tolerance {:g}: spin {} color {} stands at {:.3e} after {} "
                  "iterations ({}); nothing was written",
                  job.file(), report.tolerance, i / 3, i % 3, *worst, report.solve.results[i].iterations,
                  name_of(report.solve.results[i].reason)));
}

Attributes action_attributes(const JobFile& job, const WilsonParameters& p) {
  return {{"type", job.string("action", "type")},
          {"mass", p.mass},
          {"kappa", 1 / (2 * (4 + p.mass))},
          {"xi", p.xi},
          {"nu", p.nu},
          {"boundary", std::vector<std::int64_t>(p.boundary.begin(), p.boundary.end())},
          {"operator",
           std::string("M = m + 1 + 3 nu/xi - (1/2)[hop_t + (nu/xi) hop_s], Clark et al. 2010 eq. (1)")},
          {"spin_basis", std::string("DeGrand-Rossi")}};
}

void write_results(const JobContext& context, const LoadedGauge& gauge, const DiracSystem& system,
                   const FullSolveReport& report, const std::vector<double>& pion) {
  const JobFile& job = context.job;
  OutputFile out(job.string("output", "file"), job.flag("output", "overwrite"));
  out.attribute("/", "plaq_version", std::string(version()));
  out.attribute("/", "job_type", job.type());
  out.attribute("/", "job", job.canonical_text());
  out.group("/gauge", {{"file", job.string("gauge", "file")},
                       {"checksum", gauge.report.checksum.text()},
                       {"extents", std::vector<std::int64_t>(context.extents.begin(), context.extents.end())},
                       {"plaquette", gauge.observables.plaquette.all},
                       {"link_trace", gauge.observables.link_trace}});
  out.group("/action", action_attributes(job, system.parameters()));
  const auto position = job.four("source", "position");
  out.group("/source", {{"type", job.string("source", "type")},
                        {"position", std::vector<std::int64_t>(position.begin(), position.end())},
                        {"columns", std::string("3 * spin + color of the source")}});
  std::vector<std::int64_t> iterations;
  for (const auto& r : report.solve.results) iterations.push_back(r.iterations);
  const Attributes of_columns = {{"axes", std::string("column")}, {"units", std::string("1")}};
  out.dataset("/solves/true_residual", report.relative_residuals, {columns}, of_columns);
  out.dataset("/solves/iterations", iterations, {columns}, of_columns);
  out.attribute("/solves", "method", job.string("solver", "method"));
  out.attribute("/solves", "tolerance", report.tolerance);
  out.attribute("/solves/true_residual", "meaning",
                std::string("||b - M x|| / ||b|| of the full system, recomputed in double precision"));
  if (job.lists("output", "correlators", "pion"))
    out.dataset(
        "/correlators/pion", pion, {pion.size()},
        {{"axes", std::string("t")},
         {"units", std::string("lattice units")},
         {"normalization",
          std::string("C(t) = sum over space, spin and color of |S(x,t;source)|^2, no volume factor")},
         {"momentum", std::vector<std::int64_t>{0, 0, 0}},
         {"t", std::string("counts from the source")}});
  out.commit();
}

}  // namespace

int run_propagator(const JobFile& job) {
  const std::string path = job.string("gauge", "file"), output = job.string("output", "file");
  const Extents extents = extents_from_first_rank([&] { return inspect_gauge_file(path).extents; });
  const auto position = job.four("source", "position");
  for (std::size_t mu = 0; mu < 4; ++mu)
    if (position[mu] >= extents[mu])
      throw Error(ErrorKind::job_file,
                  fmt::format("{}: [source] position {} is outside the lattice {} of {}", job.file(),
                              to_string(position), to_string(extents), path));
  on_first_rank([&] { check_output(output, job.flag("output", "overwrite")); });

  const JobContext context = start_job(job, extents);
  const LoadedGauge gauge = load_gauge(context, path);
  Field links(context.geometry, gauge_spec(Precision::double_precision, context.location()));
  copy(links, gauge.field);
  DiracSystem system(context, links, columns);
  const Field b = point_source(context, system.field_spec(columns), position);
  Field x(context.geometry, system.field_spec(columns));
  const FullSolveReport report = system.solve(x, b);
  report_solves(report);
  expect_convergence(job, report);
  const auto pion = pion_correlator(context, x, position[3]);
  for (std::size_t t = 0; t < pion.size(); ++t) log::debug(fmt::format("pion {} {:.17g}", t, pion[t]));
  on_first_rank([&] { write_results(context, gauge, system, report, pion); });
  log::info(fmt::format("wrote {}", output));
  return 0;
}

}  // namespace plaq::jobs
