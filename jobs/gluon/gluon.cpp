// Job type gluon: gluon and ghost propagators of fixed gauge fields in momentum space. Results:
//
//   /                      attributes: plaq_version, job_type, job, extents
//   /momenta/...           [momentum] observables/gluon/gluon_momenta.hpp
//   /fixing/theta, functional   [configuration]
//   /gluon/propagator, dressing, divergence   [configuration][momentum], in Landau gauge
//   /gluon/spatial, temporal, divergence      [configuration][momentum], in Coulomb gauge
//   /ghost/propagator, dressing, iterations, true_residual   [configuration][ghost_momentum]
//   /gauge/000000, ...     one group a field in the order of measurement: file, checksum, plaquette,
//                          link_trace
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include "comms/communicator/collective.hpp"
#include "core/system/dry_run.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/run/ensemble_job.hpp"
#include "jobs/run/job_context.hpp"
#include "jobs/schema/common_keys.hpp"
#include "jobs/schema/job_file.hpp"
#include "jobs/schema/job_types.hpp"
#include "jobs/schema/slurm_keys.hpp"
#include "observables/gluon/ghost_propagator.hpp"
#include "observables/gluon/gluon_propagator.hpp"
#include "settings/gauge/gauge_observable_tables.hpp"

namespace plaq::jobs {

namespace {

// [gluon] is a GluonSettings, [ghost] a GhostSettings.
const Schema& gluon_schema() {
  static const Schema schema{
      "gluon",
      "Compute the gluon propagator in Landau or Coulomb gauge and the ghost propagator in Landau gauge, in "
      "momentum space.",
      {top_table("gluon"), lattice_table(LatticeFrom::file), gauge_files_table("of measurement"),
       gluon_table(), ghost_table(), output_table("HDF5 file for the propagators.", "\"gluon.h5\""),
       comms_table(), run_table(), slurm_table()},
      joined<Rule>({common_rules(), {ghost_rule()}})};
  return schema;
}

// /momenta/n, p_squared, count, in_cylinder, in_cone [momentum]; with ghosts /ghost/momentum
// [ghost_momentum].
Results describe(const GluonMomenta& momenta, const std::vector<std::size_t>& ghosts) {
  Results results;
  const std::size_t count = momenta.rows().size(),
                    directions = static_cast<std::size_t>(momenta.directions());
  std::vector<std::int64_t> n, members, cylinder, cone;
  std::vector<double> squared;
  for (const GluonMomenta::Row& row : momenta.rows()) {
    n.insert(n.end(), row.n.begin(), row.n.begin() + momenta.directions());
    squared.push_back(row.squared);
    members.push_back(row.count);
    cylinder.push_back(row.in_cylinder ? 1 : 0);
    cone.push_back(row.in_cone ? 1 : 0);
  }
  const std::vector<std::string> axis{"momentum"};
  results.dataset("/momenta/n", {count, directions}, n,
                  described({"momentum", "direction"}, "2 pi / L of each direction",
                            "one of the momenta that are averaged"));
  results.dataset("/momenta/p_squared", {count}, squared,
                  described(axis, "a^-2", "sum over directions of 4 sin^2(pi n / L)"));
  results.dataset("/momenta/count", {count}, members, described(axis, "1", "momenta that are averaged"));
  results.dataset("/momenta/in_cylinder", {count}, cylinder,
                  described(axis, "1", "1 where the cylinder cut lets it through"));
  results.dataset("/momenta/in_cone", {count}, cone,
                  described(axis, "1", "1 where the cone cut lets it through"));
  if (!ghosts.empty())
    results.dataset("/ghost/momentum", {ghosts.size()},
                    std::vector<std::int64_t>(ghosts.begin(), ghosts.end()),
                    described({"ghost_momentum"}, "1", "number of the momentum in /momenta"));
  return results;
}

void add_column(Results& results, const char* path, std::vector<double> values, const char* units,
                const char* meaning) {
  const std::size_t count = values.size();
  results.dataset(path, {count}, std::move(values), described({"momentum"}, units, meaning));
}

// p^2 times a propagator.
std::vector<double> dressing_of(const std::vector<double>& propagator, const GluonMomenta& momenta) {
  std::vector<double> dressing;
  for (std::size_t i = 0; i < propagator.size(); ++i)
    dressing.push_back(momenta.rows()[i].squared * propagator[i]);
  return dressing;
}

void add_gluon(Results& results, const GluonPropagator& found, const GluonMomenta& momenta) {
  if (momenta.is_landau()) {
    add_column(results, "/gluon/propagator", found.propagator, "a^2",
               "D(p^2) = sum_mu,a |A_mu^a(p)|^2 / (8 * 3 V), at p = 0 / (8 * 4 V)");
    add_column(results, "/gluon/dressing", dressing_of(found.propagator, momenta), "1",
               "Z(p^2) = p^2 D(p^2)");
    add_column(results, "/gluon/divergence", found.divergence, "1",
               "|p A(p)| / (|p| |A(p)|), root of the averages of squares: 0 where the field is transverse");
    return;
  }
  add_column(
      results, "/gluon/spatial", found.propagator, "a",
      "equal-time D(p) = sum_i,a |A_i^a(p, t)|^2 / (8 * 2 L^3), at p = 0 / (8 * 3 L^3), average over t");
  add_column(results, "/gluon/temporal", found.temporal, "a",
             "equal-time D_44(p) = sum_a |A_t^a(p, t)|^2 / (8 L^3), average over t");
  add_column(results, "/gluon/divergence", found.divergence, "1",
             "|p A(p, t)| / (|p| |A(p, t)|) in space, root of the averages of squares: 0 where the field is "
             "transverse");
}

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

class GluonJob : public EnsembleJob {
 public:
  explicit GluonJob(const JobFile& job)
      : EnsembleJob(job), settings_(job.get<GluonSettings>()), ghost_settings_(job.get<GhostSettings>()) {}

