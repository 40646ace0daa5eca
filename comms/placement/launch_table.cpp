#include "comms/placement/launch_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace plaq {
namespace {

constexpr std::size_t most_kinds = 4, most_lines = 16;

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
std::vector<Cells> lines_of(const std::vector<LaunchRow>& rows, const std::vector<int>& ranks) {
  std::vector<Cells> lines;
  const auto row = [&](std::size_t i) -> const LaunchRow& {
    return rows[static_cast<std::size_t>(ranks[i])];
  };
  for (std::size_t first = 0, last = 0; first < ranks.size(); first = last) {
    CoreSet cores;
    for (last = first; last < ranks.size() && same_line(row(first), row(last)); ++last)
      cores = cores | row(last).binding.cores;
    lines.push_back(cells_of({ranks.begin() + static_cast<std::ptrdiff_t>(first),
                              ranks.begin() + static_cast<std::ptrdiff_t>(last)},
                             cores, row(first)));
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

bool has(const LaunchRow& row, BindingFault fault) {
  const auto& faults = row.binding.faults;
  return std::find(faults.begin(), faults.end(), fault) != faults.end();
}

std::string launch_table(const std::vector<LaunchRow>& rows) {
  std::map<int, std::vector<int>> nodes;  // ranks, by the lowest
  for (std::size_t r = 0; r < rows.size(); ++r) nodes[rows[r].node].push_back(static_cast<int>(r));
  struct Kind {
    const std::vector<int>* ranks;
    std::size_t nodes;
  };
  std::vector<Kind> kinds;
  std::map<std::string, std::size_t> known;
  for (const auto& [node, ranks] : nodes) {
    std::string signature;
    for (const int rank : ranks) {
      LaunchRow row = rows[static_cast<std::size_t>(rank)];
      row.host.clear(), row.node = 0;
      signature += text_of(row) + '\n';
    }
    const auto [at, is_new] = known.emplace(signature, kinds.size());
    if (is_new) kinds.push_back({&ranks, 0});
    ++kinds[at->second].nodes;
  }

  std::vector<std::pair<Cells, std::string>> lines(1);
  std::copy(titles.begin(), titles.end(), lines.front().first.begin());
  for (std::size_t k = 0; k < std::min(kinds.size(), most_kinds); ++k) {
    const std::vector<Cells> all = lines_of(rows, *kinds[k].ranks);
    for (std::size_t i = 0; i < std::min(all.size(), most_lines); ++i) lines.push_back({all[i], {}});
    if (all.size() > most_lines)
      lines.push_back({{}, fmt::format("and {} more lines of this node", all.size() - most_lines)});
    if (kinds[k].nodes > 1)
      lines.push_back({{}, fmt::format("and the same on {}", plural(kinds[k].nodes - 1, "more node"))});
  }
  if (kinds.size() > most_kinds) {
    std::size_t others = 0;
    for (std::size_t k = most_kinds; k < kinds.size(); ++k) others += kinds[k].nodes;
    lines.push_back({{},
                     fmt::format("and {}, in {}", plural(others, "more node"),
                                 plural(kinds.size() - most_kinds, "other way"))});
  }
  return padded(lines);
}

std::vector<std::string> launch_warnings(const std::vector<LaunchRow>& rows) {
  std::map<std::pair<int, std::string>, std::vector<int>> shared;  // by node and GPU
  std::map<int, std::vector<int>> crowded;                         // by node
  std::vector<int> far;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const int rank = static_cast<int>(r);
    if (has(rows[r], BindingFault::shared_gpu)) shared[{rows[r].node, rows[r].gpu}].push_back(rank);
    if (has(rows[r], BindingFault::crowded)) crowded[rows[r].node].push_back(rank);
    if (has(rows[r], BindingFault::far_gpu)) far.push_back(rank);
  }
  std::vector<std::string> warnings;
  const auto row = [&](int rank) -> const LaunchRow& { return rows[static_cast<std::size_t>(rank)]; };
  if (!shared.empty()) {
    const std::vector<int>& ranks = shared.begin()->second;
    warnings.push_back(fmt::format(
        "ranks {} on {} share the GPU {}{}: one rank a GPU is what plaq is made for", CoreSet(ranks).text(),
        row(ranks.front()).host, row(ranks.front()).gpu, and_more(shared.size(), "shared GPU")));
  }
  if (!far.empty()) {
    const LaunchRow& first = row(far.front());
    warnings.push_back(
        fmt::format("rank {} on {} has the cores {} of NUMA node {}, but its GPU {} is at NUMA node {}{}: "
                    "let the launcher "
                    "bind ranks to cores near their GPUs, or not at all",
                    far.front(), first.host, first.binding.cores.text(), first.binding.numa, first.gpu,
                    first.binding.gpu_numa, and_more(far.size(), "such rank")));
  }
  if (!crowded.empty()) {
    const std::vector<int>& ranks = crowded.begin()->second;
    CoreSet cores;
    int threads = 0;
    for (const int rank : ranks)
      cores = cores | row(rank).binding.cores, threads += row(rank).binding.threads;
    warnings.push_back(
        fmt::format("more ranks times threads than cores: rank{} {} on {}, {} thread(s) on core(s) {}{}: "
                    "expect poor speed",
                    ranks.size() > 1 ? "s" : "", CoreSet(ranks).text(), row(ranks.front()).host, threads,
                    cores.text(), and_more(crowded.size(), "such node")));
  }
  return warnings;
}

}  // namespace plaq
