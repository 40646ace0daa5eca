// The program running beside the test, to be killed or signalled with all of its ranks.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/jobs/program/program.hpp"

namespace plaq::test {

struct Process {
  pid_t pid = 0, parent = 0;
  char state = '?';
};

inline std::vector<Process> all_processes() {
  std::vector<Process> found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string stat = contents(entry.path() / "stat");
    const auto end = stat.rfind(')');  // of the program's name
    if (end == std::string::npos) continue;
    Process process;
    process.pid = static_cast<pid_t>(std::stol(name));
    std::istringstream(stat.substr(end + 1)) >> process.state >> process.parent;
    found.push_back(process);
  }
  return found;
}

// Children, their children and so on, the youngest generation first.
inline std::vector<pid_t> descendants_of(pid_t ancestor) {
  const auto processes = all_processes();
  std::vector<pid_t> found{ancestor};
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const auto& process : processes)
      if (process.parent == found[i]) found.push_back(process.pid);
  std::reverse(found.begin(), found.end());
  found.pop_back();
  return found;
}

class Launched {
 public:
  // One rank runs without a launcher. Leftovers of a killed launcher go to the sandbox too.
  Launched(const Sandbox& box, const std::string& arguments, int ranks) : directory_(box / "") {
    std::filesystem::remove(directory_ / ".launched.out");
    std::filesystem::remove(directory_ / ".launched.err");
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // orphans of a killed launcher become ours
    const std::string launcher =
        ranks == 1 ? "" : std::string(PLAQ_MPIRUN) + " -np " + std::to_string(ranks) + " ";
    const std::string command =
        "cd '" + (box / "").string() + "' && mkdir -p .tmp && export TMPDIR=$PWD/.tmp OMP_NUM_THREADS=1 " +
        "OMPI_MCA_btl_vader_backing_directory=$PWD/.tmp ASAN_OPTIONS=detect_leaks=0 && exec " + launcher +
        "'" + PLAQ_PROGRAM + "' " + arguments + " > .launched.out 2> .launched.err";
    started_ = std::chrono::steady_clock::now();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      ::_exit(127);
    }
  }
  ~Launched() {
    if (pid_ > 0) kill();
  }
  Launched(const Launched&) = delete;
  Launched& operator=(const Launched&) = delete;

  double age() const {  // seconds
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }
  // Waits until `seconds` after the start; true when the program has ended before.
  bool ends_within(double seconds) {
    while (!ended()) {
      if (age() >= seconds) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }

  std::string out() const { return contents(directory_ / ".launched.out"); }
  std::string err() const { return contents(directory_ / ".launched.err"); }
  void signal(int number) const { ::kill(pid_, number); }
  std::vector<pid_t> processes() const { return descendants_of(pid_); }  // ranks among them

  // SIGKILL for the ranks and their launcher; returns when none is left.
  void kill() {
    auto victims = descendants_of(pid_);
    victims.push_back(pid_);
    for (const pid_t victim : victims) ::kill(victim, SIGKILL);
    for (const pid_t victim : victims) {
      int status = 0;
      while (::waitpid(victim, &status, 0) < 0 && errno == ECHILD && ::kill(victim, 0) == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));  // not yet our child
    }
    pid_ = 0;
  }

  // The exit code, once it has ended; -1 when a signal ended it.
  int code() const { return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1; }

 private:
  bool ended() {
    if (pid_ > 0 && ::waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = 0;
    return pid_ == 0;
  }

  std::filesystem::path directory_;
  pid_t pid_ = 0;
  int status_ = 0;
  std::chrono::steady_clock::time_point started_;
};

}  // namespace plaq::test
