// The quark propagator in momentum space, [quark_propagator]; momenta are rows of QuarkMomenta:
//
//   /quark_propagator/scalar   [momentum][real, imaginary]              of one source
//   /quark_propagator/vector   [momentum][direction][real, imaginary]
//   /quark_propagator/n, p, k  [momentum][direction]                    of the whole job
//   /quark_propagator/p_squared, k_squared, count, in_cylinder, in_cone, tree_vector,
//   tree_scalar                [momentum]
//   /quark_propagator/tree_mass
#include "observables/quark/quark_propagator.hpp"

#include <optional>

#include "core/system/dry_run.hpp"
#include "jobs/correlators/correlators.hpp"
#include "jobs/propagator/propagator_observable.hpp"
#include "jobs/run/job_context.hpp"
#include "kernels/gauge/link_copies.hpp"
#include "settings/quark/quark_observable_tables.hpp"
#include "settings/quark/source_kind.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

void check_quark_propagator(Problems& problems, const QuarkPropagatorKeys& keys,
                            const QuarkSmearingKeys& smearing, const Settings& job) {
  if (!keys.max_n) return;
  if (action_of_any_mass(job)->spins() == 1)
    problems.add("quark_propagator.max_n",
                 "the propagator in momentum space is of quarks with spin, not of staggered ones");
  if (!action_of_any_mass(job)->gamma5_hermitian())
    problems.add("quark_propagator.max_n",
                 "the free quark of twisted-mass quarks is not known; leave twisted_mass out");
  if (job.get<ActionKeys>().boundary[3] == 0)
    problems.add(
        "quark_propagator.max_n",
        "quarks of Dirichlet boundaries have no momentum in time; take 1 or -1 in [action] boundary");
  if (first_source(job)->type() != "point" || !job.get<SourceKeys>().derivative.empty())
    problems.add("quark_propagator.max_n", "needs [source] type = \"point\" without a derivative");
  if (smearing.source && smearing.parameters.steps > 0)
    problems.add("quark_propagator.max_n",
                 "needs a source as it is: source = false in [quark_smearing] smears the sink alone");
}

QuarkMomenta momenta_of(const JobContext& context) {
  const QuarkPropagatorSettings settings = quark_propagator_settings(context.job);
  return QuarkMomenta(settings.max_n, settings.cuts, context.extents, context.job.get<ActionKeys>().boundary,
                      *action_parameters(context.job));
}

Results results_of_momenta(const QuarkMomenta& momenta) {
  Results results;
  const std::size_t count = momenta.rows().size();
  std::vector<std::int64_t> n, members, cylinder, cone;
  std::vector<double> p, k, squared, k_squared, vector, scalar;
  for (const QuarkMomenta::Row& row : momenta.rows()) {
    n.insert(n.end(), row.n.begin(), row.n.end());
    p.insert(p.end(), row.p.begin(), row.p.end());
    k.insert(k.end(), row.free.k.begin(), row.free.k.end());
    squared.push_back(row.squared);
    k_squared.push_back(row.free.k_squared());
    members.push_back(row.count);
    cylinder.push_back(row.in_cylinder ? 1 : 0);
    cone.push_back(row.in_cone ? 1 : 0);
    vector.push_back(row.free.vector);
    scalar.push_back(row.free.scalar);
  }
  const std::vector<std::string> axis{"momentum"}, axes{"momentum", "direction"};
  const auto add = [&](const char* name, Dataset::Values values, const char* units, const char* meaning) {
    results.dataset(std::string("/quark_propagator/") + name, {count}, std::move(values),
                    described(axis, units, meaning));
  };
  const auto add_directions = [&](const char* name, Dataset::Values values, const char* units,
                                  const char* meaning) {
    results.dataset(std::string("/quark_propagator/") + name, {count, 4}, std::move(values),
                    described(axes, units, meaning));
  };
  add_directions("n", n, "2 pi / L of each direction",
                 "one of the momenta that are averaged; p has n + 1/2 where the quark is antiperiodic");
  add_directions("p", p, "a^-1", "that momentum");
  add_directions("k", k, "a^-1", "sin p, in space times nu/xi of the action");
  add("p_squared", squared, "a^-2", "sum over directions of p^2");
  add("k_squared", k_squared, "a^-2", "sum over directions of k^2");
  add("count", members, "1", "momenta that are averaged");
  add("in_cylinder", cylinder, "1", "1 where the cylinder cut lets it through");
  add("in_cone", cone, "1", "1 where the cone cut lets it through");
  add("tree_vector", vector, "a^2", "v of S(p) = -i k-slash v + s on unit links");
  add("tree_scalar", scalar, "a", "s of the same");
  results.dataset("/quark_propagator/tree_mass", {}, std::vector<double>{momenta.tree_mass()},
                  described({}, "a^-1", "s/v on unit links at p = 0"));
  return results;
}

