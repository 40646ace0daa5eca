#include "jobs/solver_study/study_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "jobs/common/wrap.hpp"
#include "jobs/study/columns.hpp"

namespace plaq::jobs {
namespace {

constexpr std::size_t line_width = 110, mass_width = 10, gap = 2;

// Averages over configurations and sources or batches.
class Averages {
 public:
  Averages(const StudySpec& spec, const Results& results) : spec_(spec), results_(results) {}

  bool converged(std::size_t mass, std::size_t solver) const {
    return of("outcome", mass, solver) == 0;  // no code is negative
  }
  // In mixed precision as in tables 4 and 5: restarts and reliable updates count as iterations.
  double iterations(std::size_t mass, std::size_t solver) const {
    const double alone = of("iterations", mass, solver);
    if (spec_.solvers[solver].scheme == MixedScheme::none) return alone;
    return alone + of("updates", mass, solver);
  }
  double seconds(std::size_t mass, std::size_t solver) const { return of("seconds", mass, solver); }

 private:
  double of(const char* name, std::size_t mass, std::size_t solver) const {
    const Numbers all(results_, std::string("/solves/") + name);
    const std::size_t configurations = all.extents()[0], last = all.extents()[3];
    double sum = 0;
    for (std::size_t c = 0; c < configurations; ++c)
      for (std::size_t i = 0; i < last; ++i) sum += all(c, mass, solver, i);
    return sum / static_cast<double>(configurations * last);
  }

  const StudySpec& spec_;
  const Results& results_;
};

// What stands above a column, one line each; the title has what all columns of a table share.
struct Heading {
  std::string method, storage, outer, number;
};

Heading heading_of(const SolverSettings& spec) {
  const std::string name = name_of(spec), method = name.substr(0, name.find(','));
  if (spec.scheme == MixedScheme::none) return {method, name_of(spec.outer), "", ""};
  const double number = spec.scheme == MixedScheme::reliable_updates ? spec.delta : inner_tolerance_of(spec);
  return {method, name_of(inner_storage(spec)), "in " + name_of(spec.outer), fmt::format("{:g}", number)};
}

// The lines of the columns without those that are empty or equal everywhere, which `shared` gets.
std::vector<std::vector<std::string>> lines_above(const StudySpec& spec,
                                                  const std::vector<std::size_t>& solvers,
                                                  std::string& shared) {
  std::vector<std::vector<std::string>> columns(solvers.size());
  for (const auto line : {&Heading::method, &Heading::storage, &Heading::outer, &Heading::number}) {
    const std::string first = heading_of(spec.solvers[solvers.front()]).*line;
    const bool may_go = line == &Heading::method || line == &Heading::outer;
    const bool alike = std::all_of(solvers.begin(), solvers.end(),
                                   [&](std::size_t i) { return heading_of(spec.solvers[i]).*line == first; });
    if (alike && (may_go || first.empty())) {
      if (!first.empty()) shared += (line == &Heading::method ? ", " : " ") + first;
      continue;
    }
    for (std::size_t i = 0; i < solvers.size(); ++i)
      columns[i].push_back(heading_of(spec.solvers[solvers[i]]).*line);
  }
  return columns;
}

using Cell = std::function<std::string(std::size_t mass, std::size_t solver)>;

std::string_view title_of(MixedScheme scheme) {
  switch (scheme) {
    case MixedScheme::none:
      return "One precision";
    case MixedScheme::defect_correction:
      return "Defect correction by inner tolerance";
    case MixedScheme::reliable_updates:
      return "Reliable updates by delta";
  }
  return "";
}

// Of the solvers of one scheme; parts under each other where the columns do not fit side by side.
std::string table(const StudySpec& spec, const std::vector<std::size_t>& solvers, const std::string& what,
                  const Cell& cell) {
  const std::size_t masses = spec.masses.size();
  std::string shared;
  auto columns = lines_above(spec, solvers, shared);  // then a line a mass
  const std::size_t above = columns.front().size();
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (std::size_t mass = 0; mass < masses; ++mass) columns[i].push_back(cell(mass, solvers[i]));
  std::size_t width = 0;
  for (const auto& column : columns)
    for (const auto& text : column) width = std::max(width, text.size());
  const std::size_t across = std::max<std::size_t>(1, (line_width - mass_width) / (width + gap));
  std::string text = wrapped(
      fmt::format("{}{}: {}", title_of(spec.solvers[solvers.front()].scheme), shared, what), {}, line_width);
  for (std::size_t first = 0; first < columns.size(); first += across) {
    text += '\n';
    const std::size_t end = std::min(columns.size(), first + across);
    for (std::size_t line = 0; line < above + masses; ++line) {
      std::string row = line + 1 == above ? (spec.by_kappa ? "kappa" : "mass")
                        : line < above    ? ""
                                          : fmt::format("{:.6g}", spec.labels[line - above]);
      row = fmt::format("{:<{}}", row, mass_width);
      for (std::size_t i = first; i < end; ++i) row += fmt::format("  {:>{}}", columns[i][line], width);
      text += row + '\n';
    }
  }
  return text + '\n';
}

}  // namespace

std::string study_tables(const StudySpec& spec, const Results& results) {
  const Averages average(spec, results);
  const Cell iterations = [&](std::size_t mass, std::size_t solver) -> std::string {
    return average.converged(mass, solver) ? fmt::format("{:.0f}", average.iterations(mass, solver)) : "*";
  };
  const Cell seconds = [&](std::size_t mass, std::size_t solver) -> std::string {
    if (!average.converged(mass, solver)) return "*";
    const double time = average.seconds(mass, solver);
    if (!average.converged(mass, spec.baseline)) return fmt::format("{:.3g} (-)", time);
    return fmt::format("{:.3g} ({:.2f})", time, average.seconds(mass, spec.baseline) / time);
  };
  std::string text;
  for (const MixedScheme scheme :
       {MixedScheme::none, MixedScheme::defect_correction, MixedScheme::reliable_updates}) {
    std::vector<std::size_t> solvers;
    for (std::size_t i = 0; i < spec.solvers.size(); ++i)
      if (spec.solvers[i].scheme == scheme) solvers.push_back(i);
    if (solvers.empty()) continue;
    text += table(spec, solvers,
                  scheme == MixedScheme::none ? "iterations (*: did not converge)"
                                              : "iterations and recomputed residuals (*: did not converge)",
                  iterations);
    text +=
        table(spec, solvers,
              fmt::format("seconds (speed-up against {})", name_of(spec.solvers[spec.baseline])), seconds);
  }
  return text;
}

}  // namespace plaq::jobs
