#include "comms/watchdog/watchdog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "comms/watchdog/device_waits.hpp"
#include "core/system/fork.hpp"
#include "core/system/log.hpp"
#include "core/system/waiting.hpp"

namespace plaq {

struct Watchdog::Implementation {
  Implementation(double s, std::function<void()> b)
      : seconds(s), bite(std::move(b)), thread([this] { watch(); }) {}
  ~Implementation() {
    {
      const std::lock_guard lock(mutex);
      ends = true;
    }
    changed.notify_all();
    thread.join();
  }

  void watch() {
    // Ranks begin to wait at about the same time, one look apart at most: the last one still gets to speak.
    const auto look = std::chrono::duration<double>(std::clamp(seconds / 4, 0.01, 1.0));
    const auto moment = std::chrono::duration<double>(std::clamp(seconds / 2, 0.5, 5.0)) + look;
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, look, [&] { return ends; })) {
      const auto wait = wait_of_at_least(seconds);
      if (!wait) continue;
      const std::string device = device_waits(std::min(moment.count() / 2, 1.0));
      log::error_here(fmt::format("has waited for {:.1f} s: {}{}{}", wait->seconds, wait->text,
                                  wait->ranges.empty() ? "" : " (in " + wait->ranges + ")",
                                  device.empty() ? "" : "; " + device));
      if (changed.wait_for(lock, moment, [&] { return ends; })) return;
      if (!wait_of_at_least(seconds)) continue;  // it came after all
      bite();
      return;
    }
  }

  double seconds;
  std::function<void()> bite;
  std::mutex mutex;
  std::condition_variable changed;
  bool ends = false;
  std::thread thread;  // last: it uses the others
};

Watchdog::Watchdog(double seconds, std::function<void()> bite) {
  if (seconds <= 0) return;
  has_what_forks_lack();
  implementation_ = std::make_unique<Implementation>(seconds, std::move(bite));
}

// In a forked child the thread is not there, and joining it would never end.
Watchdog::~Watchdog() {
  if (is_lacking_fork()) static_cast<void>(implementation_.release());
}

}  // namespace plaq
