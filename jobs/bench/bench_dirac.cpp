// Dirac operators in every storage; _tg: with links in temporal gauge, of 18 and 12 reals. And all subjects
// of scaling studies.
#include <fmt/format.h>

#include <algorithm>

#include "jobs/bench/bench.hpp"
#include "jobs/rates/fifth_rates.hpp"
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

WilsonParameters clover_parameters() {
  WilsonParameters clover;
  clover.mass = 0.5;  // random links: away from singular blocks
  clover.clover = {1, 1};
  return clover;
}

}  // namespace

void bench_wilson_hop(Bench& bench) {
  bench.share({32, 32, 32, 64}, {24, 24, 24, 48});
  const RateProblem problem = bench.problem(11), fixed = in_temporal_gauge(problem);
  for (const int rhs : bench.batches()) {
    bench.add_subject("wilson_hop", "hop", problem, wilson_action({}), bench.storages(), rhs);
    bench.add_subject("wilson_hop_tg", "hop", fixed, wilson_action({}), bench.storages_in_temporal_gauge(),
                      rhs);
  }
}

void bench_wilson_operator(Bench& bench) {
  bench.share({32, 32, 32, 64}, {16, 16, 16, 16});
  const RateProblem problem = bench.problem(41);
  const WilsonParameters clover = clover_parameters();
  WilsonParameters wilson;
  wilson.mass = clover.mass;
  for (const ActionPtr& action : {wilson_action(wilson), wilson_action(clover)})
    for (const char* key : {"schur", "schur_asymmetric"})
      for (const int rhs : bench.batches())
        bench.add_subject(subject_name(key, action), key, problem, action, bench.storages(), rhs);
  add_clover_term(bench, problem, clover);
}

// Of one-link quarks, and improved, with fat links of 18 reals and long links of as many as the row says.
void bench_staggered(Bench& bench) {
  bench.share({32, 32, 32, 64}, {24, 24, 24, 48});
  const RateProblem problem = bench.problem(11);
  for (const int rhs : bench.batches())
    bench.add_subject("staggered", "hop", problem, staggered_action({}), bench.storages(), rhs);
  for (const int rhs : bench.batches())
    bench.add_subject("improved", "hop", problem, asqtad_action({}), bench.storages(), rhs);
}

// Of N_s slices (--slices), Moebius weights: the hopping term of all slices, M5, and the even-odd operator.
// Table 1 of Chiu et al. 2010: --lattice 16x16x16x32 --slices 16.
void bench_domain_wall(Bench& bench) {
  bench.share({24, 24, 24, 64}, {12, 12, 12, 24});
  const RateProblem problem = bench.problem(11), fixed = in_temporal_gauge(problem);
  DomainWallChoice wall;
  wall.kind = WallKind::moebius;
  wall.n_s = bench.options.slices > 0 ? bench.options.slices : 12;
  wall.mass = 0.02;
  wall.b5 = 1.5;
  wall.c5 = 0.5;
  const ActionPtr action = domain_wall_action(wall);
  const auto storages = bench.storages(), in_gauge = bench.storages_in_temporal_gauge();
  const auto name = [&](const char* text) { return fmt::format("{} Ns {}", text, wall.n_s); };
  for (const int rhs : bench.one_batch(1)) {
    bench.add_subject(name("domain_wall_hop"), "hop", problem, action, storages, rhs);
    bench.add_subject(name("domain_wall_hop_tg"), "hop", fixed, action, in_gauge, rhs);
    if (const auto m5 = name("domain_wall_m5"); bench.wants(m5)) {
      const auto precisions = bench.all_precisions();
      const auto rates = fifth_rates(problem, wall.parameters(), precisions, rhs);
      for (std::size_t i = 0; i < rates.size(); ++i) bench.add(m5, {precisions[i], 0}, rhs, rates[i]);
    }
    bench.add_subject(name("moebius_schur"), "schur", problem, action, storages, rhs);
    bench.add_subject(name("moebius_schur_tg"), "schur", fixed, action, in_gauge, rhs);
  }
}

void bench_subjects(Bench& bench) {
  bench.share({32, 32, 32, 64}, {16, 16, 16, 16});
  const RateProblem problem = bench.problem(41);
  const ActionPtr clover = wilson_action(clover_parameters());
  for (const Subject& what : subjects()) {
    if (what.uses_multigrid()) continue;  // has benchmarks of its own
    for (const int rhs : bench.one_batch(1))
      bench.add_subject(subject_name(what.key, clover), what.key, problem, clover, bench.storages_of(what),
                        rhs);
  }
}

// What the memory does, with plaq's own launch and views: the limit for everything else.
void bench_bandwidth(Bench& bench) {
  const Extents extents = bench.options.lattice.value_or(Extents{32, 32, 32, 64});
  for (const Precision precision : bench.precisions())
    for (const StreamRate& stream :
         measure_streams(bench.location(), extents, precision, bench.options.repeats))
      bench.add(stream.name, {precision, 0}, 1, {stream.samples, {0, stream.bytes}, "none needed"}).lattice =
          to_string(extents);
}

}  // namespace plaq::jobs
