// Three-point functions, [three_point]; datasets: jobs/propagator/three_point_results.hpp.
#include "observables/quark/three_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "jobs/correlators/correlators.hpp"
#include "jobs/propagator/propagator_observable.hpp"
#include "jobs/propagator/three_point_results.hpp"
#include "jobs/schema/common_keys.hpp"
#include "kernels/gauge/link_copies.hpp"
#include "quarks/action/conserved_current.hpp"
#include "settings/quark/quark_observable_tables.hpp"
#include "settings/quark/source_kind.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

constexpr int most_lattice = 1 << 20;  // extents of a lattice that a file says later

const char* name_of_times(const ThreePointKeys& keys) {
  return keys.sink_times.empty() ? "three_point.sink_time" : "three_point.sink_times";
}

void check_three_point(Problems& problems, const ThreePointKeys& keys, const QuarkSmearingKeys& smearing,
                       const LatticeKeys& lattice, const Settings& job) {
  if (!keys) return;
  if (action_of_any_mass(job)->spins() == 1)
    problems.add("three_point.insertions", "need quarks with spin; staggered quarks have none");
  if (!action_of_any_mass(job)->gamma5_hermitian())
    problems.add("three_point.insertions",
                 "of twisted-mass quarks need propagators of both flavours, which a job does not make");
  if (keys.sink_time == 0 && keys.sink_times.empty())
    problems.missing("three_point.sink_time", "time slices from source to sink; for example sink_time = 10");
  if (keys.sink_time != 0 && !keys.sink_times.empty())
    problems.add("three_point.sink_times", "stand in the place of sink_time; leave one of the two out");
  if (std::adjacent_find(keys.sink_times.begin(), keys.sink_times.end(), std::greater_equal<>()) !=
      keys.sink_times.end())
    problems.add("three_point.sink_times", "must rise, and none may be there twice");
  if (lattice.extents) {
    const Extents& extents = *lattice.extents;
    for (const int time : keys.settings().times())
      if (time >= extents[3])
        problems.add(name_of_times(keys),
                     fmt::format("time slices from the source are 1 to {}", extents[3] - 1));
    if (const auto why = validate_momentum(keys.sink_momentum, extents))
      problems.add("three_point.sink_momentum", *why);
  }
  const Extents any = {most_lattice, most_lattice, most_lattice, most_lattice};
  if (const auto fault = fault_of(keys.settings().bilinears, lattice.extents.value_or(any)))
    problems.add(KeyName("three_point", fault->first), fault->second);
  if (keys.conserved && !conserved_current_weights(*action_of_any_mass(job)))
    problems.add(
        "three_point.conserved",
        "is of Wilson and clover quarks, and of domain walls with omega + sigma > 0 whose quarks are "
        "gamma5-hermitian: omega - sigma is the same on all slices, or all weights are the same read "
        "backwards");
  if (const ActionPtr action = action_of_any_mass(job);
      keys.conserved && !job.get<DeflationFiles>().directory.empty() && action_through_sink(action) != action)
    problems.add(
        "three_point.conserved",
        "of domain walls whose weights are not the same read backwards solves with these weights, too, "
        "of which [solver] deflation has no modes; leave one of the two out");
  if (keys.sink_momentum != Momentum{} && first_source(job)->is_noise())
    problems.add("three_point.sink_momentum", "is of a noise source, which has momentum 0 alone");
  if (keys.has_nucleon() && first_source(job)->is_noise())
    problems.add(
        "three_point.insertions",
        "of the proton need three quarks from one point, which noise gives only for two; take a point "
        "source");
  if (keys.smeared_sink && smearing.parameters.steps == 0)
    problems.add("three_point.smeared_sink", "needs [quark_smearing] with steps of at least 1");
}

// Throws Error(job_file) where a sink is not on the lattice.
ThreePointSettings three_point_settings(const Settings& job, const Extents& extents) {
  const auto keys = job.get<ThreePointKeys>();
  ThreePointSettings settings = keys.settings();
  settings.momenta = momenta_up_to(job.get<CorrelatorKeys>().max_momentum_squared, extents);
  if (!keys) return settings;
  for (const int time : settings.times())
    if (time >= extents[3])
      throw Error(ErrorKind::job_file,
                  fmt::format("{}: [three_point] {} {} is not on the lattice {}: time slices from the source "
                              "are 1 to {}",
                              job.origin(), keys.sink_times.empty() ? "sink_time" : "sink_times", time,
                              to_string(extents), extents[3] - 1));
  if (const auto why = validate_momentum(settings.sink_momentum, extents))
    throw Error(ErrorKind::job_file, fmt::format("{}: [three_point] sink_momentum: {}", job.origin(), *why));
  if (const auto fault = fault_of(settings.bilinears, extents))
    throw Error(ErrorKind::job_file,
                fmt::format("{}: [three_point] {} {}", job.origin(), fault->first, fault->second));
  return settings;
}

