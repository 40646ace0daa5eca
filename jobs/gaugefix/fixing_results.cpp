#include "jobs/gaugefix/fixing_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/system/error.hpp"

namespace plaq::jobs {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

void number(Results& results, const char* name, double value, const char* units, const char* meaning) {
  results.dataset(std::string("/copies/") + name, {}, std::vector<double>{value},
                  described({}, units, meaning));
}
void count(Results& results, const char* name, std::int64_t value, const char* meaning) {
  results.dataset(std::string("/copies/") + name, {}, std::vector<std::int64_t>{value},
                  described({}, "1", meaning));
}

void add_history(Results& results, const FixingHistory& history) {
  const auto& points = history.points();
  require(points.size() <= history_points, "a curve of gauge fixing is longer than its dataset");
  const auto curve = [&](const char* name, double HistoryPoint::*member, const char* units,
                         const char* meaning) {
    std::vector<double> values(history_points, nothing);
    for (std::size_t i = 0; i < points.size(); ++i) values[i] = points[i].*member;
    results.dataset(std::string("/history/") + name, {history_points}, std::move(values),
                    described({"point"}, units, meaning));
  };
  curve("sweeps", &HistoryPoint::sweeps, "1", "sweeps of all stages until then");
  curve("functional", &HistoryPoint::functional, "1", "gauge functional, in the precision of the sweeps");
  curve("theta", &HistoryPoint::theta, "1", "gauge precision; in Coulomb gauge of the worst time slice");
  curve("temperature", &HistoryPoint::temperature, "1", "of annealing; 0 behind it");
  std::vector<std::int64_t> stages(history_points, -1);
  for (std::size_t i = 0; i < points.size(); ++i) stages[i] = static_cast<std::int64_t>(points[i].stage);
  results.dataset("/history/stage", {history_points}, std::move(stages),
                  described({"point"}, "1", "0 annealing, 1 stochastic relaxation, 2 overrelaxation"));
}

struct Spread {
  double mean = nothing, deviation = nothing, error = nothing;
};
Spread spread_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  if (values.empty()) return {};
  double mean = 0, square = 0;
  for (const double x : values) mean += x / n;
  for (const double x : values) square += (x - mean) * (x - mean);
  if (values.size() < 2) return {mean, nothing, nothing};
  const double deviation = std::sqrt(square / (n - 1));
  return {mean, deviation, deviation / std::sqrt(n)};
}

}  // namespace

void add_outcome(Results& results, const CopyOutcome& outcome) {
  number(results, "functional", outcome.functional, "1", "gauge functional, in double precision");
  number(results, "theta", outcome.theta, "1", "gauge precision, average over the lattice");
  number(results, "theta_worst_slice", outcome.worst_slice, "1",
         "gauge precision of the time slice where it is largest");
  count(results, "converged", outcome.converged ? 1 : 0, "1 where theta was reached");
  count(results, "annealing", outcome.annealing, "sweeps of annealing, microcanonical ones included");
  count(results, "stochastic", outcome.stochastic, "sweeps of stochastic relaxation");
  count(results, "overrelaxation", outcome.overrelaxation, "sweeps of overrelaxation");
  count(results, "restarts", outcome.restarts, "starts after the first one");
  number(results, "omega", outcome.omega, "1", "overrelaxation parameter at the end");
  add_history(results, outcome.history);
}

double number_in(const Results& results, const std::string& path, std::size_t copy) {
  const Dataset* found = find_dataset(results, path);
  require(found != nullptr, "a number of gauge fixing is missing in its results");
  return std::visit([&](const auto& values) { return static_cast<double>(values.at(copy)); }, found->values);
}

std::string table_of_copies(const Results& field, int copies) {
  std::vector<double> sweeps, functionals;
  int best = -1;
  for (int k = 0; k < copies; ++k) {
    const auto at = [&](const char* name) {
      return number_in(field, std::string("/copies/") + name, static_cast<std::size_t>(k));
    };
    if (at("converged") == 0) continue;
    sweeps.push_back(at("annealing") + at("stochastic") + at("overrelaxation"));
    functionals.push_back(at("functional"));
    if (best < 0 ||
        functionals.back() > number_in(field, "/copies/functional", static_cast<std::size_t>(best)))
      best = k;
  }
  const Spread s = spread_of(sweeps), f = spread_of(functionals);
  std::string text = fmt::format("  converged copies  {} of {}\n", functionals.size(), copies);
  if (functionals.empty()) return text;
  const bool many = functionals.size() > 1;
  text +=
      fmt::format("  sweeps            {:.0f}{}\n", s.mean, many ? fmt::format(" +- {:.0f}", s.error) : "");
  text += fmt::format("  functional        {:.10f}{}\n", f.mean,
                      many ? fmt::format(", spread {:.2e}", f.deviation) : "");
  const auto k = static_cast<std::size_t>(best);
  if (many)
    text += fmt::format("  best              {:.10f}, copy {}\n", number_in(field, "/copies/functional", k),
                        best);
  text += fmt::format("  theta             {:.2e}, of the worst time slice {:.2e}\n",
                      number_in(field, "/copies/theta", k), number_in(field, "/copies/theta_worst_slice", k));
  return text;
}

}  // namespace plaq::jobs
