// While it lives, only errors are logged: a dry run does not warn as a run would.
#pragma once

#include "core/system/log.hpp"

namespace plaq {

class Quiet {
 public:
  Quiet() : before_(log::level()) { log::set_level(log::Level::error); }
  ~Quiet() { log::set_level(before_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  log::Level before_;
};

}  // namespace plaq
