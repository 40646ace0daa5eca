// Job type gluon: gluon and ghost propagators of fixed gauge fields in momentum space. Results:
//
//   /                      attributes: plaq_version, job_type, job, extents
//   /momenta/...           [momentum] jobs/gluon/momentum_table.hpp
//   /fixing/theta, functional   [configuration]
//   /gluon/propagator, dressing, divergence   [configuration][momentum], in Landau gauge
//   /gluon/spatial, temporal, divergence      [configuration][momentum], in Coulomb gauge
//   /ghost/propagator, dressing, iterations, true_residual   [configuration][ghost_momentum]
//   /gauge/000000, ...     one group a field in the order of measurement: file, checksum, plaquette, link_trace
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "core/system/dry_run.hpp"
#include "core/system/log.hpp"
#include "jobs/common/collective_check.hpp"
#include "jobs/common/print_whole.hpp"
#include "jobs/gluon/ghost_propagator.hpp"
#include "jobs/gluon/momentum_table.hpp"
#include "jobs/results/output_file.hpp"
#include "jobs/results/resume.hpp"
#include "jobs/run/ensemble.hpp"
#include "jobs/run/fixed_gauge.hpp"
#include "jobs/run/job_description.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_types.hpp"
#include "kernels/gluon/gluon_transform.hpp"

namespace plaq::jobs {
namespace {

constexpr double gluon_colors = 8;

class GluonMeasurement {
 public:
  explicit GluonMeasurement(const JobContext& context)
      : context_(context),
        keys_(context.job.get<GluonKeys>()),
        ghost_keys_(context.job.get<GhostKeys>()),
        table_(keys_, context.extents),
        ghosts_(table_.of_ghosts(ghost_keys_)) {}

  Results description() const { return table_.describe(ghosts_); }

  Results operator()(LoadedGauge loaded) const {
    Results results;
    const std::string file = loaded.report.info.path;
    results.numbered_group("/gauge", attributes_of(loaded));
    const MemoryName name("links");
    Field links(context_.geometry, gauge_spec(Precision::double_precision, context_.location()));
    copy(links, std::exchange(loaded.field, {}));
    add_quality(results, links, file);
    add_gluon(results, links);
    if (!ghosts_.empty()) add_ghost(results, links, file);
    return results;
  }

 private:
  void add_quality(Results& results, const Field& links, const std::string& file) const {
    const FixedGauge fixed = expect_fixed(context_, links, keys_.gauge, keys_.max_theta, "gluon", file);
    number(results, "/fixing/theta", fixed.theta,
           keys_.gauge == Gauge::landau ? "gauge precision, average over the lattice"
                                        : "gauge precision of the worst time slice");
    number(results, "/fixing/functional", fixed.functional, "gauge functional");
  }

  static void number(Results& results, const char* path, double value, const char* meaning) {
    results.dataset(path, {}, std::vector<double>{value}, described({}, "1", meaning));
  }
  void column(Results& results, const char* path, std::vector<double> values, const char* units,
              const char* meaning) const {
    const std::size_t count = values.size();
    results.dataset(path, {count}, std::move(values), described({"momentum"}, units, meaning));
  }

  // 1/g0^2 where beta is known: the links have g0 A.
  double coupling_factor() const { return keys_.beta ? *keys_.beta / 6 : 1.0; }

  static double relative_divergence(double longitudinal, double squared, double all) {
    return squared > 0 && all > 0 ? std::sqrt(longitudinal / (squared * all)) : 0;
  }

  void add_gluon(Results& results, const Field& links) const {
    const Phase phase("gluon propagator");
    const MemoryName name("gluon field");
    const GluonTransform transform(*context_.grid, links, context_.queue);
    table_.is_landau() ? add_landau(results, transform) : add_coulomb(results, transform);
  }

  void add_landau(Results& results, const GluonTransform& transform) const {
    const double volume = static_cast<double>(context_.geometry->global_volume());
    std::vector<double> propagator, dressing, divergence;
    for (std::size_t o = 0; o < table_.orbits().size(); ++o) {
      const auto points = transform.points(table_.orbits()[o], table_.time_momenta());
      for (const GluonPoint& point : points) {
        const auto& row = table_.rows()[propagator.size()];
        const double transverse = row.is_zero() ? 4 : 3;
        propagator.push_back(coupling_factor() * point.square / (gluon_colors * transverse * volume));
        dressing.push_back(row.squared * propagator.back());
        divergence.push_back(relative_divergence(point.longitudinal, row.squared, point.square));
      }
    }
    column(results, "/gluon/propagator", propagator, "a^2",
           "D(p^2) = sum_mu,a |A_mu^a(p)|^2 / (8 * 3 V), at p = 0 / (8 * 4 V)");
    column(results, "/gluon/dressing", dressing, "1", "Z(p^2) = p^2 D(p^2)");
    column(results, "/gluon/divergence", divergence, "1",
           "|p A(p)| / (|p| |A(p)|), root of the averages of squares: 0 where the field is transverse");
  }

