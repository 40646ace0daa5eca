#include "jobs/campaign/heart.hpp"

#include <chrono>
#include <stop_token>

#include "comms/communicator/stop_request.hpp"

namespace plaq::jobs {

Heart::Heart(const Lease& lease, double seconds)
    : thread_([this, &lease, seconds](const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        while (!ends_.wait_for(lock, stop, std::chrono::duration<double>(seconds),
                               [&] { return stop.stop_requested(); })) {
          if (lease.beat()) continue;
          lost_ = true;
          request_stop();
          return;
        }
      }) {}

Heart::~Heart() {
  thread_.request_stop();
  thread_.join();
  withdraw_stop();
}

}  // namespace plaq::jobs
