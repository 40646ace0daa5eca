// Waits of this rank's GPU itself, in kernels, while the host waits for something else. A watchdog asks for
// them.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

namespace plaq {

// One thing that kernels may wait for, from construction to destruction.
class DeviceWait {
 public:
  using Text = std::function<std::string()>;
  // `text()`, for users, empty: nothing is awaited. Called on other threads, one at a time, never after
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

// Result of `text()` if the GPU does not answer.
inline constexpr const char* no_answer = "the GPU does not answer";

#if defined(PLAQ_WITH_CUDA)
// Numbers in this GPU's memory, read while kernels run. Waits for no kernel, on whatever stream. Nothing
// where the GPU fails, or does not answer within half a second. For any thread. The first call sets up what
// all use, which may wait for kernels: make it, once there is something to read, before any of them waits for
// others.
std::optional<std::vector<std::uint64_t>> device_numbers(const std::vector<const std::uint64_t*>& at);
#endif

}  // namespace plaq
