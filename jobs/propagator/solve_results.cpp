#include "jobs/propagator/propagator.hpp"

#include <fmt/format.h>

#include <string>
#include <type_traits>

namespace plaq::jobs {
namespace {

// Datasets of values, or of lists of them, at each mass.
class OfMasses {
 public:
  OfMasses(Results& results, bool many) : results_(results), many_(many) {}

  // One number a time slice.
  void add_slices(const std::vector<ColumnReport>& reports) {
    std::vector<std::size_t> extents;
    std::vector<std::string> axes{"t of the lattice"};
    std::vector<double> values;
    for (const ColumnReport& report : reports)
      values.insert(values.end(), report.slice_residuals.begin(), report.slice_residuals.end());
    if (many_) {
      extents.push_back(reports.size());
      axes.insert(axes.begin(), "mass");
    }
    extents.push_back(reports.front().slice_residuals.size());
    write("slice_residual", extents, std::move(values), axes,
          "||(b - M x)(t)|| / ||x(t)||, the largest of all columns");
  }

  // `values`: of what there is of each mass. `meaning`: may be empty.
  template <class All, class Value>
  void add(const std::string& name, const All& all, const Value& value, const std::string& meaning) {
    using Of = std::decay_t<decltype(value(all.front()))>;
    std::vector<std::size_t> extents;
    std::vector<std::string> axes;
    if (many_) {
      extents.push_back(all.size());
      axes.emplace_back("mass");
    }
    if constexpr (std::is_arithmetic_v<Of>) {
      std::vector<Of> values;
      for (const auto& one : all) values.push_back(value(one));
      write(name, extents, std::move(values), axes, meaning);
    } else {
      Of values;
      for (const auto& one : all) {
        const Of& columns = value(one);
        values.insert(values.end(), columns.begin(), columns.end());
      }
      extents.push_back(value(all.front()).size());
      axes.emplace_back("column");
      write(name, extents, std::move(values), axes, meaning);
    }
  }

 private:
  void write(const std::string& name, const std::vector<std::size_t>& extents, Dataset::Values values,
             const std::vector<std::string>& axes, const std::string& meaning) {
    Attributes attributes = {{"axes", axes}, {"units", std::string("1")}};
    if (!meaning.empty()) attributes.emplace_back("meaning", meaning);
    results_.dataset(fmt::format("/solves/{}", name), extents, std::move(values), std::move(attributes));
  }

  Results& results_;
  bool many_;
};

}  // namespace

MultigridNumbers::MultigridNumbers(const DiracMultigrid* multigrid) {
  if (multigrid == nullptr) return;
  report = multigrid->report();
  lattices = static_cast<std::int64_t>(multigrid->settings().levels.size());
}

void add_solves(Results& results, const std::vector<ColumnReport>& reports,
                const std::vector<MultigridNumbers>& multigrid, bool many, bool with_slices) {
  OfMasses to(results, many);
  to.add(
      "true_residual", reports, [](const ColumnReport& r) { return r.true_residuals; },
      "||b - M x|| / ||b|| of the full system, recomputed in double precision");
  to.add(
      "iterations", reports, [](const ColumnReport& r) { return r.iterations; }, "");
  to.add(
      "updates", reports, [](const ColumnReport& r) { return r.updates; },
      "times that the residual was recomputed after iterations");
  to.add(
      "attempts", reports, [](const ColumnReport& r) { return r.attempts; },
      "solvers that it took; more than 1: fallbacks");
  if (with_slices) to.add_slices(reports);
  if (multigrid.empty()) return;
  using Numbers = MultigridNumbers;
  to.add(
      "multigrid_lattices", multigrid, [](const Numbers& m) { return m.lattices; },
      "coarse lattices; 0: solved without them, since they were of no use");
  to.add(
      "multigrid_rounds", multigrid, [](const Numbers& m) { return std::int64_t{m.report.rounds}; },
      "rounds that the near-null vectors have been through");
  to.add(
      "multigrid_reduction", multigrid, [](const Numbers& m) { return double{m.report.kept.reduction}; },
      "of a residual, by an iteration, as the setup measured it");
  to.add(
      "multigrid_smoothing_steps", multigrid,
      [](const Numbers& m) { return std::int64_t{finest_cycle(m.report).smoothing_steps}; },
      "on the finest lattice, behind a coarse correction");
  to.add(
      "multigrid_coarse_tolerance", multigrid,
      [](const Numbers& m) { return double{finest_cycle(m.report).coarse_tolerance}; },
      "of the coarse solves below it, of their residual");
}

}  // namespace plaq::jobs