void add_quark_propagator(Results& results, const std::vector<QuarkPropagatorPoint>& points) {
  std::vector<double> scalar, vector;
  for (const QuarkPropagatorPoint& point : points) {
    scalar.insert(scalar.end(), {point.scalar.real(), point.scalar.imag()});
    for (const auto& z : point.vector) vector.insert(vector.end(), {z.real(), z.imag()});
  }
  const std::size_t count = points.size();
  results.dataset("/quark_propagator/scalar", {count, 2}, scalar,
                  described({"momentum", "real, imaginary"}, "a", "(1/12) tr S(p)"));
  results.dataset("/quark_propagator/vector", {count, 4, 2}, vector,
                  described({"momentum", "direction", "real, imaginary"}, "a",
                            "(1/12) tr gamma_mu S(p), turned to the momentum n of the row"));
}

class QuarkPropagatorMeasurement final : public QuarkMeasurement {
 public:
  explicit QuarkPropagatorMeasurement(const JobContext& context)
      : context_(context), momenta_(momenta_of(context)) {
    const MemoryName name("quark propagator in momentum space");
    propagator_.emplace(context, momenta_);
  }

  void begin(const LoadedGauge& gauge) override {
    fixed_ = expect_fixed(context_, links_without_halo(context_, gauge.field), Gauge::landau,
                          context_.job.get<QuarkPropagatorSettings>().max_theta, "quark_propagator",
                          gauge.report.info.path);
  }
  Results measure(const SourceQuarks& from) override {
    Results results;
    add_quark_propagator(results, (*propagator_)(from.quarks.front(), from.position));
    return results;
  }
  Attributes of_gauge() const override { return {{"landau_theta", fixed_.theta}}; }
  void describe(OutputFile& out) const override { out.write(results_of_momenta(momenta_)); }

 private:
  const JobContext& context_;
  QuarkMomenta momenta_;
  std::optional<QuarkPropagator> propagator_;
  FixedGauge fixed_;
};

class QuarkPropagatorObservable final : public PropagatorObservable {
 public:
  const char* key() const override { return "quark_propagator.max_n"; }
  bool is_asked(const Settings& job) const override {
    return job.get<QuarkPropagatorKeys>().max_n.has_value();
  }
  std::vector<Table> tables() const override { return {quark_propagator_table()}; }
  std::vector<Rule> rules() const override {
    return {{{"quark_propagator.max_n", "action.type", "action.twisted_mass", "action.boundary",
              "source.type", "quark_smearing.steps", "quark_smearing.source"},
             "The propagator in momentum space needs quarks with spin, without a twist and Dirichlet "
             "boundaries, and a point source without smearing.",
             check_quark_propagator}};
  }
  std::unique_ptr<QuarkMeasurement> measurement(const JobContext& context) const override {
    return std::make_unique<QuarkPropagatorMeasurement>(context);
  }
};

}  // namespace

const PropagatorObservable& quark_propagator() {
  static const QuarkPropagatorObservable observable;
  return observable;
}

}  // namespace plaq::jobs
