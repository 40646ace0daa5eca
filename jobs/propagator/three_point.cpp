// Three-point functions, [three_point]:
//
//   /three_point/INSERTION/CURRENT/p_X_Y_Z   [t][real, imaginary]  of one source
//   /three_point/INSERTION/true_residual     [column]
//
//   /conserved/INSERTION/vector_MU/p_X_Y_Z               [t][real, imaginary]
//   /derivative/INSERTION/DIRECTIONS/GAMMA/p_X_Y_Z       [t][real, imaginary]
//   /wilson_line/INSERTION/DIRECTION/GAMMA/p_X_Y_Z       [z][t][real, imaginary]
//
// With sink_times all have an axis [sink_time] in front.
#include "observables/quark/three_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "jobs/correlators/correlators.hpp"
#include "jobs/propagator/propagator_observable.hpp"
#include "jobs/schema/common_keys.hpp"
#include "kernels/gauge/link_copies.hpp"
#include "observables/quark/quark_loop_settings.hpp"
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
  const Extents any = {most_lattice, most_lattice, most_lattice, most_lattice};
  if (const auto fault = fault_of(keys.settings().bilinears, lattice.extents.value_or(any)))
    problems.add(KeyName("three_point", fault->first), fault->second);
  if (keys.conserved && !conserved_current_weights(*action_of_any_mass(job)))
    problems.add(
        "three_point.conserved",
        "is of Wilson and clover quarks: others have no such current on the links of four dimensions");
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

// What acts on a quark line.
enum class Operator { current, conserved, derivative, line };

// The operator, of an antiquark and a quark by name.
std::string operator_text(Operator one, const std::string& qbar, const std::string& q) {
  switch (one) {
    case Operator::current:
      return fmt::format("{} Gamma {}", qbar, q);
    case Operator::conserved:
      return fmt::format(
          "(w/2) [{0}(y + mu) (1 + gamma_mu) U_mu(y)^dagger {1}(y) - {0}(y) (1 - gamma_mu) U_mu(y) {1}(y + "
          "mu)], w = 1 or nu/xi in space",
          qbar, q);
    case Operator::derivative:
      return fmt::format("{} Gamma D ... D {}, D = (D to the right - D to the left) / 2", qbar, q);
    case Operator::line:
      return fmt::format("{}(y) Gamma W(y, y + z) {}(y + z)", qbar, q);
  }
  return {};
}

