// Commands that are Python programs: share/plaq/NAME, which the sources have in jobs/NAME.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace plaq::jobs {

struct PythonHelper {
  std::string name;                       // of the command and of its folder
  std::vector<std::string> modules;       // that it cannot do without
  std::string packages;                   // of Debian and Ubuntu that have them
  std::vector<std::string> welcome = {};  // modules by which a Python with them is preferred
};

// Serial, without MPI; the exit code. Throws a usage error where no Python has the modules.
int run_python_helper(const PythonHelper& helper, const std::vector<std::string>& arguments);

// Serial. What it prints, for those that can do without: nothing where no Python has the modules or the helper fails.
std::optional<std::string> output_of_python_helper(const PythonHelper& helper,
                                                   const std::vector<std::string>& arguments);

}  // namespace plaq::jobs