 private:
  void prepare() override {
    momenta_.emplace(settings_, context().extents);
    ghosts_ = momenta_->of_ghosts(ghost_settings_);
  }

  Results compute(LoadedGauge& loaded, int /*part*/) override {
    Results results;
    const std::string file = loaded.report.info.path;
    results.numbered_group("/gauge", attributes_of(loaded));
    const MemoryName name("links");
    Field links(context().geometry, gauge_spec(Precision::double_precision, context().location()));
    copy(links, std::exchange(loaded.field, {}));
    add_quality(results, links, file);
    add_gluon(results, gluon_propagator(context(), links, *momenta_, settings_.beta), *momenta_);
    if (!ghosts_.empty()) add_ghost(results, links, file);
    return results;
  }

  void report(const std::string& file, const Results& field) const override { print_line(file, field); }
  void describe(OutputFile& out) const override { out.write(jobs::describe(*momenta_, ghosts_)); }

  void add_quality(Results& results, const Field& links, const std::string& file) const {
    const FixedGauge fixed =
        expect_fixed(context(), links, settings_.gauge, settings_.max_theta, "gluon", file);
    number(results, "/fixing/theta", fixed.theta,
           settings_.gauge == Gauge::landau ? "gauge precision, average over the lattice"
                                            : "gauge precision of the worst time slice");
    number(results, "/fixing/functional", fixed.functional, "gauge functional");
  }

  static void number(Results& results, const char* path, double value, const char* meaning) {
    results.dataset(path, {}, std::vector<double>{value}, described({}, "1", meaning));
  }

  void add_ghost(Results& results, const Field& links, const std::string& file) const {
    const Phase phase("ghost propagator");
    const MemoryName name("ghost propagator");
    GhostPropagator ghost(context(), links, ghost_settings_);
    std::vector<double> propagator, dressing, residual;
    std::vector<std::int64_t> iterations;
    for (const std::size_t i : ghosts_) {
      const auto& row = momenta_->rows()[i];
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

  GluonSettings settings_;
  GhostSettings ghost_settings_;
  std::optional<GluonMomenta> momenta_;
  std::vector<std::size_t> ghosts_;
};

}  // namespace

extern constinit const JobType gluon_job{.name = "gluon", .schema = gluon_schema, .run = run_as<GluonJob>};

}  // namespace plaq::jobs
