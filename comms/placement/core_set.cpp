#include "comms/placement/core_set.hpp"

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <iterator>
#include <new>
#include <vector>

#include "core/system/error.hpp"

namespace plaq {

CoreSet::CoreSet(std::vector<int> cores) : cores_(std::move(cores)) {
  std::sort(cores_.begin(), cores_.end());
  cores_.erase(std::unique(cores_.begin(), cores_.end()), cores_.end());
}

CoreSet CoreSet::parse(std::string_view text) {
  constexpr int most = 1 << 20;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  const char *at = text.data(), *end = at + text.size();
  const auto number = [&] {
    int value = 0;
    const auto [stop, problem] = std::from_chars(at, end, value);
    require(problem == std::errc() && value >= 0 && value < most, "a list of cores that is none");
    at = stop;
    return value;
  };
  std::vector<int> cores;
  while (at != end) {
    if (!cores.empty()) require(*at++ == ',', "a list of cores that is none");
    const int first = number();
    int last = first;
    if (at != end && *at == '-') {
      ++at;
      last = number();
    }
    require(first <= last, "a list of cores that is none");
    for (int core = first; core <= last; ++core) cores.push_back(core);
  }
  return CoreSet(std::move(cores));
}

std::string CoreSet::text() const {
  std::string text;
  for (auto first = cores_.begin(); first != cores_.end();) {
    auto last = first;
    while (std::next(last) != cores_.end() && *std::next(last) == *last + 1) ++last;
    if (!text.empty()) text += ',';
    text += std::to_string(*first);
    if (last != first) text.append("-").append(std::to_string(*last));
    first = std::next(last);
  }
  return text;
}

bool CoreSet::contains(int core) const { return std::binary_search(cores_.begin(), cores_.end(), core); }

bool CoreSet::includes(const CoreSet& other) const {
  return std::includes(cores_.begin(), cores_.end(), other.cores_.begin(), other.cores_.end());
}

bool CoreSet::meets(const CoreSet& other) const { return !(*this & other).empty(); }

CoreSet operator&(const CoreSet& a, const CoreSet& b) {
  std::vector<int> both;
  std::set_intersection(a.cores().begin(), a.cores().end(), b.cores().begin(), b.cores().end(),
                        std::back_inserter(both));
  return CoreSet(std::move(both));
}

CoreSet operator|(const CoreSet& a, const CoreSet& b) {
  std::vector<int> any;
  std::set_union(a.cores().begin(), a.cores().end(), b.cores().begin(), b.cores().end(),
                 std::back_inserter(any));
  return CoreSet(std::move(any));
}

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

// Cores of the places of OpenMP; if it has any, it has already bound this thread to one of them.
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
