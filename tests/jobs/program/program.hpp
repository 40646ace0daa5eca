// Runs the program itself, as a user would, in a directory of its own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace plaq::test {

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

struct Outcome {
  int code = -1;
  std::string out, err;

  // Messages of level E, one a line; the launcher's own lines are not ours.
  std::vector<std::string> errors() const {
    std::vector<std::string> found;
    std::istringstream lines(err);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("E ")) found.push_back(line);
    return found;
  }
};

inline void expect_failure(const Outcome& outcome, int code, const std::vector<std::string>& parts) {
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_EQ(outcome.errors().size(), 1u) << outcome.err;
  for (const auto& part : parts)
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << "\n" << outcome.err;
}

// PLAQ_DATA_DIR/gauge/, where gauge fields of other programs are; empty where it is not set.
inline std::string foreign_fields() {
  const char* data = std::getenv("PLAQ_DATA_DIR");
  return data && *data ? std::string(data) + "/gauge/" : std::string();
}

// A directory that goes away.
class Sandbox {
 public:
  Sandbox() {
    std::string name = (std::filesystem::temp_directory_path() / "plaq-program-XXXXXX").string();
    if (!::mkdtemp(name.data())) ADD_FAILURE() << "cannot make " << name;
    path_ = name;
  }
  ~Sandbox() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  // One rank runs without a launcher.
  Outcome plaq(const std::string& arguments, int ranks = 1) const { return plaq_with("", arguments, ranks); }
  // `environment`: "NAME=VALUE ..." as a shell takes it.
  Outcome plaq_with(const std::string& environment, const std::string& arguments, int ranks = 1) const {
    const std::string launcher =
        ranks == 1 ? "" : std::string(PLAQ_MPIRUN) + " -np " + std::to_string(ranks) + " ";
    const std::string command = "cd '" + path_.string() + "' && ASAN_OPTIONS=detect_leaks=0 " + environment +
                                " timeout 60 " + launcher + "'" + PLAQ_PROGRAM + "' " + arguments +
                                " > .out 2> .err";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(path_ / ".out"), contents(path_ / ".err")};
  }

 private:
  std::filesystem::path path_;
};

// Two small fields, field.000002.nersc and field.000004.nersc, of 4x4x4x8.
constexpr const char* generate_job = R"(job = "generate"
[lattice]
extents = [4, 4, 4, 8]
[gauge]
beta = 5.7
[update]
seed = 11
overrelaxation = 1
thermalization = 2
separation = 2
configurations = 2
reunitarize_every = 3
[output]
prefix = "field"
measure_every = 1
[run]
location = "host"
threads = 1
)";

constexpr const char* measure_job = R"(job = "measure"
[gauge]
files = ["field.*.nersc"]
[output]
file = "measured.h5"
[run]
location = "host"
threads = 1
)";

constexpr const char* propagator_job = R"(job = "propagator"
[gauge]
files = ["field.*.nersc"]
[action]
kappa = 0.11
[solver]
tolerance = 1e-9
[output]
file = "pion.h5"
[run]
location = "host"
threads = 1
)";

}  // namespace plaq::test
