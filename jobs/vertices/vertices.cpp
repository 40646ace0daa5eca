// Job type vertices: on each gauge field in Landau gauge, vertices of quark bilinears between quarks of given
// momenta (observables/quark/vertices.hpp). Results:
//
//   /                     attributes: plaq_version, job_type, job, extents
//   /action, /solves      attributes: what was solved by what
//   /vertices/GAMMA       [configuration][vertex][row][column][real, imaginary], for all 16 Gamma
//   /four_quark/NAME      [configuration][vertex][colors][a][b][c][d][real, imaginary], if four_quark is true
//   /propagators/in, out  the same axes: S(p) of the quark that comes in and of the one that leaves
//   /momenta/n_in, n_out  [vertex][direction], of the whole job; p_in, p_out
//   /solves/...           [configuration][vertex][quark][column] true_residual, iterations
//   /gauge/000000, ...    one group a configuration, with landau_theta
//
// Rows and columns are 3 * spin + color. A quark field is held as long as later vertices of the gauge field
// take it; a run that resumes between them solves for it again, to the same bits.
#include <fmt/format.h>

#include <map>
#include <numbers>
#include <numeric>
#include <optional>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "jobs/dirac/solving_job.hpp"
#include "jobs/run/job_context.hpp"
#include "jobs/schema/job_types.hpp"
#include "jobs/vertices/vertex_keys.hpp"
#include "kernels/gauge/link_copies.hpp"
#include "observables/quark/four_quark_vertices.hpp"
#include "observables/quark/quark_loop_settings.hpp"
#include "observables/quark/vertices.hpp"
#include "quarks/solve/propagator_solver.hpp"
#include "quarks/source/source.hpp"
#include "settings/action/action_table.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::jobs {
namespace {

// A quark field of a momentum, and its solve.
struct SolvedQuark {
  Field field;
  ColumnReport report;
};

void add_matrix(Results& results, const std::string& path, const OpenSpinColor& matrix, const char* meaning) {
  std::vector<double> numbers;
  for (const auto& z : matrix.numbers) numbers.insert(numbers.end(), {z.real(), z.imag()});
  results.dataset(path, {12, 12, 2}, std::move(numbers),
                  described({"row: 3 spin + color", "column: 3 spin + color", "real, imaginary"},
                            "lattice units", meaning));
}

void add_four_quark(Results& results, const std::string& path, const FourQuarkSpins& vertex) {
  std::vector<double> numbers;
  for (const auto& spins : {vertex.joined, vertex.crossed})
    for (const auto& z : spins) numbers.insert(numbers.end(), {z.real(), z.imag()});
  results.dataset(
      path, {2, 4, 4, 4, 4, 2}, std::move(numbers),
      described({"colors: joined, crossed", "a", "b", "c", "d", "real, imaginary"}, "lattice units",
                "H = (1/V) sum_x exp(-2i (p_in - p_out) x) sum_Gamma V_ab V_cd, V = gamma5 psi_out^dagger "
                "gamma5 Gamma psi_in, spins open; colors ij of V_ab and kl of V_cd are joined, ii kk, or "
                "crossed, ik ki"));
}

Results results_of_momenta(const std::vector<VertexMomenta>& vertices, const std::array<int, 4>& half,
                           const Extents& extents) {
  Results results;
  const auto add = [&](const char* which, Momentum4 VertexMomenta::*member) {
    std::vector<std::int64_t> n;
    std::vector<double> p;
    for (const VertexMomenta& one : vertices)
      for (std::size_t mu = 0; mu < 4; ++mu) {
        n.push_back((one.*member)[mu]);
        p.push_back(std::numbers::pi * (2 * (one.*member)[mu] + half[mu]) / extents[mu]);
      }
    const std::vector<std::string> axes{"vertex", "direction"};
    results.dataset(
        fmt::format("/momenta/n_{}", which), {vertices.size(), 4}, std::move(n),
        described(axes, "2 pi / L of each direction", "p has n + 1/2 where the quarks are antiperiodic"));
    results.dataset(fmt::format("/momenta/p_{}", which), {vertices.size(), 4}, std::move(p),
                    described(axes, "a^-1", "that momentum"));
  };
  add("in", &VertexMomenta::in);
  add("out", &VertexMomenta::out);
  return results;
}

class VerticesJob : public SolvingJob {
 public:
  using SolvingJob::SolvingJob;

 private:
  void prepare() override {
    momenta_ = vertex_momenta(job());
    boundary_ = job().get<ActionKeys>().boundary;
    for (const VertexMomenta& one : momenta_)
      for (const Momentum4& n : {one.in, one.out})
        if (const auto wrong = validate_momentum(n, half_momenta(boundary_), context().extents))
          throw Error(ErrorKind::job_file, fmt::format("{}: [vertices] momenta: {}", job().origin(), *wrong));
    SolvingJob::prepare();
  }
  int quark_fields() const override { return most_quarks(momenta_); }
  std::string axis() const override { return "vertex"; }
  int parts() const override { return static_cast<int>(momenta_.size()); }

  void begin(LoadedGauge& gauge) override {
    solver_.reset();  // one at a time
    quarks_.clear();
    fixed_ = expect_fixed(context(), links_without_halo(context(), gauge.field), Gauge::landau,
                          job().get<VertexKeys>().max_theta, "vertices", gauge.report.info.path);
    const FermionLinks links = fermion_links(context(), gauge.field, job().get<ActionSmearing>());
    gauge.field = {};
    const ActionPtr action = action_parameters(job());
    const double solves = static_cast<double>(count_momenta(momenta_)) * action->columns();
    solver_ = std::make_unique<PropagatorSolver>(
        links, action, solver_settings(job(), context().location(), solves),
        std::gcd(together(), action->columns()),
        paths_of_solver(job(), input().files, gauge.report.info.path));
  }

