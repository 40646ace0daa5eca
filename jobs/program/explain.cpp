// plaq explain: exit codes, those that signals make, and what launchers make of them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "core/system/wording.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/common/terminal_text.hpp"
#include "jobs/program/exit_codes.hpp"

namespace plaq::jobs {
namespace {

constexpr int signal_base = 128;  // shells and Open MPI's mpirun: 128 + number of the signal

struct Signal {
  int number;  // on Linux
  const char *name, *meaning, *causes, *remedy;
};
constexpr std::array<Signal, 14> signals = {{
    {1, "SIGHUP", "The terminal went away.", "A connection to the machine was lost.",
     "Run long jobs through the batch system."},
    {2, "SIGINT", "Interrupted.", "Somebody pressed Ctrl-C, or the batch system sent it.", "Run it again."},
    {3, "SIGQUIT", "Quit from the terminal.", "Somebody pressed Ctrl-\\.", "Run it again."},
    {4, "SIGILL", "An instruction that this processor does not have.",
     "plaq was built for newer processors (PLAQ_HOST_ISA, AVX2 and FMA by default). Open MPI's mpirun also "
     "exits with 132 when it does not find the program.",
     "Build with -DPLAQ_HOST_ISA=native on such a node, or leave it empty. Check the path of the program."},
    {6, "SIGABRT", "The program gave up.", "A library (MPI, the C library) met what it could not go on from.",
     "Its message is on standard error, above. Run plaq selftest on the same nodes."},
    {7, "SIGBUS", "Memory behind an address is gone.",
     "Shared memory (/dev/shm) or a disk is full; memory of the node fails.",
     "Free /dev/shm, or run on another node."},
    {8, "SIGFPE", "A division by zero of integers.", "A bug.", "Report the message with the job file."},
    {9, "SIGKILL", "Killed.",
     "The node or the batch job ran out of memory, and the system chose this process; or the time limit, "
     "some "
     "time after a first warning.",
     "Out of memory (dmesg, sacct): compare with plaq plan, and use more ranks or nodes. Else a longer time "
     "limit."},
    {11, "SIGSEGV", "Memory that is not there was touched.",
     "A bug, a failing machine, or too small a stack.",
     "Run plaq selftest on that node. If it passes, report the job file."},
    {13, "SIGPIPE", "Nobody reads the output.", "The program behind a pipe has ended.", "Write to a file."},
    {14, "SIGALRM", "A timer ended.", "Whoever started the program limited its time.", "A longer limit."},
    {15, "SIGTERM", "Asked to end.", "The batch system at the time limit, or scancel, or kill.",
     "Run it again with a longer time limit."},
    {24, "SIGXCPU", "The limit of processor time was reached.", "ulimit -t, or the batch system.",
     "A longer limit."},
    {25, "SIGXFSZ", "A file became larger than is allowed.", "ulimit -f, or a quota.",
     "A larger limit; plaq plan JOB.toml shows the sizes of all files."},
}};

constexpr const char* signal_outputs =
    "Files that were complete before stay. A hidden temporary (.NAME.*.part) may be left beside them and can "
    "be deleted.";

constexpr const char* launchers =
    "Under mpirun (Open MPI) the code is that of the first rank that failed; when plaq ends by itself all "
    "ranks have the same. A rank that a signal ended gives 128 + the signal. mpirun gives 1 of its own when "
    "it cannot start the ranks or is interrupted itself, and 132 when it does not find the program. "
    "mpiexec (MPICH) gives the number of the signal alone, which may be a code of plaq, too: 9 after "
    "SIGKILL. It then says EXIT STRING and the name of the signal. "
    "srun gives the largest code of all ranks; sacct shows CODE:SIGNAL. A shell gives 126 or 127 when it "
    "cannot run or find the program.";

std::string entry(const char* what, const std::string& text) {
  std::string lines = wrapped(text, std::string(10, ' '));
  return lines.replace(0, std::string(what).size(), what);
}

std::string details(const std::string& title, const char* meaning, const char* causes, const char* remedy,
                    const char* outputs) {
  return title + '\n' + entry("meaning", meaning) + entry("causes", causes) + entry("do", remedy) +
         entry("outputs", outputs);
}

std::string in_full(const ExitCode& c) {
  return details(fmt::format("{} ({})", c.code, c.name), c.meaning, c.causes, c.remedy, c.outputs);
}

std::string in_full(const Signal& s) {
  return details(fmt::format("{} (128 + {}, {})", signal_base + s.number, s.number, s.name), s.meaning,
                 s.causes, s.remedy, signal_outputs);
}

std::string row(int code, const char* name, const char* meaning) {
  std::string lines = wrapped(meaning, std::string(22, ' '));
  const std::string begin = fmt::format("{:>5}  {:<13}", code, name);
  return lines.replace(0, begin.size(), begin);
}

std::string table() {
  std::string text = " code  name          meaning\n";
  for (const ExitCode& c : exit_codes()) text += row(c.code, c.name, c.meaning);
  text += "\nEnded by a signal:\n";
  for (const Signal& s : signals) text += row(signal_base + s.number, s.name, s.meaning);
  return text + '\n' + wrapped(launchers) + "\nplaq explain CODE says more about one of them.\n";
}

std::string number_in_full(int number) {
  for (const ExitCode& c : exit_codes())
    if (c.code == number) return in_full(c);
  for (const Signal& s : signals)
    if (signal_base + s.number == number) return in_full(s);
  if (number > signal_base && number <= signal_base + 64)
    return wrapped(fmt::format("{}: ended by signal {} (kill -l names it). {}", number, number - signal_base,
                               signal_outputs));
  if (number == 126 || number == 127)
    return wrapped(fmt::format("{}: not of plaq: the shell {} the program.", number,
                               number == 126 ? "cannot run" : "does not find"));
  throw Error(ErrorKind::usage,
              fmt::format("explain: plaq has no exit code {}; plaq explain shows all", number));
}

}  // namespace

std::string text_of(const ExplainOptions& options) { return explain_text(options.code); }

std::string explain_text(const std::string& code) {
  if (code.empty()) return table();
  int number = 0;
  const char* end = code.data() + code.size();
  const auto [stop, problem] = std::from_chars(code.data(), end, number);
  if (problem == std::errc() && stop == end) return number_in_full(number);
  std::vector<std::string> names;
  for (const ExitCode& c : exit_codes()) {
    if (code == c.name) return in_full(c);
    names.emplace_back(c.name);
  }
  for (const Signal& s : signals) {
    if (code == s.name) return in_full(s);
    names.emplace_back(s.name);
  }
  throw Error(ErrorKind::usage, fmt::format("explain: CODE must be an exit code or its name, found '{}'; {}",
                                            code, nearest_hint(code, names)));
}

}  // namespace plaq::jobs
