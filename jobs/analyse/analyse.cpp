#include "jobs/analyse/analyse.hpp"

#include <string>
#include <vector>

#include "jobs/python/python_helper.hpp"

namespace plaq::jobs {

int run_analyse(const AnalyseOptions& options) {
  std::vector<std::string> words = options.options;
  words.push_back("--");
  words.insert(words.end(), options.files.begin(), options.files.end());
  return run_python_helper({"analyse", {"h5py", "numpy"}, "python3-h5py python3-numpy", {"pyerrors"}}, words);
}

}  // namespace plaq::jobs
