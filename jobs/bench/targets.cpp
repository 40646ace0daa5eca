#include "jobs/bench/targets.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/wording.hpp"
#include "jobs/bench/exchange_times.hpp"
#include "jobs/bench/sweeps.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/rates/field_checks.hpp"
#include "jobs/rates/solver_rates.hpp"
#include "multigrid/cycle/cycle_in_precision.hpp"
#include "solvers/krylov/krylov_method.hpp"

namespace plaq::jobs {
namespace {

constexpr int usual_solves = 5;  // samples of a method, each of many iterations
constexpr std::string_view gcr_multigrid = "gcr_multigrid";

// Adds what `exchanges` exchanges of the hopping term are of what was timed; an
// application has `of_apply` of them.
void add_exchanges(Row& row, const ProcessGrid& grid, RatedApplication& application, double exchanges,
                   int of_apply) {
  const Halo& halo = application.halo();
  set_exchange(row, exchange_times(grid, application, of_apply), halo.exchanges() ? exchanges : 0,
               static_cast<double>(halo.exchanges() ? halo.bytes_sent() : 0));
}

void measure_operator(Bench& bench, const std::string& name, std::string_view key, RatedAction& action,
                      const std::vector<StudyStorage>& storages, int rhs) {
  const bool hop = key == "hop", symmetric = key == "schur";
  const std::vector<LinkStorage> links(storages.begin(), storages.end());
  const auto rates = hop ? action.hop_rates(links, rhs) : action.schur_rates(symmetric, links, rhs);
  for (std::size_t i = 0; i < rates.size(); ++i) {
    Row& row = bench.add(name, storages[i], rhs, rates[i]);
    if (!bench.asked.looks_closer) continue;
    const auto one = hop ? action.hop(links[i], rhs) : action.schur(symmetric, links[i], rhs);
    one->apply();
    row.checksum = static_cast<std::int64_t>(field_checksum(bench.grid(), one->result()));
    add_exchanges(row, bench.grid(), *one, hop ? 1 : 2, hop ? 1 : 2);
  }
}

// A method on an even-odd operator, with cycles as its preconditioner where the target has them.
class RatedMethod {
 public:
  RatedMethod(Bench& bench, std::string_view key, RatedAction& action, LinearOperator& schur,
              Precision precision, int rhs) {
    if (key == gcr_multigrid) {
      RatedMultigrid& rated = action.multigrid(bench.asked.multigrid);
      cycle_ = std::make_unique<CycleInPrecision>(bench.grid(), rated.multigrid->hierarchy().cycle(0, rhs),
                                                  precision, rhs);
      setup_seconds_ = rated.seconds;
      key = "gcr";
    } else if (key == "cg" && action.positive()) {
      key = "hermitian-cg";
    }
    MethodSettings settings;
    settings.preconditioner = cycle_.get();
    method_ = plaq::make_method(key, schur, rhs, settings);
  }
  KrylovMethod& method() { return *method_; }
  /// NaN without multigrid.
  double setup_seconds() const { return setup_seconds_; }

