// Files that belong to gauge fields, several for one: sources, propagators.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace plaq::jobs {

// By the gauge file: of each source its files.
using FieldFiles = std::map<std::string, std::vector<std::vector<std::string>>>;

// Collective. What `find` finds on rank 0, which may throw, on every rank.
FieldFiles found_on_first_rank(const std::function<FieldFiles()>& find);

std::vector<std::string> all_names(const FieldFiles& files);  // sorted, each once

}  // namespace plaq::jobs