std::string formula_of(Insertion insertion, const Momentum& sink, Operator one) {
  const bool rests = sink == Momentum{};
  const std::string c3 = rests ? "C3(t) = sum_y exp(-i q (y - x_source)) "
                               : "C3(t) = sum_x,y exp(-i p' (x - x_source) - i q (y - x_source)) ",
                    at = rests ? " at the sink time, p = 0, connected" : " at the sink time, connected";
  if (insertion == Insertion::pion)
    return fmt::format("{}<P(sink) J(y, t) P^dagger(source)>, J = {} of the quark that runs forward,{}", c3,
                       operator_text(one, "qbar", "q"), at);
  const bool polarized = insertion == Insertion::up_polarized || insertion == Insertion::down_polarized;
  const bool up = insertion == Insertion::up || insertion == Insertion::up_polarized;
  return fmt::format(
      "{}tr[P <chi(sink) J(y, t) chibar(source)>], J = {}, chi = eps (u^T C gamma5 d) u, P = {},{}; "
      "the boundary's sign in time is taken out as of C(t)",
      c3, up ? operator_text(one, "ubar", "u") : operator_text(one, "dbar", "d"),
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

// Datasets of the functions of one insertion.
class InsertionResults {
 public:
  // `sink`: "smeared" or "point". `summed`: over what, at the source.
  InsertionResults(Results& results, const AtSinkTimes& found, std::string sink, std::string summed)
      : results_(results), found_(found), sink_(std::move(sink)), summed_(std::move(summed)) {}

  // A dataset of each momentum below a group: `of(functions, momentum)` at a sink time, [t] or [z][t].
  template <class Of>
  void add(const std::string& group, Operator one, const Of& of) const {
    const std::size_t slices = found_.first->values.front().front().size();
    for (std::size_t momentum = 0; momentum < found_.settings.momenta.size(); ++momentum) {
      const Momentum& n = found_.settings.momenta[momentum];
      std::vector<std::size_t> shape = {slices, 2};
      std::vector<std::string> axes = {"t", "real, imaginary"};
      if (one == Operator::line) {
        shape.insert(shape.begin(), static_cast<std::size_t>(2 * line_length() + 1));
        axes.insert(axes.begin(), "z");
      }
      results_.dataset(
          fmt::format("{}/p_{}_{}_{}", group, n[0], n[1], n[2]), found_.shape(shape),
          found_.joined([&](const ThreePointFunctions& at) { return parts_of(of(at, momentum)); }),
          attributes(n, one, axes));
    }
  }
  std::string group(const char* kind) const {
    return fmt::format("/{}/{}", kind, insertion_names[static_cast<std::size_t>(found_.first->insertion)]);
  }

 private:
  int line_length() const { return found_.settings.bilinears.line_length; }
  Attributes attributes(const Momentum& n, Operator one, const std::vector<std::string>& axes) const {
    const Momentum& p = found_.settings.sink_momentum;
    Attributes all = {
        {"axes", found_.axes(axes)},
        {"units", std::string("lattice units")},
        {"momentum", std::vector<std::int64_t>(n.begin(), n.end())},
        {"momentum_units", std::string("2 pi / L of each direction: x, y, z")},
        {"normalization",
         fmt::format("{}, summed {}, no volume factor, {}", formula_of(found_.first->insertion, p, one),
                     summed_, one == Operator::conserved ? "conserved current" : "bare current")},
        {"sink", sink_},
        {"sink_time", found_.sink_time()},
        {"t", std::string("of the current, counts from the source")}};
    if (p != Momentum{}) all.emplace_back("sink_momentum", std::vector<std::int64_t>(p.begin(), p.end()));
    if (one == Operator::line) {
      std::vector<std::int64_t> z(static_cast<std::size_t>(2 * line_length() + 1));
      std::iota(z.begin(), z.end(), -line_length());
      all.emplace_back("z", z);
    }
    return all;
  }

  Results& results_;
  const AtSinkTimes& found_;
  std::string sink_, summed_;
};

void add_three_point(Results& results, const AtSinkTimes& found, const std::vector<MesonChannel>& currents,
                     const InsertionResults& to) {
  const std::string group = to.group("three_point");
  results.dataset(group + "/true_residual", found.shape({found.first->true_residuals.size()}),
                  found.joined([](const ThreePointFunctions& at) { return at.true_residuals; }),
                  described(found.axes({"column"}), "1",
                            "||b - M x|| / ||b|| of the sequential propagator, as of /solves"));
  for (std::size_t current = 0; current < currents.size(); ++current)
    to.add(group + "/" + currents[current].name, Operator::current,
           [&](const ThreePointFunctions& at, std::size_t momentum) { return at.values[current][momentum]; });
}

void add_bilinears(const AtSinkTimes& found, const InsertionResults& to) {
  const BilinearSettings& settings = found.settings.bilinears;
  const char* const directions[] = {"x", "y", "z", "t"};
  if (settings.conserved)
    for (std::size_t mu = 0; mu < 4; ++mu)
      to.add(to.group("conserved") + "/vector_" + directions[mu], Operator::conserved,
             [&](const ThreePointFunctions& at, std::size_t momentum) {
               return at.bilinears.conserved[mu][momentum];
             });
  const auto& gammas = all_loop_currents();
  for (std::size_t i = 0; i < settings.derivatives.size(); ++i)
    for (std::size_t gamma = 0; gamma < gammas.size(); ++gamma)
      to.add(fmt::format("{}/{}/{}", to.group("derivative"), settings.derivatives[i], gammas[gamma].name),
             Operator::derivative, [&](const ThreePointFunctions& at, std::size_t momentum) {
               return at.bilinears.derivatives[i][gamma][momentum];
             });
  for (std::size_t i = 0; i < settings.line_directions.size(); ++i)
    for (std::size_t gamma = 0; gamma < gammas.size(); ++gamma)
      to.add(fmt::format("{}/{}/{}", to.group("wilson_line"), directions[settings.line_directions[i]],
                         gammas[gamma].name),
             Operator::line, [&](const ThreePointFunctions& at, std::size_t momentum) {
               std::vector<std::complex<double>> of_z;
               for (const Correlators& one : at.bilinears.lines[i])
                 of_z.insert(of_z.end(), one[gamma][momentum].begin(), one[gamma][momentum].end());
               return of_z;
             });
}

class ThreePointMeasurement final : public QuarkMeasurement {
 public:
  explicit ThreePointMeasurement(const JobContext& context)
      : context_(context),
        three_points_(context, three_point_settings(context.job, context.extents),
                      context.job.get<ActionKeys>().boundary[3]),
        smeared_sink_(context.job.get<ThreePointKeys>().smeared_sink) {}

  QuarkNeeds needs() const override {
    return {.smearing = smeared_sink_,
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
        three_points_(from.solver.only(), smeared_sink_ ? from.smearing : nullptr, from.quarks.front(),
                      from.position, from.gauge.report.info.path, from.approximation);
    const std::size_t times = three_points_.settings().times().size();
    for (std::size_t i = 0; i < all.size(); i += times) {
      const AtSinkTimes found{&all[i], three_points_.settings()};
      const InsertionResults to(results, found, smeared_sink_ ? "smeared" : "point", from.summed);
      add_three_point(results, found, three_points_.currents(), to);
      add_bilinears(found, to);
    }
    return results;
  }

 private:
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
              "action.type", "action.twisted_mass", "source.type", "quark_smearing.steps", "lattice.extents"},
             "Three-point functions need quarks with spin, without a twist, and one sink time or several. "
             "Those of the proton, and with a momentum of the sink, do not allow noise. The conserved "
             "current is of "
             "Wilson and clover quarks.",
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
