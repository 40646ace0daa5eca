// The commands of the program, each with what the command line says. All ranks call them after MPI has
// started. They return the exit code and throw Error for everything that goes wrong.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace plaq::jobs {

struct RunOptions {
  std::string job_file;
  std::vector<std::string> overrides;  // "table.key=value"
};

struct InfoOptions {
  std::string file;
  bool json = false;
};

struct BenchOptions {
  std::string name;                           // empty with `list`
  std::optional<std::array<int, 4>> lattice;  // sites in x, y, z, t; each benchmark has its own default
  int repeats = 0;                            // 0: as many as a steady result needs
  std::string precision;                      // "double", "single"; empty: all
  std::string location = "auto";              // "auto", "host", "gpu"
  int right_hand_sides = 0;                   // 0: those of the benchmark
  std::string json;                           // file for the results; empty: none
  bool list = false;                          // print the names of the benchmarks
};

struct PlotOptions {
  std::string file;
  std::string output;  // .pdf, .png or .svg; empty: the name of `file` with .pdf
  std::string json;    // file for the numbers that are drawn; empty: none
};

struct SelftestOptions {
  std::string location = "auto";  // "auto", "host", "gpu"
};

int run_job(const RunOptions& options);
int show_info(const InfoOptions& options);
int run_bench(const BenchOptions& options);
int run_selftest(const SelftestOptions& options);

}  // namespace plaq::jobs
