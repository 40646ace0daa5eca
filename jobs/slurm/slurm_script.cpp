#include "jobs/slurm/slurm_script.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace plaq::jobs {

std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string slurm_head(const SlurmKeys& keys, const SlurmRequest& request) {
  const int on_node = std::min(request.ranks, keys.ranks_per_node);
  std::string text = "#!/bin/bash\n";
  const auto option = [&](const std::string& words) { text += "#SBATCH " + words + '\n'; };
  option("--job-name=" + request.name);
  option("--output=" + request.log);
  option(fmt::format("--nodes={}", (request.ranks + on_node - 1) / on_node));
  option(fmt::format("--ntasks={}", request.ranks));
  option(fmt::format("--ntasks-per-node={}", on_node));
  // Every rank sees all GPUs of its node: memory of one is mapped into another.
  if (request.gpus) option(fmt::format("--gpus-per-node={}", on_node));
  option("--time=" + keys.time);
  if (!keys.partition.empty()) option("--partition=" + keys.partition);
  if (!keys.account.empty()) option("--account=" + keys.account);
  for (const std::string& words : request.options) option(words);
  for (const std::string& words : keys.options) option(words);
  text += "set -e\ncd " + shell_word(request.directory) + '\n';
  for (const std::string& line : keys.setup) text += line + '\n';
  return text;
}

}  // namespace plaq::jobs
