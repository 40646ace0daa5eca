// Table of the place of each rank, and warnings, for users.
#pragma once

#include <string>
#include <vector>

#include "comms/placement/binding.hpp"

namespace plaq {

struct LaunchRow {
  std::string host;
  int node = 0;           // lowest rank of the node
  std::string gpu, name;  // bus id and name of the GPU; empty on the host
  Binding binding;
};

bool has(const LaunchRow& row, BindingFault fault);

// Ranks tell each other in one line of text.
std::string text_of(const RankPlace& place);
RankPlace rank_place(const std::string& text);
std::string text_of(const LaunchRow& row);
LaunchRow launch_row(const std::string& text);

// rows: of all ranks, in order. Nodes that are alike are shown once, ranks of a node that are alike share a
// line, and of many kinds of nodes the first ones are shown: a few dozen lines for any number of ranks.
std::string launch_table(const std::vector<LaunchRow>& rows);
// One sentence for each kind of fault, with the first case and how many more there are.
std::vector<std::string> launch_warnings(const std::vector<LaunchRow>& rows);

}  // namespace plaq
