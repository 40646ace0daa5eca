#include "comms/placement/launch_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace plaq {
namespace {

constexpr std::size_t most_lines = 16;

std::string remark(const LaunchRow& row) {
  std::string text;
  const auto add = [&](const std::string& what) { text.append(text.empty() ? "" : ", ").append(what); };
  if (row.binding.bound) add("cores by plaq");
  if (has(row, BindingFault::shared_gpu)) add("GPU SHARED");
  if (has(row, BindingFault::far_gpu)) add("GPU FAR, at NUMA node " + row.binding.gpu_numa);
  if (has(row, BindingFault::crowded)) add("MORE THREADS THAN CORES");
  return text;
}

using Cells = std::array<std::string, 8>;
constexpr std::array<const char*, 8> titles = {"rank", "node",    "GPU",          "cores",
                                               "NUMA", "threads", "network card", ""};

Cells cells_of(const std::vector<int>& ranks, const CoreSet& cores, const LaunchRow& row) {
  const Binding& b = row.binding;
  const auto known = [](const std::string& text) { return text.empty() ? std::string("-") : text; };
  const std::string gpu = b.gpu < 0 ? "-" : fmt::format("{} {} {}", b.gpu, row.name, row.gpu);
  return {
      CoreSet(ranks).text(), row.host,      gpu,
      known(cores.text()),   known(b.numa), fmt::format("{}{}", b.threads, ranks.size() > 1 ? " each" : ""),
      known(b.card),         remark(row)};
}

bool same_line(const LaunchRow& a, const LaunchRow& b) {
  return a.gpu == b.gpu && a.binding.gpu == b.binding.gpu && a.binding.numa == b.binding.numa &&
         a.binding.card == b.binding.card && a.binding.threads == b.binding.threads && remark(a) == remark(b);
}

// A node's ranks, those that are alike and follow each other in one line.
std::vector<Cells> lines_of(const LaunchNode& node) {
  std::vector<Cells> lines;
  for (std::size_t first = 0, last = 0; first < node.rows.size(); first = last) {
    CoreSet cores;
    for (last = first; last < node.rows.size() && same_line(node.rows[first], node.rows[last]); ++last)
      cores = cores | node.rows[last].binding.cores;
    lines.push_back(cells_of({node.ranks.begin() + static_cast<std::ptrdiff_t>(first),
                              node.ranks.begin() + static_cast<std::ptrdiff_t>(last)},
                             cores, node.rows[first]));
  }
  return lines;
}

std::string padded(const std::vector<std::pair<Cells, std::string>>& lines) {
  std::array<std::size_t, 8> width{};
  for (const auto& [cells, text] : lines)
    for (std::size_t c = 0; text.empty() && c < cells.size(); ++c)
      width[c] = std::max(width[c], cells[c].size());
  std::string table;
  for (const auto& [cells, text] : lines) {
    std::string line = text;
    for (std::size_t c = 0; text.empty() && c < cells.size(); ++c)
      line += fmt::format("{:<{}}  ", cells[c], width[c]);
    line.erase(line.find_last_not_of(' ') + 1);
    table += "\n  " + line;
  }
  return table;
}

std::string plural(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string and_more(std::size_t cases, const char* what) {
  return cases > 1 ? fmt::format(" (and {} more {}{})", cases - 1, what, cases == 2 ? "" : "s")
                   : std::string();
}

}  // namespace

std::string launch_table(const LaunchSummary& summary) {
  std::vector<std::pair<Cells, std::string>> lines(1);
  std::copy(titles.begin(), titles.end(), lines.front().first.begin());
  std::size_t others = 0;
  for (std::size_t k = 0; k < summary.kinds.size(); ++k) {
    const LaunchSummary::Kind& kind = summary.kinds[k];
    if (k >= LaunchSummary::most_kinds) {
      others += kind.nodes;
      continue;
    }
    const std::vector<Cells> all = lines_of(kind.first);
    for (std::size_t i = 0; i < std::min(all.size(), most_lines); ++i) lines.push_back({all[i], {}});
    if (all.size() > most_lines)
      lines.push_back({{}, fmt::format("and {} more lines of this node", all.size() - most_lines)});
    if (kind.nodes > 1)
      lines.push_back({{}, fmt::format("and the same on {}", plural(kind.nodes - 1, "more node"))});
  }
  if (others > 0)
    lines.push_back({{},
                     fmt::format("and {}, in {}", plural(others, "more node"),
                                 plural(summary.kinds.size() - LaunchSummary::most_kinds, "other way"))});
  return padded(lines);
}

std::vector<std::string> launch_warnings(const LaunchSummary& summary) {
  struct Sentence {
    BindingFault fault;
    const char *more, *end;
  };
  constexpr Sentence sentences[] = {
      {BindingFault::shared_gpu, "shared GPU", "one rank a GPU is what plaq is made for"},
      {BindingFault::far_gpu, "such rank",
       "let the launcher bind ranks to cores near their GPUs, or not at all"},
      {BindingFault::crowded, "such node", "expect poor speed"}};
  std::vector<std::string> warnings;
  for (const Sentence& sentence : sentences) {
    const LaunchSummary::Fault& found = summary.faults[static_cast<std::size_t>(sentence.fault)];
    if (found.cases > 0)
      warnings.push_back(found.first + and_more(found.cases, sentence.more) + ": " + sentence.end);
  }
  return warnings;
}

}  // namespace plaq
