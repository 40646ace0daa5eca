// What this rank's GPU waits for by itself, in kernels, while the host waits for something else: asked by a
// watchdog.
#pragma once

#include <functional>
#include <list>
#include <string>

namespace plaq {

// One thing that kernels may wait for, from construction to destruction.
class DeviceWait {
 public:
  using Text = std::function<std::string()>;
  // `text()`, for people, empty: nothing is awaited. Called on other threads, one at a time, never after
  // destruction, which waits for a call that runs.
  explicit DeviceWait(Text text);
  ~DeviceWait();
  DeviceWait(const DeviceWait&) = delete;
  DeviceWait& operator=(const DeviceWait&) = delete;

 private:
  std::list<Text>::iterator place_;
};

// Waits of all devices, with "; " between them; empty: nothing is awaited. Never takes more than `seconds`
// and never throws: the text then says that the GPU does not answer, or what went wrong.
std::string device_waits(double seconds);

// What `text()` says where the GPU does not answer.
inline constexpr const char* no_answer = "the GPU does not answer";

}  // namespace plaq
