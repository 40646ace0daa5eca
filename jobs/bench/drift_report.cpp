// What bench_gaugefix_drift found, for people and plots: numbers with spaces between them, behind lines that
// begin with #.
#include <fmt/format.h>

#include <functional>

#include "jobs/bench/bench.hpp"

namespace plaq::jobs {
namespace {

using Number = std::function<std::string(const DriftPoint&)>;

std::string table(const std::vector<const BenchRow*>& rows, const char* title, const char* subtitle,
                  const Number& number) {
  std::string text = fmt::format("\n# {}; {}\n# column 1: sweeps\n", title, subtitle);
  for (std::size_t k = 0; k < rows.size(); ++k)
    text +=
        fmt::format("# columns {} and {}: {}, {}\n", 2 * k + 2, 2 * k + 3, rows[k]->precision, rows[k]->name);
  for (std::size_t i = 0; i < rows.front()->drift.size(); ++i) {
    text += fmt::format("{:>8}", rows.front()->drift[i].sweeps);
    for (const BenchRow* row : rows) text += "  " + number(row->drift[i]);
    text += '\n';
  }
  return text;
}

}  // namespace

std::string drift_text(const std::vector<BenchRow>& rows) {
  std::vector<const BenchRow*> all;
  for (const BenchRow& row : rows)
    if (!row.drift.empty()) all.push_back(&row);
  if (all.empty()) return {};
  return table(all, "|g g^dagger - 1| of the stored rows", "average and largest over sites in turn",
               [](const DriftPoint& p) { return fmt::format("{:.3e} {:.3e}", p.average, p.largest); }) +
         table(
             all, "functional", "and its deviation from the last value in double, relative, in turn",
             [](const DriftPoint& p) { return fmt::format("{:.14f} {:>10.3e}", p.functional, p.deviation); });
}

}  // namespace plaq::jobs
