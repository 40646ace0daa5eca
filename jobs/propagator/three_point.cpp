// Three-point functions, [three_point]:
//
//   /three_point/INSERTION/CURRENT/p_X_Y_Z   [t][real, imaginary]  of one source
//   /three_point/INSERTION/true_residual     [column]
//
// With sink_times both have an axis [sink_time] in front.
#include "observables/quark/three_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/system/error.hpp"
#include "jobs/correlators/correlators.hpp"
#include "jobs/propagator/propagator_observable.hpp"
#include "jobs/schema/common_keys.hpp"
#include "settings/quark/quark_observable_tables.hpp"
#include "settings/quark/source_kind.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

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
    problems.add("three_point.sink_times", "stand in the place of sink_time; leave one of both out");
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
  return settings;
}

std::string formula_of(Insertion insertion, const Momentum& sink) {
  const bool rests = sink == Momentum{};
  const std::string c3 = rests ? "C3(t) = sum_y exp(-i q (y - x_source)) "
                               : "C3(t) = sum_x,y exp(-i p' (x - x_source) - i q (y - x_source)) ",
                    at = rests ? " at the sink time, p = 0, connected" : " at the sink time, connected";
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

// The functions of one insertion at all sink times, of the part of a result that is made with them.
struct AtSinkTimes {
  const ThreePointFunctions* first;
  const ThreePointSettings& settings;

  // An axis in front of the others where the job gives several sink times.
  bool has_axis() const { return !settings.sink_times.empty(); }
  template <class T>
  std::vector<T> with_axis(std::vector<T> inner, const T& axis) const {
    if (has_axis()) inner.insert(inner.begin(), axis);
    return inner;
  }
  std::vector<std::size_t> shape(const std::vector<std::size_t>& inner) const {
    return with_axis(inner, settings.times().size());
  }
  std::vector<std::string> axes(const std::vector<std::string>& inner) const {
    return with_axis(inner, std::string("sink_time"));
  }
  Attribute sink_time() const {
    if (!has_axis()) return std::int64_t{settings.sink_time};
    return std::vector<std::int64_t>(settings.sink_times.begin(), settings.sink_times.end());
  }
  // `of(functions)` of all sink times after each other.
  template <class Of>
  std::vector<double> joined(const Of& of) const {
    std::vector<double> all;
    for (std::size_t k = 0; k < settings.times().size(); ++k) {
      const std::vector<double> one = of(first[k]);
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }
};

std::vector<double> parts_of(const std::vector<std::complex<double>>& values) {
  std::vector<double> parts;
  for (const auto& c : values) parts.insert(parts.end(), {c.real(), c.imag()});
  return parts;
}

// `of`: what made the functions. `sink`: "smeared" or "point". `summed`: over what, at the source.
void add_three_point(Results& results, const AtSinkTimes& found, const ThreePoints& of,
                     const std::string& sink, const std::string& summed) {
  const ThreePointFunctions& one = *found.first;
  const std::string group =
      fmt::format("/three_point/{}", insertion_names[static_cast<std::size_t>(one.insertion)]);
  results.dataset(group + "/true_residual", found.shape({one.true_residuals.size()}),
                  found.joined([](const ThreePointFunctions& at) { return at.true_residuals; }),
                  described(found.axes({"column"}), "1",
                            "||b - M x|| / ||b|| of the sequential propagator, as of /solves"));
  const Momentum& p = of.settings().sink_momentum;
  for (std::size_t current = 0; current < one.values.size(); ++current)
    for (std::size_t momentum = 0; momentum < of.settings().momenta.size(); ++momentum) {
      const Momentum& n = of.settings().momenta[momentum];
      Attributes attributes = {{"axes", found.axes({"t", "real, imaginary"})},
                               {"units", std::string("lattice units")},
                               {"momentum", std::vector<std::int64_t>(n.begin(), n.end())},
                               {"momentum_units", std::string("2 pi / L of each direction: x, y, z")},
                               {"normalization", fmt::format("{}, summed {}, no volume factor, bare current",
                                                             formula_of(one.insertion, p), summed)},
                               {"sink", sink},
                               {"sink_time", found.sink_time()},
                               {"t", std::string("of the current, counts from the source")}};
      if (p != Momentum{})
        attributes.emplace_back("sink_momentum", std::vector<std::int64_t>(p.begin(), p.end()));
      results.dataset(
          fmt::format("{}/{}/p_{}_{}_{}", group, of.currents()[current].name, n[0], n[1], n[2]),
          found.shape({one.values[current][momentum].size(), 2}),
          found.joined([&](const ThreePointFunctions& at) { return parts_of(at.values[current][momentum]); }),
          attributes);
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
            .solves = static_cast<int>(three_points_.settings().insertions.size() *
                                       three_points_.settings().times().size())};
  }
  Results measure(const SourceQuarks& from) override {
    Results results;
    const auto found =
        three_points_(from.solver.only(), smeared_sink_ ? from.smearing : nullptr, from.quarks.front(),
                      from.position, from.gauge.report.info.path, from.approximation);
    const std::size_t times = three_points_.settings().times().size();
    for (std::size_t i = 0; i < found.size(); i += times)
      add_three_point(results, {&found[i], three_points_.settings()}, three_points_,
                      smeared_sink_ ? "smeared" : "point", from.summed);
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
    return {{{"three_point.insertions", "three_point.sink_time", "three_point.sink_times",
              "three_point.sink_momentum", "three_point.smeared_sink", "action.type", "action.twisted_mass",
              "source.type", "quark_smearing.steps", "lattice.extents"},
             "Three-point functions need quarks with spin, without a twist, and one sink time or several. "
             "Those of the proton, and with a momentum of the sink, do not allow noise.",
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