  Results compute(LoadedGauge& gauge, int k) override {
    const VertexMomenta& momenta = momenta_[static_cast<std::size_t>(k)];
    const std::string& file = gauge.report.info.path;
    const SolvedQuark &in = quark_of(momenta.in, file), &out = quark_of(momenta.out, file);
    Results results;
    add_gauge(results, gauge);
    const QuarkVertices vertices(context(), boundary_);
    add_matrix(results, "/propagators/in", vertices.propagator(in.field, momenta.in),
               "S(p_in) = (1/V) sum_x exp(-i p x) psi(x) with M psi = exp(i p x)");
    add_matrix(results, "/propagators/out", vertices.propagator(out.field, momenta.out), "S(p_out)");
    const auto found = vertices(in.field, momenta.in, out.field, momenta.out);
    const auto& currents = all_loop_currents();
    for (std::size_t i = 0; i < currents.size(); ++i)
      add_matrix(
          results, "/vertices/" + currents[i].name, found[i],
          "G = (1/V) sum_x exp(-i (p_in - p_out) x) gamma5 psi_out^dagger gamma5 Gamma psi_in, on unit "
          "links S(p_out) Gamma S(p_in)");
    if (job().get<VertexKeys>().four_quark) {
      const auto four = FourQuarkVertices(context())(in.field, momenta.in, out.field, momenta.out);
      for (std::size_t i = 0; i < four.size(); ++i)
        add_four_quark(results, "/four_quark/" + four_quark_names()[i], four[i]);
    }
    add_solves_of(results, {&in.report, &out.report});
    std::erase_if(quarks_, [&](const auto& quark) {
      return !is_used_after(momenta_, static_cast<std::size_t>(k), quark.first);
    });
    return results;
  }

  void describe(OutputFile& out) const override {
    SolvingJob::describe(out);
    out.write(results_of_momenta(momenta_, half_momenta(boundary_), context().extents));
  }

  // The reference holds until the quark is removed.
  const SolvedQuark& quark_of(const Momentum4& n, const std::string& file) {
    const auto known = quarks_.find(n);
    if (known != quarks_.end()) return known->second;
    const MemoryName name("quark fields");
    SolvedQuark& quark = quarks_[n];
    FieldSpec spec = solver_->quark_spec(action_parameters(job())->columns());
    quark.field = Field(context().geometry, spec);
    const SourcePtr source = volume_momentum_source(n, half_momenta(boundary_));
    quark.report = solver_->solve(
        quark.field, [&](Field& b, int first_column) { source->fill(b, first_column); }, file);
    return quark;
  }

  void add_gauge(Results& results, const LoadedGauge& gauge) const {
    Attributes of_gauge = attributes_of(gauge);
    if (const auto bounds = solver_->measured_bounds())
      of_gauge.emplace_back("spectral_bounds", std::vector<double>{bounds->first, bounds->second});
    of_gauge.emplace_back("landau_theta", fixed_.theta);
    results.numbered_group("/gauge", of_gauge);
  }

  void add_solves_of(Results& results, const std::array<const ColumnReport*, 2>& reports) const {
    std::vector<double> residuals, slices;
    std::vector<std::int64_t> iterations, attempts;
    for (const ColumnReport* report : reports) {
      residuals.insert(residuals.end(), report->true_residuals.begin(), report->true_residuals.end());
      iterations.insert(iterations.end(), report->iterations.begin(), report->iterations.end());
      attempts.push_back(report->attempts);
      add_slices(slices, report->slice_residuals);
    }
    const std::vector<std::string> axes{"in, out", "column"};
    const std::size_t columns = residuals.size() / reports.size();
    results.dataset(
        "/solves/true_residual", {reports.size(), columns}, std::move(residuals),
        described(axes, "1", "||b - M x|| / ||b|| of the full system, recomputed in double precision"));
    results.dataset("/solves/iterations", {reports.size(), columns}, std::move(iterations),
                    described(axes, "1", "of the solver"));
    results.dataset("/solves/attempts", {reports.size()}, std::move(attempts),
                    described({"in, out"}, "1", "solvers that it took; more than 1: fallbacks"));
    if (!job().get<SolverSettings>().slice_tolerance) return;
    const std::size_t count = slices.size();
    results.dataset("/solves/slice_residual", {count}, std::move(slices),
                    described({"t of the lattice"}, "1",
                              "||(b - M x)(t)|| / ||x(t)||, the largest of all columns of both quarks"));
  }

  std::vector<VertexMomenta> momenta_;
  std::array<int, 4> boundary_{1, 1, 1, -1};
  std::unique_ptr<PropagatorSolver> solver_;
  std::map<Momentum4, SolvedQuark> quarks_;  // of this gauge field
  FixedGauge fixed_;
};

}  // namespace

extern constinit const JobType vertices_job{
    .name = "vertices",
    .schema = vertices_schema,
    .run = run_as<VerticesJob>,
    .written_files = [](const JobFile& job, const std::string& gauge_file) {
      return SolvingJob::setups_of(job, {gauge_file});
    }};

}  // namespace plaq::jobs
