#include "jobs/run/profile_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace plaq::jobs {
namespace {

using Json = nlohmann::json;

// Number of the slowest rank; 0 if no rank did this.
double number(const Json& level, const char* part, const char* what) {
  const auto found = level.find(part);
  return found == level.end() ? 0 : (*found)[what]["most"].get<double>();
}

// Work of the solver on a lattice itself: the cycles that it is preconditioned by are apart.
double own_solve(const Json& level) {
  const double all = number(level, "coarse solve", "seconds");
  return all > 0 ? std::max(0.0, all - number(level, "cycle", "seconds")) : 0;
}

constexpr const char* parts[] = {"smoothing", "residual", "restriction", "prolongation"};

double together(const Json& level) {
  double sum = own_solve(level);
  for (const char* part : parts) sum += number(level, part, "seconds");
  return sum;
}

}  // namespace

Json levels_json(Profiler& profiler) {
  Json all = Json::object();
  for (const auto& [part, found] : profiler.parts())
    all[part.of.occasion][fmt::format("{} {}", part.of.level, part.of.lattice)][part.part] = {
        {"times", found.applications}, {"seconds", found.sum.seconds[StepTimes::total]}};
  return all;
}

std::string levels_text(const Json& levels) {
  std::string text;
  for (const auto& [occasion, lattices] : levels.items()) {
    double all = 0;
    for (const auto& [name, level] : lattices.items()) all += together(level);
    text +=
        fmt::format("cycles of multigrid, {}: seconds on each lattice, those below apart\n{:<5} {:<16} {:>9}",
                    occasion, "level", "lattice", "times");
    for (const char* part : parts) text += fmt::format(" {:>12}", part);
    text += fmt::format(" {:>12} {:>9} {:>7}\n", "coarse solve", "together", "share");
    for (const auto& [name, level] : lattices.items()) {
      const std::size_t space = name.find(' ');
      text += fmt::format("{:<5} {:<16} {:>9.0f}", name.substr(0, space), name.substr(space + 1),
                          std::max(number(level, "cycle", "times"), number(level, "coarse solve", "times")));
      for (const char* part : parts) text += fmt::format(" {:>12.3f}", number(level, part, "seconds"));
      text += fmt::format(" {:>12.3f} {:>9.3f} {:>6.1f}%\n", own_solve(level), together(level),
                          all > 0 ? 100 * together(level) / all : 0);
    }
  }
  return text;
}

}  // namespace plaq::jobs
