// Benchmarks: each is one function that declares its sweep and fills rows. A row's share is of the bandwidth
// that copy and triad reach in the same run.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "comms/placement/launch_site.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/study/study_lattice.hpp"
#include "jobs/study/subjects.hpp"
#include "kernels/dirac/wilson/wilson_parameters.hpp"

namespace plaq::jobs {

struct BenchRow {
  std::string name;     // what was measured
  std::string lattice;  // global extents
  std::string grid;     // process grid
  std::string precision;
  int link_reals = 0;  // of stored links; 0: none are, or it is no choice
  int right_hand_sides = 1;
  Measured measured;
  nlohmann::json more = nlohmann::json::object();  // what rows of this benchmark alone say

  double number(const char* name) const;  // of more["numbers"]; 0: there is none
};

// One run of a benchmark, and what it found.
struct Bench {
  const BenchOptions& options;
  LaunchSite site;
  double stream_bandwidth = 0;  // bytes a second, read plus written, of one rank
  int ranks = 1, nodes = 1;
  std::shared_ptr<Profiler> profiler = nullptr;  // where one was asked for
  std::optional<StudyLattice> lattice = {};
  std::vector<BenchRow> rows = {};

  // What was asked for: of fields that are computed with; of vectors; of Dirac operators; those of them whose
  // links may be in temporal gauge.
  std::vector<Precision> precisions() const;
  std::vector<Precision> all_precisions() const;
  std::vector<StudyStorage> storages() const;
  std::vector<StudyStorage> storages_in_temporal_gauge() const;
  std::vector<StudyStorage> storages_of(const Subject& what) const;
  // Those of gauge fixing. Throws Error(usage) where others were asked for.
  std::vector<StudyStorage> storages_of_sweeps() const;
  std::vector<int> batches() const {
    return options.right_hand_sides > 0 ? one_batch(1) : std::vector{1, 12};
  }
  std::vector<int> one_batch(int usual) const {
    return {options.right_hand_sides > 0 ? options.right_hand_sides : usual};
  }
  // Whether rows of this name were asked for.
  bool wants(const std::string& row) const { return row.find(options.only) != std::string::npos; }

  // Where kernels run; their launches are tuned unless that was declined.
  Queue queue() const;
  // The same, untuned.
  Queue plain_queue() const { return Queue(site.location, nullptr, profiler); }
  Location location() const { return site.location; }

  // Collective: makes `lattice`, of the extents that were asked for, else these, with the process grid and
  // transport that were asked for. One rank exchanges faces with itself in the directions `alone` (bit mu).
  void share(const Extents& on_gpu, const Extents& on_host, std::uint32_t alone = 0);
  const ProcessGrid& grid() const { return *lattice->grid; }
  const GeometryPtr& geometry() const { return lattice->geometry; }
  const std::shared_ptr<Transport>& transport() const { return lattice->faces.transport; }
  double local_sites() const { return static_cast<double>(geometry()->local_volume()); }
  RateProblem problem(std::uint64_t seed) const { return lattice->problem(queue(), options.repeats, seed); }

  // measure() with the repetitions that were asked for.
  template <class Apply>
  Samples time(const Queue& on, Apply&& apply) const {
    return measure(on, options.repeats, apply);
  }
  // A row of what is timed on the queue, where one of that name was asked for. `bytes`: on one rank.
  template <class Apply>
  void add_timed(const std::string& name, Precision precision, int rhs, double bytes,
                 const std::string& check, const Queue& on, Apply&& apply) {
    if (wants(name)) add(name, {precision, 0}, rhs, {time(on, apply), {0, bytes}, check});
  }
  // On `lattice`, where there is one. `storage.reals` 0: no links.
  BenchRow& add(const std::string& name, const StudyStorage& storage, int rhs, const Measured& measured);
  // A row for each storage, where one of that name was asked for. `key`: of subjects().
  void add_subject(const std::string& name, std::string_view key, const RateProblem& problem,
                   const ActionPtr& action, const std::vector<StudyStorage>& storages, int rhs);
};

using Benchmark = void (*)(Bench&);
struct NamedBenchmark {
  const char* name;
  const char* meaning;
  Benchmark run;
  std::string (*text)(const std::vector<BenchRow>&) = nullptr;  // what is printed behind the table of rows
};
const std::vector<NamedBenchmark>& benchmarks();

// A quenched field at beta = 6, in double, after so many heatbath sweeps with four of overrelaxation each. Collective.
Field thermalized(const Bench& bench, int compound_sweeps);
// The clover term and its inverse, in double.
void add_clover_term(Bench& bench, const RateProblem& problem, const WilsonParameters& parameters);
// bench_network with messages of 64 B to `most_bytes`.
void bench_network(Bench& bench, std::size_t most_bytes);

void bench_accuracy(Bench& bench);
void bench_bandwidth(Bench& bench);
void bench_domain_wall(Bench& bench);
void bench_gauge(Bench& bench);
void bench_gaugefix(Bench& bench);
void bench_gaugefix_acceleration(Bench& bench);
void bench_gaugefix_drift(Bench& bench);
void bench_krylov(Bench& bench);
void bench_lanczos(Bench& bench);
void bench_multigrid(Bench& bench);
void bench_network(Bench& bench);
void bench_quark(Bench& bench);
void bench_staggered(Bench& bench);
void bench_staggered_overlap(Bench& bench);
void bench_subjects(Bench& bench);
void bench_wilson_hop(Bench& bench);
void bench_wilson_operator(Bench& bench);
void bench_wilson_overlap(Bench& bench);

// For people: proportions against epsilon, columns for the rows; points of drift for plots; tables of
// exchanges; when steps begin and end.
std::string accuracy_text(const std::vector<BenchRow>& rows);
std::string drift_text(const std::vector<BenchRow>& rows);
std::string network_text(const std::vector<BenchRow>& rows);
std::string overlap_text(const std::vector<BenchRow>& rows);

}  // namespace plaq::jobs