  void add_coulomb(Results& results, const GluonTransform& transform) const {
    const Extents& extents = context_.extents;
    const double volume = static_cast<double>(extents[0]) * extents[1] * extents[2];
    std::vector<double> spatial, temporal, divergence;
    for (const auto& row : table_.rows()) {
      const SlicePoint point = transform.slices(table_.orbits()[row.orbit]);
      const double transverse = row.is_zero() ? 3 : 2;
      spatial.push_back(coupling_factor() * point.spatial / (gluon_colors * transverse * volume));
      temporal.push_back(coupling_factor() * point.temporal / (gluon_colors * volume));
      divergence.push_back(relative_divergence(point.longitudinal, row.squared, point.spatial));
    }
    column(results, "/gluon/spatial", spatial, "a",
           "equal-time D(p) = sum_i,a |A_i^a(p, t)|^2 / (8 * 2 L^3), at p = 0 / (8 * 3 L^3), average over t");
    column(results, "/gluon/temporal", temporal, "a",
           "equal-time D_44(p) = sum_a |A_t^a(p, t)|^2 / (8 L^3), average over t");
    column(results, "/gluon/divergence", divergence, "1",
           "|p A(p, t)| / (|p| |A(p, t)|) in space, root of the averages of squares: 0 where the field is "
           "transverse");
  }

  void add_ghost(Results& results, const Field& links, const std::string& file) const {
    const Phase phase("ghost propagator");
    const MemoryName name("ghost propagator");
    GhostPropagator ghost({context_.grid.get(), context_.queue, context_.transport}, links, ghost_keys_);
    std::vector<double> propagator, dressing, residual;
    std::vector<std::int64_t> iterations;
    for (const std::size_t i : ghosts_) {
      const auto& row = table_.rows()[i];
      const GhostPoint point = ghost(row.n, file);
      propagator.push_back(point.propagator);
      dressing.push_back(row.squared * point.propagator);
      residual.push_back(point.true_residual);
      iterations.push_back(point.iterations);
    }
    const std::size_t count = ghosts_.size();
    const auto attributes = [](const char* units, const char* meaning) {
      return described({"ghost_momentum"}, units, meaning);
    };
    results.dataset("/ghost/propagator", {count}, propagator,
                    attributes("a^2", "G(p) = sum_a (M^-1)^aa(p) / 8"));
    results.dataset("/ghost/dressing", {count}, dressing, attributes("1", "p^2 G(p)"));
    results.dataset("/ghost/true_residual", {count}, residual,
                    attributes("1", "||b - M x|| / ||b||, the largest of eight colors"));
    results.dataset("/ghost/iterations", {count}, iterations, attributes("1", "the most of eight colors"));
  }

  const JobContext& context_;
  GluonKeys keys_;
  GhostKeys ghost_keys_;
  MomentumTable table_;
  std::vector<std::size_t> ghosts_;
};

// On rank 0.
void print_line(const std::string& file, const Results& results) {
  const auto values = [&](const char* path) -> const std::vector<double>* {
    const Dataset* found = find_dataset(results, path);
    return found != nullptr ? &std::get<std::vector<double>>(found->values) : nullptr;
  };
  const auto* divergence = values("/gluon/divergence");
  std::string line =
      fmt::format("{}  theta {:.2e}  largest divergence {:.1e}", file, values("/fixing/theta")->at(0),
                  *std::max_element(divergence->begin(), divergence->end()));
  if (const auto* d = values("/gluon/propagator")) line += fmt::format("  D(0) {:.9f}", d->at(0));
  if (const auto* d = values("/gluon/spatial")) line += fmt::format("  D(0) {:.9f}", d->at(0));
  if (const auto* g = values("/ghost/dressing"))
    line += fmt::format("  ghost dressing {:.9f} to {:.9f}", g->front(), g->back());
  print_safely("{}\n", line);
  std::fflush(stdout);
}

// On rank 0.
void write_results(const JobContext& context, const OutputKeys& output, const Results& momenta,
                   const Results& results) {
  OutputFile out(output);
  describe_job(out, context.job, context.extents);
  out.write(momenta);
  out.write(results);
  out.commit();
}

}  // namespace

int run_gluon(const JobFile& job) {
  const std::string output = job.get<OutputKeys>().file;
  const EnsembleInput input = find_ensemble(job);
  note_fields(input);
  EarlierRun earlier;  // on rank 0
  if (is_complete_job(earlier, job, files_of_ensemble(job, input))) return 0;
  const JobContext context = start_job(job, input.extents);
  const GluonMeasurement measure(context);
  EnsembleTask task;
  task.title = "gluon";
  task.compute = [&](LoadedGauge& gauge, int) { return measure(std::move(gauge)); };
  task.report = print_line;
  const Results results = run_ensemble(context, input, earlier, task);
  on_first_rank([&] {
    write_results(context, output_keys(job, earlier), measure.description(), results);
    earlier.journal->remove();
  });
  log::info(fmt::format("wrote {}", output));
  return 0;
}

}  // namespace plaq::jobs
