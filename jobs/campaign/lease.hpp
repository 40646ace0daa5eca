// Who works on what, by files that any number of processes on any nodes
// share: no daemon, no database. Serial.
//
// A lease on NAME is the file leases/NAME.N, made with O_EXCL; its holder touches it again and again. One
// that was not touched for `timeout` seconds, watched by the clock of whoever wants it (clocks of nodes
// differ), or whose process is known to be dead, may be taken over: by making leases/NAME.(N+1), which
// succeeds for one process alone, and only counts while NAME.N is what it was. Who was stopped and goes on
// finds NAME.N gone, or NAME.(N+1) there, and knows that it has lost what it had in hand.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace plaq::jobs {

// A process, as it is known on its node.
struct Holder {
  std::string worker, node;
  std::string host;  // node, its boot, and the namespace in which `process` is a number
  std::int64_t process = 0, started = 0;
  static Holder of_this_process(const std::string& worker);
  // True if it is on this machine and has ended.
  bool is_dead() const;
};
std::string node_name();

// One lease, held. Releases it when it goes.
class Lease {
 public:
  Lease(std::string path, std::string next, int descriptor)
      : path_(std::move(path)), next_(std::move(next)), descriptor_(descriptor) {}
  ~Lease() { release(); }
  Lease(Lease&& other) noexcept;
  Lease& operator=(Lease&&) = delete;
  Lease(const Lease&) = delete;

  // A sign of life. False: another process has taken it over. From one thread at a time.
  bool beat() const;
  bool held() const;
  void release();

  std::string taken_from;  // the worker that had lost it; empty: none

 private:
  bool is_there() const;

  std::string path_, next_;
  int descriptor_;
};

class Leases {
 public:
  // `directory` is there.
  Leases(std::string directory, Holder self, double timeout);

  // None where another process has it. Throws Error(output_file) where files cannot be made.
  std::optional<Lease> take(const std::string& name);
  // Leases that are held, by name: looked at, and watched for signs of life.
  const std::map<std::string, Holder>& look();
  bool held(const std::string& name) const { return holders_.contains(name); }
  // True if a lease that is held has shown no sign of life since it was first
  // looked at: its holder may be gone.
  bool is_uncertain(const std::string& name) const;
  // All leases as they were at the last look, stale ones too, with the seconds since their last sign of life
  // by the clock of this node.
  struct Look {
    std::string name;
    Holder holder;
    double silence = 0;
  };
  std::vector<Look> looks() const;

 private:
  struct Seen {
    std::uint64_t number = 0, file = 0;
    std::int64_t touched = 0;  // nanoseconds
    std::chrono::steady_clock::time_point since;
    bool lives = false;  // its holder, since somebody looked
    Holder holder;
  };
  std::string path(const std::string& name, std::uint64_t number) const;
  bool is_stale(const Seen& seen) const;

  std::string directory_;
  Holder self_;
  double timeout_;
  std::map<std::string, Seen> seen_;  // the highest number of each
  std::map<std::string, Holder> holders_;
};

}  // namespace plaq::jobs
