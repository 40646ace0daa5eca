#include "jobs/program/exit_codes.hpp"

#include <array>
#include <cstddef>

#include "jobs/common/commands.hpp"

namespace plaq::jobs {
namespace {

constexpr const char* complete_or_not =
    "Files that were complete before stay. The one that was being written does not appear under its name.";
constexpr const char* nothing = "None: it happens before any work is done.";

constexpr ExitCode success = {0,          "done",
                              "Done.",    "All work was done, and all results were written.",
                              "Nothing.", "All of them are complete."};

constexpr ExitCode internal = {
    1,
    "internal",
    "A bug in plaq, a failing machine, or out of memory on the host.",
    "The memory of the node is too small for the job; a machine that computes or stores wrongly; a bug, "
    "which "
    "the message then calls an internal error. mpirun also exits with 1 when it could not start the program.",
    "Out of memory: compare with plaq plan, and use more ranks or nodes. Else run plaq selftest on that "
    "node. "
    "If it passes, report the message with the job file.",
    complete_or_not};

constexpr ExitCode usage = {
    2,
    "usage",
    "Wrong command line, or with strict_binding a wrong launch.",
    "A command or option that does not exist, or one without its value. With --strict-binding: ranks that "
    "share a GPU, cores far from it, or more threads than cores.",
    "The message names what is wrong. plaq --help and plaq run --help show commands and options, "
    "docs/running.md how launchers bind ranks.",
    nothing};

constexpr ExitCode job_file = {
    3,
    "job_file",
    "Wrong job file: unknown key, bad value, lattice that does not split over the ranks.",
    "A misspelt key or table; a value out of range; keys that contradict each other; a number of ranks over "
    "which the lattice does not split into even local extents; extents that are not those of the gauge file.",
    "Every mistake is listed with its line. plaq schema JOBTYPE shows all keys, plaq plan JOB.toml --ranks N "
    "checks a job file without running it.",
    nothing};

constexpr ExitCode input_file = {
    4,
    "input_file",
    "A file that cannot be read or is not what it claims to be.",
    "A wrong name or directory; no permission; a transfer that ended early or damaged the file (checksum, "
    "plaquette or link trace disagree with the header); a format that plaq does not read.",
    "The message names the file, the place, what was expected and what was found. plaq info FILE looks at "
    "it alone. Transfer a damaged file again.",
    complete_or_not};

constexpr ExitCode output_file = {
    5,
    "output_file",
    "A file that cannot be written, or that exists while overwrite is false.",
    "The output of an earlier run; a directory that is missing or not writable; a full disk or quota.",
    "Choose another name, create the missing directory, or set overwrite = true in [output]. plaq plan "
    "JOB.toml shows the files that a job "
    "writes, how large they are and which of them exist.",
    complete_or_not};

constexpr ExitCode not_converged = {
    6,
    "not_converged",
    "A solve missed its tolerance; its result was not written.",
    "max_iterations is too small; the quark is too light for the method; the tolerance is below what the "
    "precision can reach.",
    "The message says where the residual stands, which solvers were tried and why each stopped. Raise "
    "max_iterations (of gaugefix max_sweeps), tolerance (theta), or leave the field out of [gauge] files, "
    "and run "
    "again: the job continues from its journal. precision = \"double\", links = 18 or another method make "
    "another job, which needs another output.",
    "None of this solve; the journal has what was finished before."};

constexpr ExitCode comms = {
    7,
    "comms",
    "MPI or a transport failed.",
    "A node or the network between nodes failed; mpirun belongs to another MPI than the one that plaq was "
    "built with; a message is too large.",
    "Run plaq selftest on the same nodes. Start plaq with the MPI that it was built with.",
    complete_or_not};

constexpr ExitCode device = {
    8,
    "device",
    "CUDA failed, or the GPU that was asked for is not there.",
    "location = \"gpu\" where a rank sees no GPU, or with a plaq built without CUDA; a driver that is too "
    "old; out of memory on the GPU; a GPU that fails.",
    "nvidia-smi on the node shows GPUs and driver. Let each rank see the GPUs of its node. Out of memory: "
    "compare with plaq plan --location gpu, and use more GPUs.",
    complete_or_not};

constexpr ExitCode stopped = {
    9,
    "stopped",
    "Stopped on request; everything is saved, and the same command goes on.",
    "A signal asked for it, from a user or from the batch system before the time limit.",
    "Run the same command again: it continues where this run stopped.",
    "All that is needed to continue. Results that are written at the end do not exist yet."};

constexpr ExitCode incomplete = {
    exit_incomplete,
    "incomplete",
    "All that could be done is done, and some of it is left out.",
    "plaq campaign run: gauge fields that cannot be read, solves that miss their tolerance with all fallback "
    "settings, or machines that fail again and again; tasks that wait for one that this worker was not to do "
    "(--task).",
    "plaq campaign quarantine DIR lists what is left out, and why; plaq campaign retry DIR tries it again. A "
    "field that is to stay out gets a reason of your own in quarantine.toml, and no longer counts.",
    "All outputs except those of the items that are left out are complete."};

// No default: -Wswitch names the kind that is missing. Null for a number that is no kind.
constexpr const ExitCode* find(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::internal:
      return &internal;
    case ErrorKind::usage:
      return &usage;
    case ErrorKind::job_file:
      return &job_file;
    case ErrorKind::input_file:
      return &input_file;
    case ErrorKind::output_file:
      return &output_file;
    case ErrorKind::not_converged:
      return &not_converged;
    case ErrorKind::comms:
      return &comms;
    case ErrorKind::device:
      return &device;
    case ErrorKind::stopped:
      return &stopped;
  }
  return nullptr;
}

constexpr int end_of_kinds = 64;  // below the codes of shells and launchers

constexpr bool numbered_right() {
  for (int i = 0; i < 256; ++i) {
    const ExitCode* found = find(static_cast<ErrorKind>(i));
    if (found && (found->code != i || i == 0 || i >= end_of_kinds || i == exit_incomplete)) return false;
  }
  return true;
}
static_assert(numbered_right(), "each kind of error is explained by its own code");

}  // namespace

const ExitCode& exit_code_of(ErrorKind kind) {
  const ExitCode* found = find(kind);
  require(found != nullptr, "an error of no kind");
  return *found;
}

std::vector<ExitCode> exit_codes() {
  std::vector<ExitCode> codes = {success};
  for (int i = 1; i < end_of_kinds; ++i)
    if (const ExitCode* found = i == exit_incomplete ? &incomplete : find(static_cast<ErrorKind>(i)))
      codes.push_back(*found);
  return codes;
}

}  // namespace plaq::jobs
