// Dirac operators in every storage; _tg: with links in temporal gauge, of 18 and 12 reals.
#include <fmt/format.h>

#include "jobs/bench/targets.hpp"
#include "jobs/rates/accuracy.hpp"
#include "jobs/rates/operator_rates.hpp"
#include "jobs/rates/stream.hpp"
#include "kernels/gauge/temporal_gauge.hpp"
#include "quarks/action/domain_wall_action.hpp"
#include "quarks/action/staggered_action.hpp"
#include "quarks/action/wilson_action.hpp"

namespace plaq::jobs {
namespace {

RateProblem in_temporal_gauge(const RateProblem& p) {
  return {p.grid, make_temporal_gauge(p.grid, p.gauge, p.queue, p.transport).links, p.queue, p.transport,
          p.samples};
}

// Rows of a target of this action, where rows of this name were asked for.
void add_dirac(Bench& bench, const std::string& name, std::string_view key, const RateProblem& problem,
               const ActionPtr& action, const std::vector<StudyStorage>& storages, int rhs) {
  if (storages.empty() || !bench.wants(name)) return;
  measure_target(bench, name, key, problem, make_rated_action(problem, action).get(), storages, rhs);
}

}  // namespace

void bench_wilson_hop(Bench& bench, std::string_view) {
  const RateProblem problem = bench.problem(11), fixed = in_temporal_gauge(problem);
  for (const int rhs : bench.batches()) {
    add_dirac(bench, "wilson_hop", "hop", problem, wilson_action({}), bench.storages(), rhs);
    add_dirac(bench, "wilson_hop_tg", "hop", fixed, wilson_action({}), bench.storages_in_temporal_gauge(),
              rhs);
  }
}

void bench_wilson_operator(Bench& bench, std::string_view) {
  const RateProblem problem = bench.problem(41);
  WilsonParameters wilson, clover;
  wilson.mass = clover.mass = 0.5;  // random links: away from singular blocks
  clover.clover = {1, 1};
  for (const ActionPtr& action : {wilson_action(wilson), wilson_action(clover)})
    for (const char* key : {"schur", "schur_asymmetric"})
      for (const int rhs : bench.batches())
        add_dirac(bench, target_name(key, action), key, problem, action, bench.storages(), rhs);
  add_clover_term(bench, problem, clover);
  wilson.twisted_mass = clover.twisted_mass = 0.1;  // times do not depend on it
  for (const ActionPtr& action : {wilson_action(wilson), wilson_action(clover)})
    for (const int rhs : bench.batches())
      add_dirac(bench, target_name("schur_asymmetric", action) + "_twisted", "schur_asymmetric", problem,
                action, bench.storages(), rhs);
}

// One-link quarks, and improved ones: fat links of 18 reals, and long links of as many as the row says.
void bench_staggered(Bench& bench, std::string_view) {
  const RateProblem problem = bench.problem(11);
  for (const int rhs : bench.batches())
    add_dirac(bench, "staggered", "hop", problem, staggered_action({}), bench.storages(), rhs);
  for (const int rhs : bench.batches())
    add_dirac(bench, "improved", "hop", problem, asqtad_action({}), bench.storages(), rhs);
}

// Moebius weights with Ls slices (--slices). Table 1 of Chiu et al. 2010: --lattice 16x16x16x32 --slices 16.
void bench_domain_wall(Bench& bench, std::string_view) {
  const RateProblem problem = bench.problem(11), fixed = in_temporal_gauge(problem);
  DomainWallChoice wall;
  wall.kind = WallKind::moebius;
  wall.n_s = bench.asked.Ls > 0 ? bench.asked.Ls : 12;
  wall.mass = 0.02;
  wall.b5 = 1.5;
  wall.c5 = 0.5;
  const ActionPtr action = domain_wall_action(wall);
  const auto storages = bench.storages(), in_gauge = bench.storages_in_temporal_gauge();
  const auto name = [&](const char* text) { return fmt::format("{} Ns {}", text, wall.n_s); };
  for (const int rhs : bench.batches({1})) {
    add_dirac(bench, name("domain_wall_hop"), "hop", problem, action, storages, rhs);
    add_dirac(bench, name("domain_wall_hop_tg"), "hop", fixed, action, in_gauge, rhs);
    if (const auto m5 = name("domain_wall_m5"); bench.wants(m5)) {
      const auto precisions = bench.all_precisions();
      const auto rates = fifth_rates(problem, wall.parameters(), precisions, rhs);
      for (std::size_t i = 0; i < rates.size(); ++i) bench.add(m5, {precisions[i], 0}, rhs, rates[i]);
    }
    add_dirac(bench, name("moebius_schur"), "schur", problem, action, storages, rhs);
    add_dirac(bench, name("moebius_schur_tg"), "schur", fixed, action, in_gauge, rhs);
  }
}

void bench_targets(Bench& bench, std::string_view) {
  for (const Target& one : targets())
    if (one.kind != TargetKind::kernel && !one.uses_multigrid())  // multigrid has a benchmark of its own
      one.measure(bench, one.key);
}

// Each rank has the whole lattice for itself.
void bench_bandwidth(Bench& bench, std::string_view) {
  for (const Precision precision : bench.precisions())
    for (const StreamRate& stream :
         measure_streams(bench.grid().comm(), bench.location(), bench.geometry()->global(), precision,
                         bench.asked.samples))
      bench.add(stream.name, {precision, 0}, 1, stream.samples, {0, stream.bytes}, "none needed");
}

// Loss of accuracy by each storage of links and spinors, and the time that it saves.

void bench_accuracy(Bench& bench, std::string_view key) {
  const AccuracyProblem problem(bench.grid(), bench.geometry(), bench.location(), bench.transport());
  const auto epsilons = bench.asked.epsilons.empty() ? usual_epsilons() : bench.asked.epsilons;
  for (const StudyStorage& storage : bench.storages()) {
    WilsonSchur m = problem.make_operator(storage);
    const Field in = problem.eta(storage.precision);
    Field out(bench.geometry(), in.spec());
    const Samples samples = bench.time(m.queue(), [&](const Queue&) { m.apply(out, in); });
    const AccuracyCurve curve = problem.curve(storage, epsilons);
    Row& row = bench.add(std::string(key), storage, 1, samples, m.work(1), {});
    row.error = curve.largest;
    for (std::size_t i = 0; i < epsilons.size(); ++i)
      row.curve.emplace_back(epsilons[i], curve.proportions[i]);
  }
}

}  // namespace plaq::jobs