 private:
  std::unique_ptr<CycleInPrecision> cycle_;
  std::unique_ptr<KrylovMethod> method_;
  double setup_seconds_ = NAN;
};

// The method in one precision, as it is inside of others.
void measure_method(Bench& bench, const std::string& name, std::string_view key, RatedAction& action,
                    const std::vector<StudyStorage>& storages, int rhs) {
  const ProcessGrid& grid = bench.grid();
  const Asked& asked = bench.asked;
  const int solves = runs_dry() ? 1 : asked.samples > 0 ? asked.samples : usual_solves;
  const bool symmetric = key != gcr_multigrid;  // cycles are of the asymmetric form
  for (const StudyStorage& storage : storages) {
    const RegionLabel label(name_of(storage));
    const Row of_operator = action.schur_rates(symmetric, {storage}, rhs).front();
    const auto schur = action.schur(symmetric, storage, rhs);
    const Field b = schur->random(43);
    Field x(b.geometry_ptr(), b.spec());
    RatedMethod rated(bench, key, action, schur->schur(), storage.precision, rhs);
    std::vector<double> microseconds;
    SolverRate rate;
    for (int i = 0; i < solves; ++i) {
      rate = solver_rate(grid, rated.method(), b, asked.iterations, &x);
      microseconds.push_back(1e6 * rate.seconds / rate.iterations);
    }
    Row& row = bench.add(name, storage, rhs, samples_of(microseconds),
                         {rate.flops / rate.iterations / grid.size(), NAN}, of_operator.check);
    row.error = of_operator.error;
    row.setup_seconds = rated.setup_seconds();
    if (!asked.looks_closer) continue;
    row.checksum = static_cast<std::int64_t>(field_checksum(grid, x));
    add_exchanges(row, grid, *schur, 2 * static_cast<double>(rate.applications) / rate.iterations, 2);
  }
}

// Rows of operators, methods and sweeps in all storages and numbers of right-hand sides.
void measure_asked(Bench& bench, std::string_view key) {
  const Target& what = target(key);
  std::vector<StudyStorage> storages;
  for (const StudyStorage& storage : bench.asked.storages)
    if (what.takes(storage)) storages.push_back(storage);
  const std::string name = target_name(key, bench.action());
  if (storages.empty() || !bench.wants(name)) return;
  for (const int rhs : bench.batches({1}))
    measure_target(bench, name, key, bench.shared_problem(), what.has_action() ? &bench.rated() : nullptr,
                   storages, rhs);
}

}  // namespace

const std::vector<Target>& targets() {
  constexpr auto op = TargetKind::dirac_operator, method = TargetKind::method, sweep = TargetKind::sweep,
                 kernel = TargetKind::kernel;
  constexpr Extents wide{32, 32, 32, 64}, cube{32, 32, 32, 32}, host{16, 16, 16, 16}, small{8, 8, 8, 16};
  static const std::vector<Target> all = {
      {"hop", op, "hopping term of the action on one parity (domain-wall quarks: on all slices)",
       measure_asked, wide, host},
      {"schur", op, "symmetric even-odd operator of the action", measure_asked, wide, host},
      {"schur_asymmetric", op, "asymmetric even-odd operator of the action", measure_asked, wide, host},
      {"gauge_fixing", sweep, "overrelaxation of all sites to Landau gauge in SU(3) as a whole",
       measure_asked, cube, small},
      {"gauge_fixing_su2", sweep, "overrelaxation of all sites to Landau gauge in SU(2) subgroups",
       measure_asked, cube, small},
      {"cg", method, "conjugate gradients (Wilson quarks: on the normal equations)", measure_asked, wide,
       host},
      {"cgne", method, "conjugate gradients on M M^dagger", measure_asked, wide, host},
      {"bicgstab", method, "stabilised bi-conjugate gradients", measure_asked, wide, host},
      {"gcr", method, "generalised conjugate residuals", measure_asked, wide, host},
      {"mr", method, "minimal residual steps", measure_asked, wide, host},
      {gcr_multigrid, method,
       "gcr with multigrid on the asymmetric even-odd operator of Wilson or clover quarks", measure_asked,
       wide, small},
      {"accuracy",
       kernel,
       "accuracy of the even-odd Wilson operator at mass 0 in every storage (Clark et al. 2010, figure 6)",
       bench_accuracy,
       {24, 24, 24, 32},
       {24, 24, 24, 32}},
      {"bandwidth", kernel, "memory bandwidth of copy and triad by plaq's own launch", bench_bandwidth, wide,
       wide},
      {"domain_wall",
       kernel,
       "domain-wall operators (hopping term of all slices, M5, even-odd operator)",
       bench_domain_wall,
       {24, 24, 24, 64},
       {12, 12, 12, 24}},
      {"forces",
       kernel,
       "momenta, drifts and forces of molecular dynamics",
       bench_forces,
       wide,
       {12, 12, 12, 24}},
      {"gauge",
       kernel,
       "smearing, asqtad links, flows, updates and observables of gauge fields",
       bench_gauge,
       wide,
       {16, 16, 16, 32}},
      {"gaugefix", kernel,
       "gauge-fixing updates by relaxation and annealing in Landau, Coulomb and maximally Abelian gauge",
       bench_gaugefix, cube, small},
      {"gaugefix_acceleration", kernel,
       "time to Landau and Coulomb gauge on a field at beta = 6.0, by overrelaxation and accelerated ascent",
       bench_gaugefix_acceleration, cube, small},
      {"gaugefix_drift",
       kernel,
       "effect of rounding on a gauge transformation and the functional over thousands of sweeps",
       bench_gaugefix_drift,
       cube,
       {8, 8, 8, 8}},
      {"krylov",
       kernel,
       "vector updates and sums of Krylov solvers, and the wait for a sum",
       bench_krylov,
       {24, 24, 24, 64},
       {24, 24, 24, 24}},
      {"lanczos",
       kernel,
       "Lanczos on the full Wilson operator times its adjoint, alone and with a Chebyshev filter",
       bench_lanczos,
       cube,
       {8, 8, 8, 8}},
      {"multigrid", kernel,
       "multigrid kernels (transfers, coarse operators, dense inverses, smoothing, setups, cycles)",
       bench_multigrid, wide, small},
      {"network", kernel,
       "halo exchanges by every transport, global sums, launches and copies (the constants of plaq plan)",
       bench_network},
      {"quark",
       kernel,
       "smearing of quark fields and contractions of propagators",
       bench_quark,
       wide,
       {12, 12, 12, 24}},
      {"staggered",
       kernel,
       "staggered hopping terms on one parity, one-link and improved, in every storage",
       bench_staggered,
       wide,
       {24, 24, 24, 48}},
      {"staggered_overlap",
       kernel,
       "wilson_overlap for the staggered hopping term",
       bench_overlap,
       {28, 28, 28, 96},
       {12, 12, 12, 24},
       0xf},
      {"targets", kernel, "all operators, methods and sweeps, with clover quarks", bench_targets, wide, host},
      {"wilson_hop",
       kernel,
       "Wilson hopping term on one parity, in every storage",
       bench_wilson_hop,
       wide,
       {24, 24, 24, 48}},
      {"wilson_operator", kernel,
       "even-odd Wilson and clover operators, and the computation of the clover term", bench_wilson_operator,
       wide, host},
      {"wilson_overlap",
       kernel,
       "how the Wilson hopping term hides its halo exchange (begin and end of each step)",
       bench_overlap,
       wide,
       {16, 16, 16, 32},
       0xf}};
  return all;
}

bool Target::uses_multigrid() const { return key == gcr_multigrid; }

bool Target::takes(const StudyStorage& storage) const {
  if (!fixes_gauge()) return !storage.mixed;
  return storage.reconstruction == 12 && storage.precision != Precision::half_precision;
}

const Target& target(std::string_view key) {
  for (const Target& one : targets())
    if (one.key == key) return one;
  throw Error(ErrorKind::usage,
              fmt::format("unknown benchmark '{}'; {}", key, nearest_hint(std::string(key), target_keys())));
}

std::vector<std::string> target_keys() {
  std::vector<std::string> keys;
  for (const Target& one : targets()) keys.emplace_back(one.key);
  return keys;
}

std::string target_meanings() {
  std::string text;
  for (const Target& one : targets())
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", one.key, one.meaning);
  return text;
}

std::string target_name(std::string_view key, const ActionPtr& action) {
  if (key == "hop") return action->hop_name() + "_hop";
  if (target(key).kind != TargetKind::dirac_operator) return std::string(key);
  return action->name() + (key == "schur" ? "_schur" : "_schur_asy");
}

void measure_target(Bench& bench, const std::string& name, std::string_view key, const RateProblem& problem,
                    RatedAction* action, const std::vector<StudyStorage>& storages, int rhs) {
  const Target& what = target(key);
  const RegionLabel label(name + ", " + counted(rhs, what.fixes_gauge() ? "copy" : "right-hand side"));
  if (what.fixes_gauge())
    measure_sweeps(bench, name, problem, Gauge::landau, gauge_update(key), storages, rhs);
  else if (what.iterates())
    measure_method(bench, name, key, *action, storages, rhs);
  else
    measure_operator(bench, name, key, *action, storages, rhs);
}

}  // namespace plaq::jobs
