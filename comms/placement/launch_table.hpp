// Table of the place of each rank, and warnings, for users.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "comms/placement/binding.hpp"

namespace plaq {

struct LaunchRow {
  std::string host;
  std::string gpu, name;  // bus id and name of the GPU; empty on the host
  Binding binding;
};

bool has(const LaunchRow& row, BindingFault fault);

struct LaunchNode {
  std::vector<int> ranks;  // ascending
  std::vector<LaunchRow> rows;
};

// Summary of many nodes for a table, as short for thousands of them as for a few: nodes that are alike are
// one kind, only the first kinds have rows, and of each fault there is the first case.
struct LaunchSummary {
  static constexpr std::size_t most_kinds = 4;  // with rows
  struct Kind {
    std::uint64_t fingerprint = 0;  // equal for nodes that are alike
    std::size_t nodes = 0;
    LaunchNode first;
  };
  struct Fault {
    std::size_t cases = 0;
    std::string first;
  };
  std::vector<Kind> kinds;
  std::array<Fault, 3> faults;  // as BindingFault counts

  void add(const LaunchSummary& higher);  // of nodes whose lowest ranks are higher
};

LaunchSummary summary_of(const LaunchNode& node);

// Ranks tell each other in text.
std::string text_of(const RankPlace& place);
RankPlace rank_place(const std::string& text);
std::string text_of(const LaunchRow& row);
LaunchRow launch_row(const std::string& text);
std::string text_of(const LaunchSummary& summary);
LaunchSummary launch_summary(const std::string& text);

// Nodes that are alike are shown once, ranks of a node that are alike share a line, and of many kinds of
// nodes the first ones are shown: a few dozen lines for any number of ranks.
std::string launch_table(const LaunchSummary& summary);
// One sentence for each kind of fault, with the first case and how many more there are.
std::vector<std::string> launch_warnings(const LaunchSummary& summary);

}  // namespace plaq
