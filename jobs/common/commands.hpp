// The commands of the program, each with what the command line says. They throw Error for everything that
// goes wrong. All ranks call those that return an exit code, after MPI has started.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace plaq::jobs {

struct RunOptions {
  std::string job_file;
  std::vector<std::string> overrides;  // "table.key=value"
  std::string generate = {};           // directory for job scripts, which are written instead; empty: none
  bool profile = false;                // as [run] profile and profile_file
  std::string profile_json = {};
};

struct InfoOptions {
  std::string file;
  bool json = false;
  bool all = false;  // of results also every dataset, attribute and the job file
  std::vector<std::string> accept_checksums = {};  // as in [gauge] of job files; of propagators, too
};

struct ConvertOptions {
  std::string input, output;
  // "nersc", "ildg", "scidac", "milc", "openqcd", "ddalphaamg"; of propagators
  // "hdf5", "scidac", "milc", "fnal"
  std::string format;
  std::string precision;  // "single", "double"; empty: the input's where the format has it
  bool overwrite = false;
  std::vector<std::string> accept_checksums = {};  // of the input, as in [gauge] of job files
  std::string phases;  // of staggered propagators: "xyzt", "txyz"; empty: the input's
  // For gauge fields.
  std::string rows;        // "3x3", "3x2"; empty: 3x3
  std::string byte_order;  // "big", "little"; empty: big where the format has it
  bool strip_antiperiodic = false;
  std::string transform;  // a file of a gauge transformation that is applied before writing; empty: none
  std::string ensemble_id, ensemble_label, ildg_lfn;  // empty: those of the input
};

struct BenchOptions {
  std::string name;                           // empty with `list`
  std::optional<std::array<int, 4>> lattice;  // sites in x, y, z, t; each benchmark has its own default
  std::string only;                           // rows whose name contains it; empty: all
  int repeats = 0;                            // 0: as many as a steady result needs
  std::string precision;                      // "double", "single", "half" (Dirac operators); empty: all
  int reconstruction = 0;                     // 18, 12 or 8 (Dirac operators); 0: all
  std::string location = "auto";              // "auto", "host", "gpu"
  int right_hand_sides = 0;                   // 0: those of the benchmark
  int Ls = 0;                                 // of domain_wall; 0: that of the benchmark
  int vectors = 0;                            // near-null ones (multigrid); 0: those of the benchmark
  std::optional<std::array<int, 4>> grid;     // ranks in x, y, z, t; else the grid of least surface
  std::string transport = "auto";             // as in [comms] of job files
  std::vector<std::string> force_partition;   // "x", "y", "z", "t"
  std::string json;                           // file for the results; empty: none
  bool profile = false;                       // print where the time of operators went
  bool untuned = false;                       // launches as without a tuner
  bool list = false;                          // print the names of the benchmarks
};

struct PlotOptions {
  std::string file;
  std::string output;                 // .pdf, .png or .svg; empty: the name of `file` with .pdf
  std::string json;                   // file for the numbers that are drawn; empty: none
  std::vector<std::string> channels;  // of correlators whose details are drawn; empty: the summary
  std::string momentum;               // "X,Y,Z" or its square, of these; empty: all
  std::vector<std::string> windows;   // "FIRST:LAST" or "NAME=FIRST:LAST", of fits; empty: all windows
  std::string weights;                // "FILE" or "FILE:/DATASET" of reweighting factors; empty: none
  std::vector<std::string> blind;     // "NAME" or "CHANNEL=NAME" of secret factors; empty: none
  bool stability = false;             // fits against the first slice of their window
  bool all = false;                   // everything, behind the summary
};

struct JoinResultsOptions {
  std::string output;
  std::vector<std::string> inputs;
  bool overwrite = false;
};

struct SnapshotOptions {
  std::string job_file, output;
  std::vector<std::string> overrides;
};

struct AnalyseOptions {
  std::vector<std::string> files;    // results of jobs
  std::vector<std::string> options;  // "--json", "out.json", ...: as the Python package takes them
};

struct SelftestOptions {
  std::string part;               // "hmc"; empty: the checks that every job stands on
  std::string location = "auto";  // "auto", "host", "gpu"
};

struct SchemaOptions {
  std::string job;  // job type; empty: all
  bool json = false, markdown = false, example = false;
};

struct ExplainOptions {
  std::string code;  // exit code, or a name; empty: all
};

struct PlanOptions {
  RunOptions run;
  int ranks = 0;           // 0: as many as the launcher started, else 1
  int ranks_per_node = 0;  // 0: all on one node, or as of the machine
  std::string location;    // "host", "gpu"; empty: that of the job file
  // For predictions of time: a machine that the model knows (on GPUs then), and files of measurements.
  std::string gpu;
  std::vector<std::string> networks;
  std::vector<std::string> assumptions;  // "iterations=1000", "sweeps=3000", "temporal_gauge=no"
  bool json = false;
};

struct ModelOptions {
  std::vector<std::string> networks;  // files of measurements, for "h200"
};

int run_job(const RunOptions& options);
// Runs the text of a job file, which all ranks have; job_file: its name in messages.
int run_job_text(const std::string& text, const RunOptions& options);
int show_info(const InfoOptions& options);
int convert_file(const ConvertOptions& options);
int run_bench(const BenchOptions& options);
int run_selftest(const SelftestOptions& options);
int snapshot_results(const SnapshotOptions& options);
int join_results(const JoinResultsOptions& options);  // one process, without MPI

// Text for standard output. Plans and models run jobs and operators dry, which
// starts MPI; the others need none.
std::string text_of(const SchemaOptions& options);
std::string text_of(const ExplainOptions& options);
std::string text_of(const PlanOptions& options);
std::string text_of(const ModelOptions& options);

// The exit code that is no error: all that could be done is done, and some of what was asked for is left out.
inline constexpr int exit_incomplete = 10;  // behind those of ErrorKind

// plaq plan JOB.toml --cost. `ranks`: the most that are looked at. Without a machine it is H200s.
struct CostOptions {
  PlanOptions plan;
};

// Text of the options, in the form that other plans use.
std::string text_of(const CostOptions& options);

// plaq run JOB.toml --generate DIRECTORY, --submit: scripts for Slurm. Writes the scripts of the job;
// `submit`: and calls sbatch. Returns the exit code. One process, without MPI: what that puts into the
// environment would go along to the batch job.
int generate_scripts(const RunOptions& options, bool submit);

// Overrides of the command line, with those of --profile.
std::vector<std::string> overrides_of(const RunOptions& options);

}  // namespace plaq::jobs
