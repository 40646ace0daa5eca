// A set of cores of a node, by the numbers that the kernel gives them (hardware threads, where a core has
// more than one).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plaq {

class CoreSet {
 public:
  CoreSet() = default;
  explicit CoreSet(std::vector<int> cores);  // in any order
  // "0-3,8,10-11", as the kernel writes it. Throws Error(internal) for anything else.
  static CoreSet parse(std::string_view text);
  std::string text() const;  // what parse() reads; empty for none

  bool empty() const { return cores_.empty(); }
  int count() const { return static_cast<int>(cores_.size()); }
  const std::vector<int>& cores() const { return cores_; }  // ascending
  bool contains(int core) const;
  bool includes(const CoreSet& other) const;  // all of the other's
  bool meets(const CoreSet& other) const;     // any of the other's

  bool operator==(const CoreSet&) const = default;
  bool operator<(const CoreSet& other) const { return cores_ < other.cores_; }

 private:
  std::vector<int> cores_;
};

CoreSet operator&(const CoreSet& a, const CoreSet& b);
CoreSet operator|(const CoreSet& a, const CoreSet& b);

// True if OMP_PROC_BIND or OMP_PLACES bind the threads of OpenMP.
bool openmp_has_places();
// Cores that the launcher left to this process; empty: unknown.
CoreSet cores_of_process();
// Binds the calling thread, and those that come of it later, to some cores. Whether it could be done.
bool bind_thread(const CoreSet& cores);

}  // namespace plaq