class ThreePointMeasurement final : public QuarkMeasurement {
 public:
  explicit ThreePointMeasurement(const JobContext& context)
      : context_(context),
        three_points_(context, three_point_settings(context.job, context.extents),
                      context.job.get<ActionKeys>().boundary[3]),
        smeared_sink_(context.job.get<ThreePointKeys>().smeared_sink) {}

  QuarkNeeds needs() const override {
    return {.current = has_walls(),
            .smearing = smeared_sink_,
            .solves = static_cast<int>(three_points_.settings().insertions.size() *
                                       three_points_.settings().times().size())};
  }
  void begin(const LoadedGauge& gauge) override {
    const BilinearSettings& asked = three_points_.settings().bilinears;
    if (!asked.any()) return;
    const MemoryName name("links of point-split operators");
    const ActionPtr action = action_of_any_mass(context_.job);
    const bool thin = context_.job.get<ThreePointKeys>().operator_links == OperatorLinks::gauge;
    BilinearLinks links{.boundary = action->boundary(),
                        .weights = conserved_current_weights(*action).value_or(std::array<double, 4>{})};
    const Field of_action = asked.conserved || !thin ? links_of_action(gauge.field) : Field();
    if (asked.conserved) links.action = of_action;
    if (asked.has_hops()) links.hops = thin ? links_without_halo(context_, gauge.field) : of_action;
    three_points_.set_links(std::move(links));
  }
  Results measure(const SourceQuarks& from) override {
    Results results;
    const auto all =
        three_points_(has_walls() ? *from.through_sink : from.solver.only(),
                      smeared_sink_ ? from.smearing : nullptr, from.quarks.front(), from.position,
                      from.gauge.report.info.path, from.approximation, has_walls() ? &from.current : nullptr);
    const std::size_t times = three_points_.settings().times().size();
    for (std::size_t i = 0; i < all.size(); i += times)
      add_three_point(results, std::span(all).subspan(i, times), three_points_,
                      smeared_sink_ ? "smeared" : "point", from.summed);
    return results;
  }

 private:
  // Conserved currents of domain walls.
  bool has_walls() const {
    return three_points_.settings().bilinears.conserved && action_of_any_mass(context_.job)->has_walls();
  }

  // Leaves the gauge field as it is.
  Field links_of_action(const Field& extended) const {
    const auto smearing = context_.job.get<ActionSmearing>();
    if (!smearing.links.smears()) return links_without_halo(context_, extended);
    Field gauge(extended.geometry_ptr(), extended.spec());
    copy(gauge, extended);
    return fermion_links(context_, gauge, smearing).gauge;
  }

  const JobContext& context_;
  ThreePoints three_points_;
  bool smeared_sink_;
};

class ThreePointObservable final : public PropagatorObservable {
 public:
  const char* key() const override { return "three_point.insertions"; }
  bool is_asked(const Settings& job) const override { return static_cast<bool>(job.get<ThreePointKeys>()); }
  bool takes_approximations() const override { return true; }
  std::vector<Table> tables() const override { return {three_point_table()}; }
  std::vector<Rule> rules() const override {
    return {{{"three_point.insertions", "three_point.sink_time", "three_point.sink_times",
              "three_point.sink_momentum", "three_point.smeared_sink", "three_point.conserved",
              "three_point.derivatives", "three_point.line_directions", "three_point.line_length",
              "action.type", "action.twisted_mass", "solver.deflation", "source.type", "quark_smearing.steps",
              "lattice.extents"},
             "Three-point functions need quarks with spin, without a twist, and one sink time or several. "
             "Those of the proton, and with a momentum of the sink, do not allow noise. The conserved "
             "current is of Wilson and clover quarks, and of domain walls with gamma5-hermitian quarks.",
             check_three_point}};
  }
  void check(const Settings& job, const Extents& extents) const override {
    three_point_settings(job, extents);
  }
  std::unique_ptr<QuarkMeasurement> measurement(const JobContext& context) const override {
    return std::make_unique<ThreePointMeasurement>(context);
  }
};

}  // namespace

const PropagatorObservable& three_point_functions() {
  static const ThreePointObservable observable;
  return observable;
}

}  // namespace plaq::jobs
