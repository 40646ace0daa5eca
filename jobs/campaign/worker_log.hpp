// Logs of workers, one file of JSON lines for each: log/WORKER.jsonl. Each is written by one process alone,
// line by line, and only grows, so that any number of others may read it meanwhile. Serial.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace plaq::jobs {

enum class EventKind {
  begin,    // of a worker
  start,    // of an item
  done,     // with it
  failed,   // exit code, reason and message say how
  stopped,  // by a signal: it goes on later
  lost,     // taken over: `from` had it and gave no sign of life
  dropped,  // by a worker that found that it had lost it
  retry,    // a user asks to try it again
  end,      // of a worker
};

struct Event {
  EventKind kind = EventKind::begin;
  double at = 0;  // seconds since 1970
  std::string worker, node;
  std::string item;  // "landau/000120"
  int rung = 0;      // of the task's ladder
  int code = 0;
  std::string reason, message;
  double seconds = 0;  // that it took
  int ranks = 0;
  double nodes = 0;  // nodes, or parts of one, that these ranks are
  std::string from;
};

double now_seconds();                   // since 1970
std::string time_text(double seconds);  // "2026-11-25T03:21:30Z"

// A name that no process in this campaign ever had: "node7.4711", or "node7.4711-2" where numbers of
// processes came again. Its log is made. Throws Error(output_file).
std::string new_worker_name();

class WorkerLog {
 public:
  // Log in log/WORKER.jsonl, which continues an earlier one. Throws Error(output_file).
  explicit WorkerLog(const std::string& worker);
  ~WorkerLog();
  WorkerLog(const WorkerLog&) = delete;
  WorkerLog& operator=(const WorkerLog&) = delete;
  void write(const Event& event);  // worker, node and time are filled in
  void write_for(const std::string& node, Event event);

 private:
  std::string worker_, path_;
  int descriptor_ = -1;
};

// Reads the logs of all workers, each line once. A line that is not whole yet is left for later; one that is
// no event is passed over.
class LogReader {
 public:
  std::vector<Event> read_new();

 private:
  std::map<std::string, std::uint64_t> read_;  // bytes of each file
};

}  // namespace plaq::jobs
