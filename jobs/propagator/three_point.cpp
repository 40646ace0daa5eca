// Three-point functions, [three_point]:
//
//   /three_point/INSERTION/CURRENT/p_X_Y_Z   [t][real, imaginary]  of one source
//   /three_point/INSERTION/true_residual     [column]
#include "observables/quark/three_point.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "jobs/correlators/correlators.hpp"
#include "jobs/propagator/propagator_observable.hpp"
#include "jobs/schema/common_keys.hpp"
#include "settings/quark/quark_observable_tables.hpp"
#include "settings/quark/source_kind.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

void check_three_point(Problems& problems, const ThreePointKeys& keys, const QuarkSmearingKeys& smearing,
                       const LatticeKeys& lattice, const Settings& job) {
  if (!keys) return;
  if (action_of_any_mass(job)->spins() == 1)
    problems.add("three_point.insertions", "need quarks with spin; staggered quarks have none");
  if (!action_of_any_mass(job)->gamma5_hermitian())
    problems.add("three_point.insertions",
                 "of twisted-mass quarks need propagators of both flavours, which a job does not make");
  if (keys.sink_time == 0)
    problems.missing("three_point.sink_time", "time slices from source to sink; for example sink_time = 10");
  if (lattice.extents && keys.sink_time >= (*lattice.extents)[3])
    problems.add("three_point.sink_time",
                 fmt::format("time slices from the source are 1 to {}", (*lattice.extents)[3] - 1));
  if (keys.has_nucleon() && first_source(job)->is_noise())
    problems.add(
        "three_point.insertions",
        "of the proton need three quarks from one point, which noise gives only for two; take a point "
        "source");
  if (keys.smeared_sink && smearing.parameters.steps == 0)
    problems.add("three_point.smeared_sink", "needs [quark_smearing] with steps of at least 1");
}

// Throws Error(job_file) where the sink is not on the lattice.
ThreePointSettings three_point_settings(const Settings& job, const Extents& extents) {
  const auto keys = job.get<ThreePointKeys>();
  ThreePointSettings settings = keys.settings();
  settings.momenta = momenta_up_to(job.get<CorrelatorKeys>().max_momentum_squared, extents);
  if (keys && keys.sink_time >= extents[3])
    throw Error(
        ErrorKind::job_file,
        fmt::format("{}: [three_point] sink_time {} is not on the lattice {}: time slices from the source "
                    "are 1 to {}",
                    job.origin(), keys.sink_time, to_string(extents), extents[3] - 1));
  return settings;
}

std::string formula_of(Insertion insertion) {
  const std::string c3 = "C3(t) = sum_y exp(-i q (y - x_source)) ",
                    at = " at the sink time, p = 0, connected";
  if (insertion == Insertion::pion)
    return c3 + "<P(sink) J(y, t) P^dagger(source)>, J = qbar Gamma q of the quark that runs forward," + at;
  const bool polarized = insertion == Insertion::up_polarized || insertion == Insertion::down_polarized;
  const bool up = insertion == Insertion::up || insertion == Insertion::up_polarized;
  return fmt::format(
      "{}tr[P <chi(sink) J(y, t) chibar(source)>], J = {} Gamma {}, chi = eps (u^T C gamma5 d) u, P = {},{}; "
      "the boundary's sign in time is taken out as of C(t)",
      c3, up ? "ubar" : "dbar", up ? "u" : "d",
      polarized ? "(1 + gamma_t)/2 i gamma5 gamma_z" : "(1 + gamma_t)/2", at);
}

// `of`: what made the functions. `sink`: "smeared" or "point". `summed`: over what, at the source.
void add_three_point(Results& results, const ThreePointFunctions& found, const ThreePoints& of,
                     const std::string& sink, const std::string& summed) {
  const std::string group =
      fmt::format("/three_point/{}", insertion_names[static_cast<std::size_t>(found.insertion)]);
  results.dataset(
      group + "/true_residual", {found.true_residuals.size()}, found.true_residuals,
      described({"column"}, "1", "||b - M x|| / ||b|| of the sequential propagator, as of /solves"));
  for (std::size_t current = 0; current < found.values.size(); ++current)
    for (std::size_t momentum = 0; momentum < of.settings().momenta.size(); ++momentum) {
      const Momentum& n = of.settings().momenta[momentum];
      const auto& values = found.values[current][momentum];
      std::vector<double> parts;
      for (const auto& c : values) parts.insert(parts.end(), {c.real(), c.imag()});
      results.dataset(fmt::format("{}/{}/p_{}_{}_{}", group, of.currents()[current].name, n[0], n[1], n[2]),
                      {values.size(), 2}, std::move(parts),
                      {{"axes", std::vector<std::string>{"t", "real, imaginary"}},
                       {"units", std::string("lattice units")},
                       {"momentum", std::vector<std::int64_t>(n.begin(), n.end())},
                       {"momentum_units", std::string("2 pi / L of each direction: x, y, z")},
                       {"normalization", fmt::format("{}, summed {}, no volume factor, bare current",
                                                     formula_of(found.insertion), summed)},
                       {"sink", sink},
                       {"sink_time", std::int64_t{of.settings().sink_time}},
                       {"t", std::string("of the current, counts from the source")}});
    }
}

class ThreePointMeasurement final : public QuarkMeasurement {
 public:
  explicit ThreePointMeasurement(const JobContext& context)
      : three_points_(context, three_point_settings(context.job, context.extents),
                      context.job.get<ActionKeys>().boundary[3]),
        smeared_sink_(context.job.get<ThreePointKeys>().smeared_sink) {}

  QuarkNeeds needs() const override {
    return {.smearing = smeared_sink_,
            .solves = static_cast<int>(three_points_.settings().insertions.size())};
  }
  Results measure(const SourceQuarks& from) override {
    Results results;
    for (const ThreePointFunctions& found :
         three_points_(from.solver.only(), smeared_sink_ ? from.smearing : nullptr, from.quarks.front(),
                       from.position, from.gauge.report.info.path, from.approximation))
      add_three_point(results, found, three_points_, smeared_sink_ ? "smeared" : "point", from.summed);
    return results;
  }

 private:
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
    return {{{"three_point.insertions", "three_point.sink_time", "three_point.smeared_sink", "action.type",
              "action.twisted_mass", "source.type", "quark_smearing.steps", "lattice.extents"},
             "Three-point functions need quarks with spin, without a twist, and a sink time. Those of the "
             "proton do not allow noise.",
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
