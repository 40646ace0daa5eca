#include "comms/watchdog/device_waits.hpp"

#include <chrono>
#include <exception>
#include <future>
#include <mutex>
#include <thread>
#include <utility>

#include "core/system/timer.hpp"

namespace plaq {
namespace {

struct AllWaits {
  std::mutex mutex;
  std::list<DeviceWait::Text> texts;

  static AllWaits& get() {
    static auto* all = new AllWaits;  // for ever: a thread that asks may outlive main()
    return *all;
  }
};

std::string all_texts(double seconds) {
  const double end = seconds_now() + seconds;
  AllWaits& all = AllWaits::get();
  const std::lock_guard lock(all.mutex);
  std::string together;
  for (const auto& text : all.texts) {
    if (seconds_now() >= end) break;
    const std::string one = text();
    if (!one.empty()) together += (together.empty() ? "" : "; ") + one;
  }
  return together;
}

}  // namespace

DeviceWait::DeviceWait(Text text) {
  AllWaits& all = AllWaits::get();
  const std::lock_guard lock(all.mutex);
  place_ = all.texts.insert(all.texts.end(), std::move(text));
}

DeviceWait::~DeviceWait() {
  AllWaits& all = AllWaits::get();
  const std::lock_guard lock(all.mutex);
  all.texts.erase(place_);
}

// On a thread of its own: a driver may keep whoever calls it, and a watchdog must go on.
std::string device_waits(double seconds) {
  try {
    std::packaged_task<std::string()> ask([seconds] { return all_texts(seconds / 2); });
    auto answer = ask.get_future();
    std::thread(std::move(ask)).detach();
    if (answer.wait_for(std::chrono::duration<double>(seconds)) == std::future_status::ready)
      return answer.get();
    return no_answer;
  } catch (const std::exception& e) {
    return e.what();
  }
}

}  // namespace plaq
