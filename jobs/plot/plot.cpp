#include "jobs/plot/plot.hpp"

#include <string>
#include <vector>

#include "jobs/python/python_helper.hpp"

namespace plaq::jobs {

int run_plot(const PlotOptions& options) {
  std::vector<std::string> words = {options.file};
  if (!options.output.empty()) words.insert(words.end(), {"--output", options.output});
  if (!options.json.empty()) words.insert(words.end(), {"--json", options.json});
  for (const auto& channel : options.channels) words.push_back("--channel=" + channel);
  if (!options.momentum.empty()) words.push_back("--momentum=" + options.momentum);
  if (options.all) words.push_back("--all");
  return run_python_helper({"plot", {"h5py", "matplotlib"}, "python3-h5py python3-matplotlib"}, words);
}

}  // namespace plaq::jobs
