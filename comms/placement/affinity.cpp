#include "comms/placement/affinity.hpp"

#include <omp.h>
#include <sched.h>

#include <cerrno>
#include <new>
#include <vector>

namespace plaq {
namespace {

constexpr int most_cores = 1 << 16;

// A cpu_set_t of any size (sched_setaffinity(2), CPU_SET(3)).
class Affinity {
 public:
  static CoreSet get() {
    for (int size = CPU_SETSIZE; size <= most_cores; size *= 2) {
      const Affinity set(size);
      if (sched_getaffinity(0, set.bytes_, set.set_) == 0) return set.cores(size);
      if (errno != EINVAL) break;
    }
    return {};
  }
  static bool set(const CoreSet& cores) {
    const Affinity set(cores.cores().back() + 1);
    for (const int core : cores.cores()) CPU_SET_S(static_cast<std::size_t>(core), set.bytes_, set.set_);
    return sched_setaffinity(0, set.bytes_, set.set_) == 0;
  }

 private:
  explicit Affinity(int size)
      : set_(CPU_ALLOC(static_cast<std::size_t>(size))),
        bytes_(CPU_ALLOC_SIZE(static_cast<std::size_t>(size))) {
    if (set_ == nullptr) throw std::bad_alloc();
    CPU_ZERO_S(bytes_, set_);
  }
  ~Affinity() { CPU_FREE(set_); }
  Affinity(const Affinity&) = delete;
  Affinity& operator=(const Affinity&) = delete;

  CoreSet cores(int size) const {
    std::vector<int> found;
    for (int core = 0; core < size; ++core)
      if (CPU_ISSET_S(static_cast<std::size_t>(core), bytes_, set_)) found.push_back(core);
    return CoreSet(std::move(found));
  }

  cpu_set_t* set_;
  std::size_t bytes_;
};

// Where OpenMP has places, it has bound this thread to one of them already.
CoreSet cores_of_openmp() {
  std::vector<int> cores;
  for (int place = 0; place < omp_get_num_places(); ++place) {
    std::vector<int> ids(static_cast<std::size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, ids.data());
    cores.insert(cores.end(), ids.begin(), ids.end());
  }
  return CoreSet(std::move(cores));
}

}  // namespace

bool openmp_has_places() { return omp_get_proc_bind() != omp_proc_bind_false; }

CoreSet cores_of_process() {
  const CoreSet cores = openmp_has_places() ? cores_of_openmp() : CoreSet();
  return cores.empty() ? Affinity::get() : cores;
}

bool bind_thread(const CoreSet& cores) { return !cores.empty() && Affinity::set(cores); }

}  // namespace plaq
