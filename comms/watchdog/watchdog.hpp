// Ends a job that hangs: when this rank has waited for others too long, it says for what, also what its GPU
// waits for (comms/watchdog/device_waits.hpp), and soon after the whole program ends.
#pragma once

#include <functional>
#include <memory>

namespace plaq {

class Watchdog {
 public:
  // Looks at waits (core/system/waiting.hpp) of at least `seconds`; 0: never. `bite` ends the program; it is
  // called once, some seconds after the report, so that other ranks can report too.
  Watchdog(double seconds, std::function<void()> bite);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace plaq
