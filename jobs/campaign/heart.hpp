// Signs of life of a lease while something long is done.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "jobs/campaign/lease.hpp"

namespace plaq::jobs {

// Touches the lease every `seconds` from a thread of its own while it lives. Where another process has taken
// the lease over, it asks for a stop (request_stop) and withdraws that at its end. `lease` must outlive it.
class Heart {
 public:
  Heart(const Lease& lease, double seconds);
  ~Heart();
  Heart(const Heart&) = delete;
  Heart& operator=(const Heart&) = delete;
  bool lost() const { return lost_; }

 private:
  std::mutex mutex_;
  std::condition_variable_any ends_;
  std::atomic<bool> lost_ = false;
  std::jthread thread_;
};

}  // namespace plaq::jobs
